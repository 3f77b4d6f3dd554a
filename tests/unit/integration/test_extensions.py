"""What packages bring through entry points: found by name, and told apart if broken."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pytest_todeval import extensions
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.evaluate.rules.registry import PREDICATES, find_predicate, predicate_names
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.rules import Found, RuleReport, View, check, load_rules, no, predicate, yes
from pytest_todeval.simulation.llm_user.strategy import (
    OFFERED,
    STRATEGIES,
    Strategy,
    find_strategy,
    strategy_names,
)
from tests.support.dialogue_world import dialogue, restaurant_goal, said

HERE = __name__
Offer = Callable[[str, Mapping[str, str]], None]


@predicate
def shouts(view: View, marks: int = 1) -> Found:
    """The bot ends on so many exclamation marks."""
    return (yes if view.turn.system.endswith("!" * marks) else no)("how it ends")


@predicate
def forgetful(view: View) -> Found:
    return True  # type: ignore[return-value]


def plain(view: View) -> Found:
    return yes("")


curt = Strategy("curt", Path(__file__).with_name("curt.md"), "DONE")


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Entry points of a group, as an installed package would bring them: name -> object here."""
    entries: list[EntryPoint] = []
    monkeypatch.setattr(
        extensions, "entry_points", lambda group: [e for e in entries if e.group == group]
    )

    def add(group: str, named: Mapping[str, str]) -> None:
        entries.extend(EntryPoint(n, f"{HERE}:{o}", group) for n, o in named.items())

    return add


def test_an_extension_is_only_looked_for_if_its_name_is_not_built_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(group: str) -> list[EntryPoint]:
        raise AssertionError(f"{group} was looked for")

    monkeypatch.setattr(extensions, "entry_points", refuse)
    assert find_predicate("phrase") is not None
    assert find_strategy("react") is STRATEGIES["react"]
    assert PlaySettings(user="react").user == "react"
    with pytest.raises(AssertionError, match=r"pytest_todeval\.strategies was looked for"):
        PlaySettings(user="curt")


def report(folder: Path, rule: str, *replies: str) -> RuleReport:
    path = folder / "ours.yaml"
    path.write_text(f"rules:\n  - id: r\n    says: A rule.\n    {rule}\n")
    return check(dialogue(restaurant_goal(), *(said("Hi", r) for r in replies)), load_rules(path))


def test_a_rule_file_names_a_package_s_predicate(tmp_path: Path, offer: Offer) -> None:
    offer(PREDICATES.group, {"shouts": "shouts"})
    assert [r.value for r in report(tmp_path, "never: shouts", "No!", "Yes.").results] == [0, 1]
    assert report(tmp_path, "never: {shouts: {marks: 2}}", "No!")
    assert "shouts" in predicate_names()
    with pytest.raises(InvalidFile, match=r"shouts: `mark`: .*it takes `marks`"):
        report(tmp_path, "never: {shouts: {mark: 2}}", "No!")
    with pytest.raises(InvalidFile, match=r"ours\.yaml:4: unknown predicate 'shout': did you mean"):
        report(tmp_path, "never: shout", "No!")


@pytest.mark.parametrize(
    ("name", "thing", "expected"),
    [
        ("plain", "plain", "is function <function plain at"),
        ("plain", "plain", "expected a function decorated with pytest_todeval.rules.predicate"),
        ("loud", "shouts", ":shouts is named 'shouts', expected 'loud': give both one name"),
        ("gone", "shout", "cannot be loaded from"),
    ],
)
def test_a_broken_predicate_is_told_with_file_and_package(
    tmp_path: Path, offer: Offer, name: str, thing: str, expected: str
) -> None:
    offer(PREDICATES.group, {name: thing})
    with pytest.raises(InvalidFile) as caught:
        report(tmp_path, f"never: {name}", "No!")
    assert f"ours.yaml:4: predicate {name!r} of an installed package" in str(caught.value)
    assert expected in str(caught.value)


def test_a_predicate_must_say_what_it_found(tmp_path: Path, offer: Offer) -> None:
    offer(PREDICATES.group, {"forgetful": "forgetful"})
    with pytest.raises(UsageError, match=r"'forgetful' returned bool True, expected yes\(reason\)"):
        report(tmp_path, "never: forgetful", "No!")


def test_a_predicate_s_arguments_have_types() -> None:
    with pytest.raises(UsageError, match="argument 'marks' has no type; write `marks: str`"):

        @predicate
        def untyped(view, marks) -> Found:  # type: ignore[no-untyped-def]  # noqa: ANN001
            return yes("")

    with pytest.raises(UsageError, match="'nothing' takes no argument"):
        predicate(nothing)


def nothing() -> Found:
    return yes("")


def test_a_package_s_strategy_plays_by_its_own_prompt(offer: Offer) -> None:
    offer(OFFERED.group, {"curt": "curt", "terse": "curt"})
    assert find_strategy("curt") is curt
    assert strategy_names()[-2:] == ("curt", "terse")
    assert PlaySettings(user="curt").user == "curt"
    with pytest.raises(UsageError, match="no user 'curd'; did you mean 'curt'"):
        PlaySettings(user="curd")
    with pytest.raises(UsageError, match="is named 'curt', expected 'terse'"):
        find_strategy("terse")
    with pytest.raises(UsageError, match="no strategy 'curd'; did you mean 'curt'"):
        find_strategy("curd")


def test_a_prompt_may_lie_in_a_file_of_a_package(tmp_path: Path) -> None:
    path = tmp_path / "curt.md"
    path.write_text("---\nversion: 3\n---\n# system\nBe curt. {{fence_note}}\n# user\n{{goal}}\n")
    prompt = Prompts().get(path)
    assert (prompt.name, prompt.version, prompt.places) == ("curt", "3", frozenset({"goal"}))
    with pytest.raises(InvalidFile, match=r"none\.md: cannot be read"):
        Prompts().get(tmp_path / "none.md")


def test_of_two_packages_the_first_wins_and_the_other_is_told(offer: Offer) -> None:
    offer(OFFERED.group, {"curt": "curt"})
    offer(OFFERED.group, {"curt": "plain"})
    with pytest.warns(UserWarning, match="strategy 'curt' of an installed package is hidden by"):
        assert find_strategy("curt") is curt
