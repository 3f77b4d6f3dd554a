"""A pytest plugin for `todeval chat` and `todeval play`: a person takes part in one dialogue.

Loaded by these commands alone (`-p pytest_todeval.integration.chat`). The bot and its backend are
found as in any run: by the fixtures of one test of the suite, whose body is not run.
"""

from collections.abc import Generator
from typing import Any

import pytest

from pytest_todeval.integration.case import CHAT, PLAYED, Case, case_of
from pytest_todeval.integration.chat.chat import Chat
from pytest_todeval.integration.chat.screen import Screen, make_screen

OPTIONS = {
    "goal": "the goal to play",
    "plays": "`yes`: the simulated user begins",
    "plain": "`yes`: lines of text, whatever the terminal can do",
    "pace": "seconds between turns of the simulated user",
    "save_test": "a file for the dialogue as a scripted test",
    "save_goal": "a goal file to add its goal to",
}
_NOT_APPROVED = 1


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("chat")
    for name, text in OPTIONS.items():
        group.addoption(f"--chat-{name.replace('_', '-')}", dest=f"chat_{name}", help=text)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    given = {name: config.getoption(f"chat_{name}") for name in OPTIONS}
    screen = make_screen(plain=given["plain"] == "yes")
    config.stash[CHAT] = Chat(screen, given)
    config.pluginmanager.unregister(name="todeval-reporter")  # what it says is about whole runs


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str]:
    """Returns the dialogue speaks for itself: no dots."""
    return "", "", ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps one test: that of the goal asked for, else the first that plays a dialogue."""
    cases = [(item, case) for item in items if (case := _playable(item)) is not None]
    wanted = config.getoption("chat_goal")
    found = [item for item, case in cases if wanted in (None, case.goal.id, case.goal.name)]
    if not found and not config.getoption("collectonly"):
        known = ", ".join(dict.fromkeys(case.goal.name for _, case in cases)) or "none"
        what = "a dialogue" if wanted is None else f"the goal {wanted!r:.100}"
        raise pytest.UsageError(
            f"no test here plays {what}. Goals of the tests: {known:.600}. `todeval init` writes a "
            "first test"
        )
    items[:] = found[:1]


def _playable(item: pytest.Item) -> Case | None:
    return case_of(item) if "dialogue" in getattr(item, "fixturenames", ()) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """In place of the test's body: what is to be said of the dialogue."""
    chat = pyfuncitem.config.stash[CHAT]
    dialogue: Any = pyfuncitem.funcargs["dialogue"]
    chat.tell_verdicts(dialogue, _judge(pyfuncitem))
    chat.save(dialogue, pyfuncitem)
    return True


def _judge(item: pytest.Function) -> Any:
    return item._request.getfixturevalue("judge")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Returns what went wrong is told, as pytest's own sections are left out."""
    report = yield
    chat: Chat = item.config.stash[CHAT]
    if report.failed and not (chat.approved is not None and PLAYED in item.stash):
        chat.failed = True
        chat.screen.write("error", str(report.longreprtext).strip().splitlines()[-30:])
    return report


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        Screen().write("error", report.longreprtext.splitlines()[-30:])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    chat = session.config.stash.get(CHAT, None)
    if chat is None or session.exitstatus not in (pytest.ExitCode.OK, _NOT_APPROVED):
        return
    wrong = chat.failed or (chat.given["plays"] == "yes" and not chat.approved)
    session.exitstatus = _NOT_APPROVED if wrong else pytest.ExitCode.OK
