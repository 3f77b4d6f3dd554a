"""Looking for what breaks a bot: drawn conversations, relations, mutants, coverage of a suite."""
