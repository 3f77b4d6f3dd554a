"""Whether a sentence denies what stands in it: as far as its negation reaches, and no farther."""

from bisect import bisect_right
from functools import lru_cache

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.text.factuality import asserted
from pytest_todeval.nlu.text.negation import DENIALS
from pytest_todeval.nlu.text.phrases import Phrase
from pytest_todeval.nlu.text.plain import plain

BEHIND = 3
"""Words behind, within the clause, by which something is denied: "a deposit is not needed"."""


@lru_cache(maxsize=1024)
def is_denied(sentence: str, said: str) -> bool:
    """Says whether a sentence denies some of its words: "We need no card", "a card is not needed".

    "Please share your card number; we never store it" does not deny the card number.
    """
    whole, part = plain(sentence), plain(said).strip()
    at = whole.find(part)
    phrase = Phrase(whole)
    if at < 0 or not phrase.words:
        return False
    start = max(0, bisect_right(phrase.places, at) - 1)
    end = min(start + len(Phrase(part).words), len(phrase.words))
    ahead = phrase.words[phrase.opening(start) : end]
    behind = phrase.words[end : min(phrase.closing(end), end + BEHIND)]
    if not DENIALS.isdisjoint((*ahead, *behind)):
        return True
    return asserted(phrase, start, end) is Factuality.DENIED
