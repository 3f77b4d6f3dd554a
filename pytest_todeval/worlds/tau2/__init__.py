"""tau2-bench: tasks, tools, tables and rewards, run by the user's own checkout."""
