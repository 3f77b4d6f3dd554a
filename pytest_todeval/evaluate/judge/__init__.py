"""Scores, rules and verdicts of a dialogue: by rule, or by asking a model.

Packages make questions of their own with `yes_no_question` and `scores_question`.
"""
