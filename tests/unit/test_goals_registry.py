import warnings
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

TAU = (
    *("tau_bench/retail", "tau_bench/airline", "tau2/airline", "tau2/retail"),
    *("tau2/telecom", "tau2/mock", "tau2/banking_knowledge"),
)
GOALS = "- id: a\n  domains: {spa: {request: [price]}}\n"


class Towns(World):
    """Two splits; takes the run's data folder."""

    settings: ClassVar[Mapping[str, str]] = {"place": "data"}

    def __init__(self, place: str | None) -> None:
        self.place = place

    def load(self, split: str = "big", country: str = "uk") -> GoalSet:
        return GoalSet(f"towns/{split}/{country}{self.place or ''}", (), "0", self)


class Everything(World):
    """Takes any option."""

    def load(self, **options: Any) -> GoalSet:
        return GoalSet(str(sorted(options)), (), "0", self)


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
        return GoalSet(f"kinds/{self.domain}", (), "0", self)


class NoLoad(World):
    """Says nothing of its goals."""


no_world = 3


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = {"towns": "Towns", "all": "Everything", "failing": "Failing", "confused": "Confused"}
    objects |= {"kinds": "Kinds", "empty": "NoLoad", "number": "no_world", "gone": "does_not_exist"}
    entries = [EntryPoint(k, f"{__name__}:{v}", registry.GROUP) for k, v in objects.items()]
    entries.append(EntryPoint("lost", "no_such_module_at_all:x", registry.GROUP))
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)


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
    assert registry.load("towns").name == "towns/big/uk"
    assert registry.load("towns", settings={"data": "/x", "y": "z"}).name == "towns/big/uk/x"
    assert registry.load("towns", split="small", country="fr").name == "towns/small/fr"
    assert registry.load("all", a=1, split="s").name == "['a', 'split']"
    assert registry.load("kinds/hill").name == "kinds/hill"
    assert "goal set 'towns' takes no option 'contry': did you mean 'country'" in refusal(
        "towns", contry="fr"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("failing", "OSError: no disk"),
        ("confused", "its `load` returned list, expected a GoalSet"),
        ("empty", "NotImplementedError: NoLoad.load: a world must load its goals"),
        ("number", "no_world is 'int', expected a subclass of pytest_todeval.World"),
        ("gone", "AttributeError: "),
        ("lost", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
    ],
)
def test_a_broken_package_is_named_and_hurts_nobody_else(
    installed: None, name: str, expected: str
) -> None:
    text = refusal(name)
    assert text.startswith(f"world {name!r} of an installed package")
    assert expected in text
    assert registry.load("towns").name == "towns/big/uk"


def test_a_package_cannot_hide_a_built_in_set(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("demo", f"{__name__}:Towns", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    with pytest.warns(UserWarning, match="'demo' of an installed package is hidden"):
        assert registry.names() == ("multiwoz", "demo", *TAU)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "unknown split 'x'" in refusal("demo", split="x")


def test_missing_multiwoz_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(DataMissing) as caught:
        registry.load("multiwoz", settings={"data": tmp_path})
    for part in (str(tmp_path), "todeval data get multiwoz", "--todeval-data", "`demo`"):
        assert part in str(caught.value)
