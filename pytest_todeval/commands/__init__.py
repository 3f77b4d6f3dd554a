"""The subcommands of `todeval`: each module has `add_arguments(parser)` and `run(arguments) -> int`."""
