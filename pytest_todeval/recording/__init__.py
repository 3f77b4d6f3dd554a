"""Cassettes: what the calls of one test said, recorded once and replayed offline."""
