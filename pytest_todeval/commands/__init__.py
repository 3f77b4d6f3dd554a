"""The subcommands of `todeval`: modules with `add_arguments(parser)` and `run(arguments)`."""
