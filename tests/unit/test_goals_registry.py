import warnings
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.goals import registry
from pytest_todeval.goals.goal_set import GoalSet

GOALS = "- id: a\n  domains: {spa: {request: [price]}}\n"


def towns(split: str = "big", country: str = "uk") -> GoalSet:
    return GoalSet(f"towns/{split}/{country}", (), "0")


def everything(**options: Any) -> GoalSet:
    return GoalSet(str(sorted(options)), (), "0")


def failing() -> GoalSet:
    raise OSError("no disk")


def confused() -> GoalSet:
    return []  # type: ignore[return-value]


not_callable = 3


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = {"towns": "towns", "all": "everything", "failing": "failing", "confused": "confused"}
    objects |= {"number": "not_callable", "gone": "does_not_exist"}
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
    assert registry.load("towns", data="/x").name == "towns/big/uk"
    assert registry.load("towns", split="small", country="fr").name == "towns/small/fr"
    assert registry.load("all", data="/x", a=1).name == "['a', 'data']"
    assert "goal set 'towns' takes no option 'contry': did you mean 'country'" in refusal(
        "towns", contry="fr"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("failing", "OSError: no disk"),
        ("confused", "got list, expected its loader to return a GoalSet"),
        ("number", "TypeError: it is a int, expected a callable"),
        ("gone", "AttributeError: "),
        ("lost", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
    ],
)
def test_a_broken_package_is_named_and_hurts_nobody_else(
    installed: None, name: str, expected: str
) -> None:
    text = refusal(name)
    assert text.startswith(f"goal set {name!r} of an installed package")
    assert expected in text
    assert registry.load("towns").name == "towns/big/uk"


def test_a_package_cannot_hide_a_built_in_set(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("demo", f"{__name__}:towns", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    with pytest.warns(UserWarning, match="'demo' of an installed package is hidden"):
        assert registry.names() == tuple(registry.BUILT_IN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "unknown split 'x'" in refusal("demo", split="x")


def test_missing_multiwoz_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(DataMissing) as caught:
        registry.load("multiwoz", data=tmp_path)
    for part in (str(tmp_path), "todeval data get multiwoz", "--todeval-data", "`demo`"):
        assert part in str(caught.value)
