"""Who played and judged a dialogue, and what else its numbers rest on."""

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.integration.case import Played, case_of, parameters_of
from pytest_todeval.integration.matrix import system_called, user_called
from pytest_todeval.integration.shards import SHARD

if TYPE_CHECKING:
    from pytest_todeval.play.play import Play

LANES = {"bots": Lane.SYSTEM, "users": Lane.USER, "judges": Lane.JUDGE}
LONGEST_PARAMETER = 60


def bot_name(item: pytest.Item, tod_system: object) -> str:
    """What the bot is called: its class or function, with its model; an address without secrets.

    If the fixture is parametrized, its parameter tells bots of one class apart.
    """
    if (called := system_called(item)) is not None:
        return called
    given = parameters_of(item)
    name = name_of(tod_system)
    if "tod_system" not in given:
        return name
    value = given["tod_system"]
    told = value if isinstance(value, str | int | float) else name_of(value)
    return name if str(told) == name else f"{name} [{str(told)[:LONGEST_PARAMETER]}]"


def user_name(item: pytest.Item, user: object, play: "Play") -> str:
    """Returns what the user is called: its class, with the style or strategy that it plays in.

    In a matrix, what that calls it.
    """
    if (called := user_called(item)) is not None:
        return called
    strategy = getattr(getattr(user, "strategy", None), "name", None)
    if isinstance(strategy, str):
        return f"{name_of(user)} {strategy}"
    style = play.how.user_style
    own = type(user).__module__.startswith("pytest_todeval.simulation.agenda")
    return f"{name_of(user)} {style}" if own and style != "plain" else name_of(user)


def about(item: pytest.Item, played: Played, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what the numbers of a dialogue rest on, as the results file has it.

    `bots`, `users` and `judges` by name, each with its class and the models it asked, `limits`,
    `ear`, how the goals were chosen, by goal set, and of a shard what it plans.
    """
    found: dict[str, Any] = {
        kind: {
            name: {"class": [defined], "models": _models(entry, LANES[kind])}
            for name, defined in names.items()
        }
        for kind, names in played.players.items()
    }
    for told in found["users"].values() if played.variation else ():
        told["variation"] = [played.variation]
    case = case_of(item)
    given = {} if case is None else case.selection or {}
    chosen = {name: value for name, value in given.items() if value is not None}
    return {
        **found,
        "limits": {name: [value] for name, value in played.limits.items()},
        "ear": [played.ear] if played.ear else [],
        "selections": {} if case is None else {case.goal_set.name: [chosen]},
        **({"shards": shard} if (shard := item.config.stash.get(SHARD, None)) else {}),
    }


def _models(entry: Mapping[str, Any], lane: Lane) -> list[str]:
    return sorted(entry.get("calls", {}).get(lane.value, {}).get("models", ()))


def name_of(player: object) -> str:
    """A name that says nothing of where in memory, on disk or on this machine the player is."""
    if isinstance(player, str):
        parts = urlsplit(player)
        bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        return re.sub(r"^(https?://(?:127\.0\.0\.1|localhost)):[0-9]+", r"\1", bare)
    name = getattr(player, "__name__", type(player).__name__)
    if inspect.isfunction(player):
        name = f"{player.__module__.rpartition('.')[2]}.{name}"
    model = getattr(player, "model", None)
    return f"{name} {model}" if isinstance(model, str) and model else str(name)
