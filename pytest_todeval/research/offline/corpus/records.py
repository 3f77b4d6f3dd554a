"""What the corpus itself says of a dialogue: its goal, its users, its gold states and bookings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_todeval.errors import DataMissing, InvalidFile
from pytest_todeval.goals.corpus import Corpus, open_corpus
from pytest_todeval.research.offline.corpus.active import State
from pytest_todeval.research.offline.corpus.values import (
    is_dont_care,
    normalise_slot,
    normalise_value,
)

READ_FIRST = ("test", "val", "train")
BOOKABLE = ("restaurant", "hotel", "train")
NO_VALUE = frozenset({"", "none", "not mentioned"})


def dialogue_key(id: str) -> str:
    """Prediction files write `sng0073` for the corpus' `SNG0073.json`."""
    return id.removesuffix(".json").lower()


def normalise_state(state: Mapping[str, Mapping[str, str]]) -> State:
    """`{domain: {slot: value}}` as the metric spells it."""
    return {
        domain: {
            name: normalise_value(name, value)
            for name, value in ((normalise_slot(slot), value) for slot, value in slots.items())
        }
        for domain, slots in state.items()
    }


@dataclass(frozen=True)
class CorpusDialogue:
    """One dialogue of the corpus; user and system turns come in pairs."""

    id: str
    """As the corpus spells it, without `.json`."""
    split: str
    record: Mapping[str, Any]
    where: str
    """File and dialogue, for messages."""

    @property
    def goal(self) -> Mapping[str, Any]:
        """Returns the goal record: `{domain: {info, reqt, book, ...}}`."""
        goal: Mapping[str, Any] = self._expect(self.record.get("goal"), Mapping, "an object `goal`")
        return goal

    @cached_property
    def users(self) -> tuple[str, ...]:
        """Returns what the user says, by turn."""
        return tuple(str(turn.get("text", "")) for turn in self._log[0::2])

    @property
    def exchanges(self) -> tuple[tuple[str, str, Mapping[str, Any]], ...]:
        """What user and system say, by turn, with the annotation of the state as it stands."""
        said = [str(turn.get("text", "")) for turn in self._log]
        return tuple(zip(said[0::2], said[1::2], self._metadata, strict=False))

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The annotated belief state by turn (booking slots as `bookday` etc.), normalised."""
        return tuple(normalise_state(_gold_state(m)) for m in self._metadata)

    @cached_property
    def booked(self) -> tuple[frozenset[str], ...]:
        """Returns the domains that stand booked by turn, from the annotated states."""
        return tuple(
            frozenset(d for d in BOOKABLE if _part(m.get(d), "book").get("booked"))
            for m in self._metadata
        )

    @property
    def _log(self) -> Sequence[Mapping[str, Any]]:
        log: list[Mapping[str, Any]] = self._expect(
            self.record.get("log"), list, "a list `log` of turns"
        )
        for turn in log:
            self._expect(turn, Mapping, "turns that are objects")
        return log

    @property
    def _metadata(self) -> list[Mapping[str, Any]]:
        """The belief state stands on the system turn that follows the user's."""
        found = [turn.get("metadata") for turn in self._log[1::2]]
        return [self._expect(m, Mapping, "an object `metadata` on system turns") for m in found]

    def _expect(self, value: Any, kind: type[Any], expected: str) -> Any:
        if not isinstance(value, kind):
            got = type(value).__name__
            raise InvalidFile(f"{self.where}: expected {expected}, got {got}")
        return value


def _part(annotation: Any, name: str) -> Mapping[str, Any]:
    part = annotation.get(name) if isinstance(annotation, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def _gold_state(metadata: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """MultiWOZ 2.0 to 2.4 annotate `semi` and `book`; if several values are given, the first."""
    state: dict[str, dict[str, str]] = {}
    for domain, annotation in metadata.items():
        slots = {
            **_part(annotation, "semi"),
            **{f"book{slot}": value for slot, value in _part(annotation, "book").items()},
        }
        values = {slot: _first(value) for slot, value in slots.items() if slot != "bookbooked"}
        known = {s: v for s, v in values.items() if v not in NO_VALUE and not is_dont_care(v)}
        if known:
            state[domain] = known
    return state


def _first(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return value.split("|")[0] if isinstance(value, str) else ""


class CorpusRecords:
    """The dialogues of a MultiWOZ folder or zip by key, split by split as they are asked for."""

    def __init__(self, place: Path) -> None:
        corpus = open_corpus(place) if place.exists() else None
        if corpus is None or not corpus.splits:
            raise DataMissing(
                f"{place}: no MultiWOZ data there; expected test.json (or test.json.zip, or "
                "data.json with testListFile). `todeval data get multiwoz` downloads it"
            )
        self.place = place
        self._corpus: Corpus = corpus

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """Returns the splits there are, in the order in which they are searched."""
        return tuple(split for split in READ_FIRST if split in self._corpus.splits)

    def holding(self, keys: Sequence[str]) -> dict[str, CorpusDialogue]:
        """The dialogues of the first splits that hold all `keys`; of all splits, if none do."""
        found: dict[str, CorpusDialogue] = {}
        for split in self.splits:
            found.update(self._split(split))
            if all(key in found for key in keys):
                break
        return found

    def _split(self, split: str) -> dict[str, CorpusDialogue]:
        where, ids = self._corpus.records(split)
        whole = self._corpus.dialogues(split)
        return {
            dialogue_key(id): CorpusDialogue(id, split, whole.get(id, {}), f"{where}: {id}")
            for id in ids
        }


def beside(place: Path, name: str) -> Path | None:
    """Returns a file of that name in the data folder, or in its `evaluation` folder."""
    candidates: Iterator[Path] = (folder / name for folder in (place, place / "evaluation"))
    return next((file for file in candidates if file.is_file()), None)
