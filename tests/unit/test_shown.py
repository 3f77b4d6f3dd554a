"""Text of strangers on its way out: nothing raw, nothing obeyed, nothing endless."""

import json
import random
import re
import unicodedata
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest

from pytest_todeval import shown
from tests.support.hostile_texts import hostile_texts, raw, unseen

TEXTS = tuple(hostile_texts(2_000))


@pytest.mark.parametrize(
    ("way_out", "found"),
    [
        (shown.in_terminal, raw),
        (shown.in_line, raw),
        (shown.in_markdown, raw),
        (shown.in_json, raw),
        (shown.in_html, unseen),  # no runner reads a page
    ],
)
def test_nothing_raw_gets_through(
    way_out: Callable[[str], str], found: Callable[[str], str]
) -> None:
    leaks = [text for text in TEXTS if found(way_out(text))]
    assert leaks == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain, ünïcode 日本 👩\u200d💻 می\u200cخواهم 10\u202f€", None),
        ("\x1b[2J\x07\x00\x9b", r"\x1b[2J\x07\x00\x9b"),
        ("a\u202eb\u2066c\u200bd\u2028e\ud800", r"a\u202eb\u2066c\u200bd\u2028e\ud800"),
        ("a\u200db", r"a\u200db"),
        ("one\n  ::error::x\n\t::a b=c::", "one\n  \\x3a:error::x\n\t\\x3a:a b=c::"),
        ("see ::1 and a::b", None),
        ("x ##[error] ##vso[task.x] ### [a]", r"x \x23#[error] \x23#vso[task.x] ### [a]"),
    ],
)
def test_terminal(text: str, expected: str | None) -> None:
    assert shown.in_terminal(text) == (text if expected is None else expected)


def test_one_line_stays_one() -> None:
    assert shown.in_line("a\nb\tc\r\n::error::") == r"a\nb\tc\r\n\x3a:error::"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![i](http://e/i.png)", r"!\[i\](http&#8203;://e/i.png)"),
        ("ask @org or a@b.org", "ask @&#8203;org or a@&#8203;b.org"),
        ("see #12, GH-3, www.e.org", r"see \#&#8203;12, GH&#8203;-3, www&#8203;.e.org"),
        ("<img src=x>\n| `a` |", r"\<img src=x> \| \`a\` \|"),
        ("> a <= b & c &lt; </p>", r"\> a <= b & c \&lt; \</p>"),
        ("state_tracking of book_hotel: _a_", r"state_tracking of book_hotel: \_a\_"),
    ],
)
def test_markdown(text: str, expected: str) -> None:
    assert shown.in_markdown(text) == expected


class _Page(HTMLParser):
    said = ""

    def handle_data(self, data: str) -> None:
        self.said += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        pytest.fail(f"a text made the tag {tag}")


def test_a_page_shows_the_same_text() -> None:
    for text in TEXTS:
        page = _Page()
        page.feed(shown.in_html(text))
        page.close()
        assert page.said == unescape(shown.in_html(text))
        assert "</" not in shown.in_html(text)


def test_json_says_the_same() -> None:
    for text in TEXTS:
        written = shown.in_json({text: [text]})
        assert json.loads(written) == json.loads(json.dumps({text: [text]}))
        assert "<" not in written


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1"])
def test_a_spreadsheet_takes_a_cell_as_text(start: str) -> None:
    assert shown.in_csv(start) == f"'{start}"
    assert shown.in_csv(f"a{start}") == f"a{start}"


def test_what_is_long_is_cut_at_the_stated_length() -> None:
    long = "a" * 5_000_000
    assert shown.in_line(long) == "a" * shown.LINE + " ... (4,998,000 more characters)"
    assert len(shown.in_terminal(long)) < shown.BLOCK + 40
    assert len(shown.in_terminal("\0" * 5_000_000)) < 4 * shown.BLOCK + 40
    assert shown.in_terminal("a" * shown.BLOCK) == "a" * shown.BLOCK


def test_the_cost_is_linear_in_the_text() -> None:
    """Backtracking would not end: each of these is the worst for one of the patterns."""
    for worst in ("\n" * 99_000, " " * 99_000, "#" * 99_000, "##a" * 33_000, "_" * 99_000):
        shown.in_terminal(worst)
        shown.in_markdown(worst, shown.BLOCK)


def test_the_generated_texts_are_hostile() -> None:
    """Else the tests above say nothing."""
    assert sum(raw(text) != "" for text in TEXTS) > 1_500
    kinds = {unicodedata.category(char) for text in TEXTS for char in text}
    assert {"Cc", "Cf", "Cs", "Zl", "Zp"} <= kinds
    assert any(re.search(r"(?m)^\s*::", text) for text in TEXTS)
    assert list(hostile_texts(5)) == list(hostile_texts(5)) != random.sample(TEXTS, 5)
