"""Misses: a request that is not in the cassette, and what a person needs to know of it."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.call import Call, Request
from pytest_todeval.recording.callers import caller
from pytest_todeval.recording.difference import BodyDifference, differences, shown
from pytest_todeval.recording.elsewhere import Elsewhere, elsewhere
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.location import FOLDER
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.meaning import MESSAGE_LISTS
from pytest_todeval.recording.nearest import nearest
from pytest_todeval.recording.rpc import called_by
from pytest_todeval.recording.words import in_shell
from pytest_todeval.shown import in_line

SHOWN_DIFFERENCES = 3
PROMPT_ROLES = frozenset({"system", "developer"})
TOOLS = frozenset({"tools", "functions"})
LEAST_SAID = 12
"""Characters: a shorter answer of the bot is found in too many places of a prompt."""


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What the bot said in a turn of this run."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Where:
    """Which call it was."""

    test: str
    dialogue: str
    lane: Lane
    turn: int
    number: int
    """1-based, among the calls of its lane in its turn."""
    by: str = ""
    """Who made it, in a test without a dialogue."""

    def __str__(self) -> str:
        if self.dialogue == self.test:
            return f"call: {self.number}, made by {self.by}"
        turn = f"turn {self.turn}" if self.turn else "outside the turns"
        return f"dialogue: {self.dialogue} · lane {self.lane} · {turn} · call {self.number}"


@dataclass(frozen=True)
class Miss:
    """A request that the cassette does not hold. Its parts are worked out when asked for."""

    key: str
    request: Request = field(repr=False)
    where: Where
    path: Path
    recorded: tuple[Call, ...] | None = field(repr=False)
    """The calls of the cassette; None if there is no cassette."""
    played: frozenset[int] = field(repr=False)
    heard: tuple[SpokenTurn, ...] = field(default=(), repr=False)
    matching: Matching = field(default=EXACT, repr=False)
    journal: bool = False
    """Whether a recording of this test was broken off."""
    options: tuple[str, ...] = ()
    """Without these options it would not be the same run."""
    read_on: bool = False
    """Whether it is the rest of a recorded answer, which nobody wanted then."""

    folder: Path | None = None
    """Where other cassettes lie that may hold it."""
    goal: str = ""
    """The digest of the dialogue's goal."""

    @cached_property
    def elsewhere(self) -> Elsewhere | None:
        """Returns the cassette of another test that holds it, if that may be for a reason."""
        if self.folder is None or self.read_on:
            return None
        return elsewhere(
            self.request,
            self.key,
            folder=self.folder,
            own=self.path,
            goal=self.goal if self.recorded is None else "",
            matching=self.matching,
        )

    @cached_property
    def nearest(self) -> Call | None:
        """Returns the recorded call of this lane that it most resembles."""
        if not self.recorded:
            return None
        index = nearest(self.request, self.recorded, self.played, self.matching)
        return None if index is None else self.recorded[index]

    @cached_property
    def differences(self) -> tuple[BodyDifference, ...]:
        """Returns where it first differs from the nearest call, by part; empty if it equals it."""
        if self.nearest is None:
            return ()
        found = differences(self.nearest.request, self.request, self.matching)
        return tuple(sorted(found, key=lambda d: d.part in MESSAGE_LISTS, reverse=True))

    @property
    def not_reached(self) -> int:
        """Recorded calls that had not been played when it was made."""
        return len(self.recorded or ()) - len(self.played)

    @cached_property
    def cause(self) -> str:
        """Says why it is not in the cassette, in a sentence."""
        return "; ".join(dict.fromkeys(self._causes()))

    @property
    def commands(self) -> tuple[str, ...]:
        """What records it: first for the whole test, then if it makes sense for its lane."""
        run = self._run
        if self.recorded is None:
            return (f"{run}=missing",)
        if self.where.dialogue == self.where.test:
            return (f"{run}=rewrite",)
        lane = f"{run}={self.where.lane}:rewrite"
        said = any(self._turn_said(difference) is not None for difference in self.differences)
        # What the judge is asked changes nothing of the dialogue; all else does.
        only_asked = self.where.lane is Lane.JUDGE and not said
        return (lane, f"{run}=rewrite") if only_asked else (f"{run}=rewrite", lane)

    @property
    def _run(self) -> str:
        given = "".join(f" {_option(option)}" for option in self.options)
        return f"pytest {in_shell(self.where.test)}{given} --todeval-record"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        called = called_by(self.request)
        what = f" ({shown(called)[1:-1]})" if called else ""
        yield f"not in the cassette: {self.request.method} {shown(self.request.path)[1:-1]}{what}"
        yield f"  test: {self.where.test}"
        yield f"  {self.where}"
        yield f"  cassette: {self.path}" + ("" if self.recorded is not None else " (there is none)")
        yield f"  cause: {self.cause}"
        for difference in self.differences[:SHOWN_DIFFERENCES]:
            yield f"    {difference}"
        if len(self.differences) > SHOWN_DIFFERENCES:
            more = ", ".join(d.where for d in self.differences[SHOWN_DIFFERENCES:])
            yield f"    and {shown(more)[1:-1]}"
        if self.nearest is not None and self.differences:
            turn = f", of turn {self.nearest.turn}" if self.nearest.turn else ""
            yield f"    beside the nearest recorded call{turn}"
        yield from self._elsewhere_lines()
        if self.not_reached:
            yield f"  not reached: {self.not_reached} recorded calls"
        if self.journal:
            yield "  a recording of it was broken off; `missing` goes on from what it has"
        first, *others = self.commands
        yield f"  record: {first}"
        for command in others:
            yield f"      or: {command}"
        if self.nearest is not None and self.not_reached:
            yield f"  or accept what is recorded: {self._run}=accept"
            yield "      then: todeval cassettes accept"

    def _elsewhere_lines(self) -> Iterator[str]:
        found = self.elsewhere
        if found is None:
            return
        test = in_line(found.test)
        yield f"  recorded elsewhere: {found.path}, of {test}"
        if found.same_goal:
            yield (
                "    if this is that test under another name: "
                f"todeval cassettes rename {in_shell(test)} {in_shell(self.where.test)}"
                f"{self._folder_named}"
            )
        else:
            path = shown(self.request.path)[1:-1]
            yield (
                "    if it is made once for all tests, say so in the ini file, then record it: "
                f"todeval_shared = {self.request.method} {path}"
            )

    @property
    def _folder_named(self) -> str:
        """The folder, as an argument of a command, unless the command goes there by itself."""
        assert self.folder is not None
        if self.folder == Path.cwd() / FOLDER:
            return ""
        return f" {in_shell(os.path.relpath(self.folder))}"

    def _causes(self) -> Iterator[str]:
        if self.read_on:
            yield (
                "the bot reads an answer further than it did: when it was recorded, it stopped "
                "reading the answer before its end"
            )
            return
        if self.recorded is None:
            yield "nothing is recorded for this test yet"
            return
        lane = [call for call in self.recorded if call.request.lane is self.where.lane]
        if not lane:
            yield f"nothing is recorded for the lane {self.where.lane}"
            return
        times = sum(call.key == self.key for call in lane)
        if times:
            yield f"an extra call: it is recorded {_times(times)}, and was made once more"
            return
        played = [self.recorded[i] for i in self.played]
        if sum(call.request.lane is self.where.lane for call in played) == len(lane):
            yield (
                f"an extra call: all {len(lane)} recorded calls of the lane {self.where.lane} "
                "were made before it"
            )
        for difference in self.differences:
            yield self._cause_of(difference)

    def _cause_of(self, difference: BodyDifference) -> str:
        if difference.part in TOOLS:
            return "the tools changed"
        if difference.part == "model":
            return "the model changed"
        if difference.part in ("method", "path", "query"):
            return "another endpoint is called"
        if difference.part not in MESSAGE_LISTS and difference.part != "body":
            return f"parameters changed ({difference.part})"
        turn = self._turn_said(difference)
        if turn is not None:
            return f"the bot said something else in turn {turn}"
        if difference.role in PROMPT_ROLES or difference.part == "body":
            return "the prompt was edited"
        return self._by_role(difference)

    def _by_role(self, difference: BodyDifference) -> str:
        """What a difference in the history means, if nothing is known of what the bot said."""
        lane, role = self.where.lane, difference.role
        if lane is Lane.USER and self.where.turn > 1:
            return f"the bot said something else in turn {self.where.turn - 1}"
        if lane is Lane.EAR:
            return f"the user or the bot said something else in turn {self.where.turn}"
        if lane is Lane.JUDGE:
            return "the judge's prompt was edited, or the bot said something else"
        if role in ("tool", "function"):
            return "a tool gave another result"
        if role == "assistant":
            return "the bot said or did something else before"
        if role == "user" and not difference.recorded:
            return "the history is longer"
        return "the user said something else, or the prompt was edited"

    def _turn_said(self, difference: BodyDifference) -> int | None:
        """Returns the turn whose answer stands where the requests differ."""
        for heard in self.heard:
            said = heard.text.strip()
            if len(said) < LEAST_SAID and said != difference.text.strip():
                continue
            start = difference.text.find(said) if said else -1
            while start >= 0:
                if start <= difference.offset <= start + len(said):
                    return heard.turn
                start = difference.text.find(said, start + 1)
        return None


class Misses:
    """The misses of one dialogue; knows of it what a miss has to say."""

    def __init__(self, test: str, dialogue: str, path: Path, make: Callable[..., Miss]) -> None:
        """`make`: `Miss`, given what is the same in all misses of the dialogue."""
        self.found: list[Miss] = []
        """Each once; also if the bot caught the error."""
        self.heard: list[SpokenTurn] = []
        """What the bot said, turn by turn."""
        self._test, self._dialogue, self._path, self._make = test, dialogue, path, make
        self._numbers: Counter[tuple[Lane, int]] = Counter()
        self._caller = caller if test == dialogue else str

    def count(self, lane: Lane, turn: int) -> None:
        """A call is made, whether it is recorded or not."""
        self._numbers[lane, turn] += 1

    def add(
        self, key: str, request: Request, turn: int, played: frozenset[int], *, read_on: bool
    ) -> Miss:
        """Returns the miss of the call counted last; the same one for a client that tries again."""
        for miss in self.found:
            if miss.key == key and miss.where.turn == turn:
                return miss
        number = self._numbers[request.lane, turn]
        miss = self._make(
            key,
            request,
            Where(self._test, self._dialogue, request.lane, turn, number, self._caller()),
            self._path,
            played=played,
            heard=tuple(self.heard),
            journal=journal_path(self._path).exists(),
            read_on=read_on,
        )
        self.found.append(miss)
        return miss


class CassetteMiss(TodevalError):
    """A call that replay could not answer; the tape keeps what it says, if the bot catches it."""

    def __init__(self, miss: Miss) -> None:
        super().__init__(miss)
        self.miss = miss

    def __str__(self) -> str:
        return str(self.miss)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _option(text: str) -> str:
    return text if re.fullmatch(r"[\w.:/=,-]+", text) else in_shell(text)
