"""Predicates over the language of a reply."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pytest_todeval.evidence.dialogue import MAX_TEXT
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.known import strange_words
from pytest_todeval.rules.registry import predicate

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
_COMMON = {
    "english": "the of and to is you your for it in at with have are there can that i",
    "french": "le la les des est vous votre avec pour dans une je il et du au ce que nous",
    "german": "der die das und ist sie ihr ihre mit ein eine ich wir nicht den dem zu auf",
    "spanish": "el los las es usted su con para por una que en yo y del al hay se",
    "italian": "il lo gli di che per con una sono non si le la del della e",
    "portuguese": "o os as um uma do da em para com que seu sua voc\u00ea n\u00e3o e",
    "dutch": "de het een en is u uw met voor van niet ik wij dat te op",
}
_LANGUAGES = {
    word: [language for language, own in _COMMON.items() if word in own.split()]
    for words in _COMMON.values()
    for word in words.split()
}
LONG, MOST = 5, 60
"""Words of a sentence from which, and up to which, its language is told by what it has not."""
FOREIGN = 1.25
"""How many words there are to each strange one, at most, in a sentence of no English."""
FEW = 6
"""Words under which the language of a text is not told."""
CLEAR = 2
"""Common words of another language that tell a sentence's, if it has none of the user's."""
_LETTERS = re.compile(
    r"[\u0400-\u04ff\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}"
)
"""Cyrillic, Hebrew, Arabic, Devanagari, Japanese, Chinese, Korean."""


def _users_words(view: View) -> str:
    """What the user said so far; in another language than it meant it, what the bot heard."""
    if not view.evidence.dialogue.variation[:1].isupper():
        return view.evidence.user_said(view.index)
    return "\n".join(facts.turn.user[:MAX_TEXT] for facts in view.evidence.until(view.index))


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
        wanted = _language(_users_words(view))
    spoken = _language(view.facts.text)
    if wanted == "english" and (foreign := _foreign(view)):
        return no(f"speaks no English: {foreign[:60]!r}")
    if wanted is not None and (other := _another(view.facts.text, wanted)) is not None:
        return no(f"speaks {other[0].title()}: {other[1][:60]!r}")
    if spoken is None or wanted is None:
        return unknown("too few words to tell the language")
    return (yes if spoken == wanted else no)(f"speaks {spoken.title()}, not {wanted.title()}")


def _foreign(view: View) -> str:
    """The first sentence of which hardly a word is English or known; empty if there is none."""
    for sentence in _SENTENCE.findall(view.facts.text):
        # names of places and people are no words of a language
        words = [word for word in re.findall(r"[^\W\d_]+", sentence) if not word[0].isupper()]
        if len(words) >= LONG and FOREIGN * len(strange_words(view, words[:MOST])) >= len(words):
            return str(sentence).strip()
    return ""


def _another(text: str, wanted: str) -> tuple[str, str] | None:
    """The first sentence in a language that is clearly another one, or in other letters."""
    if (match := _LETTERS.search(text)) is not None:
        return "in other letters", match[0]
    for sentence in _SENTENCE.findall(text):
        # names of places and people are no words of a language
        words = [word for word in re.findall(r"[^\W\d_]+", sentence) if not word[0].isupper()]
        counts = _counts(words)
        best = max(counts, key=counts.__getitem__)
        if best != wanted and counts[best] >= CLEAR and counts[wanted] == 0:
            return best, sentence.strip()
    return None


def _counts(words: Iterable[str]) -> Mapping[str, int]:
    """How many words are common in each language."""
    counts = dict.fromkeys(_COMMON, 0)
    for word in words:
        if word in _LANGUAGES:
            for language in _LANGUAGES[word]:
                counts[language] += 1
    return counts


def _language(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+(?![^\W_'\u2019]|['\u2019]\w)", text.lower())  # no O of O'Brien
    if len(words) < FEW:
        return None
    counts = _counts(words)
    best, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    clear = counts[best] > 1 and counts[best] > counts[second] + 1
    return best if clear else None
