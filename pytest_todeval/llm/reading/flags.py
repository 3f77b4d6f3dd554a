"""`[1, 1, 0]`: a 1 or a 0 for each of several things (LLM user agents, coverage of keywords)."""

import re
from dataclasses import dataclass

from pytest_todeval.llm.reading.answer_text import answer_text, said
from pytest_todeval.llm.reading.reader import Unreadable

__all__ = ["FlagsReader", "FlagsReply"]

_LIST = re.compile(
    r"\[(?P<flags>[ \t\n]{0,9}[01](?:[ \t\n]{0,9},[ \t\n]{0,9}[01]){0,999}),?\s{0,9}\]"
)


@dataclass(frozen=True, slots=True)
class FlagsReply:
    """What holds, in the order asked about, and what the model says beside it."""

    values: tuple[bool, ...]
    reason: str


@dataclass(frozen=True)
class FlagsReader:
    """Reads the list with as many flags as were asked for; other lists in the reply are no answer.

    Several such lists must be the same.
    """

    count: int

    @property
    def schema(self) -> None:
        """None: the reply is text."""
        return None

    @property
    def expected(self) -> str:
        """What a model is told that is asked again."""
        return f"Answer with a list of {self.count} numbers, each 1 or 0, such as [1, 0]."

    def read(self, text: str) -> FlagsReply:
        """The flags. Raises Unreadable."""
        original = answer_text(text)
        found = list(_LIST.finditer(said(original)))
        lists = [tuple(flag == "1" for flag in re.findall("[01]", each["flags"])) for each in found]
        fitting = {each for each in lists if len(each) == self.count}
        if len(fitting) != 1:
            lengths = ", ".join(str(len(each)) for each in lists) or "none"
            raise Unreadable(
                f"there are {len(fitting)} different lists of {self.count} flags in the reply, "
                f"expected one (lengths of the lists there are: {lengths[:80]})"
            )
        reason = original[: found[0].start()].strip()
        return FlagsReply(fitting.pop(), reason)
