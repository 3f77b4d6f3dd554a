"""The page as people use it, in a real browser."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_todeval.commands.view import server_of
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.viewer.page import write_page
from pytest_todeval.runs.viewer.run_data import Shown
from tests.support.browser import Browser
from tests.support.hostile_pages import hostile_pages
from tests.support.page_world import entry_of, mixed_run, run_of

VIEWS = ("overview", "failures", "dialogues", "charts", "comparison", "about")
ROWS = "return document.querySelectorAll('table.list tbody tr').length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    now, before = mixed_run(), run_of(*(entry_of(f"D{place:03}") for place in range(12)))
    ruling = Ruling(
        decide(["booking >= 0.9"], now["dialogues"]), compare_runs(before, now), "main.json"
    )
    return written(tmp_path_factory.mktemp("page"), now, ruling, before)


def written(
    folder: Path, now: Results, ruling: Ruling | None = None, before: Results | None = None
) -> str:
    path = folder / "report.html"
    write_page(path, Shown(now, "a run", ruling, before))
    return path.as_uri()


def test_the_first_look_says_what_failed_and_why(window: Browser, page: str) -> None:
    window.open(page)
    assert window.text("h1") == "Failed"
    assert "booking >= 0.9 does not hold" in window.text(".verdict")
    causes = window.run("return [...document.querySelectorAll('.causes li')].map(e => e.innerText)")
    assert [" ".join(cause.split()) for cause in causes] == [
        "3 booking booked …, whose day is …; the goal wants …",
        "3 booking the bot says it is booked, but the backend holds no such booking",
    ]
    assert window.errors() == []


@pytest.mark.parametrize(
    ("route", "left"),
    [
        ("view=dialogues", 12),
        ("view=dialogues&outcome=failed", 6),
        ("view=dialogues&q=no+such+booking", 3),
        ("view=dialogues&q=user+says+2", 12),
        ("view=dialogues&q=D003", 1),
        ("view=dialogues&group=0", 3),
        ("view=dialogues&q=nothing+of+the+kind", 0),
    ],
)
def test_a_link_filters_and_searches(window: Browser, page: str, route: str, left: int) -> None:
    window.open(f"{page}#{route}")
    window.wait(f"return (() => {{ {ROWS} }})() === {left}")
    assert window.text("[role=status]").startswith(f"{left} dialogue")


def test_typing_searches_and_the_address_keeps_it(window: Browser, page: str) -> None:
    window.open(f"{page}#view=overview")
    window.press("/")
    window.wait("return document.activeElement.id === 'search'")
    window.press(*"d007")
    window.wait(f"return (() => {{ {ROWS} }})() === 1")
    assert window.run("return location.hash") == "#view=dialogues&q=d007"


def test_columns_sort(window: Browser, page: str) -> None:
    window.open(f"{page}#view=dialogues")
    window.run("[...document.querySelectorAll('.sort')].find(e => e.innerText == 'goal').click()")
    window.wait("return document.querySelector('[aria-sort=ascending]').innerText[0] === 'g'")
    assert window.text("table.list tbody th") == "D000"
    window.run("[...document.querySelectorAll('.sort')].find(e => e.innerText[0] == 'g').click()")
    window.wait("return document.querySelector('table.list tbody th').innerText === 'D011'")
    assert window.run("return document.querySelector('[aria-sort=descending]').innerText[0]") == "g"


def test_a_deep_link_shows_the_turn(window: Browser, page: str) -> None:
    window.open(f"{page}#dialogue=demo/D000&turn=2")
    window.wait("return document.querySelector('#turn-2') !== null")
    assert "decisive turn" in window.text("#turn-2.decisive")
    assert "booking failed" in window.text("#turn-2")
    assert window.text("#turn-2 mark") == "It is booked for friday."
    assert "pytest 'test_hotel.py::test_books[demo/D000]'" in window.text(".command code")
    pinned = window.run("return document.querySelectorAll('.command code')[1].innerText")
    assert pinned.endswith("def test_demo_d000(dialogue):\n    assert dialogue.booking")
    assert window.text("tr.differs") == "day\tmonday\tfriday"


def test_an_unknown_dialogue_is_said_to_be_unknown(window: Browser, page: str) -> None:
    window.open(f"{page}#dialogue=demo/NONE")
    assert window.text("h1") == "No such dialogue"


def test_keys_lead_through_the_page(window: Browser, page: str) -> None:
    window.open(f"{page}#view=overview")
    steps = {"2": "#view=failures", "n": "#view=failures&group=0", "3": "#view=dialogues"}
    for key, route in steps.items():
        window.press(key)
        window.wait(f"return location.hash === '{route}'")
    window.wait(f"return (() => {{ {ROWS} }})() === 12")
    window.press("j")
    window.wait("return location.hash.includes('dialogue=demo/D000')")
    window.wait("return document.querySelector('h1').innerText.startsWith('D000')")
    window.press("j", "t")
    window.wait("return location.hash.includes('D001') && location.hash.includes('turn=2')")
    window.press("Escape")
    window.wait("return location.hash === '#view=dialogues'")
    window.press("?")
    window.wait("return document.querySelector('dialog[open]') !== null")


def test_the_earlier_dialogue_stands_beside(window: Browser, page: str) -> None:
    window.open(f"{page}#view=comparison")
    assert "6 broke and 0 were mended" in window.text(".verdict")
    window.run("document.querySelector('.flips a').click()")
    window.wait("return document.querySelector('button[aria-pressed]') !== null")
    window.run("document.querySelector('button[aria-pressed]').click()")
    window.wait("return document.querySelectorAll('.beside .chat').length === 2")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_nothing_keeps_people_out(window: Browser, page: str, width: int, dark: bool) -> None:
    window.look(width=width, dark=dark)
    for route in (*(f"view={view}" for view in VIEWS), "dialogue=demo/D000"):
        window.open(f"{page}#{route}")
        assert (route, window.kept_out()) == (route, [])
        over = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert (route, window.run(over)) == (route, 0)


def test_dark_mode_follows_the_system_and_the_button(window: Browser, page: str) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    window.look(width=1400, dark=True)
    window.open(page)
    dark = window.run(ground)
    window.run("document.querySelector('[aria-label^=Theme]').click()")
    window.wait(f"return (() => {{ {ground} }})() !== '{dark}'")
    window.look(width=1400, dark=False)


def test_plots_are_there_and_can_be_taken_along(window: Browser, page: str) -> None:
    window.open(f"{page}#view=charts")
    window.wait("return document.querySelectorAll('.plot [role=img]').length >= 5")
    window.run(
        "window.saved = []; HTMLAnchorElement.prototype.click = function () {"
        " fetched(this) }; window.fetched = (a) => saved.push(a.download);"
    )
    window.run("document.querySelectorAll('.plot .save button').forEach(e => e.click())")
    window.wait("return saved.filter(e => e.endsWith('.png')).length >= 5")
    assert window.run("return saved.filter(e => e.endsWith('.svg')).length") >= 5
    assert window.errors() == []


def test_tables_can_be_taken_along(window: Browser, page: str) -> None:
    window.open(f"{page}#view=comparison")
    window.run(
        "[...document.querySelectorAll('button')].find(e => e.innerText == 'tables').click()"
    )
    window.wait("return document.querySelector('dialog textarea') !== null")
    area = "return document.querySelector('dialog textarea').value"
    assert window.run(area).startswith("| value | before | now |")
    window.run("[...document.querySelectorAll('button')].find(e => e.innerText == 'LaTeX').click()")
    window.wait("return document.querySelector('dialog textarea').value.startsWith('\\\\begin')")
    assert "no worse by" in window.run(area) or "worse" in window.run(area)


class _Counting(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_error(404)


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Counting", (_Counting,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_address[1]}", asked
        found.shutdown()


def test_nothing_that_a_bot_says_runs_or_loads_or_breaks_the_page(
    window: Browser, tmp_path: Path, server: tuple[str, list[str]]
) -> None:
    address, asked = server
    texts = hostile_pages(address)
    assert len(texts) >= 80
    rule = [{"rule": "r", "says": "s", "turn": 1, "value": 0, "reason": ""}]
    entries = [
        entry_of(
            f"H{place:03}",
            replies=(said, said),
            wrong=said[:3000],
            bot=said[:300],
            detail=said[:3000],
            rules={said[:100]: [{**rule[0], "reason": said[:3000]}]},
            raised=said[:300],
        )
        for place, said in enumerate(texts)
    ]
    page = written(tmp_path, run_of(*entries))
    allowed = "MARK, BUTTON, EM"
    for place in range(len(texts)):
        window.open(f"{page}#dialogue=demo/H{place:03}")
        window.wait("return document.querySelectorAll('.bubble').length >= 4")
        odd = window.run(
            "return [...document.querySelectorAll('.bubble p *')].map(e => e.tagName)"
            f".filter(e => !'{allowed}'.includes(e))"
        )
        assert (texts[place][:60], odd) == (texts[place][:60], [])
        assert window.text("h1").startswith(f"H{place:03}")
        assert window.run("return document.querySelectorAll('main').length") == 1
    for view in VIEWS:
        if view != "comparison":
            window.open(f"{page}#view={view}")
            wide = "return document.documentElement.scrollWidth - innerWidth"
            assert (view, window.run(wide) <= 0) == (view, True)
    assert window.run("return window.owned") is None
    assert asked == []
    assert window.errors() == []


def test_a_page_that_is_cut_off_says_so(window: Browser, tmp_path: Path) -> None:
    page = Path(written(tmp_path, mixed_run()).removeprefix("file://"))
    whole = page.read_text(encoding="utf-8")
    page.write_text(whole.replace('id="index">', 'id="index">!'), encoding="utf-8")
    window.open(page.as_uri())
    assert window.text("h1") == "This report cannot be shown"


def test_a_run_that_is_on_is_followed(window: Browser, tmp_path: Path) -> None:
    lines = [json.dumps({"entry": entry}) + "\n" for entry in mixed_run(4)["dialogues"]]
    kept = tmp_path / "results.json.partial"
    kept.write_text(lines[0])
    with server_of([tmp_path / "results.json"]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        window.open(server.address)
        assert window.text("h1") == "Running: Failed"
        kept.write_text("".join(lines))
        window.wait("return document.querySelector('.verdict').innerText.includes('2 of 4')")
        assert window.errors() == []
        server.shutdown()
