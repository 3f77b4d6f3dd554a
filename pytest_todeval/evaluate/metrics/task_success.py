"""Inform, success and booking of one dialogue, online: from real names, values and bookings.

After AutoTOD (Xu et al. 2024) and the MultiWOZ evaluation, with the looseness of the former not
copied. These are not the corpus metrics of the same name, which are computed offline on
delexicalised responses (`research.offline.corpus`): numbers of the two are not comparable.

- **inform**: in each domain of the goal, what the bot came to meets the goal's final constraints:
  the venue or train booked, else the one offered last that the user went on with. A goal with a
  name wants that name. A taxi is matched when booked with the places and times that the goal
  states; hospital and police when answered.
- **success**: inform, and every requested value was told in the text as the database has it.
- **refusal**: only if the goal has parts that nothing meets: in each the bot said so, and booked
  nothing. Such parts count for success by this alone, for inform not at all; in booking, whatever
  is booked there is wrong.
- **steps** of a goal: what they want done stands done in the backend's records, and nothing else
  has changed there (`evaluate.metrics.effects`). That counts for booking and for success, and what
  a step asks for counts for success as a request does.
- **booking**: in each domain that wants one, exactly one booking stands, with every slot of the
  goal's `book` (never those of `fail_book`) and of a venue that meets inform; and nothing else is
  booked. Not applicable if the goal books nothing, unless something was booked all the same.

Facts come first: the backend's bookings and database, then reported tool calls and their results,
then what the bot said. A verdict that rests on reports or text alone says so in its `basis`; one
that hangs on words which may be misheard is undecided (`Verdict.doubt`). A goal that no row
satisfies never gets here (it is an oracle fault).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.evaluate.metrics.booking import booked, only_said, unwanted
from pytest_todeval.evaluate.metrics.effects.asked import step_answers
from pytest_todeval.evaluate.metrics.effects.findings import effects, has_effects
from pytest_todeval.evaluate.metrics.inform import Finding, informed
from pytest_todeval.evaluate.metrics.refusal import made_all_the_same, refused
from pytest_todeval.evaluate.metrics.success import answers
from pytest_todeval.facts.dialogue import Evidence, gather
from pytest_todeval.facts.doubt import hangs_on, other_readings

VERSION = "4"
"""Of these definitions; to be raised with any change that can change a verdict."""


def evaluate(dialogue: Dialogue, backend: Any = None) -> dict[str, Verdict]:
    """Computes the verdicts `inform`, `success`, `booking`, and `refusal` if the goal has such
    parts.

    `backend` may offer `bookings()` and `query(domain, constraints)`; it is only asked for bookings
    if the dialogue does not hold them. The reason names the first thing wrong, and the turn.
    """
    return evaluate_evidence(gather(dialogue, backend))


def evaluate_evidence(evidence: Evidence) -> dict[str, Verdict]:
    """Computes the same from evidence gathered before.

    A verdict that would be another one if a doubtful claim were misheard is undecided.
    """
    found = _verdicts(evidence)
    others = [(_verdicts(other), doubt) for other, doubt in other_readings(evidence)]
    return {name: _settled(verdict, others) for name, verdict in found.items()}


def _settled(verdict: Verdict, others: Sequence[tuple[Mapping[str, Verdict], str]]) -> Verdict:
    alike = [(other[verdict.name], doubt) for other, doubt in others]
    doubt = hangs_on(verdict, alike, lambda one, other: one.passed != other.passed)
    return replace(verdict, applicable=True, doubt=doubt) if doubt else verdict


def _verdicts(evidence: Evidence) -> dict[str, Verdict]:
    wanted = [part for part in evidence.goal.domains if not part.refusal]
    inform = [informed(evidence, part) for part in wanted]
    told = [finding for part in wanted for finding in answers(evidence, part)]
    done = list(effects(evidence))
    if not evidence.goal.domains and not evidence.goal.steps:
        nothing = {name: _asks_nothing(name) for name in ("inform", "success")}
        return nothing | {"booking": _booking(evidence, done)}
    told += step_answers(evidence)
    refusals = [refused(evidence, part) for part in evidence.goal.domains if part.refusal]
    found = {
        "inform": _verdict("inform", inform, "every domain meets the goal"),
        "success": _success(evidence, [*inform, *done, *told, *refusals]),
        "booking": _booking(evidence, done),
    }
    if not wanted:
        reason = "nothing meets what the goal wants"
        if evidence.goal.steps:
            reason = "the goal wants things done, and offers are not judged"
        found["inform"] = Verdict("inform", True, reason, applicable=False, version=VERSION)
    if refusals:
        found["refusal"] = _verdict("refusal", refusals, "the bot said that it cannot be had")
    return found


def _success(evidence: Evidence, findings: Sequence[Finding]) -> Verdict:
    steps = "; every step stands done, and nothing else has changed"
    good = "every request was answered" + (steps if has_effects(evidence) else "")
    return _verdict("success", findings, good)


def _asks_nothing(name: str) -> Verdict:
    reason = "the goal names no domains: its solution is for a judge (goal_completion) to look for"
    return Verdict(name, True, reason, applicable=False, version=VERSION)


def _booking(evidence: Evidence, done: Sequence[Finding]) -> Verdict:
    wanted = [part for part in evidence.goal.domains if part.wants_booking and not part.refusal]
    refusals = [part for part in evidence.goal.domains if part.refusal]
    extra = [finding for part in refusals for finding in made_all_the_same(evidence, part)]
    if evidence.goal.steps:
        extra += done if has_effects(evidence) else [each for each in done if not each.ok]
    else:
        extra += [*unwanted(evidence), *only_said(evidence)]
    if not wanted and not extra:
        reason = "the goal asks for no booking, and none was made"
        if refusals:
            reason = "nothing can be booked as the goal wants it, and nothing was"
        return Verdict("booking", True, reason, applicable=False, version=VERSION)
    found = [booked(evidence, part) for part in wanted]
    good = "every booking stands" if wanted else "every step stands done, and nothing else"
    return _verdict("booking", [*found, *extra], good)


def _verdict(name: str, findings: Sequence[Finding], good: str) -> Verdict:
    basis = "verified" if all(finding.verified for finding in findings) else CLAIMED
    wrong = next((finding for finding in findings if not finding.ok), None)
    if wrong is not None:
        told = wrong.reason, wrong.turns
        return Verdict(name, False, *told, basis, version=VERSION, doubt=wrong.doubt)
    turns = tuple(sorted({turn for finding in findings for turn in finding.turns}))
    return Verdict(name, True, good, turns, basis, version=VERSION)
