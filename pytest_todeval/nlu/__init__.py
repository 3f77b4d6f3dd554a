"""Text to dialogue acts and values."""
