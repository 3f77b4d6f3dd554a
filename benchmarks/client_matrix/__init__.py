"""Bots on many client libraries, and the model server that they ask."""
