"""The words that deny, in texts of either side."""

import re

NEGATIVE = ("no", "not", "never", "none", "neither", "nor", "without")
NEGATED = re.compile(rf"\b(?:{'|'.join(NEGATIVE)})\b|n['’]t\b", re.I)
LACKS = re.compile(r"\b(?:lacks?|unfortunately)\b", re.I)
"""Words that deny a feature: "It lacks parking"."""
