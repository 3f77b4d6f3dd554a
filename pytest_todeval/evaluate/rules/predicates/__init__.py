"""What rules can ask of a turn, by subject; each decorated function is a predicate by its name."""
