"""The demo: an invented town in MultiWOZ's format, shipped with the package."""
