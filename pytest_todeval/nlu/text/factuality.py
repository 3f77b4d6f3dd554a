"""How far a sentence says that something is so: asserted, denied, conditional, of others, ...

After NegEx and ConText. The verb's own group is read first ("has not yet been booked"), then the
subject, then the triggers before and behind it, each as far as its scope goes.
"""

import itertools
import re
from functools import lru_cache

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.negation import HEDGES, NOBODY
from pytest_todeval.nlu.text.phrases import Group, Phrase
from pytest_todeval.nlu.text.triggers import GOVERNORS, HABITS, MODALS, triggers

_TO_SAY = re.compile(
    r"\b(?:(?:let me|please be) )(?:now )?(?:advised|see)\b(?: from \w+)?(?: :)?"
    r"|\bplease (?:kindly |do |also )?(?:note|remember|know|be aware|(?:bear|keep) in mind)\b"
)
"""A frame that says what follows: "I am happy to tell you that"."""
_NO_CONDITION = re.compile(
    r"(?:if|when|once) you [^.;:!?]{1,60}? you (?:will|can|should) (?:see|find|notice)\b"
    r"|in case (?:you|anyone) (?:(?:are|were|is|was) )?(?:wonder(?:ed|ing)?|asking)\b"
    r"|if (?:i may say so)\b|before (?:you go)\b"
)
"""Ways to begin on which nothing hangs: "If you check your inbox you will see that"."""
_HEDGED = re.compile(
    r"\b(?:i (?:think|believe|guess|assume|suppose|reckon|imagine|gather|suspect)|i am (?:guessing"
    r"|assuming)|(?:my|i (?:have|get) (?:a|the)) (?:guess|hunch|feeling|suspicion|impression)"
    r"|it (?:looks|seems|appears|sounds)|looks? (?:like|as)|may well be|not (?:entirely |quite "
    r"|completely |fully |100 )?(?:sure|certain))\b"
)
_STRICT = re.compile(r", (?:but )?(?:provided|once|subject to)(?= )")
"""Conditions that reach back over a comma."""
_FORMERLY = frozenset({"yesterday", "last week", "last weekend", "last month", "last night"})
_PERFECT = word_set("have has had ve was were been got")
_TIMES = frozenset({"after", "when", "before"})
"""Words that may also open a clause on what has happened: "After a call I have booked it"."""
_FIRST = frozenset({"i", "we"})


_RELATIVE = r"(?! (?:for|is|was|has|have|are|were|s|at|on|,)(?![^ ]))"
"""After "you asked": not in "the table you asked for", "the slot you wanted is ..."."""


@lru_cache(maxsize=8)
def _pattern(direction: str) -> re.Pattern[str]:
    table = triggers(direction)
    spelled = [re.escape(each) for each in sorted(table, key=len, reverse=True)]
    spelled = [rf"{each}{_RELATIVE}" if each.startswith("you") else each for each in spelled]
    spelled = ["(?<!as )if" if each == "if" else each for each in spelled]
    spelled = ["before(?! (?:it|that) )" if each == "before" else each for each in spelled]
    return re.compile(
        rf"(?<![^ ])(?:{'|'.join(spelled)})(?![^ ])"
        r"(?<!after)(?<!once)"
        r"|(?<![^ ])(?:after(?! all| that| some)|once(?! again| more| [,.]))(?![^ ])"
        if direction != "forward"
        else rf"(?<![^ ])(?:{'|'.join(spelled)})(?![^ ])"
    )


def factuality(
    phrase: Phrase, group: Group, end: int, *, asks: bool = False, refusal: bool = False
) -> Factuality:
    """Returns how far the phrase says what the words from `group` to index `end` say.

    `asks`: this part of the sentence is known to be a question. `refusal`: the words refuse, so
    that "an hour ago" and "by somebody" behind them take nothing back.
    """
    if asks:
        return Factuality.ASKED
    if phrase.quoted(group.start):
        return Factuality.OF_OTHERS
    own = _of_group(group)
    if own is not Factuality.ASSERTED:
        return own
    subject = _of_subject(phrase, group)
    if subject is not Factuality.ASSERTED:
        return subject
    return next(
        (
            each
            for each in (
                _condition(phrase, group),
                _demand(phrase, group),
                _before(phrase, group),
                _behind(phrase, group, end, refusal),
            )
            if each is not Factuality.ASSERTED
        ),
        Factuality.ASSERTED,
    )


def asserted(phrase: Phrase, start: int, end: int, *, asks: bool = False) -> Factuality:
    """Returns the same for words without a verb group of their own."""
    group = Group(start, frozenset(), False, "", "", False, True)
    return factuality(phrase, group, end, asks=asks)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text):
        found = match
    return found


def _of_group(group: Group) -> Factuality:
    if group.words & HABITS:
        return Factuality.OF_OTHERS
    if group.negated:
        return Factuality.DENIED
    if group.words & {"almost", "nearly", "practically", "virtually"}:
        return Factuality.DENIED
    if group.governor:
        return _governed(group)
    if group.modal and not (group.modal == "should" and group.words & {"be", "have", "been"}):
        return MODALS[group.modal]
    if group.causative and group.words & {"get", "getting", "having", "see"}:
        return Factuality.FUTURE
    return Factuality.ASSERTED


def _governed(group: Group) -> Factuality:
    return GOVERNORS.get(group.governor, Factuality.FUTURE)


def _of_subject(phrase: Phrase, group: Group) -> Factuality:
    if group.start == 0 or phrase.ends(group.start - 1):
        return Factuality.ASSERTED
    subject = phrase.words[phrase.opening(group.start - 1) : group.start]
    if any(word in NOBODY for word in subject if word != "zero") and subject[-1] not in (
        "i",
        "we",
        "you",
    ):
        return Factuality.DENIED
    if any(word in ("let", "lets", "help", "helps", "letting") for word in subject[-3:]):
        return Factuality.FUTURE
    return Factuality.ASSERTED


def _condition(phrase: Phrase, group: Group) -> Factuality:
    """Conditional inside an if-clause, and after one: "If you agree, it is booked"."""
    sentence = phrase.text[: phrase.offset(group.start)]
    found = _last(_pattern("subordinate"), sentence)
    if found is None or _NO_CONDITION.match(sentence, found.start()):
        return Factuality.ASSERTED
    between = phrase.words[phrase.index(found.end() - 1) + 1 : group.start]
    stops = [word for word in between if word in (";", ":", "-", "but", "however", ".", "!", "?")]
    if stops or (found[0] in _UNTIL and _is_over(group, between)):
        return Factuality.ASSERTED
    perfect = (group.bare or group.words & _PERFECT) and not group.modal
    first = bool(_FIRST & set(phrase.words[max(0, group.start - 1) : group.start]))
    if "," not in between:
        main = perfect and first and len(between) > 3 and found[0] in _TIMES
        return Factuality.ASSERTED if main else Factuality.CONDITIONAL
    if perfect and (first or found[0] in _TIMES):
        return Factuality.ASSERTED
    return Factuality.CONDITIONAL


def _is_over(group: Group, between: list[str]) -> bool:
    """Whether what comes after "until ..." is told by itself: "..., and your booking is made"."""
    return any(pair == (",", "and") for pair in itertools.pairwise(between))


_UNTIL = frozenset({"until", "till"})
_ONE_STEP = (["one", "more"], ["one", "tap"], ["one", "click"], ["just", "one"], ["a", "quick"])
_DEMANDS = word_set(
    """tap hit swipe show bring hand read quote upload approve accept okay verify complete finish
    log scan visit open follow hold transfer scroll tick check use give tell send say pay
    confirm reply click press sign provide text drop let pop leave answer nod just enter type
    choose pick add fill call ring ask make"""
)


def _demand(phrase: Phrase, group: Group) -> Factuality:
    """As in "Give me a name and it is booked": so only if the user does it."""
    words = phrase.words[: group.start]
    if words[:2] in _ONE_STEP and "and" in words:
        return Factuality.CONDITIONAL
    if {"and", "="}.isdisjoint(words) or words[0] not in _DEMANDS:
        return Factuality.ASSERTED
    stops = {".", "!", "?", ";", ":", "-", "but"}
    return Factuality.ASSERTED if stops & set(words) else Factuality.CONDITIONAL


def _before(phrase: Phrase, group: Group) -> Factuality:
    opening = phrase.opening(group.start) if group.start < len(phrase.words) else 0
    text = phrase.text[phrase.offset(opening) : phrase.offset(group.start)]
    frame = _last(_TO_SAY, text)
    if frame is not None:
        text = text[frame.end() :]
    found = _last(_pattern("forward"), text)
    return triggers("forward")[found[0]] if found else Factuality.ASSERTED


def _behind(phrase: Phrase, group: Group, end: int, refusal: bool) -> Factuality:
    closing = phrase.closing(end)
    text = phrase.text[phrase.offset(end) : phrase.offset(closing)]
    if phrase.words[closing : closing + 1] == [","]:
        condition = _STRICT.match(phrase.text, phrase.offset(closing))
        if condition and group.words.isdisjoint({"have", "has", "ve"}):
            return Factuality.CONDITIONAL
    found = _pattern("backward").search(text)
    if not found:
        return Factuality.ASSERTED
    result = triggers("backward").get(found[0], Factuality.CONDITIONAL)
    if (
        refusal
        and result is Factuality.OF_OTHERS
        and not (found[0] in _FORMERLY and group.words & {"was", "were"})
    ):
        return Factuality.ASSERTED
    perfect = group.words & {"have", "has", "ve"} and not group.modal
    if (
        result is Factuality.CONDITIONAL
        and perfect
        and found[0] in ("if", "in case", "when you", "after", "when", "upon")
    ):
        return Factuality.ASSERTED
    return result


def doubt_of(phrase: Phrase, group: Group) -> str:
    """Says why an asserted claim may not be meant in full earnest; empty if it is."""
    hedge = next(iter(sorted(group.words & HEDGES)), "")
    if group.modal == "should":
        hedge = "should"
    opening = phrase.opening(group.start) if group.start < len(phrase.words) else 0
    text = phrase.text[phrase.offset(opening) : phrase.offset(group.start)]
    found = _HEDGED.search(text)
    if found:
        hedge = found[0]
    return f"hedged: {hedge}" if hedge else ""
