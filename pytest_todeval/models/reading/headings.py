"""Answers in text: a word with a colon (`Score: 4`), then perhaps `Justification: ...`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_REASON = re.compile(
    r"(?:justification|reason(?:ing)?|explanation|rationale|comments?)[ \t]*:", re.IGNORECASE
)
_NEXT_LINE = re.compile(r"\s*+(?P<value>[^\n]*)")


@dataclass(frozen=True, slots=True)
class Headed:
    """What stands after a heading at the start of a line."""

    value: str
    start: int
    end: int
    """Where heading and value begin and end."""


def headed(text: str, names: Sequence[str]) -> Iterator[Headed]:
    """Returns what the text (as `said`) gives under headings of these names, in order.

    A value stands on the heading's line, up to a justification; on the next line if that is empty.
    """
    heading = re.compile(
        rf"^[ \t>\u2022-]*(?:(?:final|overall|my) +)?(?:{'|'.join(names)})[ \t]*[:=](?P<value>.*)",
        re.IGNORECASE | re.MULTILINE,
    )
    for match in heading.finditer(text):
        value, end = _before_reason(match["value"], match.start("value"))
        if not value.strip() and end == match.end():
            below = _NEXT_LINE.match(text, end)
            assert below is not None  # it matches everywhere
            value, end = _before_reason(below["value"], below.start("value"))
        yield Headed(value.strip(), match.start(), end)


def opening(text: str) -> Headed:
    """What the text (as `said`) says before a justification with a heading: all, without one."""
    value, end = _before_reason(text, 0)
    return Headed(value.strip(), 0, end)


def reason_beside(original: str, answer: Headed) -> str:
    """Returns the text without the answer and the heading of the justification."""
    before, after = original[: answer.start], original[answer.end :]
    rest = "\n".join(part for each in (before, after) if (part := each.strip("* \t\r\n")))
    match = _REASON.match(rest)
    return rest[match.end() :].strip("* \t\r\n") if match else rest


def _before_reason(value: str, start: int) -> tuple[str, int]:
    found = _REASON.search(value)
    end = found.start() if found else len(value)
    return value[:end], start + end
