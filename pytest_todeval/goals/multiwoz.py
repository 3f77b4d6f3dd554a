"""Goals of MultiWOZ 2.0, 2.1 and 2.4 (Budzianowski et al. 2018; Eric et al. 2020; Ye et al. 2022).

Goals are the same in all three but for corrections; what later versions mended are the states.
"""

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.core.documents.archives import require_few
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError, known_names
from pytest_todeval.goals.corpus import SPLITS, Corpus, open_corpus
from pytest_todeval.goals.message import mentions, sections

NOT_DOMAINS = ("message", "topic")
FLAGS = ("invalid", "pre_invalid")
"""Of the generator's in `book`; without effect on what the user wants or on scoring."""
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SPLIT_ALIASES = {"dev": "val", "valid": "val", "validation": "val"}


def load_goals(folder: Path, split: str, *, source: str = "multiwoz") -> tuple[Goal, ...]:
    """The goals of one split (`train`, `val`, alias `dev`, or `test`) of a MultiWOZ folder or zip.

    In the order of the split's file. Raises UsageError on an unknown split, DataMissing if the
    folder holds no such data, InvalidFile (file, dialogue, path within) on a record out of shape.
    """
    split = _known_split(split)
    corpus = open_corpus(folder)
    if corpus is None or split not in corpus.splits:
        raise DataMissing(_missing(folder, split, corpus))
    return _goals(corpus, split, source)


def goals_of_all_splits(folder: Path, *, source: str = "multiwoz") -> Iterator[Goal]:
    """Returns the goals of each split that a MultiWOZ folder or zip holds. Raises InvalidFile."""
    corpus = open_corpus(folder)
    if corpus is not None:
        for split in corpus.splits:
            if corpus.records(split)[1]:
                yield from _goals(corpus, split, source)


@lru_cache(maxsize=16)
def _goals(corpus: Corpus, split: str, source: str) -> tuple[Goal, ...]:
    file, records = corpus.records(split)
    if not records:
        raise DataMissing(f"{file}: no dialogue of split {split!r}; expected at least one")
    published = source == "multiwoz"
    return tuple(
        goal_from_record(name, record, source, file=file, published=published)
        for name, record in records.items()
    )


def goals_digest(goals: Sequence[Goal]) -> str:
    """Returns the fingerprint of goals read from MultiWOZ's format."""
    return fingerprint(json.dumps([goal.id, goal.raw], sort_keys=True).encode() for goal in goals)


def database(folder: Path) -> Path | None:
    """Returns what holds the databases for a MultiWOZ folder or zip: itself, or None."""
    if folder.is_dir():
        names = [file.name for place in (folder, folder / "db") for file in place.glob("*.json")]
    else:
        names = _zipped_names(folder)
    return folder if any(name.endswith("_db.json") for name in names) else None


def goal_from_record(
    id: str,
    record: Mapping[str, Any],
    source: str = "multiwoz",
    *,
    file: str = "",
    published: bool = False,
) -> Goal:
    """Reads a dialogue's `goal` record, which `Goal.raw` keeps untouched.

    `id` may end in `.json`. Domains come in the order in which the message raises them. `fail_info`
    counts only where the message states its changed values: elsewhere it is left over from
    generating the goal, and most often matches rows. Every taxi is to be booked, other domains
    if they have booking slots. Raises InvalidFile on a record out of shape.
    """
    id = id.removesuffix(".json")
    place = _FilePlace(f"{file}: {id}" if file else f"{source}/{id}", "goal")
    if not SAFE_ID.fullmatch(id):
        place.fail(f"the id {id!r}", "letters, digits, `.`, `_` and `-`, at most 100")
    parts = {k: place.at(k).mapping(v) for k, v in place.mapping(record).items() if _part(k, v)}
    message = place.at("message").sentences(record.get("message", ()))
    spoken = sections(message, parts)
    domains = tuple(
        _domain_goal(name, parts[name], sentences, place.at(name))
        for name, sentences in spoken.items()
    )
    if not domains:
        place.fail("no domain", "at least one domain with constraints or requests")
    return Goal(id, source, domains, message, raw=record, published=published)


def _zipped_names(file: Path) -> list[str]:
    if not zipfile.is_zipfile(file):
        return []
    require_few(file)
    with zipfile.ZipFile(file) as archive:
        return archive.namelist()


def _part(name: str, value: Any) -> bool:
    return name not in NOT_DOMAINS and value not in ({}, None)


def _domain_goal(
    name: str, part: Mapping[str, Any], sentences: tuple[str, ...], place: "_FilePlace"
) -> DomainGoal:
    slots = {key: place.at(key).slots(part.get(key)) for key in ("info", "fail_info")}
    book, fail_book = (place.at(key).slots(part.get(key)) for key in ("book", "fail_book"))
    inform, fail_inform = slots["info"], slots["fail_info"]
    return DomainGoal(
        domain=name,
        inform=inform,
        fail_inform=fail_inform if mentions(sentences, _changed(fail_inform, inform)) else {},
        book=book,
        fail_book=_changed(fail_book, book),
        request=place.at("reqt").names(part.get("reqt")),
        wants_booking=bool(book) or name == "taxi",
    )


def _changed(values: Mapping[str, str], base: Mapping[str, str]) -> dict[str, str]:
    return {slot: value for slot, value in values.items() if base.get(slot) != value}


def _known_split(split: str) -> str:
    name = SPLIT_ALIASES.get(split, split)
    if name not in SPLITS:
        raise UsageError(f"unknown split {split!r}: {known_names(str(split), (*SPLITS, 'dev'))}")
    return name


def _missing(folder: Path, split: str, corpus: Corpus | None) -> str:
    if corpus is not None:
        there = ", ".join(corpus.splits) or "none"
        return (
            f"{folder}: no data for split {split!r} (there is: {there}); expected {split}.json, "
            f"{split}.json.zip, or data.json with list files ({split}ListFile)"
        )
    return (
        f"{folder}: no MultiWOZ data; expected a folder or zip with {split}.json, "
        f"{split}.json.zip, or data.json with {split}ListFile"
    )


class _FilePlace:
    """Where in a file a value stands, and the checks of its shape."""

    def __init__(self, record: str, path: str) -> None:
        self.record = record
        self.path = path

    def at(self, key: str) -> "_FilePlace":
        return _FilePlace(self.record, f"{self.path}.{key}")

    def fail(self, got: str, expected: str) -> NoReturn:
        raise InvalidFile(f"{self.record}: {self.path}: got {got}, expected {expected}")

    def mapping(self, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.fail(_shown(value), "an object")
        return value

    def slots(self, value: Any) -> dict[str, str]:
        found = {} if value is None else self.mapping(value)
        return {k: self.at(k).text(v) for k, v in found.items() if k not in FLAGS}

    def text(self, value: Any) -> str:
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            self.fail(_shown(value), "a string")
        return str(value)

    def names(self, value: Any) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self.fail(_shown(value), "a list of slot names")
        return tuple(dict.fromkeys(value))

    def sentences(self, value: Any) -> tuple[str, ...]:
        """Returns a list, or one string with `</br>` between the sentences."""
        if isinstance(value, str):
            return tuple(part.strip() for part in re.split(r"</?br ?/?>", value) if part.strip())
        if not isinstance(value, list | tuple) or not all(isinstance(s, str) for s in value):
            self.fail(_shown(value), "a list of sentences")
        return tuple(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
