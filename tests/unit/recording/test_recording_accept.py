"""Accepting recorded answers for other requests: shown first, taken over when told, never paid."""

import os
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.accepting import proposal_path
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import Playing
from tests.conftest import Todeval
from tests.support.recorded_calls import JSON, ask, encoded, reply

OLD = "You book hotels, quikly."
NEW = "You book hotels, quickly."


def asked(prompt: str, *said: str, lane: Lane = Lane.SYSTEM) -> Request:
    messages = [{"role": "system", "content": prompt}]
    messages += [{"role": "user", "content": text} for text in said]
    return ask({"model": "m", "messages": messages}, lane)


def tape_at(path: Path, mode: str) -> Tape:
    return Tape(
        path, test="t.py::t", dialogue="d", modes=modes_from(mode), redactor=Redactor(environ={})
    )


def record(tape: Tape, request: Request, answer: str, turn: int) -> None:
    exchange = tape.begin(request, turn)
    assert not isinstance(exchange, Playing)
    exchange.answered(Response(200, (("content-type", JSON),), encoded(reply(answer))))


def answer(tape: Tape, request: Request, turn: int) -> str:
    exchange = tape.begin(request, turn)
    assert isinstance(exchange, Playing)
    assert isinstance(exchange.outcome, Response)
    return exchange.outcome.body.decode().split('"content":"')[1].partition('"')[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three turns, of which the second asks twice at once; and a judge."""
    path = tmp_path / "cassettes" / "t.todeval.jsonl"
    tape = tape_at(path, "rewrite")
    record(tape, asked(OLD, "a hotel"), "where?", 1)
    record(tape, asked(OLD, "north, cheap"), "Alpha", 2)
    record(tape, asked(OLD, "parking, too"), "Beta", 2)
    record(tape, asked(OLD, "thanks"), "bye", 3)
    record(tape, asked("Judge.", "a hotel", lane=Lane.JUDGE), "5", 0)
    tape.said(1, "a hotel", "where?")
    tape.finish(keep=True)
    return path


def played(path: Path, mode: str, prompt: str = NEW) -> Tape:
    """The same dialogue under another prompt; of what is asked at once, the last comes first."""
    tape = tape_at(path, mode)
    assert answer(tape, asked(prompt, "a hotel"), 1) == "where?"
    assert answer(tape, asked(prompt, "parking, too"), 2) == "Beta"
    assert answer(tape, asked(prompt, "north, cheap"), 2) == "Alpha"
    assert answer(tape, asked(prompt, "thanks"), 3) == "bye"
    assert answer(tape, asked("Judge.", "a hotel", lane=Lane.JUDGE), 0) == "5"
    tape.said(1, "a hotel", "where?")
    tape.finish(keep=True)
    return tape


def test_an_edited_prompt_is_stale(path: Path) -> None:
    with pytest.raises(CassetteMiss, match="--todeval-record=accept") as missed:
        played(path, "replay")
    assert "todeval cassettes accept" in str(missed.value)


def test_recorded_answers_are_proposed_and_nothing_is_changed(path: Path) -> None:
    before = path.read_bytes()
    tape = played(path, "accept")
    assert tape.accepted == 4
    assert (tape.misses, tape.unused()) == ([], ())
    assert path.read_bytes() == before
    assert proposal_path(path).exists()


def test_they_are_shown_then_accepted(path: Path, todeval: Todeval) -> None:
    played(path, "accept")
    before = path.read_bytes()
    shown = todeval("cassettes", "accept", path.parent).out
    assert shown.count("hotels, [-quikly.-]{+quickly.+}") == 4
    assert "1 cassettes to accept; --yes" in shown
    assert path.read_bytes() == before

    assert "1 cassettes accepted" in todeval("cassettes", "accept", path.parent, "--yes").out
    assert not proposal_path(path).exists()
    assert played(path, "replay").misses == []
    assert len(read_cassette(path).calls) == 5
    assert read_cassette(path).said[0].user == "a hotel"
    with pytest.raises(CassetteMiss):
        played(path, "replay", OLD)


def test_one_more_call_than_recorded_stays_stale(path: Path) -> None:
    tape = tape_at(path, "accept")
    for turn in range(4):
        answer(tape, asked(NEW, str(turn)), turn)
    with pytest.raises(CassetteMiss):
        tape.begin(asked(NEW, "one more"), 5)


def test_another_service_or_lane_is_not_answered(path: Path) -> None:
    tape = tape_at(path, "accept")
    with pytest.raises(CassetteMiss):
        tape.begin(asked(NEW, "a hotel", lane=Lane.USER), 1)
    with pytest.raises(CassetteMiss):
        tape.begin(ask({"messages": []}, path="/v1/other"), 1)


def test_no_difference_leaves_no_proposal(path: Path) -> None:
    played(path, "accept")
    played(path, "accept", OLD)
    assert not proposal_path(path).exists()
    with pytest.raises(UsageError, match="nothing to accept"):
        accepted(path.parent)


def accepted(folder: Path) -> None:
    from pytest_todeval.commands.cassettes import accept

    list(accept(folder, yes=True))


def test_a_proposal_for_an_older_cassette_is_refused(path: Path) -> None:
    played(path, "accept")
    later = proposal_path(path).stat().st_mtime + 10
    os.utime(path, (later, later))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="has changed since"):
        accepted(path.parent)
    assert path.read_bytes() == before


def test_secrets_of_an_old_cassette_are_redacted_on_the_way(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("where?", "use gh" + "p_" + "a1B2" * 9)
    path.write_text(text, encoding="utf-8")
    tape = tape_at(path, "accept")
    assert answer(tape, asked(NEW, "a hotel"), 1) == "use todeval-redacted"
    tape.finish(keep=False)
