"""The session of a dialogue: an id of its own, opened once, closed however the dialogue ends."""

import asyncio
import re
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.background import Background
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.session import BotSession, SessionNote
from tests.support.http_world import Says

GOAL = Goal("1", "demo", ())


class Desk:
    """A bot that keeps sessions, for all dialogues."""

    def __init__(self, answer: Callable[[str], str] = lambda text: "yes?") -> None:
        self.answer = answer
        self.happened: list[tuple[str, ...]] = []
        self.opens: Any = "s1"
        self.closes: Any = None

    def open_session(self, dialogue_id: str, goal_id: str) -> Any:
        self.happened.append(("open", dialogue_id.partition("~")[0], goal_id))
        if isinstance(self.opens, BaseException):
            raise self.opens
        return self.opens

    def respond(self, text: str, session: str) -> str:
        self.happened.append(("respond", session))
        return self.answer(text)

    def close_session(self, session: str) -> Any:
        self.happened.append(("close", session))
        if isinstance(self.closes, BaseException):
            raise self.closes
        return self.closes

    @property
    def words(self) -> list[str]:
        return [word for word, *_ in self.happened]


def play(bot: Any, *lines: str, **options: Any) -> Dialogue:
    return run_dialogue(GOAL, Says(*(lines or ("hi",))), bot, **options)


def test_each_dialogue_has_an_id_of_its_own() -> None:
    heard: list[str] = []

    def bot(text: str, dialogue_id: str, session: str) -> str:
        heard.append(dialogue_id)
        assert session == re.sub("[/#~]", "-", dialogue_id)
        return "yes?"

    for _ in range(2):
        play(bot, "a", "b")
    assert heard[0] == heard[1] != heard[2] == heard[3]
    assert {each.partition("~")[0] for each in heard} == {"demo/1#0"}


def test_the_lane_keeps_the_name_that_every_run_repeats() -> None:
    places = []
    play(lambda text: places.append(here()) or "yes?")  # type: ignore[func-returns-value]
    assert places[0] is not None
    assert places[0].dialogue == "demo/1#0"


def test_a_session_is_opened_before_and_closed_after_the_turns() -> None:
    desk = Desk()
    assert play(desk, "a", "b").fault is None
    assert desk.happened == [
        ("open", "demo/1#0", "demo/1"),
        ("respond", "s1"),
        ("respond", "s1"),
        ("close", "s1"),
    ]


def test_opening_and_closing_may_be_asynchronous() -> None:
    happened: list[str] = []

    class Async:
        async def open_session(self, dialogue_id: str) -> int:
            await asyncio.sleep(0)
            return 7

        async def respond(self, text: str, session: str) -> str:
            return f"{session}?"

        async def close_session(self, session: str) -> None:
            await asyncio.sleep(0)
            happened.append(session)

    dialogue = play(Async)
    assert ([turn.system for turn in dialogue.turns], happened) == (["7?"], ["7"])


def boom(text: str) -> str:
    raise KeyError("area")


@pytest.mark.parametrize(
    ("answer", "stop"),
    [(boom, StopReason.SYSTEM_ERROR), (lambda text: "", StopReason.EMPTY_REPLY)],
)
def test_a_session_is_closed_after_a_fault(answer: Callable[[str], str], stop: StopReason) -> None:
    desk = Desk(answer)
    assert play(desk).stop_reason is stop
    assert desk.words == ["open", "respond", "close"]


@pytest.mark.thorough
def test_a_session_is_closed_though_its_bot_hangs() -> None:
    freed = threading.Event()
    desk = Desk(lambda text: str(freed.wait()))
    try:
        dialogue = play(desk, limits=Limits(turn_timeout=1.0))
    finally:
        freed.set()
    assert dialogue.stop_reason is StopReason.TURN_TIMEOUT
    assert desk.words == ["open", "respond", "close"]


def test_a_session_is_closed_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    answering = threading.Event()
    freed = threading.Event()

    def answer(text: str) -> str:
        answering.set()
        freed.wait()
        return "too late"

    def interrupted(self: Background, *_: Any) -> None:
        answering.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(Background, "_watch", interrupted)
    desk = Desk(answer)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(desk)
    finally:
        freed.set()
    assert desk.words == ["open", "respond", "close"]


def test_a_session_that_cannot_be_closed_after_ctrl_c_is_warned_of() -> None:
    session = BotSession(GOAL)

    def close() -> None:
        raise OSError("no route")

    session.opened("s1", close)
    with pytest.warns(UserWarning, match="session s1 could not be closed: no route"):
        session.close_now(5)
    session.close_now(5)  # once


def test_a_session_opened_when_nobody_waits_any_more_is_closed_at_once() -> None:
    closed: list[str] = []
    session = BotSession(GOAL)
    assert session.take_closing() is None
    session.opened("s1", lambda: closed.append("s1"))
    assert closed == ["s1"]


def test_a_session_that_is_not_closed_is_infrastructure() -> None:
    desk = Desk()
    desk.closes = RuntimeError("busy")
    dialogue = play(desk)
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "the bot's session s1 could not be closed: RuntimeError: busy" in dialogue.detail


def test_whose_the_dialogue_is_stays_if_closing_fails_too() -> None:
    desk = Desk(boom)
    desk.closes = RuntimeError("busy")
    dialogue = play(desk)
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.SYSTEM_ERROR, Outcome.FAILED)
    assert "KeyError: 'area'" in dialogue.detail
    assert "; besides, the bot's session s1 could not be closed" in dialogue.detail


@pytest.mark.thorough
def test_closing_that_hangs_ends_with_the_turns_limit() -> None:
    freed = threading.Event()
    desk = Desk()
    desk.close_session = lambda session: freed.wait()  # type: ignore[method-assign]
    try:
        dialogue = play(desk, limits=Limits(turn_timeout=1.0))
    finally:
        freed.set()
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert "session s1 could not be closed: not in 1 s" in dialogue.detail


def test_closing_may_return_a_note_and_all_else_is_ignored() -> None:
    desk = Desk()
    desk.closes = "deleted"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert play(desk).notes == ()
    desk.closes = SessionNote("it was gone already")
    with pytest.warns(UserWarning, match="it was gone already"):
        assert play(desk).notes == ("it was gone already",)


@pytest.mark.parametrize(
    ("opens", "stop", "told"),
    [
        (ConnectionError("refused"), StopReason.NETWORK, "the opening of the session"),
        (KeyError("id"), StopReason.SYSTEM_ERROR, "raised in the opening of the session: KeyError"),
        (None, StopReason.BAD_REPLY, "`open_session` returned is None, expected the session's id"),
        (True, StopReason.BAD_REPLY, "is bool True"),
        (" ", StopReason.BAD_REPLY, "is str ' '"),
    ],
)
def test_a_session_that_is_not_opened(opens: Any, stop: StopReason, told: str) -> None:
    desk = Desk()
    desk.opens = opens
    dialogue = play(desk)
    assert (dialogue.stop_reason, dialogue.turns) == (stop, ())
    assert told in dialogue.detail
    assert desk.words == ["open"]


def test_a_backend_reads_what_was_booked_before_the_session_is_closed() -> None:
    session, desk = BotSession(GOAL), Desk()

    class Own:
        def bookings(self) -> tuple[()]:
            desk.happened.append(("bookings", session.id))
            return ()

    play(desk, backend=Own(), session=session)
    assert desk.words == ["open", "bookings", "respond", "bookings", "bookings", "close"]
    assert session.id == "s1"


def test_a_new_session_in_which_something_stands_booked_is_warned_of() -> None:
    class Left:
        def bookings(self) -> tuple[Booking, ...]:
            return (Booking("hotel", "A1"),)

    with pytest.warns(
        UserWarning, match="a booking stood in the bot's new session before .*shared"
    ):
        play(Desk(), backend=Left())
    with warnings.catch_warnings():  # a bot without sessions may have a backend that is filled
        warnings.simplefilter("error")
        play(lambda text: "yes?", backend=Left())


def test_a_session_that_is_not_opened_hides_nothing_behind_its_backend() -> None:
    desk, session = Desk(), BotSession(GOAL)
    desk.opens = RuntimeError("no room")

    class Own:
        def bookings(self) -> tuple[()]:
            assert session.id
            return ()

    dialogue = play(desk, backend=Own(), session=session)
    assert (dialogue.stop_reason, dialogue.backend_known) == (StopReason.SYSTEM_ERROR, False)
    assert "no room" in dialogue.detail
    assert "todeval_session" not in dialogue.detail


def test_an_id_of_ours_is_one_that_servers_take() -> None:
    long = BotSession(Goal("a very long name: café, " * 9, "demo", ()), 3)
    assert re.fullmatch(r"[A-Za-z0-9_-]{36}", long.own_id)
    assert long.own_id.endswith(f"-{long.token}")


def test_an_id_asked_for_too_early_says_when() -> None:
    session = BotSession(GOAL, 2)
    assert session.dialogue_id == f"demo/1#2~{session.token}"
    with pytest.raises(UsageError, match=r"known once the dialogue has begun.*`bookings\(\)`"):
        _ = session.id


def test_the_session_is_opened_and_closed_in_the_bots_lane() -> None:
    lanes: list[Lane | None] = []
    desk = Desk()

    def note(*_: Any, **__: Any) -> str:
        place = here()
        lanes.append(None if place is None else place.lane)
        return "s1"

    desk.open_session = desk.close_session = note  # type: ignore[method-assign]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(desk)
    assert lanes == [Lane.SYSTEM, Lane.SYSTEM]
