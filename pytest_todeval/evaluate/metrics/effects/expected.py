"""Works out what is expected of the records: every way in which a goal's steps may be taken.

Each verb has an effect (`core.steps.Effect`): it adds a record, changes one, ends one, sets its
state, or moves an amount. Alternatives, conditions, counts and refusals make several ways.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.records import Record, RecordsSeen, identities, name_of
from pytest_todeval.core.steps import Effect, Expected, Records, Step
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.effects.values import figure, kind_in, picks, value_in, words

MOST_WAYS = 4096
"""Ways to take a goal's steps that are held against the records."""
CHANGED = ("changed", "rescheduled", "modified", "moved", "updated", "amended")
"""What a state may say of a record that was changed."""
MONEY = ("balance", "amount", "points")
QUANTITIES = ("quantity", "qty", "count")
"""Where one record may say how many of a thing were ordered."""
SHOWN_RECORDS = 5


@dataclass(frozen=True, slots=True)
class ExpectedRecord:
    """What is expected of one record that a step touches."""

    kind: str
    before: Record | None
    """None for a record that is to be added."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    """It has to say one of these."""
    may_say: tuple[str, ...] = ()
    """States that it may say."""
    may_go: bool = False
    """Whether it may be gone, in place of saying one of the states."""
    must_go: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)
    """Reasons, amounts and the like, which it may hold."""
    vague: bool = False
    """Whether something has to change, and the goal does not say what."""

    @property
    def now(self) -> Record:
        """Returns the record as expected now, for the next step to find."""
        return {**(self.before or {}), **self.fields}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take the steps."""

    entries: tuple[ExpectedRecord, ...] = ()
    amounts: tuple[float, ...] = ()
    """What was paid or moved, of which a record elsewhere may tell."""
    elsewhere_unchanged: bool = True


def ways(goal: Goal, seen: RecordsSeen) -> list[Way]:
    """Returns every way in which the goal may be met, the one that it asks for first.

    Raises OracleFault if a step is about a record that did not stand.
    """
    if goal.expect is not None:
        return [_declared(goal, goal.expect, seen)]
    taking = _Taking(seen)
    found = list(islice(taking.all(Way(), goal.steps), MOST_WAYS))
    if not found:
        raise OracleFault(f"{goal.name}: {taking.lost}")
    return found


def chosen_of(step: Step, given: Records) -> list[list[Record]]:
    """Returns the records that a step is about, for each way to choose them; empty if none is
    known.
    """
    ways = _Taking(RecordsSeen(given, given)).chosen(Way(), step)
    return [[entry.now for entry in entries] for entries in islice(ways, MOST_WAYS)]


class _Taking:
    """Takes steps one after the other, in every way that the goal allows."""

    def __init__(self, seen: RecordsSeen) -> None:
        self._before = seen.before
        self._kinds = {**seen.before, **seen.after}
        self.lost = "no way to take its steps"
        """Which step could not be taken."""

    def all(self, way: Way, steps: Sequence[Step]) -> Iterator[Way]:
        """Returns every way to take these steps after what was taken before."""
        if not steps:
            yield way
            return
        for option in self._options(way, steps[0]):
            for taken in [way] if option is None else self._taken(way, option):
                yield from self.all(taken, steps[1:])

    def _options(self, way: Way, step: Step) -> Iterator[Step | None]:
        """Returns the options for a step: itself, its alternatives, and None for leaving it out."""
        if step.refusal is None:
            holds = self._holds(way, step)
            if holds is not False:
                yield replace(step, alternatives=())
            if holds is not True:
                yield None
        for other in step.alternatives:
            yield from self._options(way, other)
        if step.refusal is not None and not step.alternatives:
            yield None

    def _holds(self, way: Way, step: Step) -> bool | None:
        """Says whether the step's condition holds; None if the records do not show it."""
        if step.condition is None:
            return True
        for entry in self._picked(way, step.kind, step.target):
            value = value_in(entry.now, step.condition.slot)
            if value is not None:
                return step.condition.holds(str(value))
        return None

    def _taken(self, way: Way, step: Step) -> Iterator[Way]:
        verb = step.means
        if verb.effect is Effect.NONE:
            yield way
        elif verb.effect is Effect.ADDS:
            fields = {**step.target, **step.to, **verb.sets}
            new = ExpectedRecord(
                kind_in(step.kind, self._kinds), None, fields, details=step.details
            )
            for added in _added(new, step.count or 1):
                yield replace(way, entries=(*way.entries, *added), amounts=_amounts(way, step))
        else:
            for entries in self.chosen(way, step):
                moves = verb.effect is Effect.MOVES
                old, new_ones = (self._moved if moves else self._touched)(way, step, entries)
                rest = tuple(each for each in way.entries if not any(each is o for o in old))
                yield replace(way, entries=(*rest, *new_ones), amounts=_amounts(way, step))

    def chosen(self, way: Way, step: Step) -> Iterator[Sequence[ExpectedRecord]]:
        """Returns the records that the step is about, once for each choice that the goal leaves
        open.
        """
        found = self._picked(way, step.kind, step.target)
        if not found:
            self.lost = _lost(step, self._before)
        elif step.choose:
            slot, which = next(iter(step.choose.items()))
            figures = [(figure(value_in(entry.now, slot)), entry) for entry in found]
            sign = 1 if which == "lowest" else -1
            ranked = [(sign * known, entry) for known, entry in figures if known is not None]
            if not ranked:
                self.lost = f"no {step.kind} has a {slot} that is a number, to take the {which}"
                return
            count = min(step.count or 1, len(ranked))
            last = sorted(known for known, _ in ranked)[count - 1]
            sure = [entry for known, entry in ranked if known < last]
            alike = [entry for known, entry in ranked if known == last]
            yield from ([*sure, *rest] for rest in combinations(alike, count - len(sure)))
        elif step.count is not None and step.count < len(found):
            yield from combinations(found, step.count)
        else:
            yield found

    def _picked(self, way: Way, kind: str, target: Mapping[str, str]) -> list[ExpectedRecord]:
        touched = {id(entry.before) for entry in way.entries if entry.before is not None}
        standing = [entry for entry in way.entries if not (entry.may_go or entry.must_go)]
        known = kind_in(kind, self._before)
        rows = self._before.get(known, ())
        standing += [ExpectedRecord(known, record) for record in rows if id(record) not in touched]
        return [
            entry
            for entry in standing
            if kind_in(kind, {entry.kind: ()}) == entry.kind
            and (not target or picks(entry.kind, target, entry.now))
        ]

    def _touched(
        self, way: Way, step: Step, entries: Sequence[ExpectedRecord]
    ) -> tuple[Sequence[ExpectedRecord], list[ExpectedRecord]]:
        """Returns the records with what is expected of them after the step."""
        verb = step.means
        fields = {**step.to, **verb.sets}
        new = []
        for entry in entries:
            touched = replace(
                entry,
                fields={**entry.fields, **fields},
                details={**entry.details, **step.details},
            )
            if verb.effect is Effect.REMOVES:
                touched = replace(touched, states=verb.states, may_go=True)
            elif verb.effect is Effect.CHANGES:
                may_say = (*entry.may_say, *verb.states, *CHANGED)
                touched = replace(touched, may_say=may_say, vague=not fields)
            elif verb.sets:
                touched = replace(touched, states=())
            else:
                touched = replace(touched, states=verb.states, vague=not verb.states)
            new.append(touched)
        return entries, new

    def _moved(
        self, way: Way, step: Step, entries: Sequence[ExpectedRecord]
    ) -> tuple[list[ExpectedRecord], list[ExpectedRecord]]:
        """Returns the source of an amount and, if known, its target, both after the step."""
        amount = _amount(step)
        to = {slot: value for slot, value in step.to.items() if slot != "amount"}
        others = self._picked(way, step.kind, to) if to else []
        old = [*entries[:1], *others[:1]]
        new = []
        for entry, sign in zip(old, (-1, 1), strict=False):
            slot = _money_in(entry)
            held = None if slot is None else figure(entry.now[slot])
            fields = dict(entry.fields)
            if slot is not None and held is not None and amount is not None:
                fields[slot] = round(held + sign * amount, 6)
            new.append(replace(entry, fields=fields, vague=fields == entry.fields))
        return old, new


def _added(new: ExpectedRecord, count: int) -> Iterator[Sequence[ExpectedRecord]]:
    """Returns the records to add: one for each wanted, or one that says how many."""
    yield [replace(new) for _ in range(count)]
    if count > 1:
        yield from ([replace(new, fields={**new.fields, slot: count})] for slot in QUANTITIES)


def _amount(step: Step) -> float | None:
    return figure(step.details.get("amount", step.to.get("amount")))


def _amounts(way: Way, step: Step) -> tuple[float, ...]:
    amount = _amount(step)
    return way.amounts if amount is None else (*way.amounts, amount)


def _money_in(entry: ExpectedRecord) -> str | None:
    """Returns the field that holds an amount: by its name, else the only one with a number."""
    named = [slot for slot in entry.now if words(slot) in MONEY]
    own = set(identities(entry.kind))
    figures = [
        slot
        for slot, value in entry.now.items()
        if slot not in own and isinstance(value, int | float) and not isinstance(value, bool)
    ]
    if named:
        return named[0]
    return figures[0] if len(figures) == 1 else None


def _lost(step: Step, before: Records) -> str:
    wanted = ", ".join(f"{slot} {value}" for slot, value in step.target.items())
    kind = kind_in(step.kind, before)
    told = f"it wants to {step.verb} the {step.kind} ({wanted})"
    if kind not in before:
        kinds = ", ".join(sorted(map(str, before))) or "none"
        return f"{told}, and the backend shows no records of this kind (it shows: {kinds})"
    names = ", ".join(name_of(kind, record) for record in before[kind][:SHOWN_RECORDS]) or "none"
    return f"{told}, and no such {kind} stood before the dialogue ({names} did)"


def _declared(goal: Goal, expect: Expected, seen: RecordsSeen) -> Way:
    """Returns the single way of a goal that states itself what the records are to be."""
    entries = []
    for kind, records in expect.records.items():
        known = kind_in(kind, seen.before)
        for id, fields in records.items():
            found = [r for r in seen.before.get(known, ()) if picks(known, {"id": id}, r)]
            if not found and fields is not None:
                raise OracleFault(
                    f"{goal.name}: `expect` names the {kind} {id}, and none stood before the "
                    "dialogue; what is to be added belongs under `added`"
                )
            gone = fields is None
            entries += [
                ExpectedRecord(known, record, fields or {}, must_go=gone) for record in found
            ]
    for kind, added in expect.added.items():
        known = kind_in(kind, {**seen.before, **seen.after})
        entries += [ExpectedRecord(known, None, fields) for fields in added]
    return Way(tuple(entries), elsewhere_unchanged=expect.elsewhere_unchanged)
