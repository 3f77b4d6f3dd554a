"""People rate what a judge rated: a sheet to fill in, blind, and what comes back."""
