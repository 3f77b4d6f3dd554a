"""Prediction files: what a system answered in each turn of the corpus, delexicalised.

`{"sng0073": [{"response": "...", "state": {domain: {slot: value}}, "active_domains": [...]}]}`, as
the field exchanges them; `state` and `active_domains` are optional, for all turns or none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.corpus.active import State
from pytest_todeval.research.offline.corpus.records import dialogue_key, normalise_state

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PredictedTurn:
    """One system turn of a prediction file."""

    response: str
    state: State | None
    """Normalised; None if the file gives none."""
    active: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Predictions:
    """A prediction file: its turns by dialogue key."""

    path: Path
    dialogues: Mapping[str, tuple[PredictedTurn, ...]]

    def all_have(self, part: str) -> bool:
        """Whether every turn has its `state`, or its `active` domains: all do, or none counts."""
        turns = (turn for dialogue in self.dialogues.values() for turn in dialogue)
        return all(getattr(turn, part) is not None for turn in turns)


def read_predictions(path: Path) -> Predictions:
    """Reads a prediction file. Raises InvalidFile with the place of what is wrong."""
    return Predictions(path, _turns(path, _PredictionReader.turn))


def read_states(path: Path) -> dict[str, tuple[State, ...]]:
    """Gold states by dialogue and turn: `{"sng0073": [{domain: {slot: value}}]}`."""
    return _turns(path, _PredictionReader.state)


def read_booked(path: Path) -> dict[str, tuple[frozenset[str], ...]]:
    """The domains that stand booked by dialogue and turn: `{"sng0073": [[], ["hotel"]]}`."""
    found = _turns(path, _PredictionReader.names)
    return {key: tuple(map(frozenset, turns)) for key, turns in found.items()}


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """Delexicalised reference responses by dialogue and turn: `{"sng0073": ["..."]}`."""
    return _turns(path, _PredictionReader.text)


def _turns(
    path: Path, read: "Callable[[_PredictionReader, Any, str, int], T]"
) -> dict[str, tuple[T, ...]]:
    """Returns what a file holds by dialogue and turn, each read so."""
    reader = _PredictionReader(path)
    return {
        key: tuple(read(reader, turn, id, n) for n, turn in enumerate(turns))
        for key, id, turns in reader.dialogues()
    }


class _PredictionReader:
    """A JSON file of dialogues by id, each a list of turns; checks shapes and names places."""

    def __init__(self, path: Path) -> None:
        if path.suffix.lower() != ".json":
            raise InvalidFile(f"{path}: expected a file named *.json")
        self.document: Document = read_document(path)

    def dialogues(self) -> Iterator[tuple[str, str, Sequence[Any]]]:
        """Key, id as written, and turns."""
        content = self.document.value
        if not isinstance(content, dict) or not content:
            self.fail(content, 'an object of dialogues by id, e.g. {"sng0073": [...]}')
        written: dict[str, str] = {}
        for id, turns in content.items():
            key = dialogue_key(id)
            if key in written:
                raise InvalidFile(
                    f"{self.document.path}: {written[key]!r} and {id!r} are the same dialogue; "
                    "keep one of them"
                )
            written[key] = id
            if not isinstance(turns, list):
                self.fail(turns, "a list of turns", id)
            yield key, id, turns

    def turn(self, turn: Any, id: str, number: int) -> PredictedTurn:
        if not isinstance(turn, dict):
            self.fail(turn, 'an object with "response"', id, number)
        state, active = turn.get("state"), turn.get("active_domains")
        return PredictedTurn(
            response=self.text(turn.get("response"), id, number, "response"),
            state=None if state is None else self.state(state, id, number, "state"),
            active=None if active is None else self.names(active, id, number, "active_domains"),
        )

    def state(self, state: Any, *at: str | int) -> State:
        if not isinstance(state, dict):
            self.fail(state, "an object {domain: {slot: value}}", *at)
        for domain, slots in state.items():
            if not isinstance(slots, dict):
                self.fail(slots, "an object {slot: value}", *at, domain)
            for slot, value in slots.items():
                self.text(value, *at, domain, slot)
        return normalise_state(state)

    def names(self, names: Any, *at: str | int) -> tuple[str, ...]:
        if not isinstance(names, list):
            self.fail(names, "a list of domains", *at)
        return tuple(self.text(name, *at) for name in names)

    def text(self, value: Any, *at: str | int) -> str:
        if not isinstance(value, str):
            self.fail(value, "a string", *at)
        return value

    def fail(self, got: Any, expected: str, *at: str | int) -> NoReturn:
        place = ".".join(map(str, at))
        shown = "nothing" if got is None else f"{type(got).__name__} {str(got)[:60]!r}"
        where = f"{self.document.where(*at)}: {place}" if place else str(self.document.path)
        raise InvalidFile(f"{where}: expected {expected}, got {shown}")
