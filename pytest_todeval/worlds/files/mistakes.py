"""What is wrong with a goal file: its shape, its goals in themselves, and names nobody declared."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from pytest_todeval.core.documents.faults import fault_of
from pytest_todeval.core.steps import Effect, Verb
from pytest_todeval.errors import known_names
from pytest_todeval.nlu.multiwoz_slots import MULTIWOZ_SLOTS
from pytest_todeval.worlds.files.schema import (
    DomainEntry,
    GoalEntry,
    GoalFile,
    SlotEntry,
    TurnEntry,
)
from pytest_todeval.worlds.files.step_entries import BESIDE, named_verbs

VALUED = ("inform", "fail_inform", "book", "fail_book")
"""The parts of a domain whose slots have values."""

TAKES_NEW_VALUES = (Effect.CHANGES, Effect.MOVES, Effect.SETS)

Key = str | int
Problem = tuple[tuple[Key, ...], object]
"""Where in the file, as keys from the top of `GoalFile`; and what is wrong, as `str` says it."""
DeclaredSlots = Mapping[str, Mapping[str, Mapping[str, str] | None]]
"""Domain -> slot -> the values it takes, by their lower case (None: any). Empty if nothing is
declared."""


class _Unknown(NamedTuple):
    """A name that is not among the known ones; the search for a near one is made if it is shown."""

    said: str
    got: str
    known: Iterable[str]

    def __str__(self) -> str:
        return f"{self.said}; {known_names(self.got, self.known)}"


def misshapen(error: ValidationError, keys: tuple[Key, ...]) -> Iterator[Problem]:
    """Returns what pydantic found; `keys` lead to the value that it checked."""
    for detail in error.errors(include_url=False, include_context=False):
        loc = (*keys, *detail["loc"])
        yield loc, _said(detail, loc)


def path_to(keys: Sequence[Key]) -> str:
    """Returns where in the file, as its lines of complaint begin; empty for the file as a whole."""
    shown = [str(key) for key in keys if key != "[key]"]
    return f"{'.'.join(shown)}: " if shown else ""


def _said(detail: Mapping[str, Any], loc: tuple[Key, ...]) -> str:
    match detail["type"]:
        case "extra_forbidden" if "steps" in loc:
            return f"unknown key; {known_names(str(loc[-1]), ('do', 'of', *BESIDE))}"
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
            return f"got {fault_of(detail)}"
        case "model_type":
            return f"got {_kind(detail['input'])}, expected {_expected(loc)}"
    return f"got {_kind(detail['input'])}: {fault_of(detail)}"


def _expected(loc: tuple[Key, ...]) -> str:
    if loc:
        return "a mapping"
    return "`goals:` with a list of mappings, each with an `id` and `domains`"


def _kind(value: Any) -> str:
    text = {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value))
    return text or repr(value)[:60]


def declared_slots(header: GoalFile) -> DeclaredSlots:
    """Returns the slots that a file declares, and those of the database it names."""
    ours = MULTIWOZ_SLOTS if header.database in ("multiwoz", "demo") else {}
    given = {name: _by_lower_case(slots) for name, slots in header.slots.items()}
    return {**{name: dict.fromkeys(slots) for name, slots in ours.items()}, **given}


def _by_lower_case(
    slots: Mapping[str, SlotEntry],
) -> Mapping[str, Mapping[str, str] | None]:
    return {
        slot: {value.lower(): value for value in entry.values} if entry.values else None
        for slot, entry in slots.items()
    }


def unsound(goal: GoalEntry, keys: tuple[Key, ...]) -> Iterator[Problem]:
    """Returns what is wrong with a goal in itself."""
    yield from _unsolvable(goal, keys)
    if (
        goal.reference is not None
        and not goal.steps
        and not any(map(_books, goal.domains.values()))
    ):
        yield (*keys, "reference"), "has no effect: the goal books nothing"
    for number, turn in enumerate(goal.opening):
        if number and not turn.user:
            yield (*keys, "opening", number, "user"), "missing; only the first turn may do without"
    for name, part in goal.domains.items():
        at = (*keys, "domains", name)
        if not (part.inform or part.book or part.request or part.wants_booking):
            yield at, "asks for nothing; expected `inform`, `book` or `request`"
        if part.wants_booking is False and part.book:
            yield (*at, "wants_booking"), "is false, so that nothing of `book` would be booked"
        if part.fail_inform and part.fail_inform == part.inform:
            yield (*at, "fail_inform"), "equals `inform`, so there is nothing to fall back to"
        for slot, value in part.fail_book.items():
            if slot not in part.book:
                said = _Unknown("is not in `book`, which it changes", slot, part.book)
                yield (*at, "fail_book", slot), said
            elif part.book[slot] == value:
                yield (*at, "fail_book", slot), f"changes nothing: `book` has {value!r} as well"


def _books(part: DomainEntry) -> bool:
    return bool(part.book or part.wants_booking)


def unused_verbs(declared: Iterable[str], used: Collection[str]) -> Iterator[Problem]:
    """Verbs that a file declares and no goal of it has."""
    for verb in declared:
        if verb not in used:
            yield ("verbs", verb), "has no effect: no step has this verb"


def unsound_steps(
    goal: GoalEntry, keys: tuple[Key, ...], verbs: Mapping[str, Verb]
) -> Iterator[Problem]:
    """Returns what is wrong with a goal's steps, and with what is said of the records."""
    if goal.steps and goal.domains:
        yield (*keys, "steps"), "beside `domains`; expected one of them (`book:` is a step, too)"
    if (goal.given or goal.expect) and not goal.steps:
        yield keys, "`given` and `expect` are about records, which only `steps` change"
    for index, step in enumerate(goal.steps):
        at = (*keys, "steps", index)
        for verb in named_verbs(step):
            if verb not in verbs:
                said = "unknown verb; declare it under `verbs:`, with what it `sets`"
                yield at, _Unknown(f"{verb}: {said}", verb, verbs)
        if step.verb == "ask" and not step.asks:
            yield at, "ask: asks for nothing; expected `for: [SLOT]`"
        if step.verb == "change" and not step.to:
            yield at, "change: changes nothing; expected `to: {SLOT: VALUE}`"
        if step.to and step.verb in verbs and verbs[step.verb].effect not in TAKES_NEW_VALUES:
            said = f"{step.verb}: `to` has no effect: what it is done to gets no new values"
            yield at, said
        target = step.target.get("id")
        records = goal.given.get(step.kind, ())
        if target and goal.given and target not in (str(each.get("id")) for each in records):
            said = f"{step.verb}: no {step.kind} {target!r} stands in `given`"
            yield at, _Unknown(said, target, [str(each.get("id", "")) for each in records])


def _unsolvable(goal: GoalEntry, keys: tuple[Key, ...]) -> Iterator[Problem]:
    """Returns what is wrong with a goal of troubleshooting, or keeps a goal from being one."""
    place = (*keys, "domains") if "domains" in goal.model_fields_set else keys
    message = " ".join(goal.message)
    if not (goal.domains or goal.steps or goal.solution):
        said = "(or `steps`, or a `message` and its `solution`)"
        yield place, f"got no domains, expected at least one {said}"
    if not goal.domains and goal.solution and not message.strip():
        yield keys, "a `solution` without domains needs a `message` that tells the problem"
    if goal.solution and _folded(goal.solution) in _folded(message):
        yield (*keys, "message"), "gives the solution away, which the user must not know"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def undeclared(
    keys: tuple[Key, ...], domain: str, part: DomainEntry, declared: DeclaredSlots
) -> Iterator[Problem]:
    """Domains, slots and values that are not among the declared ones, if any are declared."""
    if not declared:
        return
    if domain not in declared:
        yield keys, _Unknown("unknown domain", domain, declared)
        return
    slots = declared[domain]
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
