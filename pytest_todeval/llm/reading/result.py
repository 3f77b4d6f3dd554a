"""`Feedback: ... [RESULT] 1`: feedback, then a number (LLM user agents, task completion)."""

import re
from dataclasses import dataclass

from pytest_todeval.llm.reading.answer_text import answer_text, said
from pytest_todeval.llm.reading.reader import Unreadable
from pytest_todeval.llm.reading.score import ScoreReply

__all__ = ["ResultReader"]

_RESULT = re.compile(
    r"\[RESULT\]\s*+[:=]?+\s*+[\[(]?+[ \t]*+(?P<value>-?\d{1,4}+(?:\.\d{1,4}+)?+)(?!\.?\d)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\[RESULT\]", re.IGNORECASE)
_HEAD = re.compile(r"\s{0,9}feedback[ \t]*:", re.IGNORECASE)


@dataclass(frozen=True)
class ResultReader:
    """Reads the number behind `[RESULT]`; what stands before it is the feedback."""

    scale: tuple[int, int] = (0, 1)

    @property
    def schema(self) -> None:
        """None: the reply is text."""
        return None

    @property
    def expected(self) -> str:
        """What a model is told that is asked again."""
        low, high = self.scale
        return f'Answer as "Feedback: ... [RESULT] N", with a whole number from {low} to {high}.'

    def read(self, text: str) -> ScoreReply:
        """The number and the feedback. Raises Unreadable."""
        original = answer_text(text)
        spoken = said(original)
        found = list(_RESULT.finditer(spoken))
        values = {float(each["value"]) for each in found}
        if len(found) < len(_ANY.findall(spoken)):
            raise Unreadable("there is no number behind a [RESULT] in the reply")
        if len(values) != 1:
            said_so = "no [RESULT]" if not values else f"{len(values)} different results"
            raise Unreadable(f"there is {said_so} in the reply")
        value, (low, high) = values.pop(), self.scale
        if not low <= value <= high:
            raise Unreadable(f"the result is {value:g}, expected a number from {low} to {high}")
        before = original[: found[0].start()]
        head = _HEAD.match(before)
        return ScoreReply(value, (before[head.end() :] if head else before).strip())
