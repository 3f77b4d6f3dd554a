"""tau-bench: tasks, tools, tables and policies from the user's own checkout or installation."""
