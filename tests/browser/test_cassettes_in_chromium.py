"""Cassettes with their differences, as `todeval view` shows them."""

import threading
from pathlib import Path

from pytest_todeval.commands.cassette_page import ShownCassettes
from pytest_todeval.commands.view import server_of
from pytest_todeval.runs.reports.results import write_results
from tests.support.browser import Browser
from tests.support.hostile_pages import hostile_pages
from tests.support.page_world import mixed_run
from tests.support.recorded_calls import chat
from tests.unit.commands.test_cassette_page import write

TEST = "test_hotel.py::test_books[demo/D000]"
ROWS = "return [...document.querySelectorAll('tbody th a')].map(e => e.innerText)"


def test_what_has_changed_is_found_read_and_led_to(window: Browser, tmp_path: Path) -> None:
    write_results(tmp_path / "results.json", mixed_run(4))
    for name, words in (("now", "park"), ("before", "mill")):
        write(tmp_path / name, "same", chat("x"), test="test_hotel.py::test_same")
        write(tmp_path / name, "hotel", chat(f"a room near the {words}"), test=TEST)
    shown = ShownCassettes(tmp_path / "now", tmp_path / "before")
    with server_of([tmp_path / "results.json"], cassettes=shown) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        window.open(f"{server.address}#view=cassettes")
        window.wait(f"return (() => {{ {ROWS} }})().length === 2")
        assert window.run(ROWS) == [TEST, "test_hotel.py::test_same"]
        assert "1 with differences" in window.text("[role=status]")
        window.run("document.querySelector('tbody th a').click()")
        window.wait("return document.querySelector('ins') !== null")
        assert (window.text("del"), window.text("ins")) == ("mill", "park")
        assert window.text("details[open]").count("a room near the park") == 2
        assert window.kept_out() == []
        window.open(f"{server.address}#dialogue=demo/D000")
        window.run("[...document.links].find(e => e.innerText.includes('recorded of it')).click()")
        window.wait(f"return (() => {{ {ROWS} }})().length === 1")
        assert window.run(ROWS) == [TEST]
        assert window.errors() == []
        server.shutdown()


def test_hostile_cassettes_are_words_alone(window: Browser, tmp_path: Path) -> None:
    texts = hostile_pages("http://127.0.0.1:9")
    write(tmp_path / "now", "a", *(chat(text[:3000]) for text in texts), test=texts[0][:200])
    write(
        tmp_path / "before", "a", *(chat(f"{text[:3000]} x") for text in texts), test=texts[0][:200]
    )
    with server_of([], cassettes=ShownCassettes(tmp_path / "now", tmp_path / "before")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        window.open(f"{server.address}#view=cassettes&cassette=a.todeval.jsonl")
        window.wait("return document.querySelectorAll('.recorded').length > 70")
        odd = (
            "return [...document.querySelectorAll('.told *')].map(e => e.tagName)"
            ".filter(e => !['P', 'STRONG', 'INS', 'DEL', 'BUTTON'].includes(e))"
        )
        assert window.run(odd) == []
        assert window.run("return window.owned") is None
        assert window.errors() == []
        server.shutdown()
