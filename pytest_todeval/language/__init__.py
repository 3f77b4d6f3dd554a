"""Values, times, names and what a bot says; shared by users, reference bots and evaluators."""
