"""A recording that an outage broke off goes on by asking again, not by failing again."""

from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import Playing

OK = Response(200, (("content-type", "application/json"),), b'{"said":"yes"}', None)


def status(number: int) -> Response:
    return Response(number, (("content-type", "application/json"),), b'{"error":"no"}', None)


def tape_at(path: Path) -> Tape:
    return Tape(path, test="test_it", dialogue="d", modes=modes_from("missing"))


def request(text: str) -> Request:
    body = b'{"model":"m","messages":[{"role":"user","content":"%b"}]}' % text.encode()
    return Request(Lane.JUDGE, "POST", "/v1/chat/completions", "", "application/json", body)


def record(tape: Tape, text: str, outcome: Response) -> None:
    exchange = tape.begin(request(text), 0)
    assert not isinstance(exchange, Playing)
    exchange.answered(outcome)


def plays(tape: Tape, text: str) -> Response | RaisedError | None:
    exchange = tape.begin(request(text), 0)
    return exchange.outcome if isinstance(exchange, Playing) else None


@pytest.mark.parametrize("number", [400, 401, 403, 404, 408, 429, 500, 503])
def test_a_failure_at_the_end_is_asked_again(tmp_path: Path, number: int) -> None:
    path = tmp_path / "t.todeval.jsonl"
    tape = tape_at(path)
    record(tape, "a", OK)
    record(tape, "b", status(number))
    record(tape, "b", status(number))
    tape.finish(keep=False)
    again = tape_at(path)
    assert plays(again, "a") is not None
    record(again, "b", OK)
    again.finish(keep=True)
    answers = [call.outcome for call in read_cassette(path).calls]
    assert [isinstance(each, Response) and each.status for each in answers] == [200, 200]


def test_a_failure_that_was_got_over_is_played(tmp_path: Path) -> None:
    tape = tape_at(tmp_path / "t.todeval.jsonl")
    record(tape, "a", status(429))
    record(tape, "a", OK)
    tape.finish(keep=False)
    again = tape_at(tmp_path / "t.todeval.jsonl")
    found = [plays(again, "a"), plays(again, "a")]
    assert [isinstance(each, Response) and each.status for each in found] == [429, 200]
    again.finish(keep=False)


def test_replay_takes_nothing_from_a_recording_that_did_not_finish(tmp_path: Path) -> None:
    path = tmp_path / "t.todeval.jsonl"
    tape = tape_at(path)
    record(tape, "a", OK)
    tape.finish(keep=False)
    left = journal_path(path).read_bytes()
    replay = Tape(path, test="test_it", dialogue="d", modes=modes_from("replay"))
    with pytest.raises(CassetteMiss):
        replay.begin(request("a"), 0)
    replay.finish(keep=True)
    assert replay.from_journal == 0
    assert journal_path(path).read_bytes() == left
    assert not path.exists()
