"""What players are called in results: nothing of where on this machine they are."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.integration.case import Case, Played
from pytest_todeval.integration.players import about, bot_name, name_of, user_name
from pytest_todeval.integration.shards import SHARD
from pytest_todeval.simulation.agenda.user import AgendaUser


class Bot:
    """One with a model of its own."""

    def __init__(self, model: object = "") -> None:
        self.model = model


def respond(text: str) -> str:
    return text


def item(**params: Any) -> Any:
    config = SimpleNamespace(stash={})
    callspec = SimpleNamespace(params=params)
    return SimpleNamespace(callspec=callspec, config=config, get_closest_marker=lambda _: None)


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        (Bot, "Bot"),
        (Bot(), "Bot"),
        (Bot("small"), "Bot small"),
        (Bot(7), "Bot"),
        (respond, "test_players.respond"),
        ("http://me:secret@shop.example:8000/bot?key=secret#x", "http://shop.example:8000/bot"),
        ("http://127.0.0.1:8123/bot", "http://127.0.0.1/bot"),
        ("https://localhost:8123", "https://localhost"),
        ("http://localhosts:8123", "http://localhosts:8123"),
    ],
)
def test_bots(bot: object, name: str) -> None:
    assert bot_name(item(), bot) == name_of(bot) == name
    assert bot_name(SimpleNamespace(), bot) == name  # type: ignore[arg-type]


def test_a_parameter_tells_bots_of_one_class_apart() -> None:
    assert bot_name(item(tod_system="small"), Bot()) == "Bot [small]"
    assert bot_name(item(tod_system=0.5), Bot()) == "Bot [0.5]"
    assert bot_name(item(tod_system=Bot), Bot()) == "Bot"
    assert bot_name(item(tod_system=respond), Bot()) == "Bot [test_players.respond]"
    assert bot_name(item(tod_system="x" * 70), Bot()) == f"Bot [{'x' * 60}]"


def test_users() -> None:
    def name(user: object, style: str) -> str:
        play: Any = SimpleNamespace(how=SimpleNamespace(user_style=style))
        return user_name(item(), user, play)

    agenda = AgendaUser.__new__(AgendaUser)
    assert name(Bot(), "terse") == "Bot"
    assert name(agenda, "plain") == "AgendaUser"
    assert name(agenda, "terse") == "AgendaUser terse"
    planned = Bot()
    vars(planned)["strategy"] = SimpleNamespace(name="single")
    assert name(planned, "terse") == "Bot single"


def test_what_the_numbers_of_a_dialogue_rest_on() -> None:
    played = Played(SimpleNamespace())  # type: ignore[arg-type]
    played.players = {"bots": {"b": "shop.Bot"}, "users": {"u": "x.User"}, "judges": {}}
    entry = {"calls": {"system": {"models": {"small", "large"}}}}
    plain = item()
    assert about(plain, played, entry) == {
        "bots": {"b": {"class": ["shop.Bot"], "models": ["large", "small"]}},
        "users": {"u": {"class": ["x.User"], "models": []}},
        "judges": {},
        "limits": {},
        "ear": [],
        "selections": {},
    }
    played.limits, played.variation, played.ear = {"turns": 5}, "easy 1", "model"
    goal = Goal("1", "own", ())
    held = item(goal=Case(goal, SimpleNamespace(name="own"), 0, {"limit": 3, "seed": None}))  # type: ignore[arg-type]
    held.config.stash[SHARD] = {"1/2": {}}
    found = about(held, played, entry)
    assert found["users"]["u"]["variation"] == ["easy 1"]
    assert (found["limits"], found["ear"]) == ({"turns": [5]}, ["model"])
    assert (found["selections"], found["shards"]) == ({"own": [{"limit": 3}]}, {"1/2": {}})
