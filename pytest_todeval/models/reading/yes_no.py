"""A yes or a no with its reason."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.models.reading.answer_text import answer_text, said
from pytest_todeval.models.reading.grade import is_not_applicable
from pytest_todeval.models.reading.headings import Headed, headed, opening, reason_beside
from pytest_todeval.models.reading.objects import find_answer, fold, reason_in
from pytest_todeval.models.reading.reader import NOT_APPLICABLE, TEXT, Unreadable, one_of, titled

WORDS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
TAG = re.compile(r"<answer>(?P<value>[^<]{0,40})</answer>", re.IGNORECASE)
_EDGES = " .,!\"'`*\u201c\u201d"
_LINE = re.compile(r"^[ \t]*(?P<value>yes|no)[ \t]*[.,!]?[ \t]*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class YesNoReply:
    """Yes or no, and why."""

    value: bool | None
    """None: not applicable."""
    reason: str


@dataclass(frozen=True)
class YesNoReader:
    """Reads `{"reason": ..., "answer": "yes"}`, AutoEval-ToD's `<answer>YES</answer>` (appendix H),
    `Answer: yes`, and a bare Yes or No on a line of its own or before the justification.

    All that a reply answers, quotations apart, must be the same.
    """

    not_applicable: bool = False

    @property
    def schema(self) -> Mapping[str, Any]:
        return titled("yes_no", {"reason": TEXT, "answer": one_of(self._words)})

    @property
    def expected(self) -> str:
        words = " or ".join(f'"{word}"' for word in self._words)
        return f'Answer with one JSON object with the keys "reason", a text, and "answer", {words}.'

    def read(self, text: str) -> YesNoReply:
        answer, around = find_answer(text, ("answer",))
        found = list(_in_text(said(around)))
        if answer is not None:  # then `Answer:` may head the object
            found = [each for each in found if _is_word(each.value)]
        values = {self.value_of(each.value) for each in found}
        if answer is not None:
            values.add(self.value_of(answer["answer"]))
        if not values:
            raise Unreadable("there is neither a yes nor a no in the answer")
        if len(values) > 1:
            raise Unreadable("the answer says both yes and no")
        reason = reason_beside(answer_text(text), found[0]) if answer is None else reason_in(answer)
        return YesNoReply(values.pop(), reason)

    @property
    def _words(self) -> list[str]:
        return ["yes", "no", *([NOT_APPLICABLE] if self.not_applicable else [])]

    def value_of(self, given: object) -> bool | None:
        """Yes or no; None for `not applicable`. Raises Unreadable."""
        word = fold(str(given)).strip(_EDGES) if isinstance(given, str | int) else ""
        if word in WORDS:
            return WORDS[word]
        if self.not_applicable and is_not_applicable(word):
            return None
        raise Unreadable(f"the answer is {str(given)[:40]!r}, expected {' or '.join(self._words)}")


def _in_text(spoken: str) -> Iterator[Headed]:
    for match in TAG.finditer(spoken):
        yield Headed(match["value"], *match.span())
    yield from headed(spoken, ("answer",))
    first = opening(spoken)
    if _is_word(first.value):
        yield first
    else:
        for match in _LINE.finditer(spoken):
            yield Headed(match["value"], *match.span())


def _is_word(text: str) -> bool:
    word = fold(text).strip(" .,!")
    return word in WORDS or is_not_applicable(word)
