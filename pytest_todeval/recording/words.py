"""Where two texts differ, word by word; text that is safe to paste into a shell."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 6
"""Equal words shown on each side of a difference."""
MOST_WORDS = 4000
"""Beyond so many differing words two texts are shown one after the other."""


def in_shell(text: str) -> str:
    """In double quotes, which both kinds of shells understand."""
    return '"' + re.sub(r'([\\"$`])', r"\\\1", text) + '"'


def word_difference(old: str, new: str) -> str:
    """Where two texts differ, with a few words around: `... near the [-park-]{+mill+} ...`."""
    a, b = _words(old), _words(new)
    start = common(a, b)
    end = common(a[start:][::-1], b[start:][::-1])
    middle_a, middle_b = a[start : len(a) - end], b[start : len(b) - end]
    before = a[max(0, start - CONTEXT) : start]
    after = a[len(a) - end :][:CONTEXT]
    return "".join(
        [
            "... " if start > CONTEXT else "",
            *before,
            *_changes(middle_a, middle_b),
            *after,
            "..." if end > CONTEXT else "",
        ]
    ).strip()


def _changes(a: list[str], b: list[str]) -> Iterator[str]:
    if len(a) + len(b) > MOST_WORDS:
        yield _change("".join(a), "".join(b))
        return
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _change("".join(a[i:j]), "".join(b[k:m]))
        elif j - i > 2 * CONTEXT:
            yield from (*a[i : i + CONTEXT], "... ", *a[j - CONTEXT : j])
        else:
            yield from a[i:j]


def _change(old: str, new: str) -> str:
    space = " " if (new or old)[-1:].isspace() else ""
    removed = f"[-{old.rstrip() or old}-]" if old else ""
    added = f"{{+{new.rstrip() or new}+}}" if new else ""
    return removed + added + space


def common(a: Sequence[str], b: Sequence[str]) -> int:
    """Returns how many words, or characters, are the same at the start of both."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((n for n, (x, y) in pairs if x != y), min(len(a), len(b)))


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\S+\s?", text)
