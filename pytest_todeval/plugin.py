"""The pytest entry point."""
