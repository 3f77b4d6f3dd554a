"""Faults do not stick: what is taken from a journal, what a fault drops of it, and what is said."""

from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import CUT, RaisedError, Request, Response
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import STOPPED, Playing

JSON = ("content-type", "application/json")


def tape_at(path: Path, modes: str = "missing") -> Tape:
    return Tape(path, test="test_it", dialogue="d", modes=modes_from(modes))


def request(text: str, lane: Lane = Lane.SYSTEM) -> Request:
    body = b'{"messages":[{"role":"user","content":"%b"}]}' % text.encode()
    return Request(lane, "POST", "/v1/chat/completions", "", "application/json", body)


def answer(text: str, status: int = 200, *headers: tuple[str, str]) -> Response:
    return Response(status, (JSON, *headers), b'{"said":"%b"}' % text.encode(), None)


def record(
    tape: Tape,
    text: str,
    outcome: Response | RaisedError | None = None,
    lane: Lane = Lane.SYSTEM,
    turn: int = 1,
) -> None:
    exchange = tape.begin(request(text, lane), turn)
    assert not isinstance(exchange, Playing), f"{text} was played"
    outcome = outcome or answer(text)
    if isinstance(outcome, RaisedError):
        exchange.failed(outcome)
    else:
        exchange.answered(outcome)


def plays(tape: Tape, text: str, lane: Lane = Lane.SYSTEM) -> bool:
    return isinstance(tape.begin(request(text, lane), 1), Playing)


def in_journal(path: Path) -> list[str]:
    left = Journal.recover(path)
    calls = () if left is None else left.calls
    return [call.request.body.decode().split('"')[-2] for call in calls]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.todeval.jsonl"


@pytest.fixture
def broken_off(path: Path) -> Path:
    """A recording of three lanes that was killed."""
    tape = tape_at(path)
    for lane in (Lane.USER, Lane.SYSTEM, Lane.JUDGE):
        record(tape, lane, lane=lane)
    tape.finish(keep=False)
    assert in_journal(path) == ["user", "system", "judge"]
    return path


# What is taken from a journal

STATUSES = (400, 401, 403, 404, 408, 422, 429, 500, 503)


def test_missing_goes_on_from_the_journal_and_says_so(broken_off: Path) -> None:
    tape = tape_at(broken_off)
    assert plays(tape, "user", Lane.USER)
    assert plays(tape, "system")
    assert tape.from_journal == 2


def test_rewrite_takes_nothing_from_an_older_journal(broken_off: Path) -> None:
    tape = tape_at(broken_off, "rewrite")
    record(tape, "system")
    assert in_journal(broken_off) == ["system"]
    tape.finish(keep=True)
    assert tape.from_journal == 0
    assert not journal_path(broken_off).exists()
    assert len(read_cassette(broken_off).calls) == 1


def test_a_rewrite_without_calls_ends_the_journal_too(broken_off: Path) -> None:
    tape_at(broken_off, "rewrite").finish(keep=True)
    assert not journal_path(broken_off).exists()


def test_a_lane_that_is_rewritten_takes_nothing_the_others_do(broken_off: Path) -> None:
    tape = tape_at(broken_off, "judge:rewrite,user:missing,system:missing")
    assert plays(tape, "user", Lane.USER)
    record(tape, "judge", lane=Lane.JUDGE)
    assert in_journal(broken_off) == ["user", "system", "judge"]
    tape.finish(keep=False)
    again = tape_at(broken_off)
    assert plays(again, "system")
    assert plays(again, "judge", Lane.JUDGE)


def test_a_rewrite_that_is_broken_off_is_gone_on_with_by_missing(broken_off: Path) -> None:
    tape = tape_at(broken_off, "rewrite")
    record(tape, "new")
    tape.finish(keep=False)
    again = tape_at(broken_off)
    assert plays(again, "new")
    assert not plays(again, "system")


@pytest.mark.parametrize(
    "outcome",
    [
        *(answer("no", status) for status in STATUSES),
        RaisedError("timeout", "ReadTimeout: slow"),
        RaisedError("cancelled", "CancelledError: "),
        answer("half", 200, (CUT, "ReadError: gone")),
    ],
    ids=[*map(str, STATUSES), "timeout", "cancelled", "cut"],
)
def test_no_failure_at_the_end_is_taken(path: Path, outcome: Response | RaisedError) -> None:
    tape = tape_at(path)
    record(tape, "before")
    record(tape, "a", outcome)
    record(tape, "a", outcome)
    tape.finish(keep=False)
    again = tape_at(path)
    assert plays(again, "before")
    record(again, "a")
    assert again.from_journal == 1
    # a recording that is killed now does not find it either
    assert in_journal(path) == ["before", "a"]
    again.finish(keep=True)
    assert [call.outcome for call in read_cassette(path).calls] == [answer("before"), answer("a")]


def test_a_failure_that_was_got_over_is_played(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "a", answer("slow down", 429))
    record(tape, "a")
    tape.finish(keep=False)
    again = tape_at(path)
    found = [again.begin(request("a"), 1) for _ in range(2)]
    outcomes = [each.outcome for each in found if isinstance(each, Playing)]
    assert [isinstance(each, Response) and each.status for each in outcomes] == [429, 200]
    again.finish(keep=False)


def test_replay_takes_nothing_from_a_recording_that_did_not_finish(broken_off: Path) -> None:
    left = journal_path(broken_off).read_bytes()
    replay = tape_at(broken_off, "replay")
    with pytest.raises(CassetteMiss):
        replay.begin(request("system"), 1)
    replay.finish(keep=True)
    assert replay.from_journal == 0
    assert journal_path(broken_off).read_bytes() == left
    assert not broken_off.exists()


def test_what_its_reader_did_not_finish_is_no_failure(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "a", answer("half", 200, (CUT, STOPPED)))
    tape.finish(keep=False)
    assert plays(tape_at(path), "a")


# What a fault drops


def test_a_fault_drops_the_failed_call_and_all_after_it(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "one")
    record(tape, "two", answer("no", 400), turn=2)
    record(tape, "three", turn=2)
    tape.drop_faulty()
    tape.finish(keep=False)
    assert in_journal(path) == ["one"]
    assert (tape.waiting, tape.dropped) == (1, 2)


def test_a_failure_that_was_got_over_hangs_on_nothing(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "one", answer("slow down", 429))
    record(tape, "one")
    record(tape, "two")
    tape.drop_faulty()
    assert (tape.waiting, tape.dropped) == (3, 0)
    tape.finish(keep=False)
    assert in_journal(path) == ["one", "one", "two"]


def test_a_refused_request_that_was_put_otherwise_explains_no_fault(path: Path) -> None:
    """As a server refuses a parameter, and is asked without it."""
    tape = tape_at(path)
    record(tape, "with a schema", answer("no", 500), lane=Lane.USER)
    assert tape.has_faulty
    record(tape, "without", lane=Lane.USER)
    assert not tape.has_faulty
    record(tape, "later", answer("no", 500), lane=Lane.USER, turn=2)
    record(tape, "of the bot", turn=2)
    assert tape.has_faulty
    tape.finish(keep=False)


def test_of_judges_each_failure_explains_a_fault(path: Path) -> None:
    """They are asked at once: what another was answered is no second try."""
    tape = tape_at(path)
    record(tape, "j1", answer("no", 500), lane=Lane.JUDGE)
    record(tape, "j2", lane=Lane.JUDGE)
    assert tape.has_faulty
    record(tape, "j1", lane=Lane.JUDGE)
    assert not tape.has_faulty
    tape.finish(keep=False)


def test_a_lane_at_fault_loses_its_last_turn(path: Path) -> None:
    """The user model answered twice, and neither draft could be used."""
    tape = tape_at(path)
    record(tape, "u1", lane=Lane.USER, turn=1)
    record(tape, "s1", turn=1)
    record(tape, "draft", lane=Lane.USER, turn=2)
    record(tape, "draft again", lane=Lane.USER, turn=2)
    tape.drop_faulty(Lane.USER)
    tape.finish(keep=False)
    assert in_journal(path) == ["u1", "s1"]


def test_of_judges_only_the_failed_calls_are_dropped(path: Path) -> None:
    """They are asked at once, and none hangs on another."""
    tape = tape_at(path)
    record(tape, "one")
    record(tape, "j1", lane=Lane.JUDGE)
    record(tape, "j2", answer("no", 500), lane=Lane.JUDGE)
    record(tape, "j3", lane=Lane.JUDGE)
    tape.drop_faulty()
    tape.finish(keep=False)
    assert in_journal(path) == ["one", "j1", "j3"]


def test_a_fault_drops_what_came_from_the_journal_too(path: Path) -> None:
    for _ in range(2):
        tape = tape_at(path)
        assert plays(tape, "one") or tape.from_journal == 0
        tape.finish(keep=False)
    tape = tape_at(path)
    record(tape, "one")
    record(tape, "draft", lane=Lane.USER, turn=2)
    tape.finish(keep=False)
    again = tape_at(path)
    assert plays(again, "one")
    assert plays(again, "draft", Lane.USER)
    again.drop_faulty(Lane.USER)
    again.finish(keep=False)
    assert in_journal(path) == ["one"]


def test_a_journal_of_which_nothing_is_left_is_gone(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "one", answer("no", 400))
    tape.drop_faulty()
    tape.finish(keep=False)
    assert not journal_path(path).exists()


def test_a_fault_without_a_faulty_call_drops_nothing(broken_off: Path) -> None:
    before = journal_path(broken_off).read_bytes()
    tape = tape_at(broken_off)
    assert plays(tape, "user", Lane.USER)
    tape.drop_faulty()
    tape.finish(keep=False)
    assert journal_path(broken_off).read_bytes() == before


def test_what_a_fault_leaves_of_a_cassette_stays(path: Path) -> None:
    tape = tape_at(path)
    record(tape, "one")
    tape.finish(keep=True)
    again = tape_at(path)
    assert plays(again, "one")
    record(again, "two")
    record(again, "three", answer("no", 400))
    again.drop_faulty()
    again.finish(keep=False)
    assert in_journal(path) == ["two"]
    assert len(read_cassette(path).calls) == 1


@pytest.fixture
def recorded_fault(path: Path) -> Path:
    """A user whose second draft could not be used; a judge was asked at the same time."""
    tape = tape_at(path)
    record(tape, "u1", lane=Lane.USER, turn=1)
    record(tape, "s1", turn=1)
    record(tape, "draft", lane=Lane.USER, turn=2)
    tape.finish(keep=True, fault=Lane.USER)
    assert read_cassette(path).header.fault is Lane.USER
    assert not journal_path(path).exists()
    return path


def test_a_recorded_fault_is_replayed(recorded_fault: Path) -> None:
    tape = tape_at(recorded_fault, "replay")
    before = recorded_fault.read_bytes()
    assert plays(tape, "u1", Lane.USER)
    assert plays(tape, "draft", Lane.USER)
    assert tape.replays_fault
    assert not tape.has_whole_cassette
    tape.finish(keep=True, fault=Lane.USER)
    assert recorded_fault.read_bytes() == before


def test_what_is_missing_begins_where_the_fault_did(recorded_fault: Path) -> None:
    tape = tape_at(recorded_fault)
    assert plays(tape, "u1", Lane.USER)
    assert plays(tape, "s1")
    record(tape, "draft", lane=Lane.USER, turn=2)
    tape.finish(keep=True)
    file = read_cassette(recorded_fault)
    assert (len(file.calls), file.header.fault) == (3, None)


def test_a_dialogue_that_ends_well_without_a_new_call_has_no_fault_any_more(
    recorded_fault: Path,
) -> None:
    tape = tape_at(recorded_fault)
    assert plays(tape, "u1", Lane.USER)
    tape.finish(keep=True)
    assert read_cassette(recorded_fault).header.fault is None


def test_a_crash_while_it_is_asked_again_leaves_the_fault_and_what_was_paid(
    recorded_fault: Path,
) -> None:
    before = recorded_fault.read_bytes()
    tape = tape_at(recorded_fault)
    assert plays(tape, "u1", Lane.USER)
    record(tape, "better", lane=Lane.USER, turn=2)
    tape.finish(keep=False)
    assert recorded_fault.read_bytes() == before
    again = tape_at(recorded_fault)
    assert plays(again, "u1", Lane.USER)
    assert plays(again, "better", Lane.USER)
    again.finish(keep=True)
    file = read_cassette(recorded_fault)
    assert ([call.turn for call in file.calls], file.header.fault) == ([1, 2, 1], None)


def test_another_lane_that_is_recorded_plays_it_as_it_was(recorded_fault: Path) -> None:
    tape = tape_at(recorded_fault, "user:replay,system:missing")
    assert plays(tape, "draft", Lane.USER)
    assert tape.replays_fault
