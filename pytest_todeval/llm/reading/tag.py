"""`<answer>YES</answer>`: a yes or a no between tags (AutoEval-ToD, prompts H.2 and J.1 to J.6)."""

import re
from dataclasses import dataclass

from pytest_todeval.llm.reading.answer_text import answer_text, said
from pytest_todeval.llm.reading.fields import fold
from pytest_todeval.llm.reading.grade import is_not_applicable
from pytest_todeval.llm.reading.reader import Unreadable
from pytest_todeval.llm.reading.yes_no import WORDS, YesNoReply

__all__ = ["TagReader"]

_TAG = re.compile(r"<answer>(?P<value>[^<]{0,40})</answer>", re.IGNORECASE)
_EDGES = " .,!\"'`*\u201c\u201d"


@dataclass(frozen=True)
class TagReader:
    """Reads what stands between `<answer>` and `</answer>`; the rest of the reply is the reason.

    All tags must say the same, those that a judge quotes apart.
    """

    not_applicable: bool = False

    @property
    def schema(self) -> None:
        """None: the reply is text."""
        return None

    @property
    def expected(self) -> str:
        """What a model is told that is asked again."""
        return "Answer with <answer>YES</answer> or <answer>NO</answer>."

    def read(self, text: str) -> YesNoReply:
        """The answer. Raises Unreadable."""
        original = answer_text(text)
        found = list(_TAG.finditer(said(original)))
        values = {self._value(original[slice(*each.span("value"))]) for each in found}
        if len(values) != 1:
            raise Unreadable(
                "there is no <answer> in the reply" if not values else "there are several answers"
            )
        first = found[0]
        rest = (original[: first.start()], original[first.end() :])
        return YesNoReply(values.pop(), "\n".join(part for each in rest if (part := each.strip())))

    def _value(self, given: str) -> bool | None:
        word = fold(given).strip(_EDGES)
        if word in WORDS:
            return WORDS[word]
        if self.not_applicable and is_not_applicable(word):
            return None
        raise Unreadable(f"the answer is {given.strip()[:40]!r}, expected YES or NO")
