"""The shelf: recorded calls, each to be taken once."""

import json
from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from pytest_todeval.recording.accepting import in_its_place
from pytest_todeval.recording.call import Call, RaisedError, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.redaction.learned import Learned
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.transport import cut_of


class Taken(NamedTuple):
    """A recorded call that answers one of now."""

    call: Call
    from_journal: bool
    """Whether it is of a recording that did not finish."""


class Shelf:
    """Recorded calls by key: equal ones are taken in the order in which they were started."""

    def __init__(self, old: Sequence[Call], left: Sequence[Call]) -> None:
        self._old, self._left = old, left
        self._by_key = self._indexed(old)
        self._left_by_key = self._indexed(left)
        self._played: set[int] = set()

    def take(self, key: str, *, old: bool, left: bool) -> Taken | None:
        """The next call of this key, of what was `left` in the journal, then of the `old` ones."""
        waiting = self._left_by_key.get(key)
        if waiting and left:
            return Taken(self._left[waiting.popleft()], from_journal=True)
        waiting = self._by_key.get(key) if old else None
        if not waiting:
            return None
        index = waiting.popleft()
        self._played.add(index)
        return Taken(self._old[index], from_journal=False)

    def take_at(self, index: int) -> Call:
        """Returns the call of the cassette at a place, which was not taken before."""
        self._by_key[self._old[index].key].remove(index)
        self._played.add(index)
        return self._old[index]

    def unplayed(self) -> list[Call]:
        """Returns what of the cassette was not taken."""
        return [call for index, call in enumerate(self._old) if index not in self._played]

    def played(self) -> frozenset[int]:
        """Returns the places of what was taken from the cassette."""
        return frozenset(self._played)

    def played_keys(self) -> frozenset[str]:
        """Returns the keys of what was taken from the cassette."""
        return frozenset(self._old[index].key for index in self._played)

    @staticmethod
    def _indexed(calls: Sequence[Call]) -> dict[str, deque[int]]:
        found: dict[str, deque[int]] = defaultdict(deque)
        for index, call in enumerate(calls):
            found[call.key].append(index)
        return found


class RecordedAnswers:
    """The recorded answers of one dialogue, in each form in which requests may find them."""

    def __init__(
        self, calls: Sequence[Call], left: Sequence[Call], redactor: Redactor, matching: Matching
    ) -> None:
        """`calls` of the cassette, those `left` in a journal."""
        self.shelf = Shelf(calls, left)
        self._calls, self._redactor, self._matching = calls, redactor, matching
        self._learned = Learned(call.request for call in calls)

    def to(self, key: str, sent: Request, request: Request, mode: Mode) -> Taken | None:
        """The recorded call that answers a request, given as it was `sent` and as it is kept."""
        forms = self._redactor.other_forms(sent, request, self._learned)
        for each in chain((key,), (call_key(form, self._matching) for form in forms)):
            taken = self.shelf.take(each, old=mode.plays, left=mode is Mode.MISSING)
            if taken is not None:
                return taken
        return None

    def in_place_of(self, request: Request, turn: int) -> Call | None:
        """Returns the recorded call in whose place a request was made, which is then played."""
        index = in_its_place(request, turn, self._calls, self.shelf.played(), self._matching)
        return None if index is None else self.shelf.take_at(index)


def got_over(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls without the failures after which no equal request was answered.

    A recording that these broke off would go on to the same failure for ever.
    """
    answered = {call.key: index for index, call in enumerate(calls) if not has_failed(call)}
    return tuple(call for index, call in enumerate(calls) if index <= answered.get(call.key, -1))


def has_failed(call: Call) -> bool:
    """Says whether no answer came, or one that refuses the request, or one that is broken."""
    outcome = call.outcome
    if isinstance(outcome, RaisedError):
        return True
    return outcome.status >= 400 or cut_of(outcome) is not None or _is_garbled(outcome)


def _is_garbled(response: Response) -> bool:
    """Says whether it claims to be JSON but does not parse: a gateway's page, or half an answer."""
    kinds = [value for name, value in response.headers if name.lower() == "content-type"]
    if not any("json" in kind for kind in kinds) or response.events is not None:
        return False
    try:
        json.loads(response.body)
    except ValueError:
        return True
    return False
