"""The calls of one run of a dialogue, in the order of their starts, and what a fault drops."""

from collections.abc import Sequence

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call, RaisedError
from pytest_todeval.recording.shelf import got_over, has_failed
from pytest_todeval.recording.transport import cut_of


def at_fault(run: Sequence[Call], lane: Lane | None) -> set[int]:
    """The indices of calls at fault, and of those that hang on them, in the order of their starts.

    At fault are calls that failed and were not got over, and of `lane`, whose answers could not be
    used, those of its last turn. All calls started after one hang on it; but judges ask at once,
    and none of their calls hangs on another.
    """
    sound = set(map(id, got_over(run)))
    turns = [call.turn for call in run if call.request.lane is lane]
    faulty = {
        index
        for index, call in enumerate(run)
        if id(call) not in sound or (call.request.lane is lane and call.turn == max(turns))
    }
    of_dialogue = (index for index in faulty if run[index].request.lane is not Lane.JUDGE)
    first = min(of_dialogue, default=len(run))
    return faulty | set(range(first, len(run)))


def left_unanswered(run: Sequence[Call]) -> bool:
    """Says whether a call failed, and whoever made it got no answer after it.

    An answer to an equal request counts, and, but for judges, who ask at once, one to the next
    request of the same lane and turn: so a parameter that was refused, and left out, is no failure.
    """
    sound = set(map(id, got_over(run)))
    return any(
        id(call) not in sound and not any(_put_otherwise(call, later) for later in run[index + 1 :])
        for index, call in enumerate(run)
    )


def _put_otherwise(call: Call, later: Call) -> bool:
    lane = call.request.lane
    same = later.request.lane is lane and later.turn == call.turn
    return same and lane is not Lane.JUDGE and not has_failed(later)


class Course:
    """What was played and recorded in this run."""

    def __init__(self) -> None:
        self.dropped = 0
        """Calls that were forgotten because the dialogue ended in a fault."""
        self._calls: dict[int, Call] = {}
        self._of_cassette: set[int] = set()
        self._started = 0

    def start(self) -> int:
        """Returns a call starts; its place in the order, from 0."""
        self._started += 1
        return self._started - 1

    def add(self, ordinal: int, call: Call, *, of_cassette: bool = False) -> None:
        """The call that started there has ended, or was played."""
        self._calls[ordinal] = call
        if of_cassette:
            self._of_cassette.add(ordinal)

    def in_order(self) -> list[Call]:
        return [self._calls[ordinal] for ordinal in sorted(self._calls)]

    def unanswered(self, lane: Lane) -> str:
        """What the last call of a lane ended in, if its endpoint could not answer; else nothing."""
        last = self.last(lane)
        if last is None:
            return ""
        if isinstance(last.outcome, RaisedError):
            what = last.outcome.message
        elif cut := cut_of(last.outcome):
            what = cut
        elif last.outcome.status in (408, 429) or last.outcome.status >= 500:
            what = f"status {last.outcome.status}"
        else:
            return ""
        return f"{last.request.method} {last.request.path} in turn {last.turn}: {what}"

    def last(self, lane: Lane) -> Call | None:
        """Returns the last call of a lane."""
        return next((call for call in reversed(self.in_order()) if call.request.lane is lane), None)

    def in_journal(self) -> list[Call]:
        """Returns those that a journal holds, since no cassette does yet."""
        places = sorted(self._calls.keys() - self._of_cassette)
        return [self._calls[ordinal] for ordinal in places]

    def drop(self, lane: Lane | None) -> bool:
        """Forgets what is at fault, as far as no cassette holds it; whether there was anything."""
        places = sorted(self._calls)
        faulty = {places[index] for index in at_fault(self.in_order(), lane)}
        gone = faulty - self._of_cassette
        for ordinal in gone:
            del self._calls[ordinal]
        self.dropped += len(gone)
        return bool(gone)
