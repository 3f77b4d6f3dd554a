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

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.example import Example
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.documents import Document, read_document
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.evidence.taught.examples import examples_in
from pytest_todeval.goals.goal_set import GoalSet, fingerprint
from pytest_todeval.goals.known_slots import MULTIWOZ_SLOTS
from pytest_todeval.goals.multiwoz import database
from pytest_todeval.goals.schema import DomainEntry, GoalEntry, GoalFile, TurnEntry
from pytest_todeval.goals.store import DEMO, find_multiwoz

__all__ = ["load_goal_file"]

MAX_SHOWN = 20
PARTS = ("inform", "fail_inform", "book", "fail_book", "request")

Key = str | int
Problem = tuple[tuple[Key, ...], str]
"""Where in the file, as keys from the top of `GoalFile`; and what is wrong."""
KnownSlots = Mapping[str, Mapping[str, Sequence[str] | None]]
"""Domain -> slot -> the values it takes (None: any). Empty where nothing is declared."""


def load_goal_file(path: Path, *, data: str | Path | None = None) -> GoalSet:
    """Read a goal file; the goal set is named after the file's stem.

    Raises InvalidFile with one line `file:line: what` per problem; DataMissing where the file asks
    for the MultiWOZ database and `data` (see `store.find_multiwoz`) leads to none.
    """
    file = _Checked(read_document(path))
    entries = file.entries()
    where = _database(entries.database, file, data)
    known = _known_slots(entries)
    file.report(problem for at in range(len(entries.goals)) for problem in _problems(entries, at))
    file.report(problem for goal in _parts(entries) for problem in _unknown(*goal, known))
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in path.stem)
    hearing = _hearing(entries, file)
    goals = tuple(_goal(entry, name, entries.user, hearing) for entry in entries.goals)
    return GoalSet(name, goals, fingerprint([file.document.text.encode()]), where)


class _Checked:
    """A document read as a goal file, which knows where each entry stands."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.bare = isinstance(document.value, list)

    def entries(self) -> GoalFile:
        value = {"goals": self.document.value} if self.bare else self.document.value
        try:
            return GoalFile.model_validate(value)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False)
            self.report((detail["loc"], _said(detail)) for detail in found)
            raise

    def where(self, *keys: Key) -> str:
        return self.document.where(*(keys[1:] if self.bare else keys))

    def report(self, problems: Iterator[Problem]) -> None:
        """Raise InvalidFile where there are any problems."""
        lines = [f"{self.where(*keys)}: {_path(keys)}{text}" for keys, text in problems]
        if len(lines) > MAX_SHOWN:
            lines[MAX_SHOWN:] = [f"... and {len(lines) - MAX_SHOWN} more"]
        if lines:
            raise InvalidFile("\n".join(lines))


def _path(keys: Sequence[Key]) -> str:
    shown = [str(key) for key in keys if key != "[key]"]
    return f"{'.'.join(shown)}: " if shown else ""


def _said(detail: Mapping[str, Any]) -> str:
    match detail["type"]:
        case "extra_forbidden":
            entries = (
                GoalFile,
                GoalEntry,
                TurnEntry if detail["loc"][2:3] == ("opening",) else DomainEntry,
            )
            fields = entries[min(len(detail["loc"]) // 2, 2)]
            return f"unknown key; {known_names(str(detail['loc'][-1]), fields.model_fields)}"
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


def _known_slots(entries: GoalFile) -> KnownSlots:
    ours = MULTIWOZ_SLOTS if entries.database in ("multiwoz", "demo") else {}
    return {**{name: dict.fromkeys(slots) for name, slots in ours.items()}, **entries.slots}


def _parts(entries: GoalFile) -> Iterator[tuple[tuple[Key, ...], str, DomainEntry]]:
    for index, goal in enumerate(entries.goals):
        for name, part in goal.domains.items():
            yield ("goals", index, "domains", name), name, part


def _problems(entries: GoalFile, index: int) -> Iterator[Problem]:
    """What is wrong with a goal in itself."""
    goal, keys = entries.goals[index], ("goals", index)
    first = next(i for i, other in enumerate(entries.goals) if other.id == goal.id)
    if first != index:
        yield (*keys, "id"), f"the id {goal.id!r} is taken by goal {first + 1} of the file"
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
                hint = known_names(slot, part.book)
                yield (
                    (*at, "fail_book", slot),
                    f"is not in `book`, which it changes; {hint}",
                )
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
        yield keys, f"unknown domain; {known_names(domain, known)}"
        return
    for name in PARTS:
        for slot in getattr(part, name):
            slots = getattr(part, name)
            at = (*keys, name, slots.index(slot) if name == "request" else slot)
            value = None if name == "request" else slots[slot]
            yield from _unknown_slot(at, slot, value, known[domain])


def _unknown_slot(
    at: tuple[Key, ...],
    slot: str,
    value: str | None,
    known: Mapping[str, Sequence[str] | None],
) -> Iterator[Problem]:
    if slot not in known:
        yield at, f"unknown slot {slot!r}; {known_names(slot, known)}"
        return
    values = known[slot]
    if value is not None and values and value.lower() not in [v.lower() for v in values]:
        yield at, f"unknown value {value!r}; {known_names(value, values)}"


def _hearing(entries: GoalFile, file: _Checked) -> tuple[Example, ...]:
    given = "hearing" in entries.model_fields_set
    return examples_in(file.document, "hearing") if given else ()


def _goal(
    entry: GoalEntry, source: str, user: Mapping[str, str], hearing: tuple[Example, ...]
) -> Goal:
    domains = tuple(_domain_goal(name, part) for name, part in entry.domains.items())
    raw = entry.model_dump(exclude_unset=True)
    opening = tuple(Turn(0, turn.user, turn.system) for turn in entry.opening)
    message = tuple(entry.message)
    facts = {**user, **entry.user}
    return Goal(
        entry.id,
        source,
        domains,
        message,
        entry.solution,
        opening,
        raw,
        user=facts,
        hearing=hearing,
    )


def _domain_goal(name: str, part: DomainEntry) -> DomainGoal:
    wants = part.wants_booking
    return DomainGoal(
        domain=name,
        inform=dict(part.inform),
        fail_inform=dict(part.fail_inform),
        book=dict(part.book),
        fail_book=dict(part.fail_book),
        request=tuple(dict.fromkeys(part.request)),
        wants_booking=bool(part.book) or name == "taxi" if wants is None else wants,
    )
