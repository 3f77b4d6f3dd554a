"""Answers that leave out what they answer: "Yes, it does!" after "Does it have parking?"."""

import re
from collections.abc import Iterator

from pytest_todeval.nlu.names.lexicon import Lexicon

LONGEST_FILLER = 3
"""Words of a sentence before the answer: "Let me see. Yes, it does."."""
_BUILT_IN = {
    "parking": re.compile(r"\b(?:parking|park|car park)\b"),
    "internet": re.compile(r"\b(?:internet|wi ?-?fi|wireless)\b"),
}
_ASKS = re.compile(
    r"(?:^|\b(?:and|but|also|or|so|know (?:if|whether)|tell me (?:if|whether)|sure|confirm|,) ?)"
    r"(?:(?:do|does|is|are|has|have|can|will|would|did) |if |whether |any |what about |how about )"
)
_SENTENCE = re.compile(r"(?<=[.!?]) |\n")
_FILLER = (
    r"(?:(?:oh|well|great question|good question|hi|hello|let me see|thanks|thank you|okay|ok|ah"
    r"|good news|i (?:have )?checked)[ ,.!:-]*){0,3}"
)
_SUBJECT = "(?:it|they|there|that|this|you|we|NAME|he|she)"
_BOTH = r"(?:both|that|it|them|those|these|one|so|all of (?:that|them|those))"
_REST = (
    rf"(?: (?:have|offer|provide|include|do) {_BOTH}| {_BOTH}| indeed| too| as well| of course"
    r"| for free| free of charge| included| available| actually| certainly| ?, .{0,20})*"
)
_YES = re.compile(
    f"{_FILLER}(?:(?:yes|yep|yeah|yup|certainly|of course|absolutely|indeed|definitely|correct"
    f"|aye|sure)[ ,!.-]*)?(?:(?:{_SUBJECT} )?(?:certainly |indeed |both |all |most certainly "
    f"|sure |do )?(?:does|do|has|have|is|are|can|will|offers?|includes?|provides?){_REST}"
    "|both(?: of them)?)?[ ,.!)]*"
)
_NO = re.compile(
    f"{_FILLER}(?:(?:(?:i am )?(?:so |very )?(?:sorry|afraid)|unfortunately|sadly|alas|nope|no"
    f"|but)[ ,!.-]*)*(?:not|(?:no , )?(?:that )?(?:{_SUBJECT} )?(?:does|do|has|have|is|are|can"
    f"|will) not{_REST}|neither|none(?: of (?:that|those|them))?|(?:{_SUBJECT} )?(?:has|have"
    "|offers?) (?:neither|none)(?: of (?:that|those|them))?)?[ ,.!)]*"
)
_SAYS_YES = re.compile(
    r"\b(?:yes|yep|yeah|yup|certainly|of course|absolutely|indeed|definitely|correct|does|do|has"
    r"|is|are|can|will|offers?|includes?|provides?)\b"
)
_SAYS_NO = re.compile(r"\b(?:no|nope|not|neither|none)\b")


def short_answers(said: str, reply: str, known: Lexicon) -> Iterator[tuple[str, str]]:
    """Yes-or-no slots that the user asked about -> what the reply's first words answer.

    Both texts plain. Nothing if the reply does not begin with such an answer, which holds for every
    slot asked about: "Does it have parking and wifi?" "Yes, both."
    """
    asked = list(_asked(said, known)) if said else []
    if not asked:
        return
    first = _SENTENCE.split(reply, maxsplit=2)
    opening = first[0]
    if len(first) > 1 and len(opening.split()) <= LONGEST_FILLER and not _SAYS_YES.search(opening):
        opening = f"{opening} {first[1]}" if not _SAYS_NO.search(opening) else opening
    answer = _answer(_nameless(opening, known))
    if answer:
        yield from ((slot, answer) for slot in asked)


def _answer(opening: str) -> str:
    if _SAYS_NO.search(opening) and _NO.fullmatch(opening):
        return "no"
    return "yes" if _SAYS_YES.search(opening) and _YES.fullmatch(opening) else ""


def _nameless(text: str, known: Lexicon) -> str:
    for start, end, entry in reversed(list(known.matches(text[:200]))):
        if entry.slot == "name":
            text = f"{text[:start].removesuffix('the ')}NAME{text[end:]}"
    return text


def _asked(said: str, known: Lexicon) -> Iterator[str]:
    """Returns the yes-or-no slots that a question of the user's names."""
    slots = {**_BUILT_IN, **{slot: known.own_slots[slot] for slot in known.yes_no}}
    for sentence in _SENTENCE.split(said):
        if sentence.rstrip().endswith("?") or _ASKS.search(sentence):
            yield from (slot for slot, pattern in slots.items() if pattern.search(sentence))
