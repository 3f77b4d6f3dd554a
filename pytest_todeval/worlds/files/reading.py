"""Goals of one's own, in a YAML or JSON file.

    database: multiwoz            # optional: multiwoz, demo, or a folder with db/ beside this file
    slots:                        # optional: the slots there are; others are then an error
      hotel: [area, stars, day]   # slots that take any value
      spa:
        treatment: [massage, sauna]   # the values it takes
        day:                          # any value
        fee: {kind: amount, description: price per hour}   # what sort of value; other words
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
            refusal: true                         # only if nothing meets it: the bot is to say so
        user: {phone: 07700 900123}               # optional: facts about this goal's user
      - id: move-and-cancel       # steps in place of domains, see docs/steps.md
        given: {visit: [{id: A17, day: tuesday}, {id: A18, day: friday}]}
        steps:
          - change: {visit: {id: A17}, to: {day: wednesday}}
          - cancel: {visit: {id: A18}}
        reference: none           # nobody asks for a reference number
      - id: no-sound              # troubleshooting: a message and a solution; domains are optional
        message: Your headset plays no sound.
        solution: Switch off the mute key.        # only a checker sees it, never the user
        opening:                                  # optional: what was said before; for bots and
          - user: Hello?                          # users that go on from there
            system: Hello, what is wrong?

Domains and slots are free. With `database: multiwoz` or `demo` its domains have MultiWOZ's slots,
if `slots` says nothing else of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from os.path import exists
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.core.example import Example
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import DomainGoal, Goal, SlotForm
from pytest_todeval.core.steps import VERBS, Verb
from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals.multiwoz import database
from pytest_todeval.goals.store import DEMO, find_multiwoz
from pytest_todeval.trust import leads_out
from pytest_todeval.worlds.files.mistakes import (
    Key,
    Problem,
    declared_slots,
    misshapen,
    path_to,
    undeclared,
    unsound,
    unsound_steps,
    unused_verbs,
)
from pytest_todeval.worlds.files.schema import DomainEntry, GoalEntry, GoalFile, SlotEntry
from pytest_todeval.worlds.files.step_entries import named_verbs, step_of, verbs_of

MAX_SHOWN = 20
ENTRY = TypeAdapter(GoalEntry)


class GoalFileContent(NamedTuple):
    """What a goal file comes to."""

    name: str
    """The file's own `name`, else its stem, as goal names have it."""
    goals: tuple[Goal, ...]
    fingerprint: str
    database: Path | None


def load_goal_file(path: Path, *, data: str | Path | None = None) -> GoalFileContent:
    """Reads a goal file.

    Raises InvalidFile with one line `file:line: what` per problem; DataMissing if the file asks
    for the MultiWOZ database and `data` (see `store.find_multiwoz`) leads to none.
    """
    file = _Checked(read_document(path))
    header, wrong = file.header()
    name = header.name or "".join(c if c.isalnum() or c in "._-" else "-" for c in path.stem)
    reading = _GoalReading(header, wrong)
    for index, value in enumerate(file.entries()):
        reading.read(index, value)
    file.report(reading.misshapen)
    reading.unsound += unused_verbs(reading.own_verbs, reading.used)
    place = _database(header.database, file, data)
    file.report(reading.unsound)
    file.report(reading.undeclared)
    hearing = _hearing(header, file)
    if not file.goals:
        file.report([(("goals",), "there are no goals in it: a test of them would test nothing")])
    ids, records = reading.packed()
    del reading  # and what the parser made, of which goals made before would keep scattered pieces
    make = _Maker(name, header.user, hearing, header.slots, verbs_of(header.verbs)).goal
    unread = zip(ids.split("\n"), records.split(b"\n"), strict=True)
    goals = tuple(Goal.unread(id, name, record, make) for id, record in unread)
    return GoalFileContent(name, goals, fingerprint([file.document.text.encode()]), place)


def goal_of(value: Any, source: str, where: str) -> Goal:
    """Returns a goal in the shape that it has in a goal file, which stands elsewhere.

    Only its shape is checked: a dialogue that was played already may have a goal that nobody could
    play. Raises InvalidFile with one line `where: goal.KEY: what` per problem.
    """
    try:
        ENTRY.validate_python(value)
    except ValidationError as error:
        problems = list(misshapen(error, ("goals", 0)))[:MAX_SHOWN]
        lines = [f"{where}: {path_to(('goal', *keys[2:]))}{text}" for keys, text in problems]
        raise InvalidFile("\n".join(lines)) from None
    return _Maker(source, {}, ()).goal(to_json(value))


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
        """Returns all but the goals; an empty file and what is wrong if it is misshapen."""
        try:
            return GoalFile.model_validate(self.head), []
        except ValidationError as error:
            return GoalFile(goals=[]), list(misshapen(error, ()))

    def entries(self) -> Iterator[Any]:
        """The goals as they stand in the file, once: given away, so that none is kept twice."""
        for index, entry in enumerate(self.goals):
            self.goals[index] = None
            yield entry

    def where(self, *keys: Key) -> str:
        return self.document.where(*(keys[1:] if self.bare else keys))

    def report(self, problems: Sequence[Problem]) -> None:
        """Raises InvalidFile if there are any problems."""
        if not problems:
            return
        shown = problems[:MAX_SHOWN]
        lines = [f"{self.where(*keys)}: {path_to(keys)}{text}" for keys, text in shown]
        if len(problems) > MAX_SHOWN:
            lines.append(f"... and {len(problems) - MAX_SHOWN} more")
        raise InvalidFile("\n".join(lines))


class _GoalReading:
    """Entries checked one at a time, so that no more than their text is kept; and all mistakes."""

    def __init__(self, header: GoalFile, misshapen: list[Problem]) -> None:
        self.declared = declared_slots(header)
        self.own_verbs = verbs_of(header.verbs)
        self.used: set[str] = set()
        """The verbs of all steps."""
        self.taken: dict[str, int] = {}
        self.misshapen = misshapen
        self.unsound: list[Problem] = []
        self.undeclared: list[Problem] = []
        self.records: list[bytes] = []
        """What the file says of each goal, as JSON."""

    def read(self, index: int, value: Any) -> None:
        keys = ("goals", index)
        try:
            entry = ENTRY.validate_python(value)
        except ValidationError as error:
            self.misshapen += misshapen(error, keys)
            return
        first = self.taken.setdefault(entry.id, index)
        if first != index:
            text = f"the id {entry.id!r} is taken by goal {first + 1} of the file"
            self.unsound.append(((*keys, "id"), text))
        self.unsound += unsound(entry, keys)
        if entry.steps or entry.given or entry.expect:
            self.unsound += unsound_steps(entry, keys, {**VERBS, **self.own_verbs})
            self.used.update(verb for step in entry.steps for verb in named_verbs(step))
        for name, part in entry.domains.items() if self.declared else ():
            at = (*keys, "domains", name)
            self.undeclared += undeclared(at, name, part, self.declared)
        self.records.append(to_json(value))

    def packed(self) -> tuple[str, bytes]:
        """Returns the ids and the records, a line each."""
        return "\n".join(self.taken), b"\n".join(self.records)


def _database(name: str | None, file: _Checked, data: str | Path | None) -> Path | None:
    if name is None:
        return None
    if name == "demo":
        return DEMO
    if name == "multiwoz":
        return database(find_multiwoz(data))
    folder = file.document.path.parent / name
    if leads_out(folder, file.document.path.parent):
        raise InvalidFile(
            f"{file.where('database')}: database: {name!r:.200} lies outside the project, where CI "
            "reads nothing that a file alone asks for"
        )
    found = database(folder) if exists(folder) else None
    if found is None:
        raise InvalidFile(
            f"{file.where('database')}: database: got {name!r}, expected `multiwoz`, `demo`, or a "
            f"folder with db/*_db.json; there is none at {folder}"
        )
    return found


def _hearing(header: GoalFile, file: _Checked) -> tuple[Example, ...]:
    """Returns the file's own examples of how the bot speaks."""
    if "hearing" not in header.model_fields_set:
        return ()
    from pytest_todeval.nlu.examples.reading import examples_in

    return examples_in(file.document, "hearing")


class _Maker(NamedTuple):
    """Makes goals of their records, with what the file says of all."""

    source: str
    user: Mapping[str, str]
    hearing: tuple[Example, ...]
    slots: Mapping[str, Mapping[str, SlotEntry]] = {}
    verbs: Mapping[str, Verb] = {}

    def goal(self, record: bytes) -> Goal:
        entry = ENTRY.validate_json(record)
        return Goal(
            entry.id,
            self.source,
            tuple(
                _domain_goal(name, part, self.slots.get(name))
                for name, part in entry.domains.items()
            ),
            tuple(entry.message),
            entry.solution,
            tuple(Turn(0, turn.user, turn.system) for turn in entry.opening),
            _raw(entry, record),
            user={**self.user, **entry.user},
            labels=tuple(dict.fromkeys(entry.labels)),
            hearing=self.hearing,
            steps=tuple(step_of(step, self.verbs) for step in entry.steps),
            given={kind: tuple(records) for kind, records in entry.given.items()},
            expect=None if entry.expect is None else entry.expect.expected(),
            references=entry.reference is None,
        )


def _raw(entry: GoalEntry, record: bytes) -> Mapping[str, Any]:
    """Returns what the file says; steps as they stand there."""
    said: Mapping[str, Any] = ENTRY.dump_python(entry, exclude_unset=True)
    return {**said, **from_json(record)} if entry.steps else said


def _domain_goal(name: str, part: DomainEntry, slots: Mapping[str, SlotEntry] | None) -> DomainGoal:
    wants = part.wants_booking
    return DomainGoal(
        domain=name,
        inform=part.inform,
        fail_inform=part.fail_inform,
        book=part.book,
        fail_book=part.fail_book,
        request=tuple(dict.fromkeys(part.request)),
        wants_booking=bool(part.book) or name == "taxi" if wants is None else wants,
        refusal=part.refusal,
        forms=_forms(slots) if slots else {},
    )


def _forms(slots: Mapping[str, SlotEntry]) -> Mapping[str, SlotForm]:
    return {
        slot: SlotForm(entry.kind or "", entry.description)
        for slot, entry in slots.items()
        if entry.kind or entry.description
    }
