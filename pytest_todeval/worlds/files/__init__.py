"""Goals of one's own, in YAML and JSON files."""
