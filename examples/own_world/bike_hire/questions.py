"""A question for a judge that is a model: `judge.courtesy(dialogue)`."""

from pathlib import Path

from pytest_todeval.judge import scores_question

__all__ = ["courtesy"]

courtesy = scores_question(
    "courtesy",
    Path(__file__).with_name("courtesy.md"),
    {"courtesy": (1, 5)},
    per="dialogue",
)
