"""What no file may hold."""

HALF_CHARACTER = "half of a surrogate pair (\\ud800 to \\udfff alone); expected whole characters"
MAX_DIGITS = 1000
"""Of a number; Python refuses to convert more than 4300."""
