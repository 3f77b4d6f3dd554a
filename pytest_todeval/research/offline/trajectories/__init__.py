"""Stored trajectories of tau-bench: read, replayed on a fresh backend, and rewarded anew."""
