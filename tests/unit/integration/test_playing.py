"""How a test's play becomes a dialogue: who plays, what stops it, and what is kept of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.errors import JudgeFault, ModelUnavailable
from pytest_todeval.integration import playing
from pytest_todeval.integration.case import EXCLUDED, PLAYED
from pytest_todeval.integration.settings import _SETTINGS, Settings
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.testing import ScriptedSystem, ScriptedUser
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

GOAL = Goal("1", "own", ())
Verdicts = dict[str, Verdict]


class Shop(World):
    """A world that judges as it is told."""

    def __init__(self, found: Verdicts | Exception, impossible: str | None = None) -> None:
        self.found, self.reason = found, impossible

    def impossible(self, goal: Goal) -> str | None:
        return self.reason

    def evaluate(self, dialogue: Dialogue, backend: Any, judge: Any = None) -> Verdicts:
        assert here() is not None
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Tape:
    """A tape over which no call goes."""

    dialogue, user_of_other_goal, dropped, kept = "own/1#0", False, 0, 0
    has_whole_cassette = has_faulty = cut_off = calls_under_way = False
    misses = refusals = strays = recorded_said = ()
    bot_address: Any = None

    def __init__(self) -> None:
        self.finished: list[dict[str, Any]] = []
        self.words: list[tuple[int, str, str]] = []

    def hear_forks(self) -> None: ...

    def heard(self, turn: int, text: str) -> None: ...

    def as_replayed(self, value: Any, turn: int) -> Any:
        return value

    def said(self, *words: Any) -> None:
        self.words.append(words)

    def finish(self, **how: Any) -> None:
        self.finished.append(how)


def play(
    found: Verdicts | Exception | None = None, goal: Goal = GOAL, how: Any = None, **more: Any
) -> Play:
    world = Shop({} if found is None else found, more.pop("impossible", None))
    goals = GoalSet("own", (goal,), "0", world)
    settings = PlaySettings(**(how or {}))
    return Play(goal=goal, goal_set=goals, trial=0, how=settings, cast=Cast(), **more)


def item() -> Any:
    config = SimpleNamespace(stash={_SETTINGS: Settings()})
    return SimpleNamespace(stash={}, config=config, name="test_it", get_closest_marker=lambda _: 0)


BOT = ["Which day?", "Booked."]


@contextmanager
def played(asked: Play, test: Any, tape: Any, *replies: str, **more: Any) -> Iterator[Dialogue]:
    user = more.pop("user", None) or ScriptedUser(["A table.", "Friday."])
    bot = ScriptedSystem(replies or BOT)
    with playing.playing(test, asked, user, bot, None, tape, **more) as dialogue:
        yield dialogue


def test_a_dialogue_is_judged_kept_and_known_by_its_players() -> None:
    test, tape = item(), Tape()
    asked = play({"success": Verdict("success", True, "done")}, how={"unserved": "allowed"})
    with played(asked, test, tape) as dialogue:
        place = here()
    assert place is not None
    assert (place.dialogue, place.lane) == ("own/1#0", Lane.JUDGE)
    assert [turn.system for turn in dialogue.turns] == BOT
    assert list(dialogue.verdicts) == ["success", "satisfied"]
    assert tape.words == [(1, "A table.", "Which day?"), (2, "Friday.", "Booked.")]
    assert tape.finished == [{"keep": True}]
    kept = test.stash[PLAYED]
    assert kept.dialogue is dialogue
    assert kept.by == "ScriptedUser with ScriptedSystem"
    assert kept.players == {
        "bots": {"ScriptedSystem": "pytest_todeval.testing.ScriptedSystem"},
        "users": {"ScriptedUser": "pytest_todeval.simulation.scripted.ScriptedUser"},
        "judges": {},
    }
    assert kept.limits == {"max_turns": 30, "turn_timeout": 30.0, "dialogue_timeout": 300.0}
    assert (kept.ear, kept.may_be_unserved, kept.trivial) == ("rules", True, "")
    assert (kept.drift, kept.raised, kept.tape) == (None, None, tape)
    with played(play(), test, Tape()):
        pass
    assert test.stash[PLAYED].may_be_unserved is False


def test_what_a_check_after_a_turn_raises_is_kept_for_the_body() -> None:
    test, wrong = item(), AssertionError("no")

    def check(dialogue: Dialogue, backend: Any) -> None:
        raise wrong

    with played(play(), test, Tape(), after_turn=check) as dialogue:
        pass
    assert test.stash[PLAYED].raised is wrong
    assert (len(dialogue.turns), dialogue.stop_reason) == (1, StopReason.CHECK_FAILED)


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (JudgeFault("unclear"), Outcome.JUDGE_FAULT),
        (ModelUnavailable("down"), Outcome.INFRASTRUCTURE),
    ],
)
def test_a_dialogue_that_cannot_be_judged_ends_its_test(error: Exception, fault: Outcome) -> None:
    test, tape = item(), Tape()
    with (
        pytest.raises(pytest.fail.Exception, match=rf"^{fault}: {error} \(own/1\)$"),
        played(play(error), test, tape),
    ):
        raise AssertionError("the body is not run")
    kept = test.stash[PLAYED].dialogue
    assert (kept.fault, kept.detail, len(kept.turns)) == (fault, str(error), 2)
    assert tape.finished == (
        [] if fault is Outcome.INFRASTRUCTURE else [{"keep": True, "fault": Lane.JUDGE}]
    )


def test_a_bot_that_broke_is_its_own_fault_whatever_the_judge_says() -> None:
    with played(play(JudgeFault("unclear")), item(), Tape(), "Which day?", "") as dialogue:
        pass
    assert (dialogue.fault, dialogue.stop_reason) == (Outcome.FAILED, StopReason.EMPTY_REPLY)
    assert not len(dialogue.verdicts)


@pytest.mark.parametrize(("refuses", "undecided"), [(False, False), (True, True)])
def test_claims_count_unless_they_are_refused(refuses: bool, undecided: bool) -> None:
    claimed = {"booking": Verdict("booking", True, "it said so", basis=CLAIMED)}
    with played(play(claimed, refuses_claims=refuses), item(), Tape()) as dialogue:
        pass
    assert dialogue.verdicts["booking"].undecided is undecided


@pytest.mark.parametrize(("published", "raised"), [(True, pytest.skip), (False, pytest.fail)])
def test_a_goal_that_nobody_can_meet_is_not_played(published: bool, raised: Any) -> None:
    test, tape = item(), Tape()
    asked = play(goal=replace(GOAL, published=published), impossible="there is no such hotel")
    told = "^oracle_fault: there is no such hotel"
    with pytest.raises(raised.Exception, match=told), played(asked, test, tape):
        raise AssertionError("the body is not run")
    assert test.stash[PLAYED].dialogue.stop_reason is StopReason.ORACLE_FAULT
    assert not tape.words
    assert not tape.finished


@pytest.mark.parametrize(
    ("fault", "detail", "told"),
    [
        (None, "x", None),
        (Outcome.FAILED, "x", None),
        (Outcome.SIMULATOR_FAULT, "x", "simulator_fault: x (own/1)"),
        (Outcome.SIMULATOR_FAULT, "", "simulator_fault: user_done (own/1)"),
        (Outcome.STALE_CASSETTE, "own/1\nrun: x", "stale_cassette: own/1\nrun: x"),
    ],
)
def test_which_dialogues_say_nothing_of_the_bot(
    fault: Outcome | None, detail: str, told: str | None
) -> None:
    dialogue = Dialogue(GOAL, stop_reason=StopReason.USER_DONE, fault=fault, detail=detail)
    if told is None:
        playing._stop_on_fault(dialogue)
        return
    with pytest.raises(pytest.fail.Exception) as raised:
        playing._stop_on_fault(dialogue)
    assert str(raised.value) == told


def test_a_goal_that_a_silent_bot_passes_is_named_or_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Play, "why_trivial", lambda play, backend: "nothing is asked for")
    test = item()
    with played(play(), test, Tape()):
        pass
    assert test.stash[PLAYED].trivial == "nothing is asked for"
    assert EXCLUDED not in test.stash
    with (
        pytest.raises(pytest.skip.Exception, match="passes own/1: nothing is asked for"),
        played(play(exclude_trivial=True), test, Tape()),
    ):
        raise AssertionError("the body is not run")
    assert test.stash[EXCLUDED] == "own/1"


def test_who_plays_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(Play, "user", lambda self: "by rule")

    def model_user(self: Play, *given: Any) -> str:
        asked.append(given)
        return "a model"

    monkeypatch.setattr(Play, "model_user", model_user)
    said = SimpleNamespace(user="A table.")
    fixtures: dict[str, Any] = {
        "backend": "the backend",
        "todeval_tape": SimpleNamespace(recorded_said=[said]),
    }
    made = {
        name: playing.make_user(play(how={"user": name}), fixtures.__getitem__)
        for name in ("agenda", "recorded", "react")
    }
    assert (made["agenda"], made["react"]) == ("by rule", "a model")
    assert asked == [("react", "the backend")]
    assert made["recorded"].respond(None).text == "A table."
