"""The sheet of wordings beside this module, read once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents import read_document
from pytest_todeval.core.fingerprint import fingerprint

SHEET = Path(__file__).parent / "wordings.yaml"


@dataclass(frozen=True, slots=True)
class Words:
    """Words and what may stand in their place."""

    pattern: re.Pattern[str]
    instead: Mapping[str, Sequence[str]]
    """By the words in lower case."""


@dataclass(frozen=True, slots=True)
class Recast:
    """A sentence, and how it is built anew."""

    pattern: re.Pattern[str]
    instead: Sequence[str]


@cache
def sheet() -> Mapping[str, Any]:
    """Returns all of it."""
    found: Mapping[str, Any] = read_document(SHEET).value
    return found


@cache
def sheet_definition() -> str:
    """Version and hash: what was said by another sheet is not comparable."""
    return f"{sheet()['version']} ({fingerprint([SHEET.read_bytes()])})"


@cache
def words_of(section: str) -> Words:
    """Returns one of the sections that map words to lists of words."""
    found = {key.lower(): value for key, value in sheet()[section].items()}
    keys = "|".join(re.escape(key) for key in sorted(found, key=lambda key: (-len(key), key)))
    return Words(re.compile(rf"(?<![\w'])(?:{keys})(?![\w'])", re.IGNORECASE), found)


@cache
def recasts() -> tuple[Recast, ...]:
    """Returns how sentences are built anew, in the order in which they are tried."""
    return tuple(
        Recast(re.compile(each["match"], re.IGNORECASE), each["as"])
        for each in sheet()["sentences"]
    )


@cache
def common_words() -> frozenset[str]:
    """Words that are nobody's name."""
    return frozenset(sheet()["common"].split())
