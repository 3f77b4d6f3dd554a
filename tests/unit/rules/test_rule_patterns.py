"""Patterns of rule files are matched at bounded cost."""

import pytest

from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.rules import patterns
from pytest_todeval.evaluate.rules.patterns import WINDOW, compiled, search
from tests.conftest import must_end


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(a*)*",
        r"(a|aa)+b",
        r"(?:x+x+)+y",
        r".*.*.*x",
        r"(\w{1,90}){1,90}x",
        r"a{1,9999}b*c*",
        r"(x)?(?(1)(?:a+)+b|c)",
        r"(x)?(?(1)c|(?:a+)+b)",
    ],
)
def test_patterns_that_could_take_too_long_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="could take too long"):
        compiled(pattern)


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", "[z-a]", "(?P<x", "[[a]", "\\"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="bad pattern"):
        compiled(pattern)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\b\d{1,2} ?% off\b", "now 20% OFF today", "20% OFF"),
        (r"(?:cheap|dear)est .* in town", "the dearest place in town", "dearest place in town"),
        (r"[£$]\s*\d+", "only £ 12", "£ 12"),
        (r"^hello", "hello there", "hello"),
        (r"there$", "hello there", "there"),
        (r"(?:\d{4}[ -]?){4}", "card 1234 5678-90123456.", "1234 5678-90123456"),
    ],
)
def test_ordinary_patterns_work(pattern: str, text: str, found: str) -> None:
    assert search(pattern, text) == found


def test_the_whole_of_a_long_text_is_searched() -> None:
    assert search("needle", "x" * 5000 + "needle" + "x" * 5000) == "needle"
    assert search("needle$", "x" * 5000 + "needle") == "needle"


def test_the_cut_of_a_window_is_no_end_of_a_word() -> None:
    assert search(r"\bcard\b", " " * (WINDOW - 4) + "cards") is None
    assert search(r"card$", " " * (WINDOW - 4) + "cards") is None


@pytest.mark.parametrize(
    ("pattern", "text"), [("a*a*b", "a"), ("a.*b.*c", "ab"), ("(a|a|a|a|a|a){6}b", "a")]
)
def test_a_pattern_that_takes_too_long_on_a_text_leaves_it_undecided(
    pattern: str, text: str
) -> None:
    with must_end(), pytest.raises(JudgeFault, match=r"took more than 0\.5 s for .* characters"):
        search(pattern, text * 100_000)


def test_the_first_window_is_always_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_SECONDS", 0)
    assert search("a*a*b", "aab" + "a" * 400) == "aab"
