"""A strategy for a model that plays the rider: `--todeval-user=hurried`."""

from pathlib import Path

from pytest_todeval import Strategy

__all__ = ["hurried"]

hurried = Strategy("hurried", Path(__file__).with_name("hurried.md"), ending="DONE")
