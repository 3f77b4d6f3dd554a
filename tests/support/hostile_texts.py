"""Texts that a hostile bot, model, file or server may say, the same ones in each run."""

import random
import re
import unicodedata
from collections.abc import Iterator

__all__ = ["hostile_texts", "raw", "unseen"]

PIECES = (
    *(
        "\x1b]0;PWNED\x07",
        "\x1b[2J\x1b[H",
        "\x1b[31m",
        "\x9b31m",
        "\x1bP+q\x1b\\",
        "\x1b]8;;http://e\x07",
    ),
    *("\0", "\b\b\b", "\r", "\x0b", "\x0c", "\x7f", "\x85", "\x1c"),
    *("\u202e", "\u2066", "\u200f", "\u061c", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u180e"),
    *("\u2028", "\u2029", "\ud800", "\udfff", "\ufffe", "\U000e0041", "\ufff9"),
    *("\n::error::pwn", "\n  ::add-mask::a", "\n\u3000::stop-commands::x", "\n##[error]pwn"),
    *("##vso[task.setvariable]x", "##teamcity[x]", "\n::set-output name=a::b"),
    *("![i](http://e/i.png)", "[l](http://e)", "@org/team", "#1", "GH-1", "<http://e>", "|", "`"),
    *("<script>alert(1)</script>", "<img src=x onerror=y>", "</style>", "]]>", "&lt;", '"', "'"),
    *("=HYPERLINK(1)", "-1+1", "@SUM(A1)", "+1", "\t=1"),
    *("hello", "book a hotel", "ünï", "日本", "\n", " ", "%0A::error::", "\\", "{}", "%s", "{0}"),
)
"""What does harm in some medium, and plain words between."""
COMMAND = re.compile(r"(?m)^\s*::|##\w*\[")


def hostile_texts(count: int, seed: int = 35) -> Iterator[str]:
    """Pieces one after the other; each begins with one that does harm somewhere."""
    draw = random.Random(seed)
    for number in range(count):
        first = PIECES[number % len(PIECES)]
        yield first + "".join(draw.choices(PIECES, k=draw.randint(1, 8)))


def raw(text: str) -> str:
    """The first thing in a shown text that a terminal or a CI's log would obey, or nobody sees."""
    found = COMMAND.search(text)
    return unseen(text) if found is None else repr(found[0])


def unseen(text: str) -> str:
    """The first thing that a terminal would obey, or nobody sees."""
    for place, char in enumerate(text):
        kind = unicodedata.category(char)
        joins = char in "\u200c\u200d" and 0 < place < len(text) - 1
        if (kind in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\n\t") and not joins:
            return repr(text[place : place + 20])
    return ""
