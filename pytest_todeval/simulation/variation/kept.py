"""What a bot needs of an utterance, and so survives its variation: names, references, numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.goal import Goal
from pytest_todeval.nlu.numbers import NUMBER_WORDS
from pytest_todeval.simulation.variation.wordings import common_words, sheet

FIRST = 0xE000
LAST = 0xF8FF
"""Code points of private use: each stands for something kept while the rest is changed."""
_PRIVATE = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
_NUMBERS = frozenset(NUMBER_WORDS) - {"no", "a", "once", "twice", "double", "single", "pair"}
_SAID_ANYHOW = frozenset({"yes", "no", "none", "free", "dontcare"})
"""Values that are words of every conversation: what tells them is the name of their slot."""
_NAMED = {"internet": ("internet", "wifi", "wi-fi")}
"""Slots of MultiWOZ that people call by other names, too."""
_JOINING = frozenset({"of", "the", "and", "de", "la", "at", "on", "&"})
SHORTEST_HEARD = 3
_TOKEN = re.compile(r"\S+")
_EDGES = "\"'\u201c\u201d\u2018\u2019()[],;:!?."


@dataclass(frozen=True, slots=True)
class Masked:
    """A text in which what is kept stands as a single character each."""

    text: str
    kept: tuple[str, ...] = ()

    def restored(self, text: str) -> str:
        """Returns a text made of this one, with what was kept."""
        return _PRIVATE.sub(lambda mark: self.kept[ord(mark[0]) - FIRST], text)


class Kept:
    """Knows what to keep, by the goal and by what the bot has said."""

    def __init__(self, goal: Goal) -> None:
        values = sorted(set(_values(goal)), key=lambda value: (-len(value), value))
        words = "|".join(map(re.escape, values))
        self._values = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if values else None

    def masked(self, text: str, heard: str) -> Masked | None:
        """Returns the text with marks; None for one that holds such characters itself."""
        spans = self.spans(text, heard)
        if _PRIVATE.search(text) or len(spans) > LAST - FIRST:
            return None
        kept: list[str] = []
        parts: list[str] = []
        end = 0
        for start, stop in spans:
            parts += [text[end:start], chr(FIRST + len(kept))]
            kept.append(text[start:stop])
            end = stop
        return Masked("".join([*parts, text[end:]]), tuple(kept))

    def spans(self, text: str, heard: str) -> list[tuple[int, int]]:
        """Where it stands: values of the goal, figures, addresses, names, in order, apart."""
        found = [(m.start(), m.end()) for m in self._values.finditer(text)] if self._values else []
        return _merged([*found, *_telling(text, heard)], text)

    def lost(self, text: str, varied: str, heard: str) -> list[str]:
        """What is kept of a text, and no longer said in another; case and signs do not count."""
        said = f" {_plain(varied)} "
        kept = (text[start:end] for start, end in self.spans(text, heard))
        return [each for each in kept if f" {_plain(each)} " not in said]


def _values(goal: Goal) -> Iterator[str]:
    for part in goal.parts:
        for slots in (part.inform, part.fail_inform, part.book, part.fail_book):
            yield from _sayable(slots)
    yield from _sayable(goal.user)


def _sayable(slots: Mapping[str, object]) -> Iterator[str]:
    for slot, value in slots.items():
        text = str(value).strip()
        if text.lower() in _SAID_ANYHOW:
            yield from _NAMED.get(slot, (slot.replace("_", " "),))
        elif text:
            yield text


def _telling(text: str, heard: str) -> Iterator[tuple[int, int]]:
    """Figures, addresses, and names: by their capitals, or since the bot has said them."""
    bots = {word.strip(_EDGES).lower() for word in heard.split()}
    tokens = [_bare(token) for token in _TOKEN.finditer(text)]
    starts = {0, *(m.end() for m in re.finditer(r"[.!?]\s+", text))}
    names = [_is_name(word, start in starts) for word, start, _ in tokens]
    for at, (word, start, end) in enumerate(tokens):
        lower = word.lower()
        after = any(names[at + 1 : at + 2])
        joined = lower in _JOINING and any(names[at - 1 : at]) and after
        opens = start in starts and word[:1].isupper() and after
        told = len(word) >= SHORTEST_HEARD and lower in bots
        named = names[at] or joined or ((opens or told) and lower not in common_words())
        if named or _is_counted(word, tokens[at - 1][0] if at else ""):
            yield start, end


def _is_counted(word: str, before: str) -> bool:
    """Says whether a word is a figure or an address, or the unit behind a figure."""
    unit = _is_figure(before) and word.lower() in sheet()["units"]
    return unit or _is_figure(word) or "@" in word


def _bare(token: "re.Match[str]") -> tuple[str, int, int]:
    word = token[0].strip(_EDGES)
    start = token.start() + (token[0].find(word) if word else 0)
    return word, start, start + len(word)


def _is_figure(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in _NUMBERS


def _is_name(word: str, first: bool) -> bool:
    return word[:1].isupper() and not first and not re.match(r"I(?!\w)", word)


def _merged(spans: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Returns the spans in order; those that overlap, or have only blanks between them, as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _plain(text: str) -> str:
    words = re.findall(r"\w+", text.casefold())
    return " ".join(NUMBER_WORDS[word] if word in _NUMBERS else word for word in words)
