"""Tool calls, read by what they did: the facts of a turn."""
