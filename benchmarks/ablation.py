"""What each pattern of the ear does in turns that nobody here has written.

    python benchmarks/ablation.py --corpora FOLDER --data ../shared/data/multiwoz
    python benchmarks/ablation.py --corpora FOLDER --room names --most 2

The turns are those of `corpora.py`, which says what `FOLDER` holds. Each compiled pattern that is a
constant of a module of `evidence`, `language` or `nlu` is watched while they are heard; then it is
put out of action, and the turns in which it matched are heard again. Printed are, for each pattern,
in how many turns it matched and in how many of 10,000 something else is heard without it, fewest
first. A pattern without effect does not earn its place, unless it keeps hostile input away.
"""

import argparse
import functools
import gc
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import corpora  # noqa: E402

from pytest_todeval.facts import ear  # noqa: E402
from pytest_todeval.facts.hearing import hear  # noqa: E402
from pytest_todeval.nlu.questions.beyond_slots import questions  # noqa: E402

ROOMS = tuple(f"pytest_todeval.{room}" for room in ("facts", "nlu"))
TRIED = 300
"""Turns in which a pattern matched that are heard again without it."""
RECOMPUTED = 40
"""Entries of a cache that depends on what is heard; smaller ones hold tables."""
Hearing = Callable[[], tuple[Any, ...]]


def turns(folder: Path, data: Path | None, every: int) -> list[Hearing]:
    """What is heard in each turn, as something that can be asked again."""
    found: list[Hearing] = []

    def seen(*given: Any, **named: Any) -> Any:
        if "found" in named:
            named["found"] = tuple(named["found"])
        listener, (text, vocabulary) = (
            (hear, (given[0], given[2])) if "found" in named else (listen, given)
        )
        found.append(lambda: (listener(*given, **named), questions(text, vocabulary)))
        return listener(*given, **named)

    listen, ear.hear, corpora.listen = corpora.listen, seen, seen
    for _, heard in corpora.readers(folder, data, every):
        for _ in heard:
            pass
    ear.hear, corpora.listen = hear, listen
    return found


@dataclass
class Watched:
    """A pattern, and the turns in which it matched."""

    pattern: re.Pattern[str]
    places: list[str]
    turns: list[int] = field(default_factory=list)


class Watch:
    """Stands in for a pattern and notes when it matches."""

    def __init__(self, watched: Watched, now: list[int]) -> None:
        self._watched, self._now = watched, now

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._watched.pattern, name)
        return functools.partial(self._asked, method) if callable(method) else method

    def _asked(self, method: Callable[..., Any], *given: Any, **named: Any) -> Any:
        text = given[1] if method.__name__ in ("sub", "subn") else given[0]
        turns = self._watched.turns
        if turns[-1:] != self._now and self._watched.pattern.search(text):
            turns.append(self._now[0])
        return method(*given, **named)


def modules() -> Iterator[ModuleType]:
    yield from (m for name, m in sorted(sys.modules.items()) if name.startswith("pytest_todeval"))


def patterns() -> list[Watched]:
    """The patterns that are constants of the rooms, or stand in tables of theirs."""
    found: dict[int, Watched] = {}
    for module in modules():
        if module.__name__.startswith(ROOMS):
            for name, value in vars(module).items():
                for pattern in _within(value):
                    watched = found.setdefault(id(pattern), Watched(pattern, []))
                    watched.places.append(f"{module.__name__.partition('.')[2]}.{name}")
    return list(found.values())


def _within(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, Mapping)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _within(each)


def put(others: Mapping[int, Any]) -> None:
    """Put others in the place of patterns, by their ids, wherever they stand."""

    def other(value: Any) -> Any:
        if id(value) in others:
            return others[id(value)]
        if type(value) in (tuple, list):
            return type(value)(map(other, value))
        return {key: other(each) for key, each in value.items()} if type(value) is dict else value

    for module in modules():
        for name, value in list(vars(module).items()):
            held = isinstance(value, (re.Pattern, Watch, tuple, list, dict))
            if held and not name.startswith("__"):
                setattr(module, name, other(value))


def caches() -> list[Any]:
    """What remembers what was heard."""
    wrapper = type(functools.lru_cache(len))
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, wrapper)
        and str(getattr(each, "__module__", "")).startswith(ROOMS)
        and (each.cache_parameters()["maxsize"] or RECOMPUTED) >= RECOMPUTED
    ]


def ablate(hearings: Sequence[Hearing]) -> Iterator[tuple[Watched, float]]:
    """Each pattern, and in how many of 10,000 turns something else is heard without it."""
    known, now, remembered = patterns(), [0], caches()

    def heard(turn: int) -> tuple[Any, ...]:
        for cache in remembered:
            cache.cache_clear()
        now[0] = turn
        return hearings[turn]()

    watches = {id(each.pattern): Watch(each, now) for each in known}
    put(watches)
    before = [heard(turn) for turn in range(len(hearings))]
    put({id(watch): watch._watched.pattern for watch in watches.values()})
    for each in known:
        never = re.compile("(?!)" + "()" * each.pattern.groups)
        put({id(each.pattern): never})
        step = max(len(each.turns) // TRIED, 1)
        tried = each.turns[::step]
        changed = sum(heard(turn) != before[turn] for turn in tried)
        put({id(never): each.pattern})
        yield each, 10_000 * changed * step / len(hearings)


def main() -> None:
    """Print the patterns, those without effect first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", type=Path, required=True, help="folder, see corpora.py")
    parser.add_argument("--data", type=Path, help="MultiWOZ: <split>.json.zip, db/")
    parser.add_argument("--every", type=int, default=40, help="each so manieth dialogue")
    parser.add_argument("--room", default="", help="patterns with this in their name")
    parser.add_argument("--most", type=float, default=10_000, help="those with so much effect")
    arguments = parser.parse_args()
    hearings = turns(arguments.corpora, arguments.data, arguments.every)
    found = [each for each in ablate(hearings) if each[1] <= arguments.most]
    print(f"{len(hearings)} turns; matched in turns, effect in 10,000 of them, pattern")
    for watched, effect in sorted(found, key=lambda each: (each[1], len(each[0].turns))):
        if any(arguments.room in place for place in watched.places):
            print(f"{len(watched.turns):>7}{effect:>9.1f}  {', '.join(watched.places)}")


if __name__ == "__main__":
    main()
