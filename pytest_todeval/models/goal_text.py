"""A goal in plain sentences, as prompts and judges are shown it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import Step

TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
"""An HTML tag; a mere `<`, as in "below <5 degrees", is none."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ENDS = ".!?\u2026\u3002\u061f\u0964:"


def goal_text(goal: Goal) -> str:
    """The goal's message without HTML, a sentence a line; if it has none, its slots in words.

    What the goal says of its user comes last. Empty for a goal with nothing of this. Never holds
    the solution of a troubleshooting goal.
    """
    sentences = [_plain(sentence) for sentence in goal.message]
    told = [_closed(sentence) for sentence in sentences if sentence]
    wishes = [" ".join(_sentences(part)) for part in goal.domains]
    lines = told or [*wishes, *(" ".join(_step_sentences(step)) for step in goal.steps)]
    if goal.user:
        lines.append(
            f"The user's {joined([f'{what} is {fact}' for what, fact in goal.user.items()])}."
        )
    return "\n".join(lines)


def _plain(sentence: str) -> str:
    return " ".join(html.unescape(TAG.sub("", sentence)).split())


def _closed(sentence: str) -> str:
    return sentence if sentence[-1] in _ENDS else f"{sentence}."


def _sentences(part: DomainGoal) -> Iterator[str]:
    yield f"Your wish concerns: {_words(part.domain)}."
    if part.first_inform:
        yield f"It should have {_listed(part.first_inform)}."
    if part.fail_inform:
        yield f"If there is none, it should have {_listed(part.inform)} instead."
    if part.wants_booking or part.book:
        slots = f" with {_listed(part.first_book)}" if part.first_book else ""
        yield f"Book it{slots}."
    if part.fail_book:
        again = {slot: part.book[slot] for slot in part.fail_book if slot in part.book}
        yield f"If that cannot be booked, book it with {_listed(again)} instead."
    if part.request:
        yield f"Find out its {joined([_words(slot) for slot in part.request])}."


def _step_sentences(step: Step) -> Iterator[str]:
    """A step in words: what to have done, with what, on what condition, and what if it is refused.

    Why it is right to refuse it is the bot's to say.
    """
    yield f"{_of_step(step)}."
    if step.asks:
        yield f"Find out its {joined([_words(slot) for slot in step.asks])}."
    if step.condition is not None:
        yield f"Do so only if this holds, which you have to ask: {_words(str(step.condition))}."
    for other in step.alternatives:
        yield f"If that is refused: {_of_step(other)}."
    if step.refusal is not None:
        yield "If that is refused, accept it."


def _of_step(step: Step) -> str:
    said = "ask about" if step.verb == "ask" else _words(step.verb)
    target = f" ({_listed(step.target)})" if step.target else ""
    new = f", new: {_listed(step.to)}" if step.to else ""
    with_ = f", with {_listed(step.details)}" if step.details else ""
    choice = DomainGoal.of_step(step).book.get("choice", "")
    which = f", {choice}" if choice else ""
    return f"{said.capitalize()} {_words(step.kind)}{target}{new}{with_}{which}"


def _listed(slots: Mapping[str, str]) -> str:
    return joined([f"{_words(slot)} {value}" for slot, value in slots.items()])


def joined(items: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    return f" {word} ".join((", ".join(items[:-1]), items[-1]) if len(items) > 1 else items)


def _words(slot: str) -> str:
    words = _CAMEL.sub(" ", slot).replace("_", " ")
    return " ".join(w if w.isupper() else w.lower() for w in words.split())
