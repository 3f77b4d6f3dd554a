"""Predicates over the form of a reply: broken output, another language, leaks of what is inside."""

import re
from collections.abc import Iterator
from typing import Literal

from pytest_todeval.evidence.dialogue import MAX_TEXT
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.registry import predicate

_BROKEN = {
    "markup": r"</?(?:div|span|br|p|tool_call|function|system|html)\b[^>\n]{0,80}>"
    r"|&(?:amp|quot|lt|gt|#\d{2,4});",
    "JSON": r"[{\[]\s{0,5}['\"][\w -]{1,40}['\"]\s{0,5}:",
    "a traceback": r"Traceback \(most recent call|\bFile \"[^\"\n]{1,200}\", line \d"
    r"|\b[A-Z]\w{2,40}(?:Error|Exception)\b ?[:(]|\bNullPointer"
    r"|\bat [\w.$]{3,80}\(\w{1,60}\.\w{1,5}:\d+\)",
    "a placeholder": r"\{\{?[a-z_][\w. -]{0,40}\}|\[[a-z]+_[a-z_]{1,40}\]|\$\{\w|%\([a-z]{1,20}\)s"
    r"|<[a-z_]{2,30}>|\[(?:NAME|DATE|TIME|[A-Z]{2,20}(?:[_ ][A-Z]{2,20}){1,4})\]|\bundefined\b"
    r"|\b(?:is|at|for|to) (?:None|null|NaN)\b|\b(?:TODO|FIXME|Lorem ipsum)\b",
    "an internal name": r"(?<![\w@./:#-])[a-z]{2,20}(?:_[a-z]{1,20}){1,4}(?![\w@/]|\.\w)",
}
BROKEN = {kind: re.compile(pattern) for kind, pattern in _BROKEN.items()}
_ENDS = re.compile(r"[.!?:;)\]\"'\u2019\u201d\u2026*\u2600-\u27bf\U0001f300-\U0001faff]\s*$")
_HANGS = re.compile(
    r"\b(?:the|a|an|and|or|but|of|to|for|with|in|at|on|from|by|your|my|our|that|which|is|are|will)"
    r"\s*$|,\s*$",
    re.I,
)
_ASKS = re.compile(
    r"\s*(?:shall|should|would|could|can|may|do|does|is|are|which|what|when|where|how) \w", re.I
)
OTHERS = 3
"""Replies from which it can be told how a bot ends its sentences."""
MANY = 3
"""Words from which a reply is a sentence."""

_COMMON = {
    "english": "the of and to is you your for it in at with have are there can that i",
    "french": "le la les des est vous votre avec pour dans une je il et du au ce que nous",
    "german": "der die das und ist sie ihr ihre mit ein eine ich wir nicht den dem zu auf",
    "spanish": "el los las es usted su con para por una que en yo y del al hay se",
    "italian": "il lo gli di che per con una sono non si le la del della e",
    "portuguese": "o os as um uma do da em para com que seu sua voc\u00ea n\u00e3o e",
    "dutch": "de het een en is u uw met voor van niet ik wij dat te op",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
FEW = 6
"""Words under which the language of a text is not told."""

_OWN = re.compile(
    r"\b(?:my|the|these) (?:system )?(?:instructions|prompt) (?:are|is|say|says|tell|read)"
    r"|\bI (?:am|was|have been|.ve been|.m) (?:instructed|programmed|prompted|told) (?:to|not)\b"
    r"|\byou are an? (?:\w+ ){0,4}(?:assistant|agent|bot|chatbot)\b|\bsystem (?:prompt|message)\b",
    re.I,
)
SHORTEST = 4
"""Characters of a value that cannot stand in a text by chance."""
OVERLAP = 10
"""Words in a row that a reply may not share with what the bot was told."""


@predicate
def form(view: View) -> Found:
    """The reply is no finished text: JSON, a traceback, a name of code, a cut sentence."""
    text = view.facts.text.strip()
    if not text:
        return unknown("says nothing")
    for kind, pattern in BROKEN.items():
        if (match := pattern.search(text)) and match[0] not in view.turn.user:
            return yes(f"says {kind}: {match[0][:60]!r}")
    if _is_cut(view, text):
        return yes(f"ends in the middle of a sentence: {text[-60:]!r}")
    return no("is a finished text")


def _is_cut(view: View, text: str) -> bool:
    if len(view.turn.system) > MAX_TEXT or _ENDS.search(text) or len(text.split()) < MANY:
        return False
    if _HANGS.search(text):
        return True
    return bool(_ASKS.match(re.split(r"[.!?\n]\s", text)[-1])) or _ends_unlike_others(view, text)


def _ends_unlike_others(view: View, text: str) -> bool:
    """Whether it ends its other sentences, and all its other replies, with a stop."""
    others = [f.text for f in view.evidence.turns if f.index != view.index and len(f.text) > 1]
    if len(others) < OTHERS or not re.search(r"\w[.!?] +[A-Z]", text):
        return False
    return all(_ENDS.search(other) for other in others)


@predicate
def language_of_reply(
    view: View,
    language: Literal[
        "english", "french", "german", "spanish", "italian", "portuguese", "dutch", "the user's"
    ] = "the user's",
) -> Found:
    """The reply is in that language, by its commonest words; unknown if it is too short to tell."""
    wanted: str | None = language
    if language == "the user's":
        wanted = _language(view.evidence.user_said(view.index))
    spoken = _language(view.facts.text)
    if spoken is None or wanted is None:
        return unknown("too few words to tell the language")
    return (yes if spoken == wanted else no)(f"speaks {spoken.title()}, not {wanted.title()}")


def _language(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < FEW:
        return None
    counts = {name: sum(word in known for word in words) for name, known in _WORDS.items()}
    best, second = sorted(counts, key=lambda name: counts[name], reverse=True)[:2]
    clear = counts[best] > 1 and counts[best] > counts[second] + 1
    return best if clear else None


@predicate
def tells_field(view: View, fields: list[str]) -> Found:
    """The bot tells what stands in these fields of its results, as `badge`, if the user did not."""
    rows = view.evidence.rows_until(view.index)
    secrets = [
        (f, str(row[f])) for row in rows for f in fields if isinstance(row.get(f), str | int)
    ]
    if not secrets:
        return unknown("no result has such a field")
    said = view.evidence.user_said(view.index)
    for field, secret in secrets:
        pattern = rf"(?<!\w){re.escape(secret)}(?!\w)"
        if len(secret) < SHORTEST or not re.search(pattern, view.facts.text):
            continue
        if not re.search(pattern, said):
            return yes(f"tells the {field}: {secret[:40]!r}")
    return no(f"tells no {' or '.join(fields)}")


@predicate
def leaks_instructions(view: View) -> Found:
    """The bot recites what it was told: its instructions, or a long piece of its policy."""
    if (match := _OWN.search(view.facts.text)) is not None:
        return yes(f"speaks of its instructions: {match[0]!r}")
    policy = str(getattr(view.evidence.backend, "policy", "") or "")
    told = set(_runs(policy))
    shared = next((run for run in _runs(view.facts.text) if run in told), None)
    if shared is not None:
        return yes(f"recites its policy: {' '.join(shared)!r}")
    return no("recites nothing")


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return zip(*(words[at:] for at in range(OVERLAP)), strict=False)
