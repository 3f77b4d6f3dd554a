"""Write a first suite for the bot of a project: it is looked at, never imported or run."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.commands.output import say
from pytest_todeval.errors import UsageError
from pytest_todeval.start.drafts.wish import EXAMPLE, UserWish, read_wish
from pytest_todeval.start.found_bot import FoundBot
from pytest_todeval.start.keys import keys_of
from pytest_todeval.start.looking import bots_in, url_bot
from pytest_todeval.start.project import modules_of
from pytest_todeval.start.suite import CI, Suite, write

NONE = "none"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the folder, and a flag for each question."""
    parser.add_argument(
        "project", nargs="?", type=Path, default=Path(), metavar="DIR", help="the project (.)"
    )
    parser.add_argument(
        "--bot", metavar="BOT", help="name or file of the bot, its URL, or none (the first found)"
    )
    parser.add_argument(
        "--wish", metavar="TEXT", help=f"what a user wants from it, e.g. '{EXAMPLE}'"
    )
    parser.add_argument("--ci", choices=[*CI, NONE], help="where merges are gated (by the project)")
    parser.add_argument("--tests", metavar="FOLDER", help="where the tests go (dialogues)")
    parser.add_argument("--yes", action="store_true", help="ask nothing, also at a terminal")


def run(arguments: argparse.Namespace) -> int:
    """Asks what no flag says, if somebody is there to ask; write; say what comes next.

    Raises UsageError if the person must act.
    """
    root = arguments.project.resolve()
    found = bots_in(root)
    asks = sys.stdin.isatty() and not arguments.yes
    bot = _bot(arguments.bot, found, asks)
    wish = _wish(arguments.wish, bot, asks)
    ci = arguments.ci or _ask("Where are merges gated", [*CI, NONE], _ci(root), asks)
    if ci not in (*CI, NONE):
        raise UsageError(f"{ci!r:.60}: expected {', '.join(CI)} or {NONE}")
    folder = _folder(arguments.tests or _ask("Folder for the tests", [], _tests(root), asks))
    keys = keys_of(modules_of(root)) if bot else []
    suite = Suite(root, folder, bot, wish, ci, keys)
    say([f"bot: {bot if bot else 'none yet: bot.py is one to start from'}"])
    for line in write(list(suite.files())):
        say([line.replace(f"{root}/", "")])
    say(_next(suite))
    return 0


def _bot(given: str | None, found: Sequence[FoundBot], asks: bool) -> FoundBot | None:
    if given is None and asks:
        say([f"  {at}. {bot}" for at, bot in enumerate(found, 1)])
        default = "1" if found else NONE
        given = _ask("Which bot: a number, a URL or none", [], default, asks)
        if given.isdigit() and 0 < int(given) <= len(found):
            return found[int(given) - 1]
    if given is None:
        return found[0] if found else None
    if given == NONE:
        return None
    if given.startswith(("http://", "https://")):
        return url_bot(given)
    chosen = next((bot for bot in found if given in (bot.name, bot.place.partition(":")[0])), None)
    if chosen is None:
        known = "; ".join(map(str, found)) or "none"
        raise UsageError(
            f"there is no bot {given!r:.100}; expected a URL, none, or one of: {known}"
        )
    return chosen


def _wish(given: str | None, bot: FoundBot | None, asks: bool) -> UserWish | None:
    own = next((wish for tool in (bot.tools if bot else ()) if (wish := tool.wish)), None)
    if given is None and asks:
        shown = own.line if own else "nothing yet, just say hello"
        say([f"  a user's wish, e.g. {EXAMPLE}"])
        given = _ask("What does a user want from it", [], shown, asks)
        given = None if given == shown else given
    if not given:
        return own
    wish = read_wish(given)
    if wish.left:
        say([f"not used of the wish: {wish.left} (write it as slot=value, as in: {EXAMPLE})"])
    return wish


def _ask(question: str, choices: Sequence[str], default: str, asks: bool) -> str:
    if not asks:
        return default
    listed = f" ({', '.join(choices)})" if choices else ""
    try:
        return input(f"{question}{listed} [{default}]: ").strip() or default
    except EOFError:
        return default


def _ci(root: Path) -> str:
    """Returns where the project seems to be merged."""
    config = root / ".git" / "config"
    remote = config.read_text(encoding="utf-8", errors="replace") if config.is_file() else ""
    return "gitlab" if "gitlab" in remote or (root / ".gitlab-ci.yml").exists() else "github"


def _tests(root: Path) -> str:
    return "tests/dialogues" if (root / "tests").is_dir() else "dialogues"


def _folder(text: str) -> str:
    path = Path(text)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise UsageError(f"--tests {text!r:.100}: expected a folder in the project, e.g. dialogues")
    return path.as_posix()


def _next(suite: Suite) -> list[str]:
    asks_model = bool(suite.keys) or bool(suite.bot and suite.bot.asks_model)
    lines = ["", "Next:"]
    if asks_model:
        lines.append(f"  pytest {suite.folder} --todeval-record=missing   # asks the models, once")
    lines.append(
        f"  pytest {suite.folder}" + ("   # replays: no key, no network" if asks_model else "")
    )
    lines.append(f'  todeval goals new "cancel booking: id=AB12" --into {suite.folder}/goals.yaml')
    return lines
