"""Reference bots and the papers' systems, to test against and to learn from."""
