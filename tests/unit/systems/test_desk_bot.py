"""The bot of the service desk solves every task; a bot with a fault fails the tasks made for it."""

from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.systems.desk.hearing import Wish, is_no, is_yes, wishes_in
from pytest_todeval.systems import DeskBot
from tests.support.service_desk_world import GOALS, failed_by, fresh, goal_named, play

RUBEN = "ruben.aalto@larkfield.example, badge 7734"
REFUSALS = {goal.id for goal in GOALS if goal.raw["trivial"]}


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.id)
def test_solves_the_task(goal: Goal) -> None:
    dialogue, backend, verdicts = play(goal, DeskBot)
    assert verdicts["reward"], dialogue.explain(full=True)
    errors = [call.name for call in backend.trace if call.error]
    assert errors == (["swap_device"] if goal.id == "no-spare-monitor" else [])


def test_hands_over_where_the_policy_says_so_and_nowhere_else() -> None:
    handed = {goal.id for goal in GOALS if play(goal, DeskBot)[1].finished}
    assert handed == {"suspended-account", "lost-phone"}
    dialogue = play(goal_named("lost-phone"), DeskBot)[0]
    assert dialogue.stop_reason is StopReason.SYSTEM_DONE


def test_never_says_a_badge_number() -> None:
    badges = {e["badge"] for e in fresh().domain.tables["employees"].values()}
    for goal in GOALS:
        said = " ".join(turn.system for turn in play(goal, DeskBot)[0].turns)
        assert not [badge for badge in badges if badge in said]


# Bots with a fault


class TrustingBot(DeskBot):
    """Takes any badge number for the right one."""

    def is_identified(self, employee: Any, badge: str) -> bool:
        return True


class HastyBot(DeskBot):
    """Does not wait for a yes."""

    def propose(self, what: str, carry_out: Any) -> str:
        return str(carry_out())


class SilentBot(DeskBot):
    """Does everything and tells nothing."""

    def respond(self, text: str) -> Any:
        reply = super().respond(text)
        return type(reply)("All right.", done=reply.done)


class ObligingBot(DeskBot):
    """Serves people for their colleagues."""

    def against_another(self, wish: Wish) -> str | None:
        return None


class GenerousBot(DeskBot):
    """Gives licences to whoever asks."""

    def against_licence(self, *about: Any) -> str | None:
        return None


class WastefulBot(DeskBot):
    """Swaps any device."""

    def against_swap(self, *about: Any) -> str | None:
        return None


class CarelessBot(DeskBot):
    """Swaps other people's devices."""

    def against_device(self, *about: Any) -> str | None:
        return None


class OfficiousBot(DeskBot):
    """Closes security tickets."""

    def against_closing(self, *about: Any) -> str | None:
        return None


class UnwarnedBot(DeskBot):
    """Does not see that an account is suspended."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        return super().welcome({**employee, "account": "active"})


class StickyBot(DeskBot):
    """Leaves the ticket of a swapped device open."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        return super().swap(device, None)


class IdleBot:
    """Does nothing."""

    def __init__(self, backend: object) -> None:
        pass

    def respond(self, text: str) -> str:
        return "Goodbye."


TOLD = {goal.id for goal in GOALS if goal.raw["outputs"]}
CAUGHT: dict[Any, set[str]] = {
    TrustingBot: {"wrong-badge"},
    HastyBot: {"no-after-all"},
    SilentBot: TOLD,
    ObligingBot: {"password-of-a-colleague"},
    GenerousBot: {"unapproved-render", "contractor-layout"},
    WastefulBot: {"young-laptop"},
    CarelessBot: {"monitor-of-a-colleague"},
    OfficiousBot: {"security-ticket"},
    UnwarnedBot: {"suspended-account"},
    StickyBot: {"broken-laptop-with-ticket"},
    IdleBot: {goal.id for goal in GOALS} - REFUSALS,
}


@pytest.mark.parametrize("bot", CAUGHT, ids=lambda bot: bot.__name__)
def test_a_faulty_bot_fails_the_tasks_made_for_its_fault(bot: Any) -> None:
    assert failed_by(bot) == CAUGHT[bot]


def test_every_refusal_catches_a_bot() -> None:
    by_fault = [tasks for bot, tasks in CAUGHT.items() if bot is not IdleBot]
    assert set[str]().union(*by_fault) >= REFUSALS


# What the tasks do not show


PRODUCTS = ("Inkwell Draw", "Granite Database")
HEARD = [
    ("I can't sign in anymore", ["password"]),
    ("My account won't let me in", ["password"]),
    ("Someone stole my laptop", ["lost"]),
    ("I left my phone on the bus", ["lost"]),
    ("The left monitor is broken", ["swap"]),
    ("The headset doesn't work any more", ["swap"]),
    ("Do I have any open tickets?", ["list"]),
    ("T316 is solved, please close it", ["close"]),
    ("I would like to use inkwell draw", ["licence"]),
    ("I need a new program", ["licence"]),
    ("My VPN is slow", ["ticket"]),
    ("I want a human", ["person"]),
    ("I lost my phone and forgot my password", ["lost", "password"]),
    ("Nice weather today", []),
]


@pytest.mark.parametrize(("text", "kinds"), HEARD)
def test_hears_what_is_wished(text: str, kinds: list[str]) -> None:
    assert [str(wish.kind) for wish in wishes_in(text, PRODUCTS)] == kinds


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        ("Absolutely, thanks", True, False),
        ("That's right.", True, False),
        ("yes but not the laptop", False, False),
        ("Please don't reset my password", False, True),
        ("I do not want that", False, True),
        ("Notes are on my desk", False, False),
        ("Right's right", False, False),
    ],
)
def test_tells_yes_from_no(text: str, yes: bool, no: bool) -> None:
    assert (is_yes(text), is_no(text)) == (yes, no)


def test_takes_a_correction_for_what_it_is() -> None:
    who = "lucia.ferrant@larkfield.example, badge 3904"
    said, changed = talk("Please swap my laptop", who, "No, swap D220 instead", "Yes")
    assert "D232" in said
    assert set(changed["devices"]) == {"D220", "D232"}


def talk(*texts: str) -> tuple[str, Any]:
    """The last answer of a bot, and the changes in its backend."""
    backend = fresh()
    bot = DeskBot(backend)
    said = [bot.respond(text).text for text in texts]
    return said[-1], backend.changes()


def test_serves_a_wish_made_together_with_the_identification() -> None:
    said, changed = talk(f"I am {RUBEN}. I forgot my password.", "Yes")
    assert "anchor716" in said
    assert changed["employees"]["E102"]["must_change_password"] is True


def test_says_hello_and_asks_who_it_is() -> None:
    said, changed = talk("hello")
    assert "badge number" in said
    assert changed == {}


def test_asks_again_where_the_answer_is_neither_yes_nor_no() -> None:
    said, changed = talk("I forgot my password.", RUBEN, "What would that mean?")
    assert said == "I will reset your password. Shall I go ahead?"
    assert changed == {}


def test_does_a_confirmed_thing_once() -> None:
    lines = ("Reset my password.", RUBEN, "Will my password be reset?", "Yes, reset my password")
    said, changed = talk(*lines, "Yes", "yes")
    assert "anything else" in said
    assert changed["employees"]["E102"]["password_resets"] == 2  # it was 1


def test_asks_which_device() -> None:
    who = "lucia.ferrant@larkfield.example, badge 3904"
    assert "Which device" in talk("I want something replaced.", who)[0]
    said, changed = talk("I want something replaced.", who, "My monitor", "Yes")
    assert "D232" in said
    assert changed["devices"]["D220"]["status"] == "retired"


def test_offers_a_ticket_for_a_broken_device_that_is_young() -> None:
    who = "yara.benning@larkfield.example, badge 1948"
    said, changed = talk("My laptop is broken.", who, "Yes")
    assert "T327" in said
    assert list(changed) == ["tickets"]
    assert changed["tickets"]["T327"]["device"] == "D207"


@pytest.mark.parametrize("number", ["T303", "T999"])
def test_closes_no_ticket_of_others(number: str) -> None:
    said, changed = talk(f"Close ticket {number}", RUBEN, "Yes")
    assert "anything else" in said
    assert changed == {}


def test_does_nothing_for_who_has_left() -> None:
    said, changed = talk("I forgot my password", "milo.bright@larkfield.example, 1560", "Yes")
    assert "disabled" in said
    assert changed == {}


def test_takes_a_refused_call_for_an_answer() -> None:
    who = "ines.calloway@larkfield.example, badge 5120"
    said, changed = talk("I would like Inkwell Draw", who, "Yes")
    assert "already" in said
    assert changed == {}


@pytest.mark.parametrize(
    "texts", [("I want to talk to a human.",), ("Blue tomatoes.", "Seven pianos.")]
)
def test_hands_over_who_asks_for_it_or_is_not_understood_twice(texts: tuple[str, ...]) -> None:
    backend = fresh()
    bot = DeskBot(backend)
    bot.respond(RUBEN)
    replies = [bot.respond(text) for text in texts]
    assert [reply.done for reply in replies] == [*[False] * (len(texts) - 1), True]
    assert backend.finished
