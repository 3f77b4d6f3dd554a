"""Servers that go wrong: whose the outcome is, and what the person reads."""

import re

import pytest

from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.schema import DialogueEntry
from tests.http_bots.desk import BROKEN, DeskServer
from tests.plugin.conftest import run

CONFTEST = """
import os
import pytest

BROKEN = {broken!r}

@pytest.fixture(scope="session", params=BROKEN)
def tod_system(request):
    return os.environ["DESK_URL"] + "/" + request.param + "/chat?key=s3cr3t-of-the-desk"
"""
TEST = """
import pytest

@pytest.mark.goals("demo", domains=["hotel"], limit=1)
def test_it(dialogue):
    assert dialogue.turns
"""
IN_TIME = "--todeval-turn-timeout=0.5"
LATE = f"longer than 0.5 s while the bot at .* answered in turn 1. The limit comes from {IN_TIME}"
TOLD = {
    "traceback": ("failed", "answered 500 Internal Server Error: .*KeyError: 'friday'"),
    "proxy": ("infrastructure", "answered 502 Bad Gateway: .*502 Bad Gateway"),
    "stranger": ("infrastructure", "answered 401 Unauthorized.*Who are you.*Bearer"),
    "misread": ("failed", "answered 422 Unprocessable Entity.*Field required"),
    "page": ("failed", "is a web page, expected JSON or plain text; is the URL that of the bot"),
    "moved": ("failed", "answered 307 Temporary Redirect.*http://127.*/elsewhere/chat: give"),
    "empty": ("failed", "the bot answered with nothing in turn 1"),
    "no_text": ("failed", 'expected an object with "text".*answer'),
    "list": ("failed", 'is list, expected an object with "text"'),
    "half": ("failed", "claims to be JSON and is not"),
    "deep": ("failed", "JSON"),
    "bomb": ("failed", "is longer than 10000000 bytes"),
    "latin": ("failed", "is not utf-8: byte 12 is 0xfc"),
    "brotli": ("failed", "is encoded as br"),
    "huge": ("failed", "is longer than 10000000 bytes"),
    "hangs": (
        "infrastructure",
        LATE,
    ),
    "drips": (
        "infrastructure",
        LATE,
    ),
    "cut": ("infrastructure", "broke off: the connection ended in the middle of its answer"),
    "drops": ("infrastructure", "closed the connection without an answer"),
    "stream_cut": ("infrastructure", "ended after 1 events without `data: \\[DONE\\]`"),
    "event_cut": ("infrastructure", "ended after 1 events without `data: \\[DONE\\]`"),
    "stream_error": ("failed", "streamed an error: .*out of memory"),
    "stream_of_nothing": ("failed", "is a stream: none of its 1 events has text.*reply=lambda"),
}


@pytest.mark.thorough
def test_each_failure_has_its_owner_and_says_what_came(
    pytester: pytest.Pytester, desk: DeskServer
) -> None:
    pytester.makeconftest(CONFTEST.format(broken=[*BROKEN]))
    pytester.makepyfile(test_desk=TEST)
    told: dict[str, DialogueEntry] = {}
    printed = ""
    for chosen in (["-k", "not hangs and not drips"], ["-k", "hangs or drips", IN_TIME]):
        result = run(pytester, *chosen, "-p", "no:xdist", "--todeval-json=r.json")
        found = read_results(pytester.path / "r.json")["dialogues"]
        told |= {entry["test"].partition("[")[2].partition("-")[0]: entry for entry in found}
        printed += result.stdout.str()
    assert sorted(told) == sorted(TOLD) == sorted(BROKEN)
    for name, (owner, words) in TOLD.items():
        assert told[name]["outcome"] == owner, (name, told[name]["detail"])
        assert re.search(words, told[name]["detail"]), (name, told[name]["detail"])
    assert "s3cr3t-of-the-desk" not in printed
    assert "pytest_todeval/" not in printed
