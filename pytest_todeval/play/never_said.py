"""Verdicts that fail over nothing but what the user never said: they say nothing of the bot."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.satisfaction import NAME
from pytest_todeval.core.steps import Step
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.nlu.verbs import asks_for

if TYPE_CHECKING:
    from pytest_todeval.evaluate.metrics.coverage import CoverageReport
    from pytest_todeval.evaluate.metrics.keywords import Keyword

SHOWN = 300
Evaluate = Callable[[Dialogue], Mapping[str, Verdict]]


def failed_unsaid(
    dialogue: Dialogue,
    verdicts: Mapping[str, Verdict],
    evaluate: Evaluate,
    judged: "CoverageReport | None" = None,
) -> str:
    """Says why the failure of the verdicts is the user's; empty if it is not.

    So it is, and a success is nobody's, if the user told no value of its goal; a failure, if it
    mostly spoke of other things. Else what neither side ever raised is taken out of the goal, by
    rule (`evaluate.metrics.coverage`) or as a model has `judged` it: if all that failed passes
    then, it hung on what the user did not say. A booking of which a slot is unsaid is taken out if
    the user left of itself and the bot never claimed it. If the bot ended the dialogue, the failure
    is the bot's all the same.
    """
    from pytest_todeval.evaluate.metrics.coverage import coverage
    from pytest_todeval.play.user_side import MANY, conveyed_none, strayed, user_messages

    if not dialogue.turns or dialogue.stop_reason is StopReason.SYSTEM_DONE:
        return ""
    failed = [name for name, verdict in verdicts.items() if _failed(verdict)]
    messages = user_messages(dialogue, judged)
    why = conveyed_none(dialogue, messages) if failed or len(messages) >= MANY else ""
    if why or not failed:
        return why
    if judged is None and (why := strayed(dialogue, messages)):
        return why
    missing = (coverage(dialogue) if judged is None else judged).missing
    unasked = [step for step in dialogue.goal.steps if _lacks(step, missing, dialogue)]
    if not missing and not unasked:
        return ""
    goal = _asked_for(dialogue, {(word.domain, word.slot) for word in missing}, unasked)
    if not _would_pass(dialogue, goal, failed, evaluate):
        return ""
    told = ", ".join([*map(str, missing), *(f"{s.verb} {s.kind}" for s in unasked)])
    return (
        f"the user never said {told:.{SHOWN}}, and {' and '.join(failed)} failed over nothing else"
    )


def _asked_for(dialogue: Dialogue, unsaid: set[tuple[str, str]], unasked: Collection[Step]) -> Goal:
    """Returns the goal without what neither side raised."""
    left = dialogue.stop_reason is StopReason.USER_DONE
    goal = _without(dialogue.goal, unsaid, unbooked=left and not _claims_booking(dialogue))
    if not unasked:
        return goal
    steps = tuple(step for step in goal.steps if step not in unasked)
    return replace(goal, steps=steps, expect=None)


def _would_pass(dialogue: Dialogue, goal: Goal, failed: Sequence[str], evaluate: Evaluate) -> bool:
    """Says whether the verdicts that failed pass over another goal."""
    if not goal.parts:
        return dialogue.stop_reason is StopReason.USER_DONE
    again = evaluate(replace(dialogue, goal=goal))
    return all(_passed(again[name]) for name in failed if name in again)


def without_unasked(
    dialogue: Dialogue, verdicts: Mapping[str, Verdict], evaluate: Evaluate
) -> Mapping[str, Verdict]:
    """The verdicts, those not applicable that fail over nothing but what the user never said.

    For a user that follows a script, or one of the suite's own, that left of itself: it need not
    want what the goal says.
    """
    if dialogue.stop_reason is not StopReason.USER_DONE or not dialogue.goal.parts:
        return verdicts
    failed = {name: each for name, each in verdicts.items() if _failed(each)}
    why = failed_unsaid(dialogue, verdicts, evaluate) if failed else ""
    if not why:
        return verdicts
    own = {**verdicts, NAME: replace(dialogue, verdicts=verdicts).satisfied}
    told = f"; {why}: it counts in no rate"
    return {
        name: replace(each, applicable=False, reason=each.reason + told) if _failed(each) else each
        for name, each in own.items()
    }


def _failed(verdict: Verdict) -> bool:
    return verdict.applicable and not verdict.undecided and not verdict.passed


def _passed(verdict: Verdict) -> bool:
    return not verdict.applicable or (verdict.passed and not verdict.undecided)


def _claims_booking(dialogue: Dialogue) -> bool:
    claims = (claim for turn in dialogue.turns for claim in turn.claims or ())
    return bool(dialogue.final_bookings) or any(each.act is Act.BOOKED for each in claims)


def _without(goal: Goal, unsaid: set[tuple[str, str]], *, unbooked: bool) -> Goal:
    parts = (_left_of(part, unsaid, unbooked=unbooked) for part in goal.domains)
    return replace(goal, domains=tuple(part for part in parts if part is not None))


def _lacks(step: Step, missing: Sequence["Keyword"], dialogue: Dialogue) -> bool:
    """Says whether the user never said of a step what is to be done, or with what."""
    part = DomainGoal.of_step(step)
    wanted = {*part.inform.items(), *part.book.items(), *((slot, None) for slot in part.request)}
    if any(word.domain == part.domain and (word.slot, word.value) in wanted for word in missing):
        return True
    said = (turn.as_meant for turn in (*dialogue.goal.opening, *dialogue.turns))
    return step.verb != "ask" and not any(asks_for(text, step.means) for text in said)


def _left_of(
    part: DomainGoal, unsaid: set[tuple[str, str]], *, unbooked: bool
) -> DomainGoal | None:
    """What was said of a domain; None if it was nothing. `unbooked`: no booking lacks a slot."""
    if unbooked and any((part.domain, slot) in unsaid for slot in part.book):
        part = replace(part, book={}, fail_book={}, wants_booking=False)

    def said(slots: Mapping[str, str]) -> dict[str, str]:
        return {slot: v for slot, v in slots.items() if (part.domain, slot) not in unsaid}

    left = replace(
        part,
        inform=said(part.inform),
        book=said(part.book),
        request=tuple(slot for slot in part.request if (part.domain, slot) not in unsaid),
    )
    return left if left.inform or left.book or left.request else None
