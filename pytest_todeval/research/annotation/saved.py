"""What raters saved, read back: one table with their grades and the judge's."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from pytest_todeval.core.documents.document import read_document
from pytest_todeval.core.documents.faults import fault_of
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.annotation.items import RatedItem
from pytest_todeval.shown import FORMULA, in_csv

JUDGE = "judge"
SKIPPED = "n/a"
ABOUT = ("dialogue", "turn", "dimension")


class SavedAnswers(BaseModel):
    """A file that the sheet saved."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal["todeval annotation 1"]
    rater: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    answers: dict[str, int | Literal["n/a"]] = Field(default_factory=dict)
    """By the id of an item."""


def read_answers(paths: Sequence[Path], items: Sequence[RatedItem]) -> dict[str, dict[str, int]]:
    """By rater and item, the grade; what a rater called not applicable is left out.

    Raises InvalidFile on what the sheet did not save, on answers to other dialogues than these or
    off the scale, and on two files of one rater that say different things.
    """
    scales = {item.id: item.scale for item in items}
    found: dict[str, dict[str, int]] = {}
    for path in paths:
        saved = _read(path)
        if saved.rater in (JUDGE, *ABOUT):
            raise InvalidFile(f"{path}: the rater is called {saved.rater!r}; give another name")
        if saved.rater.startswith(FORMULA):
            raise InvalidFile(
                f"{path}: the rater is called {saved.rater!r}, which a spreadsheet runs as a "
                "formula; give another name"
            )
        for item, grade in saved.answers.items():
            if item not in scales:
                raise InvalidFile(
                    f"{path}: an answer ({item!r:.40}) to none of the results file's items; was "
                    "the sheet made from this file?"
                )
            if grade == SKIPPED:
                continue
            if grade not in scales[item]:
                told = ", ".join(map(str, scales[item]))
                raise InvalidFile(f"{path}: item {item}: got {grade}, expected one of {told}")
            if found.setdefault(saved.rater, {}).setdefault(item, grade) != grade:
                raise InvalidFile(
                    f"{path}: {saved.rater} rated the item {item} otherwise in another file; "
                    "give the later file alone"
                )
        found.setdefault(saved.rater, {})
    return found


def _read(path: Path) -> SavedAnswers:
    try:
        return SavedAnswers.model_validate(read_document(path).value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"][:2]))
        wrong = "expected a whole number or 'n/a'" if len(first["loc"]) > 2 else fault_of(first)
        given = first["type"] not in ("missing", "extra_forbidden")
        got = f"got {first['input']!r:.60}; " if given else ""
        raise InvalidFile(
            f"{path}: {f'{place}: ' if place else ''}{got}{wrong}; expected a file that the sheet "
            "saved"
        ) from None


def ratings_csv(items: Sequence[RatedItem], answers: Mapping[str, Mapping[str, int]]) -> str:
    """A row for each item that the judge or a person rated, as `todeval agreement` reads it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*ABOUT, *answers, JUDGE])
    for item in items:
        people = [given.get(item.id, "") for given in answers.values()]
        judge = "" if item.judge is None else f"{item.judge:g}"
        if judge or any(grade != "" for grade in people):
            turn = "" if item.turn is None else item.turn
            about = in_csv(item.dialogue), turn, in_csv(item.question)
            writer.writerow([*about, *people, judge])
    return text.getvalue()
