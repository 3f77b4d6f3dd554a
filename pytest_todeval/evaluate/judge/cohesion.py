"""Finds what is wrong with a turn as a move in the conversation: repeats, echoes, unanswered
questions.
"""

import re
from collections.abc import Iterator

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.evaluate.judge.scoring import Fault
from pytest_todeval.facts.calls.reading import SeenCalls
from pytest_todeval.facts.calls.wishes import broken
from pytest_todeval.facts.dialogue import MAX_TEXT, Evidence, TurnFacts
from pytest_todeval.facts.told_values import heard_values, says_value
from pytest_todeval.nlu.cues import ASKING
from pytest_todeval.nlu.questions.asked import USERS_ASK
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.normalise import normalise_name

ANSWERABLE = (
    "phone", "address", "postcode", "reference", "entrance fee", "duration", "trainID", "car type",
)  # fmt: skip
"""Slots that a user asks for to be told a value, whatever else it says."""
_CLOSING = re.compile(
    r"\b(?:else|more|help|assist|correct|right|okay|ok|book|go ahead|reserv\w+|sounds?|looks?|good"
    r"|fine|happy|confirm|proceed|shall i|want me|would you like|anything|in order|works?)\b",
    re.I,
)
"""What a question asks for that takes a yes or offers more help."""
_FOLLOWS = re.compile(
    r"\b(?:I.ll|I will|let me)\b[^.!?]{0,40}\b(?:rest|others?|next message)\b", re.I
)
"""What says that the rest of an answer is still to come."""
_OTHER = re.compile(r"\b(?:other|another|different|alternative|else|instead)\b", re.I)
_WH = re.compile(r"\b(?:what|which|where|when|who|how)\b", re.I)
_LASTS = re.compile(r"\b(?:minutes?|mins?|hours?|hrs?)\b", re.I)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")


def cohesion_faults(evidence: Evidence, facts: TurnFacts) -> Iterator[Fault]:
    """Lists the faults of a turn as a move in the conversation."""
    words = normalise_name(facts.text).split()
    if not words:
        yield Fault("empty reply", "says nothing")
        return
    if facts.echo:
        yield Fault("echo", "repeats what the user said, and no more")
    told = (Act.INFORM, Act.REFERENCE, Act.BYE)
    calls_for_more = "?" in facts.turn.as_meant or _says_new(evidence, facts)
    if len(words) == 1 and calls_for_more and not any(facts.acts(act) for act in told):
        yield Fault("one word", f"answers in one word: {facts.text.strip()[:40]!r}")
    yield from _repeats(evidence, facts)
    yield from _unanswered(facts)
    yield from _asks_again(evidence, facts)
    yield from _unfitting(evidence, facts)


def _says_new(evidence: Evidence, facts: TurnFacts) -> bool:
    """Says whether the user has just given a value of the goal."""
    return any(True for _ in _just_said(evidence, facts))


def _left_out(evidence: Evidence, facts: TurnFacts) -> bool:
    """Says whether the reply leaves out a value that the user has just given."""
    said = _just_said(evidence, facts)
    return not all(says_value(facts.text, slot, value) for slot, value in said)


def _just_said(evidence: Evidence, facts: TurnFacts) -> Iterator[tuple[str, str]]:
    said = facts.turn.as_meant[:MAX_TEXT]
    for part in evidence.goal.domains:
        for slot, value in {**part.inform, **part.book}.items():
            if says_value(said, slot, value):
                yield slot, value


def _repeats(evidence: Evidence, facts: TurnFacts) -> Iterator[Fault]:
    times = 0
    for before in reversed(list(evidence.until(facts.index - 1))):
        if before.text.split() != facts.text.split() or before.turn.as_meant == facts.turn.as_meant:
            break
        if times and _looks_again(before, facts):
            break
        times += 1
    takes_up = _says_new(evidence, facts) and not _left_out(evidence, facts)
    if times == 1 and not (facts.calls or takes_up):  # who has looked again may find the same
        yield Fault("repeated reply", f"says the same as in turn {facts.index - 1}")
    elif times > 1:
        yield Fault("repeated again", f"says the same {times + 1} times in a row")


def _looks_again(before: TurnFacts, facts: TurnFacts) -> bool:
    """Says whether both turns made the same calls and got the same results."""
    one, other = (
        [(c.name, c.arguments, c.result) for c in f.turn.tool_calls] for f in (before, facts)
    )
    return bool(one) and one == other


def _unanswered(facts: TurnFacts) -> Iterator[Fault]:
    asked = _requests(facts.turn.as_meant[:MAX_TEXT])
    left = [slot for slot in asked if not _speaks_of(facts, slot)]
    if not left or _asks_back(facts) or facts.acts(Act.BOOKING_FAILED):
        return
    if len(left) < len(asked) and _FOLLOWS.search(facts.text):
        return
    kind = "no answer" if len(left) == len(asked) else "half an answer"
    yield Fault(kind, f"does not answer what the user asked: {', '.join(left)}")


def _asks_back(facts: TurnFacts) -> bool:
    if facts.acts(Act.REQUEST):
        return True
    return "?" in facts.text and not facts.acts(Act.REQUEST_MORE)


def _requests(user: str) -> list[str]:
    sentences = [s[0] for s in _SENTENCE.finditer(plain(user)) if ASKING.search(s[0])]
    return [slot for slot in ANSWERABLE if any(USERS_ASK[slot].search(s) for s in sentences)]


def _speaks_of(facts: TurnFacts, slot: str) -> bool:
    if USERS_ASK[slot].search(plain(facts.text)):
        return True
    if slot == "duration" and _LASTS.search(facts.text):
        return True
    return any(heard_values(facts, h.domain or "", slot) for h in facts.heard)


def _asks_again(evidence: Evidence, facts: TurnFacts) -> Iterator[Fault]:
    if _something_failed(evidence, facts):
        return  # to ask for another value is then to the point
    requested = {claim.slot for claim in facts.acts(Act.REQUEST)}
    for asked in facts.acts(Act.REQUEST):
        if asked.slot == "day" and requested & {"time", "leaveAt", "arriveBy"}:
            continue  # "when?" asks for the hour as well as for the day
        part = evidence.goal.domain(facts.domain or "")
        if part is None or asked.slot is None or asked.domain not in (None, facts.domain):
            continue
        if not evidence.traced and _OTHER.search(asked.sentence):
            continue  # who asks for another value knows the first; where calls show, they tell why
        value = {**part.inform, **part.book}.get(asked.slot)
        if not value or _reads_back(facts.text, asked.sentence, asked.slot, value):
            continue
        if _said(evidence, facts.index, part.domain, asked.slot, value):
            yield Fault(
                "asks again", f"asks for the {asked.slot}, which the user has said: {value}"
            )


def _reads_back(text: str, sentence: str, slot: str, value: str) -> bool:
    """Says whether the reply reads a value back, or seems to ask for it while doing so ("I can see
    two that serve sushi, so I need to narrow it down").
    """
    if says_value(text, slot, value) and not _asks_anew(text):
        return True
    asks = "?" in sentence and _WH.search(sentence)
    return says_value(sentence, slot, value) and not asks


def _asks_anew(text: str) -> bool:
    """Says whether the reply asks a real question: one that wants more than a yes and does not only
    offer more help.
    """
    asked = [s[0] for s in _SENTENCE.finditer(text) if s[0].rstrip().endswith("?")]
    return any(not _CLOSING.search(sentence) for sentence in asked)


def _something_failed(evidence: Evidence, facts: TurnFacts) -> bool:
    """Says whether something went wrong, by the bot's own words or by its calls."""
    recent = [f for f in evidence.until(facts.index) if f.index >= facts.index - 1]
    if any(f.acts(Act.BOOKING_FAILED) or f.acts(Act.NO_OFFER) for f in recent):
        return True
    seen = [SeenCalls(f.calls) for f in recent]
    return any(each.found_nothing for each in seen)


def _said(evidence: Evidence, index: int, domain: str, slot: str, value: str) -> bool:
    turns = (facts for facts in evidence.until(index) if facts.domain == domain)
    return any(says_value(facts.turn.as_meant[:MAX_TEXT], slot, value) for facts in turns)


def _unfitting(evidence: Evidence, facts: TurnFacts) -> Iterator[Fault]:
    part = evidence.goal.domain(facts.domain or "")
    if part is None or facts.acts(Act.NO_OFFER):
        return  # if nothing fits, to offer something else is to the point
    said = {
        slot: value
        for slot, value in part.inform.items()
        if _said(evidence, facts.index, part.domain, slot, value)
    }
    for name in evidence.offers(facts, part.domain):
        row = evidence.row(part.domain, name)
        fault = broken(part.domain, said, row) if row is not None else None
        if fault is not None:
            yield Fault("beside the point", f"offers {name}, {fault}, and the user has said so")
