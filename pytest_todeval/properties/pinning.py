"""The smallest goal that fails, in words, and the lines that keep it as a test."""

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.entry import goal_entry
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.play.conversation import PLAIN, DrawnConversation
from pytest_todeval.properties.source import set_of
from pytest_todeval.worlds.files.world import FileWorld


def pinned(smallest: DrawnConversation, how: str, drawn: Mapping[str, Any]) -> list[str]:
    """What a person needs of it. `how` says how it was found; `drawn` what `@given` drew, if so."""
    return [*goal_text(smallest.goal).split("\n"), *_manner(smallest), how, *_pins(smallest, drawn)]


def _manner(smallest: DrawnConversation) -> Iterator[str]:
    if smallest.style != PLAIN:
        yield f"The user's style: {smallest.style}."
    if smallest.noise:
        yield f"What the bot hears of it: {smallest.noise}."
    yield from (f"In {fault}." for fault in smallest.faults)


def _pins(smallest: DrawnConversation, drawn: Mapping[str, Any]) -> Iterator[str]:
    goal, goals = smallest.goal, set_of(smallest.goal)
    entry = json.dumps({k: v for k, v in goal_entry(goal).items() if v or k == "id"})
    world = None if goals is None else goals.world
    if isinstance(world, FileWorld):
        file, source = world.path.name, ""
    else:
        file, source = "pinned.yaml", f" --database {goal.source}"
    yield "to keep it:"
    yield f"  todeval goals add {file} {shlex.quote(entry)}{source}"
    if smallest.style != PLAIN or smallest.noise:
        told = [f"user_style={smallest.style!r}"] if smallest.style != PLAIN else []
        told += [f"variation={smallest.noise!r}"] if smallest.noise else []
        yield f"  and over its test: @pytest.mark.todeval({', '.join(told)})"
    for name, value in drawn.items():
        if isinstance(value, Goal | DrawnConversation):
            only = ".goal" if isinstance(value, Goal) else ""
            others = "".join(f", {n}={v!r}" for n, v in drawn.items() if n != name)
            yield f"or over this test: @example({name}={smallest!r}{only}{others})"
