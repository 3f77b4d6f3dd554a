"""Who answers for a result: what the dialogue ended in, and what its test raised."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval import errors
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.integration.case import Played
from pytest_todeval.integration.drift import drift_line, drift_of, drift_text, recorded_user
from pytest_todeval.integration.outcomes import decide, require_sound
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.recording import (
    bot_address,
    keeps,
    mark_stale,
    overheard,
    parted,
    spared,
    unused_line,
)
from pytest_todeval.recording.call import SaidTurn
from pytest_todeval.runs.reports.terminal import OTHER_GOAL

PLAYED = Dialogue(Goal("1", "own", ()), (Turn(1, "Hello.", "Hi."), Turn(2, "Bye.", "Bye.")))


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (None, Outcome.PASSED),
        (AssertionError(), Outcome.FAILED),
        (pytest.fail.Exception("no"), Outcome.FAILED),
        (errors.NeverDone(), Outcome.FAILED),
        (errors.JudgeFault(), Outcome.JUDGE_FAULT),
        (errors.SimulatorFault(), Outcome.SIMULATOR_FAULT),
        (errors.OracleFault(), Outcome.ORACLE_FAULT),
        (errors.BackendError(), Outcome.INFRASTRUCTURE),
        (errors.ModelUnavailable(), Outcome.INFRASTRUCTURE),
        (errors.UsageError(), Outcome.TEST_ERROR),
        (KeyError(), Outcome.TEST_ERROR),
    ],
)
def test_an_outcome_is_whose_error_was_raised(raised: Exception | None, outcome: Outcome) -> None:
    assert decide(PLAYED, raised) is outcome
    crashed = replace(PLAYED, fault=Outcome.FAILED)
    assert decide(crashed, raised) is Outcome.FAILED


def test_an_error_that_is_shown_as_its_message_stays_whose_it_is() -> None:
    with pytest.raises(pytest.fail.Exception) as shown, plain_errors():
        raise errors.JudgeFault("unclear")
    assert decide(PLAYED, shown.value) is Outcome.JUDGE_FAULT
    try:
        raise KeyError
    except KeyError:
        with pytest.raises(pytest.fail.Exception) as failed:
            pytest.fail("no")
    assert decide(PLAYED, failed.value) is Outcome.FAILED


@pytest.mark.parametrize(
    ("changes", "allowed", "told"),
    [
        ({}, False, None),
        ({"fault": Outcome.FAILED, "stop_reason": StopReason.SYSTEM_ERROR, "detail": "x"}, False,
         r"the bot failed during the dialogue \(system_error\): x"),
        ({"fault": Outcome.STALE_CASSETTE, "detail": "x"}, False, "^stale_cassette: x$"),
        ({"stop_reason": StopReason.TURN_LIMIT}, False, "mark it: @pytest.mark.todeval"),
        ({"stop_reason": StopReason.TURN_LIMIT}, True, None),
    ],
)  # fmt: skip
def test_a_test_that_passed_although_its_dialogue_did_not(
    changes: dict[str, Any], allowed: bool, told: str | None
) -> None:
    played = Played(replace(PLAYED, **changes))
    played.may_be_unserved = allowed
    if told is None:
        require_sound(played)
    else:
        with pytest.raises(pytest.fail.Exception, match=told):
            require_sound(played)


class Tape:
    """What is asked of the calls of a dialogue once it is over."""

    def __init__(self, **more: Any) -> None:
        self.misses: list[object] = []
        self.refusals: list[object] = []
        self.strays: list[object] = []
        self.records = self.user_of_other_goal = self.user_recorded = False
        self.dropped = self.waiting = self.kept = self.from_journal = self.calls_under_way = 0
        self.has_whole_cassette = self.has_faulty = self.replays_fault = False
        self.bot_address: object = None
        self.path, self.test, self.has_cassette = "c.jsonl", "test_it", True
        self.recorded_said: list[SaidTurn] = []
        self.calls: dict[str, Any] = {}
        self.left: list[Any] = []
        self.dropped_for: list[object] = []
        self.asked_tool_last = False
        vars(self).update(more)

    def hear_forks(self) -> None:
        pass

    def unanswered(self, lane: object) -> str:
        return "status 500"

    def unused(self) -> list[Any]:
        return self.left

    def drop_faulty(self, lane: object) -> None:
        self.dropped_for.append(lane)


def tape(**more: Any) -> Any:
    return Tape(**more)


def test_a_miss_makes_a_dialogue_stale_and_a_refusal_is_nobodys() -> None:
    assert mark_stale(PLAYED, tape()) is PLAYED
    stale = mark_stale(PLAYED, tape(misses=["not there"], strays=["stray"]))
    assert (stale.fault, stale.detail) == (Outcome.STALE_CASSETTE, "not there\nstray")
    assert mark_stale(PLAYED, tape(refusals=["no"])).fault is Outcome.INFRASTRUCTURE
    noted = mark_stale(
        mark_stale(PLAYED, tape(user_of_other_goal=True)), tape(user_of_other_goal=True)
    )
    assert noted.notes == (OTHER_GOAL,)


def test_a_bot_whose_model_did_not_answer_is_spared() -> None:
    crashed = replace(
        PLAYED, stop_reason=StopReason.SYSTEM_ERROR, fault=Outcome.FAILED, detail="500"
    )
    served = tape(bot_address="http://h")
    found = spared(crashed, served)
    assert (found.fault, found.stop_reason) == (Outcome.INFRASTRUCTURE, StopReason.NETWORK)
    assert found.detail == "500; what it asked did not answer (status 500)"
    assert spared(crashed, tape()) is crashed
    assert spared(crashed, tape(asked_tool_last=True)).fault is Outcome.INFRASTRUCTURE
    assert spared(crashed, tape(bot_address="x", unanswered=lambda _: "")) is crashed
    for other in (
        replace(crashed, fault=Outcome.INFRASTRUCTURE),
        replace(crashed, stop_reason=StopReason.TURN_LIMIT),
    ):
        assert spared(other, served) is other


@pytest.mark.parametrize(
    ("fault", "outcome", "given", "kept"),
    [
        (None, None, {}, True),
        (None, Outcome.FAILED, {"has_whole_cassette": True}, True),
        (None, Outcome.INFRASTRUCTURE, {}, False),
        (Outcome.INFRASTRUCTURE, None, {}, False),
        (Outcome.STALE_CASSETTE, None, {}, False),
        (None, None, {"misses": ["x"]}, False),
        (None, None, {"dropped": 1}, False),
        (Outcome.JUDGE_FAULT, None, {}, True),
        (Outcome.JUDGE_FAULT, None, {"has_whole_cassette": True}, False),
        (Outcome.JUDGE_FAULT, None, {"has_faulty": True}, False),
        (Outcome.JUDGE_FAULT, None, {"calls_under_way": 1}, False),
    ],
)
def test_which_recordings_are_kept(
    fault: Outcome | None, outcome: Outcome | None, given: dict[str, Any], kept: bool
) -> None:
    played = Played(replace(PLAYED, fault=fault))
    played.outcome = outcome
    assert keeps(played, tape(**given)) is kept


def test_what_becomes_of_a_recording_is_told() -> None:
    def told(fault: Outcome | None, **given: Any) -> str:
        played = Played(replace(PLAYED, fault=fault), tape=tape(**given))
        played.outcome = fault or Outcome.PASSED
        return parted(played)

    assert told(None, records=True) == ""
    assert told(Outcome.INFRASTRUCTURE, records=True) == ""
    lost = told(Outcome.INFRASTRUCTURE, records=True, waiting=2)
    assert lost.startswith("not kept: no cassette was written, as the dialogue ended in infra")
    assert "Of its calls 2 wait in the journal" in lost
    assert lost.endswith(", 0 belong to the fault and are dropped")
    assert told(None, records=True, dropped=1).endswith("1 belong to the fault and are dropped")
    assert told(Outcome.JUDGE_FAULT) == ""
    for given in ({"kept": 1}, {"replays_fault": True}):
        assert told(Outcome.JUDGE_FAULT, **given).startswith("this judge_fault is recorded")
    assert told(None, kept=1) == ""
    both = told(Outcome.SIMULATOR_FAULT, kept=1, from_journal=3).splitlines()
    assert len(both) == 2
    assert both[1].startswith("3 calls were answered from the journal")
    ear = Played(replace(PLAYED, fault=Outcome.INFRASTRUCTURE, stop_reason=StopReason.EAR_FAULT))
    ear.tape = tape(records=True)
    parted(ear)
    assert [str(each) for each in ear.tape.dropped_for] == ["ear"]  # type: ignore[union-attr]


def test_recorded_calls_that_were_not_played_are_counted() -> None:
    def call(lane: str) -> Any:
        return SimpleNamespace(request=SimpleNamespace(lane=SimpleNamespace(value=lane)))

    left = [call("user"), call("system"), call("user")]
    assert (
        unused_line(tape(left=left)) == "3 recorded calls were not played (system, user): test_it"
    )
    assert unused_line(tape()) is None
    assert unused_line(tape(left=left, misses=["x"])) is None
    counted = {"a": SimpleNamespace(recorded=0), "b": SimpleNamespace(recorded=1)}
    assert unused_line(tape(left=left, calls=counted)) is None
    del counted["b"]
    assert unused_line(tape(left=left, calls=counted)) is not None


def test_bots_that_are_called_over_http() -> None:
    assert str(bot_address("http://h:80/x")) == "h:80"
    assert str(bot_address(SimpleNamespace(url="http://h:80"))) == "h:80"
    for other in ("bot", SimpleNamespace(url=7), SimpleNamespace(), None):
        assert bot_address(other) is None


def test_the_tape_hears_what_the_user_hears() -> None:
    heard: list[Any] = []
    user = SimpleNamespace(respond=lambda turn: turn, notes="kept")
    listening = overheard(user, tape(heard=lambda *said: heard.append(said)))
    assert listening.respond(None) is None
    assert listening.respond(PLAYED.turns[1]) is PLAYED.turns[1]
    assert (listening.notes, heard) == ("kept", [(2, "Bye.")])
    for no_user in (SimpleNamespace, object(), SimpleNamespace(respond=7)):
        assert overheard(no_user, tape()) is no_user


def test_drift_is_told_by_turn_and_a_line_is_not_long() -> None:
    said = [SaidTurn(1, "Hello.", "Hi."), SaidTurn(2, "Bye.", "See you."), SaidTurn(3, "x", "y")]
    drift = drift_of(PLAYED, tape(recorded_said=said))
    assert drift == [{"turn": 2, "was": "See you.", "now": "Bye."}]
    assert drift_text(drift * 2).count("turn 2: ") == 2
    line = drift_line("t\x1b", drift, PLAYED)
    assert line.startswith("1 of 2 turns drifted in test t\\x1b, first turn 2: ")
    assert not line.endswith("...")
    long = drift_line("t", [{"turn": 1, "was": "", "now": "a" * 300}], PLAYED)
    assert long.endswith("...")
    assert len(long.partition("first turn 1: ")[2]) == 203


def test_the_recorded_user_says_the_same_again() -> None:
    known = tape(recorded_said=[SaidTurn(1, "Hello.", "Hi.")])
    assert recorded_user(known).respond(None).text == "Hello."
    assert known.user_recorded
    with pytest.raises(errors.UsageError, match=r"the cassette c\.jsonl holds no dialogue; rec"):
        recorded_user(tape())
    with pytest.raises(errors.UsageError, match=r"the cassette c\.jsonl does not exist; record"):
        recorded_user(tape(has_cassette=False))
