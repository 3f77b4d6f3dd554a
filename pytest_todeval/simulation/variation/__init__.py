"""Variations of what a user says, so that a bot meets other wordings, typos, speech, languages.

After AutoEval-ToD, section 3.1 and prompt H.1 (easy, medium, hard); the rest is this project's. By
rule, in English, from `wordings.yaml`, or by a model.
"""

from pytest_todeval.simulation.variation.levels import BY_RULE, LEVELS, MODEL, check_variation
from pytest_todeval.simulation.variation.variation import Variation, make_variation

__all__ = ["BY_RULE", "LEVELS", "MODEL", "Variation", "check_variation", "make_variation"]
