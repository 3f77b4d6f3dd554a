"""Goals of one's own, in a YAML or JSON file.

    database: multiwoz            # optional: multiwoz, demo, or a folder with db/ beside this file
    slots:                        # optional: the slots there are; others are then an error
      hotel: [area, stars, day]   # slots that take any value
      spa:
        treatment: [massage, sauna]   # the values it takes
        day:                          # any value
    user: {name: Ada Marsh}       # optional: facts about the user, for all goals
    hearing:                      # optional: how the bot speaks, see docs/hearing.md
      - {says: "You're good to go!", means: booked}
    goals:                        # a file may also be this list alone
      - id: sauna-on-monday       # unique; letters, digits, . _ -
        message: You want a sauna on Monday.      # optional: for people and LLM users; or a list
        domains:                  # in the order in which the user raises them
          spa:
            inform: {treatment: sauna}            # what must hold
            fail_inform: {treatment: ice bath}    # tried first, in place of inform as a whole
            book: {day: monday, people: 2}        # to be booked
            fail_book: {day: sunday}              # booked first, in place of book's; gets refused
            request: [phone]                      # what the user wants to be told
            wants_booking: true                   # only for bookings that take no slots
        user: {phone: 07700 900123}               # optional: facts about this goal's user
      - id: no-sound              # troubleshooting: a message and a solution; domains are optional
        message: Your headset plays no sound.
        solution: Switch off the mute key.        # only a checker sees it, never the user
        opening:                                  # optional: what was said before; for bots and
          - user: Hello?                          # users that go on from there
            system: Hello, what is wrong?

Domains and slots are free. With `database: multiwoz` or `demo` its domains have MultiWOZ's slots,
where `slots` says nothing else of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.documents import Document, read_document
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.goals.multiwoz import database
from pytest_todeval.goals.store import DEMO, find_multiwoz
from pytest_todeval.language.multiwoz_slots import MULTIWOZ_SLOTS
from pytest_todeval.worlds.files.schema import DomainEntry, GoalEntry, GoalFile, TurnEntry

__all__ = ["GoalFileContent", "load_goal_file"]

MAX_SHOWN = 20
VALUED = ("inform", "fail_inform", "book", "fail_book")
"""The parts of a domain whose slots have values."""
EMPTY: Mapping[str, str] = {}
"""Shared: thousands of goals leave most parts out."""

Key = str | int
Problem = tuple[tuple[Key, ...], object]
"""Where in the file, as keys from the top of `GoalFile`; and what is wrong, as `str` says it."""
KnownSlots = Mapping[str, Mapping[str, Mapping[str, str] | None]]
"""Domain -> slot -> the values it takes, by their lower case (None: any). Empty if nothing is
declared."""


class GoalFileContent(NamedTuple):
    """What a goal file comes to."""

    name: str
    """The file's stem, as goal names have it."""
    goals: tuple[Goal, ...]
    fingerprint: str
    database: Path | None


def load_goal_file(path: Path, *, data: str | Path | None = None) -> GoalFileContent:
    """Read a goal file.

    Raises InvalidFile with one line `file:line: what` per problem; DataMissing where the file asks
    for the MultiWOZ database and `data` (see `store.find_multiwoz`) leads to none.
    """
    file = _Checked(read_document(path))
    header, misshapen = file.header()
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in path.stem)
    reading = _Reading(name, header, misshapen)
    for index, value in enumerate(file.entries()):
        reading.read(index, value)
    file.report(reading.misshapen)
    database = _database(header.database, file, data)
    file.report(reading.problems)
    file.report(reading.unknown)
    goals = _taught(reading.goals, header, file)
    if not file.goals:
        file.report([(("goals",), "there are no goals in it: a test of them would test nothing")])
    return GoalFileContent(name, goals, fingerprint([file.document.text.encode()]), database)


class _Checked:
    """A document read as a goal file, which knows where each entry stands."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.bare = isinstance(document.value, list)
        value = {"goals": document.value} if self.bare else document.value
        self.goals: list[Any] = []
        if isinstance(value, dict) and isinstance(value.get("goals"), list):
            self.goals = value["goals"]
            value = {**value, "goals": []}
        self.head = value

    def header(self) -> tuple[GoalFile, list[Problem]]:
        """All but the goals; an empty file and what is wrong if it is misshapen."""
        try:
            return GoalFile.model_validate(self.head), []
        except ValidationError as error:
            return GoalFile(goals=[]), list(_misshapen(error, ()))

    def entries(self) -> Iterator[Any]:
        """The goals as they stand in the file, once: given away, so that none is kept twice."""
        for index, entry in enumerate(self.goals):
            self.goals[index] = None
            yield entry

    def where(self, *keys: Key) -> str:
        return self.document.where(*(keys[1:] if self.bare else keys))

    def report(self, problems: Sequence[Problem]) -> None:
        """Raise InvalidFile if there are any problems."""
        if not problems:
            return
        shown = problems[:MAX_SHOWN]
        lines = [f"{self.where(*keys)}: {_path(keys)}{text}" for keys, text in shown]
        if len(problems) > MAX_SHOWN:
            lines.append(f"... and {len(problems) - MAX_SHOWN} more")
        raise InvalidFile("\n".join(lines))


class _Reading:
    """Goals made one at a time, so that only one checked entry is kept, and all that is wrong."""

    def __init__(self, name: str, header: GoalFile, misshapen: list[Problem]) -> None:
        self.name = name
        self.user = header.user
        self.known = _known_slots(header)
        self.taken: dict[str, int] = {}
        self.misshapen = misshapen
        self.problems: list[Problem] = []
        self.unknown: list[Problem] = []
        self.goals: list[Goal] = []

    def read(self, index: int, value: Any) -> None:
        keys = ("goals", index)
        try:
            entry = GoalEntry.model_validate(value)
        except ValidationError as error:
            self.misshapen += _misshapen(error, keys)
            return
        first = self.taken.setdefault(entry.id, index)
        if first != index:
            text = f"the id {entry.id!r} is taken by goal {first + 1} of the file"
            self.problems.append(((*keys, "id"), text))
        self.problems += _problems(entry, keys)
        for name, part in entry.domains.items():
            self.unknown += _unknown((*keys, "domains", name), name, part, self.known)
        self.goals.append(_goal(entry, self.name, self.user))


class _Unknown(NamedTuple):
    """A name that is not among the known ones; the search for a near one is made if it is shown."""

    said: str
    got: str
    known: Iterable[str]

    def __str__(self) -> str:
        return f"{self.said}; {known_names(self.got, self.known)}"


def _misshapen(error: ValidationError, keys: tuple[Key, ...]) -> Iterator[Problem]:
    for detail in error.errors(include_url=False, include_context=False):
        loc = (*keys, *detail["loc"])
        yield loc, _said(detail, loc)


def _path(keys: Sequence[Key]) -> str:
    shown = [str(key) for key in keys if key != "[key]"]
    return f"{'.'.join(shown)}: " if shown else ""


def _said(detail: Mapping[str, Any], loc: tuple[Key, ...]) -> str:
    match detail["type"]:
        case "extra_forbidden":
            entries = (
                GoalFile,
                GoalEntry,
                TurnEntry if loc[2:3] == ("opening",) else DomainEntry,
            )
            fields = entries[min(len(loc) // 2, 2)]
            return f"unknown key; {known_names(str(loc[-1]), fields.model_fields)}"
        case "missing":
            return "missing; expected it here"
        case "string_pattern_mismatch":
            got = repr(detail["input"])[:60]
            return f"got {got}, expected letters, digits, `.`, `_` and `-`, at most 100"
        case "value_error":
            return f"got {str(detail['msg']).removeprefix('Value error, ')}"
        case "model_type":
            return f"got {_kind(detail['input'])}, expected a mapping"
    return f"got {_kind(detail['input'])}: {str(detail['msg']).lower()}"


def _kind(value: Any) -> str:
    text = {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value))
    return text or repr(value)[:60]


def _database(name: str | None, file: _Checked, data: str | Path | None) -> Path | None:
    if name is None:
        return None
    if name == "demo":
        return DEMO
    if name == "multiwoz":
        return database(find_multiwoz(data))
    folder = file.document.path.parent / name
    found = database(folder) if folder.exists() else None
    if found is None:
        raise InvalidFile(
            f"{file.where('database')}: database: got {name!r}, expected `multiwoz`, `demo`, or a "
            f"folder with db/*_db.json; there is none at {folder}"
        )
    return found


def _known_slots(header: GoalFile) -> KnownSlots:
    ours = MULTIWOZ_SLOTS if header.database in ("multiwoz", "demo") else {}
    given = {name: _by_lower_case(slots) for name, slots in header.slots.items()}
    return {**{name: dict.fromkeys(slots) for name, slots in ours.items()}, **given}


def _by_lower_case(
    slots: Mapping[str, Sequence[str] | None],
) -> Mapping[str, Mapping[str, str] | None]:
    return {
        slot: {value.lower(): value for value in values} if values else None
        for slot, values in slots.items()
    }


def _problems(goal: GoalEntry, keys: tuple[Key, ...]) -> Iterator[Problem]:
    """What is wrong with a goal in itself."""
    yield from _unsolvable(goal, keys)
    for number, turn in enumerate(goal.opening):
        if number and not turn.user:
            yield (*keys, "opening", number, "user"), "missing; only the first turn may do without"
    for name, part in goal.domains.items():
        at = (*keys, "domains", name)
        if not (part.inform or part.book or part.request or part.wants_booking):
            yield at, "asks for nothing; expected `inform`, `book` or `request`"
        if part.fail_inform and part.fail_inform == part.inform:
            yield (*at, "fail_inform"), "equals `inform`, so there is nothing to fall back to"
        for slot, value in part.fail_book.items():
            if slot not in part.book:
                said = _Unknown("is not in `book`, which it changes", slot, part.book)
                yield (*at, "fail_book", slot), said
            elif part.book[slot] == value:
                yield (*at, "fail_book", slot), f"changes nothing: `book` has {value!r} as well"


def _unsolvable(goal: GoalEntry, keys: tuple[Key, ...]) -> Iterator[Problem]:
    """What is wrong with a goal of troubleshooting, or keeps a goal from being one."""
    place = (*keys, "domains") if "domains" in goal.model_fields_set else keys
    message = " ".join(goal.message)
    if not goal.domains and not goal.solution:
        yield place, "got no domains, expected at least one (or a `message` and its `solution`)"
    if not goal.domains and goal.solution and not message.strip():
        yield keys, "a `solution` without domains needs a `message` that tells the problem"
    if goal.solution and _folded(goal.solution) in _folded(message):
        yield (*keys, "message"), "gives the solution away, which the user must not know"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _unknown(
    keys: tuple[Key, ...], domain: str, part: DomainEntry, known: KnownSlots
) -> Iterator[Problem]:
    """Domains, slots and values that are not among the known ones, where any are known."""
    if not known:
        return
    if domain not in known:
        yield keys, _Unknown("unknown domain", domain, known)
        return
    slots = known[domain]
    for name in VALUED:
        for slot, value in getattr(part, name).items():
            yield from _unknown_slot((*keys, name, slot), slot, value, slots)
    for index, slot in enumerate(part.request):
        if slot not in slots:
            yield (*keys, "request", index), _Unknown(f"unknown slot {slot!r}", slot, slots)


def _unknown_slot(
    keys: tuple[Key, ...], slot: str, value: str, known: Mapping[str, Mapping[str, str] | None]
) -> Iterator[Problem]:
    if slot not in known:
        yield keys, _Unknown(f"unknown slot {slot!r}", slot, known)
        return
    values = known[slot]
    if values is not None and value.lower() not in values:
        yield keys, _Unknown(f"unknown value {value!r}", value, values.values())


def _taught(goals: list[Goal], header: GoalFile, file: _Checked) -> tuple[Goal, ...]:
    """The goals with the file's own examples of how the bot speaks."""
    if "hearing" not in header.model_fields_set:
        return tuple(goals)
    from pytest_todeval.evidence.taught.examples import examples_in

    hearing = examples_in(file.document, "hearing")
    return tuple(replace(goal, hearing=hearing) for goal in goals)


def _goal(entry: GoalEntry, source: str, user: Mapping[str, str]) -> Goal:
    return Goal(
        entry.id,
        source,
        tuple(_domain_goal(name, part) for name, part in entry.domains.items()),
        tuple(entry.message),
        entry.solution,
        tuple(Turn(0, turn.user, turn.system) for turn in entry.opening),
        _record(entry),
        user={**user, **entry.user} if entry.user else user,
    )


def _record(entry: GoalEntry) -> dict[str, Any]:
    """What the file says of a goal. Shares the goal's mappings, which `model_dump` would copy."""
    record = _given(entry)
    if "domains" in record:
        record["domains"] = {name: _given(part) for name, part in entry.domains.items()}
    if "opening" in record:
        record["opening"] = [_given(turn) for turn in entry.opening]
    return record


def _given(entry: BaseModel) -> dict[str, Any]:
    given = entry.model_fields_set
    return {name: value for name, value in vars(entry).items() if name in given}


def _domain_goal(name: str, part: DomainEntry) -> DomainGoal:
    wants = part.wants_booking
    return DomainGoal(
        domain=name,
        inform=part.inform or EMPTY,
        fail_inform=part.fail_inform or EMPTY,
        book=part.book or EMPTY,
        fail_book=part.fail_book or EMPTY,
        request=tuple(dict.fromkeys(part.request)),
        wants_booking=bool(part.book) or name == "taxi" if wants is None else wants,
    )
