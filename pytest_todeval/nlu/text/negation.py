"""The words that deny and that hedge: one vocabulary for all that reads text, of either side."""

import re

from pytest_todeval.nlu.patterns import word_set

NEGATIONS = word_set("not never neither nor hardly barely scarcely without nt unsuccessfully")
"""In a verb group: "has not yet been booked"."""
NOBODY = word_set("no none nothing nobody neither zero nowhere")
"""As a subject or object: "no table is free"."""
DENIALS = NEGATIONS | NOBODY - {"zero"} | {"cannot"}
ANY_DENIAL = "|".join(sorted(DENIALS))
"""The same, as a piece of a pattern."""
NEGATED = re.compile(rf"\b(?:{ANY_DENIAL})\b|n['\u2019]t\b", re.I)
LACKS = re.compile(r"\b(?:lacks?|unfortunately)\b", re.I)
"""Words that deny a feature: "It lacks parking"."""
HEDGES = word_set(
    """probably apparently presumably hopefully likely possibly supposedly seemingly perhaps maybe
    allegedly evidently"""
)
