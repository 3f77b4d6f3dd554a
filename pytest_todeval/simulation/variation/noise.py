"""Noise by rule: typing errors, and what a speech recogniser makes of an utterance."""

import random
import re

from pytest_todeval.simulation.variation.spoken import without_signs
from pytest_todeval.simulation.variation.wordings import sheet

SHARE = 6
"""One word in so many is mistyped, at least one."""
DROPPED, HOMOPHONES, FILLED = 0.3, 0.25, 0.06
"""How often a word that may be dropped is, one with a homophone is taken for that, and a filler
comes before a word."""
_LONG_WORD = re.compile(r"(?<![\w'-])[A-Za-z]{4,}(?![\w'-])")
_WORD = re.compile(r"[a-z']+")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = {
    key: row[max(0, at - 1) : at] + row[at + 1 : at + 2]
    for row in _KEYS
    for at, key in enumerate(row)
}


def mistyped(text: str, rng: random.Random) -> str:
    """Some of the longer words with a slip of the fingers in each; their first letter stands."""
    words = list(_LONG_WORD.finditer(text))
    count = min(len(words), max(1, round(len(words) / SHARE)))
    hit = {words[at].start() for at in sorted(rng.sample(range(len(words)), count))}

    def slip(match: "re.Match[str]") -> str:
        return _slipped(match[0], rng) if match.start() in hit else match[0]

    return _LONG_WORD.sub(slip, text)


def misheard(text: str, rng: random.Random) -> str:
    """Lower case without signs, with words dropped, taken for others, and filled in."""
    homophones, dropped = sheet()["homophones"], frozenset(sheet()["dropped"])
    said: list[str] = []
    for word in without_signs(text).split():
        draw = rng.random()
        if word in dropped and draw < DROPPED:
            continue
        if _WORD.fullmatch(word) and draw > 1 - FILLED:
            said.append(rng.choice(sheet()["fillers"]))
        said.append(homophones[word] if word in homophones and draw < HOMOPHONES else word)
    return " ".join(said) or without_signs(text)


def _slipped(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    key = word[at].lower()
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + rng.choice(_BESIDE[key]) + word[at + 1 :],
    )
    found = [slip for slip in rng.sample(slips, len(slips)) if slip != word]
    return found[0]
