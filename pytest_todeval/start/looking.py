"""All bots of a project, the likeliest first."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pytest_todeval.start.agents import agents_in
from pytest_todeval.start.found_bot import FoundBot
from pytest_todeval.start.http_apps import apps_in
from pytest_todeval.start.plain_bots import plain_bots_in
from pytest_todeval.start.project import modules_of
from pytest_todeval.start.tools import tools_in

MOST_SHOWN = 9


def bots_in(root: Path) -> Sequence[FoundBot]:
    """Returns the bots of a project, by reading its files; nothing is imported or run."""
    modules = modules_of(root)
    found = [*plain_bots_in(modules), *apps_in(modules, root), *agents_in(modules)]
    unique = {(bot.name, bot.place.partition(":")[0], bot.what): bot for bot in reversed(found)}
    tools = tools_in(modules)
    ordered = sorted(unique.values(), key=lambda bot: (bot.rank, bot.place, bot.name))
    return [replace(bot, tools=tools) for bot in ordered][:MOST_SHOWN]


def url_bot(url: str) -> FoundBot:
    """Returns a bot that runs elsewhere."""
    return FoundBot(
        f"a bot at {url}", "the bot", "", f'return HttpSystem("{url}")',
        ["from pytest_todeval import HttpSystem"],
    )  # fmt: skip
