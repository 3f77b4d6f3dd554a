"""Easy, medium and hard variations by rule (AutoEval-ToD, prompt H.1)."""

import random
import re
from collections.abc import Callable

from pytest_todeval.simulation.variation.wordings import recasts, sheet, words_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_COMMA_BEFORE = re.compile(r" (?=(?:and|in|with|for|on|at|from|to|by|please)\b)")
SHORT = 3
"""Words from which on a sentence is built anew."""


def easy(text: str, rng: random.Random) -> str:
    """Another punctuation, other forms of the same words."""
    return _punctuated(_reworded(text, "forms", rng, 0.6), rng)


def medium(text: str, rng: random.Random) -> str:
    """Synonyms, phrases for words and words for phrases; other forms if it has none of these."""
    found = _reworded(text, "synonyms", rng, 0.7)
    found = found if found != text else _reworded(text, "synonyms", rng, 1)
    return found if found != text else easy(text, rng)


def hard(text: str, rng: random.Random) -> str:
    """Sentences built anew, with the same message."""
    found = " ".join(_recast(sentence, rng) for sentence in _SENTENCE_END.split(text))
    found = _reworded(found, "synonyms", rng, 0.4)
    return found if found != text else medium(text, rng)


def _reworded(text: str, section: str, rng: random.Random, chance: float) -> str:
    words = words_of(section)

    def instead(match: "re.Match[str]") -> str:
        if rng.random() >= chance:
            return match[0]
        other = rng.choice(words.instead[match[0].lower()])
        return other[:1].upper() + other[1:] if match[0][0].isupper() else other

    return words.pattern.sub(instead, text.replace("\u2019", "'"))


def _punctuated(text: str, rng: random.Random) -> str:
    changes: tuple[Callable[[], str], ...] = (
        lambda: text.replace(",", ""),
        lambda: re.sub(r"[.!?]+(?=\s|$)", "", text),
        lambda: re.sub(r"[.!](?=\s|$)", "!" if "." in text else ".", text),
        lambda: re.sub(r"[.!?]$", "...", text),
        lambda: _COMMA_BEFORE.sub(", ", text, count=1),
        lambda: re.sub(r"[.!]\s+", ", ", text),
    )
    drawn = [change() for change in rng.sample(changes, len(changes))]
    return next((changed for changed in drawn if changed not in (text, "")), text)


def _recast(sentence: str, rng: random.Random) -> str:
    bare = sentence.rstrip(".!? ")
    for recast in recasts():
        found = recast.pattern.fullmatch(bare)
        if found is not None:
            words = (group.rstrip(" ,") for group in found.groups())
            return _capital(rng.choice(recast.instead).format(*words))
    if len(bare.split()) < SHORT or rng.random() < 0.4:
        return sentence
    return str(rng.choice(sheet()["frames"])).format(_lower_first(sentence))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _lower_first(sentence: str) -> str:
    first = sentence.partition(" ")[0]
    own = re.match(r"I(?!\w)", first) or not first[:1].isupper() or not first[1:].islower()
    return sentence if own else sentence[:1].lower() + sentence[1:]
