"""How a model says that its user has left: the papers' tokens, in the spellings models give them.

Only what the user's model writes is looked at: a token in a bot's text ends nothing, and is taken
out before the user is shown it (`without_endings`), so that it cannot be quoted back either.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class TokenMeaning(StrEnum):
    """What a token says."""

    DONE = "done"
    TRANSFER = "transfer"
    """tau2: the bot handed the user over to a person."""
    OUT_OF_SCOPE = "out of scope"
    """tau2: the goal does not say what the user would need to go on."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The user leaves."""

    words: str
    """What it says with that: the words before the token, else those after it; may be empty."""
    token: str
    """As it was written."""
    meaning: TokenMeaning = TokenMeaning.DONE


_OPEN = r"(?:[<\[({\u2039\u00ab\uff1c]|&lt;)"
_CLOSE = r"(?:[>\])}\u203a\u00bb\uff1e]|&gt;)"
_COMPLETE = (
    rf"{_OPEN}[\s/*_]{{0,4}}complete[\s\\_*-]{{0,4}}conversation(?:[\s/*_]{{0,4}}{_CLOSE})?"
    r"|\bcomplete\\?_conversation\b"
    rf"|{_OPEN}\s?stop\s?{_CLOSE}"
)
_HASHES = r"(?:\\?#){2,6}\s{0,2}[*_]{0,2}"
_MARKED = {
    TokenMeaning.DONE: "stop",
    TokenMeaning.TRANSFER: "transfer",
    TokenMeaning.OUT_OF_SCOPE: r"out[\s_-]{0,2}of[\s_-]{0,2}scope",
}
_TOKEN = re.compile(
    "|".join(
        [
            f"(?P<complete>{_COMPLETE})",
            *(
                f"(?P<{meaning.name}>{_HASHES}{word}[*_]{{0,2}}\\s{{0,2}}(?:\\\\?#){{1,6}}"
                f"|\\\\?###{word}\\b(?![ \\t]+\\w))"
                for meaning, word in _MARKED.items()
            ),
        ]
    ),
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W{0,6}(?:STOP|(?i:complete[ _-]conversation))\W{0,6}")
_DONE_ALONE = re.compile(r"[\W_]{0,6}done[\W_]{0,6}", re.IGNORECASE)
_DONE_LAST = re.compile(
    r"(?:(?<=[.!?\u2026\u3002\u061f])\s{1,4}|\n\s{0,4})[\"'*_`(<\[]{0,4}DONE\W{0,4}\Z"
)
_ENDS = re.compile(r"\bdialogue ends\b[.!]?", re.IGNORECASE)
_UNSEEN = dict.fromkeys([*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A),
                         0x200B, 0x2060, 0xFEFF])  # fmt: skip
_EDGES = " \t\r\n*_`\"'\u201c\u201d-\u2013\u2014#"


def find_ending(text: str, *, done: bool = False, ends: bool = False) -> Ending | None:
    """Returns the ending in what a user's model wrote, or None if it goes on.

    `<COMPLETE CONVERSATION>` and `###STOP###` count anywhere in the text, in any case, with blanks,
    underscores, Markdown or direction marks in and around them. `DONE` (clem:todd; only with
    `done`) counts alone, or in capitals as a sentence of its own at the end: "I am done" does not.
    `Dialogue Ends` (AutoTOD; only with `ends`) counts anywhere, in any case.
    """
    seen = text.translate(_UNSEEN)
    if ends and (told := _ENDS.search(seen)):
        return Ending(_words(seen[: told.start()]) or _words(seen[told.end() :]), told.group())
    if done and (_DONE_ALONE.fullmatch(seen) or _DONE_LAST.search(seen)):
        last = _DONE_LAST.search(seen)
        return Ending(_words(seen[: last.start()]) if last else "", "DONE")
    if _ALONE.fullmatch(seen):
        return Ending("", seen.strip())
    token = _TOKEN.search(seen)
    if token is None:
        return None
    words = _words(seen[: token.start()]) or _words(seen[token.end() :])
    return Ending(words, token.group(), _meaning(token))


def without_endings(text: str) -> str:
    """Returns the text with an ellipsis in place of each token that would end the dialogue."""
    while find_ending(text) is not None:  # taking one out can make another of what stood around it
        seen = text.translate(_UNSEEN)
        text = "\u2026" if _ALONE.fullmatch(seen) else _TOKEN.sub("\u2026", seen)
    return text


def _meaning(token: re.Match[str]) -> TokenMeaning:
    name = str(token.lastgroup)
    return TokenMeaning[name] if name in TokenMeaning.__members__ else TokenMeaning.DONE


def _words(text: str) -> str:
    words = _TOKEN.sub(" ", text).strip(_EDGES)
    return "" if _ALONE.fullmatch(words) or _TOKEN.search(words) else words
