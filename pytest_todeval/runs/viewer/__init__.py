"""Results as a page for people: one file that needs nothing else, or served on loopback."""
