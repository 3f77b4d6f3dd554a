"""Benchmarks and domains: one folder each, with goals, backend, user, evaluation and options."""
