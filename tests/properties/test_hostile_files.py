"""Whatever a file says, it becomes goals or a complaint: never another error."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_todeval.core.documents import read_document, yaml_text
from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals.multiwoz import goal_from_record, load_goals
from pytest_todeval.worlds.files.reading import load_goal_file
from tests.support.examples import examples

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
KEYS = st.sampled_from(("id", "goal", "log", "goals", "slots", "hotel", "info", "book")) | st.text(
    max_size=5
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)
SYNTAX = st.text(alphabet='ab: -[]{},"\n\t&*!|>#%?~1.', max_size=40)


@contextmanager
def written(name: str, text: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        yield path


def complaint(function: Callable[[], object]) -> str:
    try:
        function()
    except InvalidFile as error:
        return str(error)
    return ""


@examples(60)
@given(value=VALUES)
def test_json_says_the_same_read_as_json_and_as_yaml(value: Any) -> None:
    text = json.dumps(value)
    for name in ("x.json", "x.yaml"):
        with written(name, text) as path:
            assert read_document(path).value == value


@examples(200)
@given(text=SYNTAX)
def test_what_pure_python_reads_libyaml_reads_likewise(text: str) -> None:
    """Libyaml reads a little more (tabs, `?` in a list), but nothing otherwise."""
    with written("x.yaml", text) as path:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_text, "CParser", None)
            said = complaint(lambda: read_document(path))
            value = None if said else read_document(path).value
        if not said:
            assert read_document(path).value == value


@examples(100)
@given(text=SYNTAX, name=st.sampled_from(("x.yaml", "x.json")))
def test_any_text_is_a_goal_file_or_a_complaint(text: str, name: str) -> None:
    with written(name, text) as path:
        said = complaint(lambda: load_goal_file(path))
        assert said.startswith(str(path)) or not said


@examples(60)
@given(value=VALUES)
@example(value={"slots": {"id": [[]]}})
@example(value={"slots": {"id": [{}, None]}})
def test_any_value_is_a_goal_file_or_a_complaint(value: Any) -> None:
    with written("x.json", json.dumps(value)) as path:
        said = complaint(lambda: load_goal_file(path))
        assert said.startswith(str(path)) or not said


@examples(60)
@given(value=VALUES)
def test_any_record_is_a_goal_or_a_complaint(value: Any) -> None:
    said = complaint(lambda: goal_from_record("A", value))
    assert said.startswith("multiwoz/A: goal") or not said


@examples(60)
@given(
    goals=st.dictionaries(st.from_regex(r"[A-Z]{3}[0-9]{1,4}", fullmatch=True), VALUES, min_size=1),
    log=st.lists(VALUES, max_size=3),
    indent=st.none() | st.integers(0, 2),
)
def test_skipping_the_logs_loses_no_goal(
    goals: dict[str, Any], log: list[Any], indent: int | None
) -> None:
    parts = {name: {"hotel": {"reqt": ["phone"]}, "message": [str(v)]} for name, v in goals.items()}
    whole = {name: {"goal": part, "log": log} for name, part in parts.items()}
    with written("test.json", json.dumps(whole, indent=indent)) as path:
        assert {goal.id: goal.raw for goal in load_goals(path.parent, "test")} == parts
