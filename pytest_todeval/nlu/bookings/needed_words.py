"""Words without which a regular expression cannot match: what to look at before trying it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_todeval.nlu.patterns import word_set

Signs = Mapping[str, frozenset[str] | None]
"""A character of a pattern -> all that the group spells for which it stands; None if unknown."""

MOST = 300
"""Wordings of a stretch of a pattern that are spelled out."""
_NO_SIGNS: Signs = {}
_COMMON = word_set(
    """a an the is am was were are be been being has have had do does did it that this they we i
    you your our not no in on at for of to and with now all will would could can s"""
)
_EVERYWHERE = word_set("a an the is are s i it to for , .")
"""Words that stand in nearly every sentence: no reason to try a pattern."""
_TOKEN = re.compile(
    r"\(\?(?:[:=!]|<[=!])|[()|^$.]|\\.|\[(?:\\.|[^\]\\])*\]|(?:[?*+]|\{[\d,]+\})\??"
    r"|[\ue000-\uf8ff]|[^()|^$.\\\[?*+{\ue000-\uf8ff]+?(?=[()|^$.\\\[?*+{\ue000-\uf8ff]|.[?*+{]|$)",
    re.DOTALL,
)
"""A piece of a pattern; a letter that is repeated, or a sign, is one of its own."""
_NOTHING = frozenset({""})


class _Item(NamedTuple):
    """A part of a pattern."""

    spelled: frozenset[str] | None
    """All that it spells; None if that is not known, or too much."""
    group: bool = False
    ends_word: bool = False
    """Whether whatever it matches ends in a blank."""


def needed_words(pattern: str, signs: Signs = _NO_SIGNS) -> tuple[frozenset[str], ...]:
    """Choices of words; every text that the pattern matches has a word of each.

    The rarest choice comes first; none if nothing is known, or only of words that stand everywhere.
    Words of the text are separated by blanks. Only groups, choices and repeats are understood;
    whatever else stands in the pattern tells nothing.
    """
    stretches = [
        words
        for stretch in _stretches(_read(pattern, signs))
        if all(words := [_whole(wording) for wording in stretch])
    ]
    rarest = _fewest(stretches, _COMMON) or _fewest(stretches, _EVERYWHERE)
    if not rarest:
        return ()
    every = {rarest: None}
    for stretch in stretches:
        for choice in (0, -1):
            every[frozenset(words[choice] for words in stretch)] = None
    return tuple(every)


def wordings(pattern: str, signs: Signs = _NO_SIGNS) -> tuple[bool, frozenset[str] | None]:
    """Whether a pattern is one group; and all that the group spells, None if that is not known."""
    items = _read(pattern, signs)
    is_group = len(items) == 1 and items[0].group
    return is_group, items[0].spelled if is_group else None


def _fewest(stretches: Sequence[Sequence[list[str]]], common: frozenset[str]) -> frozenset[str]:
    """Returns the shortest choice of words that has none of the common ones."""
    best: frozenset[str] = frozenset()
    for stretch in stretches:
        chosen = {_rarest(words, common) for words in stretch}
        if "" not in chosen and (not best or len(chosen) < len(best)):
            best = frozenset(chosen)
    return best


def _whole(wording: str) -> list[str]:
    """Returns the whole words of a wording."""
    return [word for word in wording.split() if "\0" not in word]


def _rarest(words: Sequence[str], common: frozenset[str]) -> str:
    """Returns the longest that is no common one; empty if all are."""
    return max((word for word in words if word not in common), key=len, default="")


def _stretches(items: Sequence[_Item]) -> Iterator[frozenset[str]]:
    """Returns what consecutive parts of a pattern spell; a NUL stands for what is not known."""
    spelled = frozenset({" "})
    for item in items:
        both = _joined(spelled, item.spelled)
        if both is None:
            yield frozenset(each + "\0" for each in spelled)
            whole = all(each.endswith(" ") for each in spelled)
            both = frozenset({" " if whole else "\0"})
            if item.spelled is None:
                both = frozenset({" " if item.ends_word and whole else "\0"})
            elif len(item.spelled) <= MOST:
                both = _joined(both, item.spelled) or both
        spelled = both
    yield frozenset(each + " " for each in spelled)


def _joined(before: frozenset[str] | None, after: frozenset[str] | None) -> frozenset[str] | None:
    """Returns each of the one with each of the other behind it; None if that is too much."""
    if before is None or after is None or len(before) * len(after) > MOST:
        return None
    return frozenset([one + other for one in before for other in after])


def _read(pattern: str, signs: Signs) -> Sequence[_Item]:
    """Returns the parts of a pattern, in order."""
    choices: list[list[_Item]] = [[]]
    above: list[tuple[str, list[list[_Item]]]] = []
    """The groups that are open, with what stands before them."""
    for token in _TOKEN.findall(pattern):
        if token == "|":
            choices.append([])
        elif token[0] == "(":
            above.append((token, choices))
            choices = [[]]
        elif token == ")":
            opened, around = above.pop()
            group = _choice(choices)
            choices = around
            choices[-1].append(group if opened in ("(", "(?:") else _Item(_NOTHING))
        elif token[0] in "?*+{":
            choices[-1][-1] = _repeated(choices[-1][-1], token.rstrip("?") or "?")
        else:
            choices[-1].append(_Item(_letters(token, signs), ends_word=token.endswith(" ")))
    return choices[0] if len(choices) == 1 else [_choice(choices)]


def _choice(choices: Sequence[Sequence[_Item]]) -> _Item:
    """Returns a group of choices."""
    every: set[str] = set()
    known = True
    for items in choices:
        spelled: frozenset[str] | None = _NOTHING
        for item in items:
            spelled = _joined(spelled, item.spelled)
        known = known and spelled is not None
        every |= spelled or _NOTHING
    ends = all(items and items[-1].ends_word for items in choices)
    return _Item(frozenset(every) if known and len(every) <= MOST else None, True, ends)


def _repeated(item: _Item, how: str) -> _Item:
    if how in ("?", "{0,1}") and item.spelled is not None:
        return _Item(item.spelled | _NOTHING)
    return _Item(None, ends_word=item.ends_word)


def _letters(token: str, signs: Signs) -> frozenset[str] | None:
    if token in signs:
        return signs[token]
    if token[0] == "\\":
        if token[1] in "bB":
            return _NOTHING
        return None if token[1].isalnum() else frozenset({token[1]})
    if token[0] == "[":
        return frozenset(token[1:-1]) if token[1:-1].isalpha() else None
    if token == ".":
        return None
    return _NOTHING if token in "^$" else frozenset({token})
