"""The recorded answers of one dialogue, as its requests find them."""

from collections.abc import Sequence

from pytest_todeval.recording.accepting import in_its_place
from pytest_todeval.recording.call import Call, Request
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.redaction.learned import Learned
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.shelf import Shelf, Taken


class RecordedAnswers:
    """Looks requests up, in each form in which they may have been recorded."""

    def __init__(
        self, calls: Sequence[Call], left: Sequence[Call], redactor: Redactor, matching: Matching
    ) -> None:
        """`calls` of the cassette, those `left` in a journal."""
        self.shelf = Shelf(calls, left)
        self._calls, self._redactor, self._matching = calls, redactor, matching
        self._learned = Learned(call.request for call in calls)

    def to(self, key: str, sent: Request, request: Request, mode: Mode) -> Taken | None:
        """The recorded call that answers a request, given as it was `sent` and as it is kept."""
        return self._taken(key, mode) or self._otherwise(sent, request, mode)

    def in_place_of(self, request: Request, turn: int) -> Call | None:
        """The recorded call in whose place a request was made, which is then played."""
        index = in_its_place(request, turn, self._calls, self.shelf.played(), self._matching)
        return None if index is None else self.shelf.take_at(index)

    def _taken(self, key: str, mode: Mode) -> Taken | None:
        return self.shelf.take(key, old=mode.plays, left=mode is Mode.MISSING)

    def _otherwise(self, sent: Request, request: Request, mode: Mode) -> Taken | None:
        for form in self._redactor.other_forms(sent, request, self._learned):
            taken = self._taken(call_key(form, self._matching), mode)
            if taken is not None:
                return taken
        return None
