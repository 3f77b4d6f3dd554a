"""Values, times, names and what a bot's text says; shared by users, reference bots and evaluators."""
