"""tau2-bench: its tasks, tools, tables and reward, from the checkout of the user."""
