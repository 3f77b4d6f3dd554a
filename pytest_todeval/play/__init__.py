"""Playing one test's dialogue: what it needs, resolved once, and how it becomes a dialogue."""
