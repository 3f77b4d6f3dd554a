"""Dialogues become verdicts and scores: metrics are computed, rules checked, a judge asked."""
