import warnings
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pytest_todeval import extensions
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

TAU = (
    *("tau_bench/retail", "tau_bench/airline", "tau2/airline", "tau2/retail"),
    *("tau2/telecom", "tau2/mock", "tau2/banking_knowledge"),
)


def one_goal(source: str, *ids: str) -> tuple[Goal, ...]:
    return tuple(Goal(id, source, (), ("Hello.",)) for id in ids or ("a",))


GOALS = "- id: a\n  domains: {spa: {request: [price]}}\n"


class Towns(World):
    """Two splits; takes the run's data folder."""

    settings: ClassVar[Mapping[str, str]] = {"place": "data"}

    def __init__(self, place: str | None) -> None:
        self.place = place

    def load(self, split: str = "big", country: str = "uk") -> GoalSet:
        return GoalSet("towns", one_goal("towns"), f"{split}/{country}{self.place or ''}", self)


class Everything(World):
    """Takes any option."""

    def load(self, **options: Any) -> GoalSet:
        return GoalSet("all", one_goal("all"), str(sorted(options)), self)


class Failing(World):
    """Its disk is gone."""

    def load(self) -> GoalSet:
        raise OSError("no disk")


class Confused(World):
    """Loads something else."""

    def load(self) -> GoalSet:
        return []  # type: ignore[return-value]


class Kinds(World):
    """Several domains."""

    domains = ("hill", "coast")

    def __init__(self, domain: str) -> None:
        self.domain = domain

    def load(self) -> GoalSet:
        return GoalSet(f"kinds/{self.domain}", one_goal(f"kinds/{self.domain}"), "0", self)


class NoLoad(World):
    """Says nothing of its goals."""


class Needy(World):
    """Cannot be made."""

    def __init__(self, town: str) -> None:
        self.town = town


class Wrong(World):
    """Loads goals, as one of the ways to get them wrong says."""

    def load(self, split: str = "") -> GoalSet:
        ways: Mapping[str, tuple[str, object]] = {
            "name": ("wrongs", one_goal("wrongs")),
            "none": ("wrong", ()),
            "twice": ("wrong", [*one_goal("wrong"), *one_goal("wrong", "b", "a")]),
            "source": ("wrong", one_goal("other")),
            "text": ("wrong", ("a goal",)),
            "nameless": ("wrong", one_goal("wrong", "a", "")),
        }
        name, goals = ways[split]
        return GoalSet(name, goals, "0", self)  # type: ignore[arg-type]


class Worldless(World):
    """Names no world in its goal set."""

    def load(self) -> GoalSet:
        return GoalSet("worldless", one_goal("worldless"), "0", None)  # type: ignore[arg-type]


no_world = 3


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = {"towns": "Towns", "all": "Everything", "failing": "Failing", "confused": "Confused"}
    objects |= {"kinds": "Kinds", "empty": "NoLoad", "number": "no_world", "gone": "does_not_exist"}
    objects |= {"wrong": "Wrong", "worldless": "Worldless", "needy": "Needy", "goal": "Goal"}
    group = registry.WORLDS.group
    entries = [EntryPoint(k, f"{__name__}:{v}", group) for k, v in objects.items()]
    entries.append(EntryPoint("lost", "no_such_module_at_all:x", group))
    monkeypatch.setattr(extensions, "entry_points", lambda group: entries)


def refusal(source: str | Path, **options: Any) -> str:
    with pytest.raises(UsageError) as caught:
        registry.load(source, **options)
    return str(caught.value)


def test_a_file_is_found_beside_the_test(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(GOALS)
    assert registry.load("rules.yaml", beside=tmp_path).goals[0].name == "rules/a"
    assert registry.load(tmp_path / "rules.yaml").name == "rules"
    assert refusal("none.yaml", beside=tmp_path).startswith(f"no goal file {tmp_path}/none.yaml")
    assert "takes no option 'split'" in refusal(tmp_path / "rules.yaml", split="test")


def test_unknown_names_are_told_the_known_ones(installed: None) -> None:
    text = refusal("mulitwoz")
    assert text.startswith("unknown goal set 'mulitwoz': did you mean 'multiwoz'? Known: multiwoz,")
    assert "towns" in text
    assert registry.names()[:2] == ("multiwoz", "demo")


def test_installed_goal_sets_are_called_with_what_they_take(installed: None) -> None:
    assert registry.load("towns").fingerprint == "big/uk"
    assert registry.load("towns", settings={"data": "/x", "y": "z"}).fingerprint == "big/uk/x"
    assert registry.load("towns", split="small", country="fr").fingerprint == "small/fr"
    assert registry.load("all", a=1, split="s").fingerprint == "['a', 'split']"
    assert registry.load("kinds/hill").name == "kinds/hill"
    assert "goal set 'towns' takes no option 'contry': did you mean 'country'" in refusal(
        "towns", contry="fr"
    )


HERE = Path(__file__).name


@pytest.mark.parametrize(
    ("name", "split", "expected"),
    [
        ("failing", None, f"Failing.load raised OSError: no disk (at {HERE}:"),
        ("confused", None, "Confused.load returned list, expected a pytest_todeval.GoalSet"),
        ("empty", None, "NoLoad has no method `load`: a world returns its goals there"),
        ("needy", None, "Needy() raised TypeError: "),
        ("number", None, "no_world is int 3, expected a subclass of pytest_todeval.World"),
        ("goal", None, "Goal is the class 'Goal', expected a subclass of pytest_todeval.World"),
        ("gone", None, "AttributeError: "),
        ("gone", None, "Correct the entry point in its pyproject.toml"),
        ("lost", None, "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("wrong", "name", "returned the goal set 'wrongs', expected the name 'wrong'"),
        ("wrong", "none", "Wrong.load returned no goal, expected at least one"),
        ("wrong", "twice", "returned goals 0 and 2 with one id, 'a': ids are unique"),
        ("wrong", "source", "goal 0 ('a') has the source 'other', expected 'wrong'"),
        ("wrong", "text", "returned str as goal 0, expected a pytest_todeval.Goal"),
        ("wrong", "nameless", "returned goal 1 without an id"),
        ("wrong", "odd", f"Wrong.load raised KeyError: 'odd' (at {HERE}:"),
        ("worldless", None, "returned a goal set whose `world` is None, expected `self`"),
    ],
)
def test_a_broken_package_is_named_and_hurts_nobody_else(
    installed: None, name: str, split: str | None, expected: str
) -> None:
    text = refusal(name, split=split)
    assert text.startswith(f"world {name!r} of an installed package")
    assert expected in text
    assert "update" in text  # what to do
    assert registry.load("towns").goals == one_goal("towns")


def test_a_list_of_goals_is_as_good_as_a_tuple(installed: None) -> None:
    world = Everything()
    assert GoalSet("all", list(one_goal("all")), "0", world).goals == one_goal("all")  # type: ignore[arg-type]


def test_a_package_cannot_hide_a_built_in_set(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("demo", f"{__name__}:Towns", registry.WORLDS.group)
    monkeypatch.setattr(extensions, "entry_points", lambda group: [entry])
    with pytest.warns(UserWarning, match="'demo' of an installed package is hidden by a built-in"):
        assert registry.names() == ("multiwoz", "demo", *TAU)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "unknown split 'x'" in refusal("demo", split="x")


def test_missing_multiwoz_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(DataMissing) as caught:
        registry.load("multiwoz", settings={"data": tmp_path})
    for part in (str(tmp_path), "todeval data get multiwoz", "--todeval-data", "`demo`"):
        assert part in str(caught.value)
