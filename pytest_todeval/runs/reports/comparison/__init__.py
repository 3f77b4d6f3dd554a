"""Two runs over the same goals: what broke, what was mended, and what of it is more than chance."""
