"""What people find on the page: by clicks, on paper, by a screen reader; and what is marked."""

from pathlib import Path

import pytest

from tests.browser.test_report_in_chromium import VIEWS, page, written
from tests.support.browser import Browser
from tests.support.page_world import entry_of, run_of

__all__ = ["page"]

NAMED = {"button", "link", "textbox", "searchbox", "combobox", "image", "dialog"}
"""Roles of what has to have a name."""
REPLY = "I have booked the Rose House. It is for 5 people at 15.30. Anything else?"
ANSWERS = {
    "what broke since main": (1, "Broke (6)"),
    "why": (0, "the bot says it is booked, but the backend holds no such booking"),
    "is it chance": (1, "Worse, and more than chance"),
    "what did it cost": (0, "Cost per dialogue"),
    "play it again": (1, "pytest 'test_hotel.py::test_books[demo/D000]'"),
}
"""By question: clicks from the first look, and what then stands there."""
WAYS = {
    "what broke since main": "[...document.links].find(e => e.innerText.includes('broke')).click()",
    "is it chance": "[...document.links].find(e => e.innerText.includes('broke')).click()",
    "play it again": "document.querySelector('.excerpt a').click()",
}


@pytest.mark.parametrize("question", ANSWERS)
def test_the_page_answers_in_a_click(window: Browser, page: str, question: str) -> None:
    clicks, answer = ANSWERS[question]
    window.open(page)
    for _ in range(clicks):
        window.run(WAYS[question])
    window.wait(f"return document.body.innerText.includes({answer!r})")


@pytest.mark.parametrize(
    ("reason", "marked"),
    [
        ("says the hotel is booked, but the backend holds no such booking", "I have booked the"),
        ("books for people '5', which was never said; the user said '4'", "It is for 5 people"),
        ("told '15.30', which nothing shows", "It is for 5 people at 15.30."),
        ("said nothing of the kind", ""),
    ],
)
def test_the_sentence_that_breaks_a_rule_is_marked(
    window: Browser, tmp_path: Path, reason: str, marked: str
) -> None:
    rules = {"r": [{"turn": 1, "value": 0, "reason": reason}]}
    now = run_of(entry_of("A", replies=(REPLY,), rules=rules))
    window.open(f"{written(tmp_path, now)}#dialogue=demo/A")
    window.wait("return document.querySelector('.finding.bad') !== null")
    assert window.text("mark").startswith(marked)
    assert bool(window.text("mark")) == bool(marked)


def test_it_can_be_printed_from_a_dark_screen(window: Browser, page: str) -> None:
    cut_off = (
        "return [...document.querySelectorAll('main, main :not(.hidden)')].filter(e => "
        "e.clientHeight && e.scrollHeight > e.clientHeight + 1 "
        "&& getComputedStyle(e).overflowY !== 'visible')"
        ".map(e => e.tagName + '.' + e.className)"
    )
    for route in (*(f"view={view}" for view in VIEWS), "dialogue=demo/D000&turn=2"):
        window.look(width=800, dark=True, printed=True)
        window.open(f"{page}#{route}")
        window.run("document.querySelector('[aria-label^=Theme]').click()")
        height = window.run("return document.querySelector('nav').clientHeight")
        assert (route, height) == (route, 0)
        ink = window.run("return getComputedStyle(document.querySelector('h1')).color")
        assert (route, ink) != (route, "rgb(232, 233, 238)")  # bright ink is of a dark page
        assert (route, window.run(cut_off)) == (route, [])
    window.look(width=1400, dark=False)


def test_a_screen_reader_is_told_what_there_is(window: Browser, page: str) -> None:
    for view in VIEWS:
        window.open(f"{page}#view={view}")
        told = window.spoken()
        roles = [role for role, _ in told]
        assert (view, [role for role, name in told if role in NAMED and not name]) == (view, [])
        assert {"banner", "main"} <= set(roles)
        assert ("navigation", "Views") in told
        assert roles.count("heading") >= 1
        assert roles.count("columnheader") >= roles.count("table")
    window.open(f"{page}#dialogue=demo/D000&turn=2")
    window.wait("return document.querySelector('#turn-2') !== null")
    words = [name for role, name in window.spoken() if role == "StaticText"]
    assert words.index("decisive turn") < words.index("It is booked for friday.")
    assert words.count("user") == words.count("bot") == 2
    assert " failed" in words
