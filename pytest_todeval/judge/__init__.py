"""Scores, rules and verdicts of a dialogue: by rule, or by asking a model."""
