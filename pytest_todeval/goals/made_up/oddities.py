"""Values that exist nowhere."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pytest_todeval.documents import read_document

__all__ = ["oddities"]

SHEET = Path(__file__).with_name("oddities.yaml")


@cache
def _sheet() -> Mapping[str, Sequence[str]]:
    sheet: Mapping[str, Sequence[str]] = read_document(SHEET).value
    return sheet


def oddities(slot: str) -> Sequence[str]:
    """Impossible values of a slot; none if any value of it may exist."""
    sheet = _sheet()
    if slot in sheet["never"]:
        return ()
    return sheet.get(slot, sheet["other"])
