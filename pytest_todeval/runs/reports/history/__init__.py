"""Runs over time, in one SQLite file."""
