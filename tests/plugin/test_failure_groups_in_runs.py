"""Failures of one cause are shown once (`--todeval-show`)."""

import re

import pytest

SUITE = """
import pytest
from pytest_todeval.systems import RuleSystem

class Silent(RuleSystem):
    def respond(self, *given, **named):
        return "Hm."

class OneMore(RuleSystem):
    def book(self, state, arguments):
        if "people" in arguments:
            arguments = {**arguments, "people": str(int(arguments["people"]) + 1)}
        return super().book(state, arguments)

@pytest.fixture
def tod_system(goal):
    return Silent if int(goal.id[-1]) % 2 else OneMore

@pytest.mark.goals("demo", booking=True, limit=8, seed=1)
def test_books(dialogue):
    assert dialogue.booking

def test_of_another_kind():
    assert 1 == 2
"""


def headlines(text: str) -> list[str]:
    return re.findall(r"^_+ (test_\S+) _+$", text, re.M)


@pytest.mark.parametrize("spread", [(), ("-n2",)])
def test_one_of_each_cause_is_shown_and_the_others_are_named(
    pytester: pytest.Pytester, spread: tuple[str, ...]
) -> None:
    pytester.makepyfile(SUITE)
    text = pytester.runpytest(*spread).stdout.str()
    failed = re.findall(r"^FAILED \S+::(\S+)", text, re.M)
    shown = headlines(text)
    assert shown[0] == "test_of_another_kind"
    assert len(shown) < len(failed)
    detail = text.partition("= FAILURES =")[2].partition("= dialogues =")[0]
    assert all(test.partition("[")[2].rstrip("]") in detail for test in failed)
    counts = [int(each) for each in re.findall(r"^-+ (\d+) more of this cause -+$", text, re.M)]
    assert sum(counts) + len(shown) == len(failed)
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize(
    ("show", "shown"), [("all", "each"), ("none", "test_of_another_kind alone")]
)
def test_all_or_none_of_them_can_be_asked_for(
    pytester: pytest.Pytester, show: str, shown: str
) -> None:
    pytester.makepyfile(SUITE)
    text = pytester.runpytest(f"--todeval-show={show}").stdout.str()
    failed = re.findall(r"^FAILED \S+::(\S+)", text, re.M)
    expected = set(failed) if shown == "each" else {"test_of_another_kind"}
    assert set(headlines(text)) == expected
    assert "of this cause" not in text


def test_the_decisive_turn_is_marked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE.replace("Silent if", "OneMore if"))
    text = pytester.runpytest().stdout.str()
    told = re.findall(r"^E +AssertionError.*booking FAILED \(turn (\d+)\)", text, re.M)
    told += re.findall(r"^E +assert <booking FAILED \(turn (\d+)\)", text, re.M)
    marked = re.findall(r"^> +(\d+) user: ", text, re.M)
    assert marked
    assert sorted(marked) == sorted(told)


def test_what_cannot_be_asked_for_is_refused(pytester: pytest.Pytester) -> None:
    ran = pytester.runpytest("--todeval-show=some")
    ran.stderr.fnmatch_lines(["*--todeval-show*'some'*groups*all*none*"])
