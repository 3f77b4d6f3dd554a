"""A tape: what is played, what is recorded, what is put in place and what stays."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import SecretFound, UsageError
from pytest_todeval.recording.budget import Budget, BudgetSpent
from pytest_todeval.recording.call import RaisedError, Request, Response, SaidTurn
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Count, Tape
from pytest_todeval.recording.transport import Playing
from pytest_todeval.recording.under_way import CallLost
from tests.support.threads import run_together

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def tape_at(path: Path, modes: str = "replay", **options: Any) -> Tape:
    return Tape(path, test="test_it", dialogue="d", modes=modes_from(modes), **options)


def request(text: str, lane: Lane = Lane.SYSTEM) -> Request:
    body = b'{"model":"m","messages":[{"role":"user","content":"%b"}]}' % text.encode()
    return Request(lane, "POST", "/v1/chat/completions", "", "application/json", body)


def response(text: str, status: int = 200, **headers: str) -> Response:
    pairs = (("content-type", "application/json"), *headers.items())
    return Response(status, pairs, b'{"said":"%b","usage":{"total":3}}' % text.encode(), None)


def record(tape: Tape, text: str, answer: str, lane: Lane = Lane.SYSTEM, turn: int = 1) -> None:
    exchange = tape.begin(request(text, lane), turn)
    assert not isinstance(exchange, Playing)
    exchange.answered(response(answer))


def played(tape: Tape, text: str, lane: Lane = Lane.SYSTEM, turn: int = 1) -> str:
    exchange = tape.begin(request(text, lane), turn)
    assert isinstance(exchange, Playing)
    assert isinstance(exchange.outcome, Response)
    return exchange.outcome.body.decode().split('"')[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "t.todeval.jsonl"


@pytest.fixture
def recorded(path: Path) -> Path:
    tape = tape_at(path, "rewrite", now=NOW, seed=7)
    record(tape, "a", "A")
    record(tape, "b", "B")
    record(tape, "j", "J", Lane.JUDGE, turn=0)
    tape.finish(keep=True)
    return path


def held(path: Path) -> list[tuple[str, str]]:
    return [
        (call.request.body.decode().split('"')[-2], call.outcome.body.decode().split('"')[3])
        for call in read_cassette(path).calls
        if isinstance(call.outcome, Response)
    ]


def test_what_was_recorded_is_played(recorded: Path) -> None:
    tape = tape_at(recorded)
    assert played(tape, "b") == "B"
    assert [call.request.lane for call in tape.unused()] == [Lane.SYSTEM, Lane.JUDGE]
    assert (tape.now, tape.seed) == (NOW, 7)
    assert tape.calls[Lane.SYSTEM] == Count(played=1, recorded=0)


def test_replay_changes_no_file(recorded: Path) -> None:
    before = recorded.read_bytes()
    tape = tape_at(recorded)
    played(tape, "a")
    with pytest.raises(CassetteMiss):
        tape.begin(request("x"), 1)
    tape.finish(keep=True)
    assert recorded.read_bytes() == before


@pytest.mark.parametrize("mode", Mode)
def test_a_test_without_calls_writes_nothing(path: Path, mode: Mode) -> None:
    tape_at(path, mode).finish(keep=True)
    assert not path.parent.exists()


def test_equal_requests_are_played_in_the_order_of_their_starts(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    started = [tape.begin(request("same"), 1) for _ in range(3)]
    for number in (2, 0, 1):
        exchange = started[number]
        assert not isinstance(exchange, Playing)
        exchange.answered(response(f"{number}"))
    tape.finish(keep=True)
    replay = tape_at(path)
    assert [played(replay, "same") for _ in range(3)] == ["0", "1", "2"]
    with pytest.raises(CassetteMiss, match="an extra call: it is recorded 3 times"):
        replay.begin(request("same"), 1)


def test_what_is_recorded_now_is_not_played_now(path: Path) -> None:
    tape = tape_at(path, "missing")
    record(tape, "same", "1")
    record(tape, "same", "2")
    tape.finish(keep=True)
    assert held(path) == [("same", "1"), ("same", "2")]


def test_threads_never_get_the_same_response_twice(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    for number in range(400):
        record(tape, "same", f"{number}")
    tape.finish(keep=True)
    replay, got = tape_at(path), list[str]()
    run_together(
        threading.Thread(target=lambda: got.extend(played(replay, "same") for _ in range(50)))
        for _ in range(8)
    )
    assert sorted(map(int, got)) == list(range(400))


def test_one_lane_is_rewritten_alone(recorded: Path) -> None:
    tape = tape_at(recorded, "judge:rewrite")
    assert played(tape, "a") == "A"
    record(tape, "j", "J2", Lane.JUDGE)
    tape.finish(keep=True)
    assert held(recorded) == [("a", "A"), ("j", "J2"), ("b", "B")]


def test_rewrite_drops_a_lane_that_makes_no_call_any_more(recorded: Path) -> None:
    tape_at(recorded, "judge:rewrite").finish(keep=True)
    assert held(recorded) == [("a", "A"), ("b", "B")]
    tape_at(recorded, "rewrite").finish(keep=True)
    assert not recorded.exists()


def test_live_keeps_the_cassette_as_it_is(recorded: Path) -> None:
    before = recorded.read_bytes()
    tape = tape_at(recorded, "live")
    record(tape, "a", "other")
    tape.finish(keep=True)
    assert recorded.read_bytes() == before


def test_missing_records_only_what_is_missing(recorded: Path) -> None:
    tape = tape_at(recorded, "missing")
    assert played(tape, "a") == "A"
    record(tape, "changed", "C")
    tape.finish(keep=True)
    # The system lane went another way: its old call `b` is gone; the judge was only not asked yet.
    assert held(recorded) == [("a", "A"), ("changed", "C"), ("j", "J")]
    assert not journal_path(recorded).exists()


def test_missing_without_a_miss_writes_nothing(recorded: Path) -> None:
    before = recorded.read_bytes()
    tape = tape_at(recorded, "missing")
    played(tape, "a")
    tape.finish(keep=True)
    assert recorded.read_bytes() == before


@pytest.mark.parametrize("mode", ["rewrite", "missing"])
def test_missing_goes_on_with_a_recording_that_broke_off(recorded: Path, mode: str) -> None:
    before = recorded.read_bytes()
    tape = tape_at(recorded, mode, now=datetime(2025, 1, 1, tzinfo=UTC))
    record(tape, "new", "N")
    tape.finish(keep=False)
    assert recorded.read_bytes() == before
    again = tape_at(recorded, "missing")
    assert played(again, "new") == "N"
    record(again, "more", "M")
    again.finish(keep=True)
    assert ("new", "N") in held(recorded)
    assert ("more", "M") in held(recorded)
    assert not journal_path(recorded).exists()


def test_what_was_said_is_kept_with_the_calls(path: Path) -> None:
    tape = tape_at(path, "rewrite", now=NOW)
    assert tape.recorded_said == ()
    record(tape, "a", "A")
    tape.said(1, "a", "A")
    tape.finish(keep=True)
    assert tape_at(path).recorded_said == (SaidTurn(1, "a", "A"),)


def test_what_was_said_is_replaced_only_by_what_is_told(recorded: Path) -> None:
    for told, expected in ((("a", "A"), "A"), (None, "A"), (("a", "B"), "B")):
        tape = tape_at(recorded, "judge:rewrite")
        record(tape, "j", "J", Lane.JUDGE, turn=0)
        if told:
            tape.said(1, *told)
        tape.finish(keep=True)
        assert tape_at(recorded).recorded_said == (SaidTurn(1, "a", expected),)


@pytest.mark.parametrize("modes", ["replay", "live", "missing"])
def test_what_was_said_alone_writes_nothing(recorded: Path, modes: str) -> None:
    before = recorded.read_bytes()
    tape = tape_at(recorded, modes)
    tape.said(1, "a", "other")
    tape.finish(keep=True)
    assert recorded.read_bytes() == before


def test_only_the_first_finish_counts(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    record(tape, "a", "A")
    tape.finish(keep=False)
    tape.finish(keep=True)
    assert not path.exists()


def test_a_call_that_is_abandoned_is_named_and_no_cassette_written(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    record(tape, "a", "A")
    exchange = tape.begin(request("b"), 4)
    assert not isinstance(exchange, Playing)
    exchange.abandoned("KeyboardInterrupt")
    exchange.answered(response("too late"))
    with pytest.raises(CallLost, match=r"POST /v1/chat/completions \(lane system, turn 4; made by"):
        tape.finish(keep=True)
    assert tape.refusals
    assert not path.exists()
    assert journal_path(path).exists()


def test_a_call_under_way_at_the_end_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_todeval.recording.under_way.PATIENCE", 0.01)
    tape = tape_at(path, "rewrite")
    exchange = tape.begin(request("b"), 1)
    assert not isinstance(exchange, Playing)
    tape.end_calls()
    assert "still under way when its dialogue was over" in str(tape.refusals[0])
    assert "made by test_recording_tape.py:" in str(tape.refusals[0])
    with pytest.raises(CallLost):
        tape.finish(keep=True)


def test_the_end_waits_for_a_call_that_is_about_to_be_answered(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    exchange = tape.begin(request("b"), 1)
    assert not isinstance(exchange, Playing)
    soon = threading.Timer(0.1, exchange.answered, [response("B")])
    soon.start()
    tape.finish(keep=True)
    soon.join()
    assert held(path) == [("b", "B")]


def test_live_calls_under_way_are_nobodys_concern(path: Path) -> None:
    tape = tape_at(path, "live")
    tape.begin(request("b"), 1)
    tape.finish(keep=True)
    assert tape.refusals == []


def test_errors_are_recorded_and_played(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    exchange = tape.begin(request("a"), 1)
    assert not isinstance(exchange, Playing)
    exchange.failed(RaisedError("timeout", "ReadTimeout: slow"))
    tape.finish(keep=True)
    assert tape_at(path).begin(request("a"), 1) == Playing(
        RaisedError("timeout", "ReadTimeout: slow")
    )


def test_replay_says_that_a_refused_call_may_be_tried_again_at_once(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    exchange = tape.begin(request("a"), 1)
    assert not isinstance(exchange, Playing)
    exchange.answered(response("slow down", 429, **{"retry-after": "20"}))
    tape.finish(keep=True)
    replayed = tape_at(path).begin(request("a"), 1)
    assert isinstance(replayed, Playing)
    assert isinstance(replayed.outcome, Response)
    headers = dict(replayed.outcome.headers)
    assert "retry-after" not in headers
    assert headers["retry-after-ms"] == "1"


def test_a_secret_is_redacted(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    record(tape, "my key is sk-abcdefghij0123456789abcd", "A")
    tape.finish(keep=True)
    assert held(path) == [("my key is todeval-redacted", "A")]
    assert played(tape_at(path), "my key is sk-00000000000000000000ab") == "A"


def test_a_secret_that_cannot_be_redacted_stops_the_cassette_not_the_bot(path: Path) -> None:
    scanner = Scanner({"HOTEL_PASSWORD": "lighthouse"})  # which may be a word of a dialogue
    tape = tape_at(path, "rewrite", scanner=scanner)
    record(tape, "the lighthouse hotel", "A")
    assert [type(error) for error in tape.refusals] == [SecretFound]
    with pytest.raises(SecretFound):
        tape.finish(keep=True)
    assert not path.exists()


def test_a_budget_of_calls(path: Path) -> None:
    budget = Budget(max_calls=1)
    tape = tape_at(path, "rewrite", budget=budget)
    record(tape, "a", "A")
    with pytest.raises(BudgetSpent, match="1 calls were made"):
        tape.begin(request("b"), 1)
    assert len(tape.refusals) == 1
    tape.finish(keep=False)


def test_replay_costs_nothing(recorded: Path) -> None:
    budget = Budget(max_calls=0)
    tape = tape_at(recorded, "missing", budget=budget)
    assert played(tape, "a") == "A"
    assert budget.calls == 0


def test_dates_and_uuids_in_requests_are_noted(path: Path) -> None:
    tape = tape_at(path, "rewrite")
    today = datetime.now().date().isoformat()
    own, theirs = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"
    record(tape, f"today is {today}", theirs)
    record(tape, f"ids {own} and {theirs}", "ok", turn=2)
    tape.finish(keep=False)
    assert tape.unstable == {today: "lane system, turn 1", own: "lane system, turn 2"}


def test_a_miss_is_kept_once_however_often_a_client_tries(recorded: Path) -> None:
    tape = tape_at(recorded)
    for _ in range(3):
        with pytest.raises(CassetteMiss):
            tape.begin(request("x"), 1)
    assert len(tape.misses) == 1


def test_modes_by_lane() -> None:
    assert modes_from("rewrite") == dict.fromkeys(Lane, Mode.REWRITE)
    assert modes_from("judge:rewrite, user:missing") == {
        Lane.USER: Mode.MISSING,
        Lane.SYSTEM: Mode.REPLAY,
        Lane.JUDGE: Mode.REWRITE,
        Lane.EAR: Mode.REPLAY,
    }


@pytest.mark.parametrize("text", ["recrod", "judge:x", "jugde:live", "judge:live,missing"])
def test_a_wrong_mode_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="record mode"):
        modes_from(text)


def kept_goal(path: Path, modes: str, goal: str, *, recorded_user: bool = False) -> str:
    """The goal in a cassette after a dialogue of one call and one turn for a goal."""
    tape = tape_at(path, modes, goal=goal)
    tape.user_recorded = recorded_user
    if modes == "rewrite":
        record(tape, "a", "A")
    else:
        record(tape, f"{modes} {goal}", "A", Lane.JUDGE, turn=0)
    tape.said(1, "a", "A")
    tape.finish(keep=True)
    return read_cassette(path).header.goal


def test_a_cassette_keeps_the_goal_that_its_user_spoke_for(path: Path) -> None:
    assert kept_goal(path, "rewrite", "old") == "old"
    assert kept_goal(path, "missing", "new", recorded_user=True) == "old"
    assert kept_goal(path, "rewrite", "new", recorded_user=True) == "old"
    assert kept_goal(path, "judge:rewrite", "new") == "new"


def test_a_goal_that_was_not_told_stays_so_while_the_recorded_user_plays(path: Path) -> None:
    assert kept_goal(path, "rewrite", "") == ""
    assert kept_goal(path, "rewrite", "new", recorded_user=True) == ""
    assert '"goal"' not in path.read_text()


@pytest.mark.parametrize("recorded_user", [True, False])
@pytest.mark.parametrize(("was", "now"), [("old", "new"), ("old", "old"), ("", "new")])
def test_only_the_words_for_another_goal_are_for_another(
    path: Path, was: str, now: str, recorded_user: bool
) -> None:
    kept_goal(path, "rewrite", was)
    tape = tape_at(path, goal=now)
    tape.user_recorded = recorded_user
    assert tape.user_of_other_goal is (recorded_user and (was, now) == ("old", "new"))


def test_a_journal_gone_on_with_for_an_edited_goal_ends_with_that_one(path: Path) -> None:
    cut_off = tape_at(path, "missing", goal="old")
    record(cut_off, "a", "A")
    cut_off.finish(keep=False)
    assert journal_path(path).exists()
    tape = tape_at(path, "missing", goal="new")
    assert played(tape, "a") == "A"
    record(tape, "b", "B")
    tape.said(1, "a", "A")
    tape.finish(keep=True)
    assert read_cassette(path).header.goal == "new"
