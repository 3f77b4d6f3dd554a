"""Predicates over what the bot tells and promises with nothing behind it."""

import re
from collections.abc import Iterator, Sequence

from pytest_todeval.language.negation import NEGATED
from pytest_todeval.language.values import find_times, normalise
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.registry import predicate

_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]*)*[.!?]?")
_VERBS = (
    "refunded|cancelled|canceled|reset|e-?mailed|sent|texted|mailed|posted|opened|closed|assigned"
    "|swapped|changed|updated|processed|issued|credited|upgraded|exchanged|returned|transferred"
    "|removed|added|notified|informed|forwarded|escalated|arranged|ordered|shipped|filed|raised"
)
_CLAIMS = re.compile(
    rf"\b(?:I|we)(?: have|.ve)?(?: just| now| already| also)? (?P<did>{_VERBS})\b"
    r"(?! (?:nothing|no|none)\b)"
    rf"|\b(?:has|have) (?:just |now |already |also )?been (?P<done>{_VERBS})\b",
    re.I,
)
_SENDS = re.compile(r"e-?mailed|sent|texted|mailed|posted|notified|informed|forwarded", re.I)
_SENDING_TOOL = re.compile(r"send|mail|notif|messag|sms|text|forward|inform", re.I)
_PROMISES = re.compile(
    r"\b(?:refund(?:s|ed)?|reimburse\w*|compensat\w*|vouchers?|coupons?|discounts?|couriers?"
    r"|technicians?|call(?:s|ed)? you back|e-?mails?|text messages?|gift cards?|free of charge"
    r"|upgrades?|loyalty points)\b",
    re.I,
)
_GIVES = re.compile(
    r"\b(?:I|we|you|he|she|they|it|courier|technician|colleague|refund|voucher|e-?mail)\b[^?]*"
    r"\b(?:will|shall|.ll|have|has|.ve|am|are|is being|going to|get|receive|added|sent|on its way)"
    r"\b",
    re.I,
)
_ASKS_OR_OFFERS = re.compile(
    r"\b(?:would you|could you|please|your e-?mail|e-?mail address)\b", re.I
)
MAX_SENTENCE = 400
"""Characters of a sentence that are read."""
MAX_SOURCE = 200_000
"""Characters of all results that are looked into."""


@predicate
def claims_act(view: View) -> Found:
    """The bot says that it has done something, and no call stands behind it.

    What is sent takes a tool that sends; anything else a call that changed or booked something, in
    this turn or before.
    """
    claimed = _claimed(view.facts.text)
    if not claimed:
        return unknown("says of nothing that it has done it")
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    if not _SENDS.fullmatch(claimed):
        if _has_done(view):
            return no("a call has changed something")
        return yes(f"says that it has {claimed} something, but no call has changed anything")
    calls = [call for turn in view.turns for call in turn.tool_calls if call.error is None]
    if any(_SENDING_TOOL.search(call.name) or _told_by(call.result, claimed) for call in calls):
        return no("a call has sent something")
    return yes(f"says that it has {claimed} something, but no call sends anything")


def _claimed(text: str) -> str:
    for sentence in _sentences(text):
        found = _CLAIMS.search(sentence)
        if found and not NEGATED.search(sentence) and not sentence.rstrip().endswith("?"):
            return found["did"] or found["done"]
    return ""


def _sentences(text: str) -> list[str]:
    return [sentence[:MAX_SENTENCE] for sentence in _SENTENCE.findall(text)]


def _told_by(result: object, claimed: str) -> bool:
    return claimed.lower() in str(result)[:MAX_SOURCE].lower()


def _has_done(view: View) -> bool:
    until = list(view.evidence.until(view.index))
    if any(facts.made or facts.turn.cancelled for facts in until):
        return True
    if view.evidence.changes is None:  # any call may have changed something
        return any(call.error is None for facts in until for call in facts.turn.tool_calls)
    return any(index <= view.index for index in view.evidence.changes)


@predicate
def promises_unfounded(view: View) -> Found:
    """The bot promises a refund, voucher, e-mail, courier, ... that nothing it knows speaks of.

    It knows the results of its calls, the calls themselves, its policy and the schemas of its
    tools. What the user says founds no promise.
    """
    promised = [word for sentence in _sentences(view.facts.text) for word in _given(sentence)]
    if not promised:
        return unknown("promises nothing of the kind")
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    if not view.evidence.goal.domains and not getattr(view.evidence.backend, "policy", ""):
        return unknown("the policy of the task is not known")
    known = _sources(view)
    for word in promised:
        if _stem(word) not in known:
            return yes(f"promises {word!r}, which no result, tool or policy speaks of")
    return no("what it promises is known")


def _given(sentence: str) -> Iterator[str]:
    if (
        sentence.rstrip().endswith("?")
        or NEGATED.search(sentence)
        or _ASKS_OR_OFFERS.search(sentence)
    ):
        return
    if _GIVES.search(sentence):
        yield from (match[0] for match in _PROMISES.finditer(sentence))


def _stem(word: str) -> str:
    return word.lower().replace("-", "").removesuffix("s").removesuffix("ed")


def _sources(view: View) -> str:
    backend = view.evidence.backend
    told: list[object] = [getattr(backend, "policy", ""), getattr(backend, "tools", "")]
    for facts in view.evidence.until(view.index):
        told += [
            (call.name, call.arguments, call.result, call.error) for call in facts.turn.tool_calls
        ]
        told += facts.turn.retrieved
    return " ".join(map(str, told))[:MAX_SOURCE].lower().replace("-", "")


_FIGURE = re.compile(
    r"[\u00a3$\u20ac] ?\d[\d,]{0,9}(?:\.\d{1,2})?"
    r"|\b\d[\d,]{0,9}(?:\.\d{1,2})?(?= ?(?:pounds?|dollars?|euros?|gbp|usd|eur|%|percent)\b)"
    r"|#?\b(?=[A-Za-z-]{0,8}\d)(?=[\dA-Za-z-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*\b|\b\d{4,16}\b"
)
_UNIT = re.compile(
    r"^\d{1,2}(?:am|pm|st|nd|rd|th|h|hrs?|mins?|km|x)$|^\d{1,2}-[a-z]+(?:-[a-z]+)?$", re.I
)
_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
MAX_AMOUNTS = 300


@predicate
def ungrounded(view: View) -> Found:
    """The bot tells an amount, id, long number or time that nothing it knows contains.

    It knows the results and arguments of its calls, what the user said, its policy and tools, and
    its bookings. A total is known if it is a multiple of a known amount, or a sum or difference of
    two.
    """
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    figures = [match[0] for match in _FIGURE.finditer(view.facts.text) if not _UNIT.match(match[0])]
    times = list(find_times(view.facts.text))
    if not figures and not times:
        return unknown("tells no amount, id, long number or time")
    known = _known_text(view)
    squeezed = _squeezed(known)
    amounts = [float(each) for each in _AMOUNT.findall(known.replace(",", ""))[:MAX_AMOUNTS]]
    for figure in figures:
        if _squeezed(figure) not in squeezed and not _follows(figure, amounts):
            return yes(f"tells {figure!r}, which is in no result and which the user did not say")
    clock = {normalise("time", each) for each in find_times(known)}
    for time in times:
        if normalise("time", time) not in clock:
            return yes(f"tells the time {time!r}, which is in no result")
    return no("what it tells is known")


def _known_text(view: View) -> str:
    bookings = [(b.reference, b.slots) for b in view.evidence.bookings or ()]
    said = view.evidence.user_said(view.index)
    opening = [facts.text for facts in view.evidence.opening]
    return f"{_sources(view)} {said} {bookings} {opening}"


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _follows(figure: str, amounts: Sequence[float]) -> bool:
    """Whether an amount is a multiple of a known one, or the sum or difference of two."""
    digits = _AMOUNT.search(figure.replace(",", ""))
    if digits is None or re.search(r"[A-Za-z]", figure):
        return False
    wanted = float(digits[0])
    known = set(amounts)
    if any(abs(wanted - each * times) < 0.05 for each in known for times in range(1, 21)):
        return True
    cents = {round(each * 100) for each in known}
    goal = round(wanted * 100)
    return any(goal - each in cents or goal + each in cents for each in cents)
