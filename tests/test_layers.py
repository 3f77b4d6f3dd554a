"""The arrows between the rooms point one way. A new import against them fails here, by name."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytest_todeval"

# A room may import the rooms of the rows above its own, itself, and nothing else of ours.
LAYERS = (
    {"shown"},
    {"errors"},
    {"trust"},
    {"core", "core/documents", "http_body", "extensions", "log"},
    {"prices", "telemetry"},
    {"models", "recording", "models/fake_server"},
    {"nlu"},
    {"facts"},
    {"goals", "backends"},
    {"simulation", "simulation/systems", "simulation/frameworks"},
    {"evaluate/metrics"},
    {"evaluate/rules"},
    {"evaluate/judge"},
    {"worlds"},
    {"research/offline", "play"},
    {"runs/statistics", "start/drafts"},
    {"runs/reports"},
    {"runs/viewer", "start", "properties"},
    {"research/arena", "research/agreement", "research/annotation", "research/systems"},
    {"strategies"},
    {"integration", "commands", "testing", "results", "systems", "judge", "rules", "frameworks"},
    {"plugin", "cli", "__init__"},
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Each import of a module: its line, and what it names."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def room_of(path: Path) -> str:
    return room(path.relative_to(PACKAGE).with_suffix("").parts)


def room(parts: Sequence[str]) -> str:
    """The part of a room that has a row of its own, else the room."""
    part = "/".join(parts[:2])
    return part if part in LEVEL else parts[0]


def against_the_arrows(path: Path) -> list[str]:
    here = room_of(path)
    wrong = []
    for line, name in imports(path):
        if not name.startswith("pytest_todeval."):
            continue
        there = room(name.split(".")[1:])
        if there not in LEVEL:  # a public name of the package itself
            there = "__init__"
        if there != here and LEVEL[there] >= LEVEL[here]:
            wrong.append(f"{path.relative_to(PACKAGE.parent)}:{line}: {here} imports {name}")
    return wrong


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_arrows_point_one_way(path: Path) -> None:
    if path != PACKAGE / "__init__.py":  # re-exports the public names, lazily
        assert against_the_arrows(path) == []


WORLDS = sorted(
    folder.name for folder in (PACKAGE / "worlds").iterdir() if (folder / "world.py").exists()
)
PLAYS_MANY = ("integration", "commands", "properties", "plugin", "cli")
"""The rooms that know that there are several worlds."""
PUBLIC = ("testing", "systems", "judge", "rules", "frameworks", "strategies", "__init__")
NOT_FOR_THE_CORE = (
    "simulation/systems", "simulation/frameworks", "models/fake_server", "research",
)  # fmt: skip


def outside(name: str) -> bool:
    return name in NOT_FOR_THE_CORE or name.split("/")[0] in NOT_FOR_THE_CORE


def test_worlds_do_not_import_each_other() -> None:
    assert len(WORLDS) > 5
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: imports {name}"
        for path in MODULES
        for line, name in imports(path)
        if name.startswith("pytest_todeval.worlds.")
        and name.split(".")[2] in WORLDS
        and path.relative_to(PACKAGE).parts[:2] != ("worlds", name.split(".")[2])
        and path != PACKAGE / "worlds" / "__init__.py"  # constants, for options and markers
        and room_of(path) not in (*PLAYS_MANY, "research/offline")
        and path != PACKAGE / "worlds" / "registry.py"
    ]
    assert wrong == []


def test_reference_bots_stand_in_and_offline_scoring_stay_outside() -> None:
    """What plays and judges a test's dialogue works without them."""
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: imports {name}"
        for path in MODULES
        if room_of(path) not in (*PUBLIC, "commands") and not outside(room_of(path))
        for line, name in imports(path)
        if name.startswith("pytest_todeval.") and outside(room(name.split(".")[1:]))
    ]
    assert wrong == []


def test_the_layer_test_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "core").mkdir()
    offender = tmp_path / "core" / "goal.py"
    offender.write_text("from pytest_todeval.worlds import registry\n")
    assert against_the_arrows(offender) == [
        f"{tmp_path.name}/core/goal.py:1: core imports pytest_todeval.worlds.registry"
    ]


def test_only_pytest_rooms_import_pytest() -> None:
    rooms = {
        room_of(path)
        for path in MODULES
        for _, name in imports(path)
        if name.split(".")[0] in ("pytest", "_pytest")
    }
    assert rooms <= {"integration", "plugin"}
