"""Words without which a regular expression cannot match: what to look at before trying it."""

from collections.abc import Iterator, Sequence
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from pytest_todeval.evidence.text.triggers import word_set

__all__ = ["needed_words"]

MOST = 1500
"""Wordings of a stretch of a pattern that are spelled out."""
_COMMON = word_set(
    """a an the is am was were are be been being has have had do does did it that this they we i
    you your our not no in on at for of to and with now all will would could can s"""
)
_EVERYWHERE = word_set("a an the is are s i it to for , .")
"""Words that stand in nearly every sentence: no reason to try a pattern."""


def needed_words(pattern: str) -> frozenset[str]:
    """Words of which every text that the pattern matches has one; empty if there is no such choice.

    Words of the text are separated by blanks. Only groups, choices and repeats are understood;
    whatever else stands in the pattern tells nothing.
    """
    parsed = parser.parse(pattern)
    return _fewest(parsed, _COMMON) or _fewest(parsed, _EVERYWHERE)


def _fewest(items: Sequence[Any], common: frozenset[str]) -> frozenset[str]:
    """The shortest choice of words that has none of the common ones."""
    best: frozenset[str] = frozenset()
    for stretch in _stretches(items):
        chosen = [_rarest(wording, common) for wording in stretch]
        words = frozenset(word for word in chosen if word)
        if all(chosen) and (not best or len(words) < len(best)):
            best = words
    return best


def _rarest(wording: str, common: frozenset[str]) -> str:
    """The longest whole word that is no common one."""
    whole = [word for word in wording.split() if "\0" not in word and word not in common]
    return max(whole, key=len, default="")


def _stretches(items: Sequence[Any]) -> Iterator[set[str]]:
    """What consecutive parts of a pattern spell; a NUL stands for what is not known."""
    spelled = {" "}
    for item in items:
        more = _spelled([item])
        if more is None or len(spelled) * len(more) > MOST:
            yield {each + "\0" for each in spelled}
            spelled = {" " if all(each.endswith(" ") for each in spelled) else "\0"}
            if more is None:
                spelled = {" " if _ends_word(item) else "\0"}
                continue
            if len(more) > MOST:
                continue
        spelled = {one + other for one in spelled for other in more}
    yield {each + " " for each in spelled}


def _ends_word(item: Any) -> bool:
    """Whether a repeated part ends in a blank."""
    kind, about = item
    if kind not in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
        return False
    inner = list(about[2])
    while inner and inner[-1][0] is kinds.SUBPATTERN:
        inner = list(inner[-1][1][3])
    return bool(inner) and inner[-1] == (kinds.LITERAL, ord(" "))


def _spelled(items: Sequence[Any]) -> set[str] | None:
    """All that a part spells; None if that is not known or too much."""
    result = {""}
    for kind, about in items:
        more: set[str] | None = None
        if kind is kinds.LITERAL:
            more = {chr(about)}
        elif kind is kinds.SUBPATTERN:
            more = _spelled(about[3])
        elif kind is kinds.BRANCH:
            choices = [_spelled(each) for each in about[1]]
            more = None if None in choices else set().union(*(each or set() for each in choices))
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT) and about[1] == 1:
            inner = _spelled(about[2])
            more = None if inner is None else inner | ({""} if about[0] == 0 else set())
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT, kinds.AT):
            more = {""}
        if more is None or len(result) * len(more) > MOST:
            return None
        result = {one + other for one in result for other in more}
    return result
