"""What the pytest hooks call."""
