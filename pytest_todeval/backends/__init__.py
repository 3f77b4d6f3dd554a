"""Databases and tools: what a dialogue can look up and book."""
