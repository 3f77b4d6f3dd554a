"""Kinds of values: the forms in which people write each, and when two forms are the same value."""
