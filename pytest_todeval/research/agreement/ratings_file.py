"""Ratings that stand in a file: a table in CSV or JSON, wide or long.

Wide: a row for each item, a column for each rater. Long: a row for each rating, with the columns
`rater` and `rating`. All other columns say which item it is (`dialogue`, `turn`, `dimension`).
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.core.documents.document import read_document, read_utf8
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.research.agreement.ratings import Grade, Ratings

_WORDS = """item id dialogue dialogue_id conversation goal test turn trial level dim dimension
question criterion metric text"""
ABOUT_ITEMS = frozenset(_WORDS.split())
"""Columns that say which item it is; all others are raters, unless they are named."""
CLUSTER = ("dialogue", "dialogue_id", "conversation", "goal", "test")
"""Items of one of these are resampled together."""
_RANGE = re.compile(r"(-?\d{1,4})\s*(?:-|to|\.\.)\s*(-?\d{1,4})", re.ASCII)
_SUMMED_UP = re.compile(r"(?:mean|average|avg|total|sum|overall|median|std|stdev)", re.IGNORECASE)
_RATER = re.compile(
    r"(?:rater|annotator|judge|human|expert|model|gpt|claude|gemini|llama)[\s_-]?\w{0,20}",
    re.IGNORECASE,
)


def scale_of(text: str) -> tuple[Grade, ...]:
    """The grades of `1-5`, or of labels from the lowest: `bad,fair,good`. Raises UsageError."""
    if found := _RANGE.fullmatch(text.strip()):
        low, high = int(found[1]), int(found[2])
        if low < high <= low + 1000:
            return tuple(range(low, high + 1))
    grades = tuple(grade_of(part) for part in text.split(",") if part.strip())
    if len(grades) < 2 or len(set(grades)) < len(grades):
        raise UsageError(
            f"--scale: got {text!r:.60}, expected all grades from the lowest to the highest: "
            "`1-5`, `0,0.5,1` or `bad,fair,good`"
        )
    return grades


@dataclass(frozen=True)
class RatingsFile:
    """A table of ratings as it was read."""

    path: Path
    raters: tuple[str, ...]
    about: tuple[str, ...]
    """The columns that say which item it is."""
    rows: tuple[tuple[Mapping[str, Any], tuple[Grade | None, ...]], ...]
    """By item: what it is, and what each rater gave."""

    def ratings(self, scale: Sequence[Grade], by: str | None = None) -> dict[str, Ratings]:
        """Returns the whole table under "", and a part for each value of the column `by`.

        Raises UsageError if there is no such column, or a rating that is no grade of the scale.
        """
        if by is not None and by not in self.about:
            told = ", ".join(self.about) or "none"
            raise UsageError(f"--by: got {by!r}; the columns about the items are {told}")
        parts: dict[str, list[int]] = {"": list(range(len(self.rows)))}
        if by is not None:
            for number, (about, _) in enumerate(self.rows):
                parts.setdefault(str(about.get(by)), []).append(number)
        return {name: self._part(scale, numbers) for name, numbers in parts.items()}

    def _part(self, scale: Sequence[Grade], numbers: Sequence[int]) -> Ratings:
        cluster = next((name for name in CLUSTER if name in self.about), None)
        rows = [self.rows[number] for number in numbers]
        try:
            return Ratings.of(
                scale,
                [given for _, given in rows],
                raters=self.raters,
                items=[_named(about) for about, _ in rows],
                clusters=[str(about[cluster]) for about, _ in rows] if cluster else (),
            )
        except UsageError as error:
            raise InvalidFile(f"{self.path}: {error}") from None


def read_ratings(path: Path, raters: Sequence[str] = ()) -> RatingsFile:
    """Returns the table of a CSV or JSON file.

    JSON is a list of rows, each a mapping, or `{"columns": [...], "items": [[...], ...]}`; a row
    may have its ratings under `ratings`, by rater or as a list. `raters`: the columns that are
    raters, if not all that say nothing of the item.

    Raises InvalidFile, with the place, if it is no table of ratings: raters for rows, means among
    the items, an item twice, a rater who rated it twice.
    """
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _json_rows(path)
    if not rows:
        raise InvalidFile(f"{path}: got no rows, expected one for each item")
    if {"rater", "rating"} <= rows[0].keys():
        rows = _wide(path, rows)
    return _table(path, rows, raters)


def _table(path: Path, rows: Sequence[Mapping[str, Any]], raters: Sequence[str]) -> RatingsFile:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if missing := [name for name in raters if name not in columns]:
        told = ", ".join(columns)
        raise UsageError(f"--raters: got {missing[0]!r}; the columns of {path} are {told}")
    rated = tuple(raters) or tuple(c for c in columns if c.lower() not in ABOUT_ITEMS)
    about = tuple(name for name in columns if name not in rated)
    if len(rated) < 2:
        raise InvalidFile(
            f"{path}: got {len(rated)} column of ratings ({', '.join(rated) or 'none'}), expected "
            "one for each of two or more raters; name them with --raters A B"
        )
    read = tuple(
        (
            {name: row.get(name) for name in about},
            tuple(_cell(path, number, name, row.get(name)) for name in rated),
        )
        for number, row in enumerate(rows, 1)
    )
    _refuse_other_tables(path, about, rated, [item for item, _ in read])
    return RatingsFile(path, rated, about, read)


def _refuse_other_tables(
    path: Path, about: Sequence[str], rated: Sequence[str], items: Sequence[Mapping[str, Any]]
) -> None:
    """Rows that are raters, rows that are sums of others, and items that are there twice."""
    first = [str(item[about[0]]) for item in items] if about else []
    if first and all(_RATER.fullmatch(name) for name in first) and len(set(first)) == len(first):
        raise InvalidFile(
            f"{path}: the rows seem to be raters ({', '.join(first[:3])}), so that the table is "
            "transposed: expected a row for each item and a column for each rater. Agreement of "
            "a transposed table says nothing; turn it"
        )
    if wrong := [name for name in first if _SUMMED_UP.fullmatch(name)]:
        raise InvalidFile(f"{path}: the row {wrong[0]!r} is no item but sums up others; remove it")
    seen: set[str] = set()
    for number, item in enumerate(items, 1):
        name = _named(item)
        if name and name in seen:
            raise InvalidFile(
                f"{path}: row {number}: the item {name} is there twice; expected a row for each"
            )
        seen.add(name)


def _wide(path: Path, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns a row for each item, of rows for each rating."""
    items: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}
    for number, row in enumerate(rows, 1):
        about = {k: v for k, v in row.items() if k not in ("rater", "rating")}
        if not about:
            raise InvalidFile(f"{path}: expected a column that says which item was rated: `item`")
        found = items.setdefault(tuple((k, str(v)) for k, v in about.items()), dict(about))
        rater = str(row.get("rater"))
        if rater in found:
            raise InvalidFile(
                f"{path}: row {number}: {rater} rated {_named(about)} twice; keep one of the two"
            )
        found[rater] = row.get("rating")
    return list(items.values())


def _csv_rows(path: Path) -> list[Mapping[str, Any]]:
    reader = csv.DictReader(io.StringIO(read_utf8(path), newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise InvalidFile(f"{path}:{reader.line_num}: {error}; expected CSV") from None
    for row in rows:
        if None in row or None in row.values():
            raise InvalidFile(
                f"{path}: a row has not as many cells as the first line has columns: "
                f"{list(row.values())[:3]}"
            )
    return [dict(row) for row in rows]


def _json_rows(path: Path) -> list[Mapping[str, Any]]:
    value = read_document(path).value
    columns: Sequence[Any] | None = None
    if isinstance(value, Mapping):
        columns, value = value.get("columns"), value.get("items", value.get("rows"))
    if not isinstance(value, list) or (columns is not None and not isinstance(columns, list)):
        _no_rows(path)
    return [_json_row(path, number, row, columns) for number, row in enumerate(value, 1)]


def _json_row(
    path: Path, number: int, row: Any, columns: Sequence[Any] | None
) -> Mapping[str, Any]:
    if columns is not None and isinstance(row, list) and len(row) == len(columns):
        return dict(zip(map(str, columns), row, strict=True))
    if not isinstance(row, Mapping):
        _no_rows(path, f" in row {number}")
    about = {str(key): value for key, value in row.items() if key != "ratings"}
    ratings = row.get("ratings", {})
    if isinstance(ratings, list):
        ratings = {f"rater {place}": grade for place, grade in enumerate(ratings, 1)}
    if not isinstance(ratings, Mapping):
        _no_rows(path, f" in row {number}")
    return about | {str(key): grade for key, grade in ratings.items()}


def _no_rows(path: Path, where: str = "") -> NoReturn:
    raise InvalidFile(
        f"{path}: expected a list of items{where}, each a mapping such as "
        '{"item": "D1", "ratings": {"ann": 4, "judge": 5}}'
    )


def _cell(path: Path, number: int, rater: str, value: Any) -> Grade | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidFile(f"{path}: row {number}: {rater} gave {value!r:.60}, expected a grade")
    return grade_of(value) if isinstance(value, str) else value


def grade_of(text: str) -> Grade:
    """Returns a number if it is one, else the label."""
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _named(about: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for value in about.values())
