"""Results file, terminal."""
