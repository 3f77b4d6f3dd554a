"""Judges without a backend whether what a goal wants was done: by calls, else by words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.records import identities
from pytest_todeval.core.steps import Effect, Step, Verb
from pytest_todeval.evaluate.metrics.effects.expected import chosen_of
from pytest_todeval.evaluate.metrics.effects.values import picks, same_in, shown_record, value_in
from pytest_todeval.evaluate.metrics.inform import Finding, end_of
from pytest_todeval.facts.calls.reading import SeenCalls
from pytest_todeval.facts.calls.results import Says, said_by
from pytest_todeval.facts.calls.rows import data_of
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.doubt import doubted
from pytest_todeval.facts.step_acts import acts_about
from pytest_todeval.nlu.tool_names import Purpose, purpose_of, words_of
from pytest_todeval.nlu.verbs import speaks_of
from pytest_todeval.simulation.agenda.step_parts import parts_of, played
from pytest_todeval.simulation.agenda.step_reading import StepInterpretation, in_words_of_booking


@dataclass(frozen=True)
class _Deed:
    """A call that did what its tool's name says."""

    turn: int
    call: ToolCall
    verbs: frozenset[str]
    """Those of the goal that the name speaks of."""
    known: Sequence[Mapping[str, Any]]
    """What results have told of the records that its arguments name."""

    def __str__(self) -> str:
        return f"{self.call.name}({shown_record(self.call.arguments)})"


def claimed(evidence: Evidence) -> Iterator[Finding]:
    """Returns the findings on the steps that do something; empty if none does."""
    wanted = [step for step in evidence.goal.steps if step.means.effect is not Effect.NONE]
    deeds = list(_deeds(evidence, wanted))
    if deeds:
        yield from _by_calls(evidence, wanted, deeds)
        return
    for step in wanted:
        if _is_due(evidence, step):
            yield _by_words(evidence, step)


def _is_due(evidence: Evidence, step: Step) -> bool:
    """Says whether a step must be taken: it is not to be refused, and its condition holds for
    `given`.
    """
    if step.refusal is not None or step.condition is None:
        return step.refusal is None
    slot = step.condition.slot
    for record in evidence.goal.given.get(step.kind, ()):
        if picks(step.kind, step.target, record):
            return step.condition.holds(str(value_in(record, slot))) is True
    return False


def _called(step: Step) -> str:
    """Writes a step for a reason: `cancel appointment (id A18)`."""
    values = ", ".join(f"{slot} {value}" for slot, value in {**step.target, **step.to}.items())
    return f"{step.verb} {step.kind}" + (f" ({values})" if values else "")


def _deeds(evidence: Evidence, wanted: Sequence[Step]) -> Iterator[_Deed]:
    verbs = {step.verb: step.means for each in wanted for step in (each, *each.alternatives)}
    for facts in evidence.turns:
        for call in facts.turn.tool_calls:
            name = " ".join(words_of(call.name))
            spoken = frozenset(verb for verb, means in verbs.items() if speaks_of(name, means))
            looks = purpose_of(call.name, {}) is Purpose.LOOKS
            if spoken and not looks and _went_well(call, [verbs[verb] for verb in spoken]):
                rows = evidence.rows_until(facts.index)
                values = set(map(str, _texts(call.arguments)))
                known = [row for row in rows if values & set(map(str, row.values()))]
                yield _Deed(facts.index, call, spoken, known)


def _went_well(call: ToolCall, verbs: Sequence[Verb]) -> bool:
    if call.error is not None:
        return False
    states = {state for verb in verbs for state in verb.states}
    if states & {text.lower() for text in _texts(data_of(call.result))}:
        return True  # "cancelled" is a refusal of what books alone
    return said_by(call.result) not in (Says.REFUSED, Says.PENDING)


def _texts(value: Any, depth: int = 5) -> Iterator[str]:
    if isinstance(value, Mapping) and depth:
        for each in value.values():
            yield from _texts(each, depth - 1)
    elif isinstance(value, list | tuple) and depth:
        for each in value:
            yield from _texts(each, depth - 1)
    elif value is not None:
        yield str(value)


def _by_calls(
    evidence: Evidence, wanted: Sequence[Step], deeds: Sequence[_Deed]
) -> Iterator[Finding]:
    left = list(deeds)
    wanted = [each for step in wanted for each in _one_by_one(evidence, step, deeds)]
    for step in wanted:
        instead = step.alternatives if step.refusal is not None else (step, *step.alternatives)
        done = next((deed for deed in left if any(_does(deed, each) for each in instead)), None)
        if done is not None:
            left.remove(done)
            yield Finding(True, f"{_called(step)}: {done} did it", (done.turn,), verified=False)
        elif _is_due(evidence, step):
            yield _not_called(evidence, step, left)
    for deed in left:
        if not any(_repeats(deed, step) for step in wanted):
            reason = f"{deed} did what the goal does not ask for"
            yield Finding(False, reason, (deed.turn,), verified=False)


def _one_by_one(evidence: Evidence, step: Step, deeds: Sequence[_Deed]) -> Sequence[Step]:
    """Splits a step about several given records into one per record, as it was done."""
    if not (step.choose or step.count) or step.means.effect is Effect.ADDS:
        return [step]
    ways = [
        [replace(step, target={**step.target, **_identity(step.kind, record)}) for record in way]
        for way in chosen_of(step, evidence.goal.given)
    ]
    done = (way for way in ways if all(any(_does(deed, each) for deed in deeds) for each in way))
    return next(done, ways[0] if ways else [step])


def _identity(kind: str, record: Mapping[str, Any]) -> Mapping[str, str]:
    """Returns the field that identifies a record; empty if there is none."""
    names = ((each, record[each]) for each in identities(kind) if given(record.get(each)))
    return {slot: str(value) for slot, value in islice(names, 1)}


def _repeats(deed: _Deed, step: Step) -> bool:
    """Says whether repeating a step's call does no harm: it adds nothing."""
    options = step.alternatives if step.refusal is not None else (step, *step.alternatives)
    return any(_does(deed, each) and each.means.effect is not Effect.ADDS for each in options)


def _not_called(evidence: Evidence, step: Step, left: list[_Deed]) -> Finding:
    near = next((deed for deed in left if step.verb in deed.verbs), None)
    if near is not None:
        left.remove(near)
        reason = f"{_called(step)}: in its place {near} was called"
        return Finding(False, reason, (near.turn,), verified=False)
    how, turns = end_of(evidence)
    return Finding(False, f"{_called(step)}: no call did it{how}", turns, verified=False)


def _does(deed: _Deed, step: Step) -> bool:
    """Says whether a call does a step: it has what is new, and names no other record."""
    arguments = deed.call.arguments
    said = list(_texts(arguments))
    if step.verb not in deed.verbs or not all(
        any(same_in(slot, value, text) for text in said) for slot, value in step.to.items()
    ):
        return False
    for slot, value in step.target.items():
        rows = [arguments, *deed.known]
        held = [each for row in rows if (each := value_in(row, slot)) is not None]
        right = [*held, *said] if not held else held[:1]
        if any(same_in(slot, value, each) for each in right):
            continue
        if held or (slot == "id" and any(_names(key) for key in arguments)):
            return False
    return True


def _names(key: str) -> bool:
    """Says whether an argument names a record."""
    return bool({"id", "number", "reference", "ref", "code"} & set(words_of(str(key))))


def _by_words(evidence: Evidence, step: Step) -> Finding:
    """Judges by words whether the bot says that a step, or an alternative to it, is done.

    The user's ear hears it. A reply that neither asks nor refuses, and of which nothing was
    understood, may say so: then it is undecided.
    """
    doubt, turns = "", tuple[int, ...]()
    for facts in reversed(evidence.turns):
        for each in (step, *step.alternatives):
            if _says_done(evidence, facts, each):
                reason = f"{_called(each)}: the bot says that it is done"
                return Finding(True, reason, (facts.index,), verified=False)
        if not doubt and not _is_understood(evidence, facts, step):
            why = "nothing was understood of it"
            doubt, turns = doubted(facts, f"{step.verb}: done", why), (facts.index,)
    reason = f"{_called(step)}: the bot never says that it is done"
    return Finding(False, reason, turns or end_of(evidence)[1], verified=False, doubt=doubt)


def _says_done(evidence: Evidence, facts: TurnFacts, step: Step) -> bool:
    """Says whether a turn claims that something is done, as the user that wants it hears it."""
    goal = played(replace(evidence.goal, steps=(step,)))
    part = parts_of(goal)[0]
    part.told.update(part.slots)
    turn = in_words_of_booking(facts.turn, step)
    heard = acts_about(evidence, facts, step)
    reading = StepInterpretation(part, turn.system, heard, SeenCalls(), (), given=goal.given)
    return not facts.echo and bool(reading.says_booked())


def _is_understood(evidence: Evidence, facts: TurnFacts, step: Step) -> bool:
    """Says whether a reply was understood: it asks, refuses, does another step, or only repeats the
    user.
    """
    if facts.echo or facts.text.rstrip().endswith("?") or acts_about(evidence, facts, step):
        return True
    return any(_says_done(evidence, facts, other) for other in evidence.goal.steps)
