"""`todeval init`: what is in a project, read and never run, and the first suite for it."""
