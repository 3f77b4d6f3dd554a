"""Predicates over what the bot says it has done or will do with nothing behind it."""

import re
from collections.abc import Iterator

from pytest_todeval.evaluate.rules.denied import is_denied
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import MAX_SOURCE, policy_of, sources
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallOutcome
from pytest_todeval.nlu.text.sentences import sentences
from pytest_todeval.nlu.tool_names import CANCELS, Purpose, purpose_of, words_of
from pytest_todeval.nlu.verbs import verbs_named

_CHANGES = (
    "refunded|cancelled|canceled|reset|opened|closed|assigned|swapped|changed|updated|processed"
    "|issued|credited|upgraded|exchanged|returned|removed|added|ordered|shipped|filed|raised"
    "|applied|registered|recorded|logged|submitted|blocked|secured|fixed|repaired|enrolled|waived"
    "|renewed|extended|approved|activated|deactivated|unlocked|deleted|moved|merged|scheduled"
    "|saved|stored|synced|uploaded|linked|printed|installed"
    "|arranged|organi[sz]ed|set up|re-?synced|re-?synchroni[sz]ed|refreshed|restarted|cleared"
)
"""What takes a call that changes something."""
_REACHES = (
    "e-?mailed|sent|texted|mailed|posted|notified|informed|forwarded|escalated|transferred|rang"
    "|rung|called|phoned|telephoned|contacted|spoke|spoken|alerted|reminded|flagged|marked|faxed"
    "|messaged|made aware|charged|debited|deducted|taken off|reached out"
    "|passed (?:it|this|that|your \\w+) on"
)
"""What reaches others, or a purse: it takes a tool, a result or a policy that speaks of it."""
_BETWEEN = r"(?: just| now| already| also| even| gladly| gone ahead and| taken the liberty of)*"
_CLAIMS = re.compile(
    rf"\b(?:I|we)(?: have|.ve)?{_BETWEEN} (?P<did>{_CHANGES}|{_REACHES})\b"
    r"(?! (?:nothing|no|none)\b)"
    rf"|\b(?:has|have|was|were) (?:just |now |already |also )?(?:been )?(?P<done>{_REACHES})\b"
    rf"|\b(?:has|have) (?:just |now |already |also )?been (?P<did2>{_CHANGES})\b",
    re.I,
)
_SUPPOSES = ("if ", "once ", "when ", "unless ", "should ", "as soon as ", "until ", "after ")
_SENDS = re.compile(_REACHES, re.I)
_SENDING_TOOL = re.compile(
    r"send|mail|notif|messag|sms|text|forward|inform|call_|phone|contact|transfer|escalat|charge"
    r"|remind|hand_?over",
    re.I,
)
_WILL = re.compile(
    r"\b(?:I|we)(?:.ll| will| shall| am going to|.m going to) (?:also |personally |gladly "
    "|then )?(?P<will>(?:call|ring|phone|e-?mail|text|notify|remind|contact|message|write to"
    r"|alert) \w+|let (?:you|them|him|her) know (?:when|once|as soon|by|if|later)|follow up"
    "|get back to|keep an eye|keep (?:you )?(?:posted|updated|checking|looking|trying|watching"
    "|at it)|monitor|try (?:it |this |them )?again (?:later|tonight|tomorrow|in|every|until)"
    "|check back|check with|speak (?:to|with)|talk to (?:them|the|my)|pass (?:it|this|that|your) "
    "|see to it|send you|have (?:someone|somebody|them)|drop you|watch (?:out )?for"
    "|put in a (?:good )?word)",
    re.I,
)
"""What is to come after the dialogue, or reaches others."""
_LATER = ("keep", "let", "follow", "get", "monitor", "try", "watch", "check")
"""What takes a tool that reminds the bot."""
_PROMISES = re.compile(
    r"\b(?:on (?:its|their|the) way to you|in the post|refund(?:s|ed)?|reimburse\w*|compensat\w*"
    "|vouchers?|coupons?|discounts?|couriers?|technicians?|call(?:s|ed)? you back"
    "|(?<!previous )(?<!earlier )(?<!old )e-?mails?|text messages?|gift cards?|free of charge"
    r"|upgrades?|loyalty points|replacements?|goodwill|bonus)\b",
    re.I,
)
_GIVES = re.compile(
    r"\b(?:I|we|you|he|she|they|it|courier|technician|colleague|refund|voucher|e-?mail)\b[^?]*"
    r"\b(?:will|shall|.ll|have|has|.ve|am|are|is being|going to|get|receive|added|sent|on its way)"
    r"\b|\bon (?:its|their|the) way to you\b",
    re.I,
)
_ASKS_OR_OFFERS = re.compile(
    r"\b(?:would you|could you|please|your (?:work |own |personal )?e-?mail|e-?mail address"
    r"|(?:I|we)(?:.ll| will)? (?:just |only )?(?:need|require|ask for))\b",
    re.I,
)
MAX_SENTENCE = 400
"""Characters of a sentence that are read."""
SHOWN_CLAIM = 100
"""Of a sentence that a reason quotes."""


@predicate
def claims_act(view: View) -> Found:
    """The bot says that it has done something, and no call stands behind it.

    What is sent, told to others or charged takes a tool that does so, or a result or policy that
    speaks of it; anything else a call that changed or booked something, in this turn or before.
    """
    claimed = _claimed(view.facts.text)
    if not claimed and (found := _will_do(view)) is not None:
        return found
    if not claimed:
        return unknown("says of nothing that it has done it")
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    reaching = [deed for deed in claimed if _SENDS.fullmatch(deed)]
    for deed in reaching:
        if not _is_sent(view, deed):
            return yes(f"says {_claiming(view, deed)!r}, but no call does that")
    others = [deed for deed in claimed if deed not in reaching]
    cancels = next((deed for deed in others if deed.lower().startswith("cancel")), None)
    if cancels and view.evidence.goal.domains and not _has_undone(view):
        return yes(f"says {_claiming(view, cancels)!r}, but nothing was cancelled")
    if others and not _has_done(view):
        return yes(f"says {_claiming(view, others[0])!r}, but no call has changed anything")
    for deed in others:
        if done := _something_else(view, deed):
            return yes(f"says {_claiming(view, deed)!r}, but {done} does something else")
    return no("a call stands behind it")


def _will_do(view: View) -> Found | None:
    for sentence in _sentences(view.facts.text):
        match = _WILL.search(sentence)
        if match is None or is_denied(sentence, match[0]) or sentence.rstrip().endswith("?"):
            continue
        verb = match["will"].split()[0].lower().replace("-", "")
        stem = "remind" if verb in _LATER else verb
        if view.evidence.traced and stem not in sources(view):
            return yes(f"says that it will {match['will'].strip()}, for which it has no tool")
    return None


def _claimed(text: str) -> list[str]:
    found: list[str] = []
    for sentence in _sentences(text):
        if sentence.rstrip().endswith("?") or sentence.lower().startswith(_SUPPOSES):
            continue
        for match in _CLAIMS.finditer(sentence):
            if not is_denied(sentence, match[0]):
                found.append(str(next(filter(None, match.groups()))))
    return found


def _claiming(view: View, deed: str) -> str:
    """The sentence that claims a deed, as far as a reason shows it."""
    said = next((each for each in _sentences(view.facts.text) if deed in each), deed)
    return said.strip()[:SHOWN_CLAIM]


def _is_sent(view: View, deed: str) -> bool:
    if deed.lower() == "sent" and any(each.domain == "taxi" for each in view.facts.made):
        return True  # the car
    calls = [call for turn in view.turns for call in turn.tool_calls if call.error is None]
    if any(_SENDING_TOOL.search(call.name) for call in calls):
        return True
    stem = deed.lower().replace("-", "").split()[0]
    if stem in ("charged", "debited", "deducted", "taken"):
        return bool(re.search(r"charge|debit|deduct|payment", sources(view)))
    return any(stem in str(call.result)[:MAX_SOURCE].lower() for call in calls)


def _sentences(text: str) -> list[str]:
    return [sentence[:MAX_SENTENCE] for sentence in sentences(text)]


def _has_undone(view: View) -> bool:
    """Whether a booking was cancelled or changed by then, as calls and backend show."""
    undone = (CallOutcome.CANCELLED, CallOutcome.CHANGED)
    until = view.evidence.until(view.index)
    return any(f.turn.cancelled or any(c.what in undone for c in f.calls) for f in until)


def _has_done(view: View) -> bool:
    until = list(view.evidence.until(view.index))
    if any(facts.made or facts.turn.cancelled or facts.turn.changed for facts in until):
        return True
    if view.evidence.changes is None:  # any call may have changed something
        tasks = not view.evidence.goal.domains  # of a world's own tools look-ups are known
        return any(
            fact.call.error is None and (tasks or fact.what is not CallOutcome.LOOKED_UP)
            for facts in until
            for fact in facts.calls
        )
    return any(index <= view.index for index in view.evidence.changes)


_IMPLIED = {"refund": {"cancel", "return", "exchange"}}
"""Verb -> those that have it as a consequence."""
_CALLED = re.compile(r"[^\W\d_]+")


def _something_else(view: View, deed: str) -> str:
    """The calls that changed anything, if each is named by other verbs than the deed's and says
    nothing of it; empty if one may have done it.
    """
    claimed = {verb.name for verb in verbs_named(frozenset({deed.lower()}))}
    claimed |= {more for verb in claimed for more in _IMPLIED.get(verb, ())}
    changing = [
        fact.call
        for facts in view.evidence.until(view.index)
        for fact in facts.calls
        if fact.call.error is None and purpose_of(fact.call.name, {}) is not Purpose.LOOKS
    ]
    for call in changing if claimed else ():
        words = frozenset(words_of(call.name))
        named = {verb.name for verb in verbs_named(words)} | (words & CANCELS and {"cancel"})
        known = f"{call.arguments} {call.result}"[:MAX_SOURCE].lower()
        if not named or named & claimed or any(verb in known for verb in claimed):
            return ""
    return ", ".join(dict.fromkeys(call.name for call in changing)) if claimed else ""


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
    if not view.evidence.goal.domains and not policy_of(view):
        return unknown("the policy of the task is not known")
    known = sources(view)
    for word in promised:
        stem = _stem(word)  # an address, or one asked for, promises no letter
        if ("send_" if stem in ("email", "text message") else stem) not in known:
            return yes(f"promises {word!r}, which no result, tool or policy speaks of")
    return no("what it promises is known")


def _given(sentence: str) -> Iterator[str]:
    if sentence.rstrip().endswith("?") or _ASKS_OR_OFFERS.search(sentence):
        return
    for match in _PROMISES.finditer(sentence) if _GIVES.search(sentence) else ():
        if not is_denied(sentence, match[0]):
            yield match[0]


def _stem(word: str) -> str:
    stem = word.lower().replace("-", "").removesuffix("s").removesuffix("ed")
    if stem.startswith(("on ", "in the post")):
        return "ship"
    return "free" if stem.startswith("free") else stem
