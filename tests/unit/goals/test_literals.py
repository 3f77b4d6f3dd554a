"""Literals of Python files: what is read, what is too much, and what is shown of the rest."""

from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals import literals
from pytest_todeval.goals.literals import Called, plain, read_literals

LITERAL = "expected a literal or Task (the file is read, never run)"


def read(tmp_path: Path, text: str) -> dict[str, object]:
    path = tmp_path / "tasks.py"
    path.write_text(text, encoding="utf-8")
    return read_literals(path, {"Task"})


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(InvalidFile) as caught:
        read(tmp_path, text)
    return str(caught.value).removeprefix(str(tmp_path / "tasks.py"))


def test_literals_and_calls_by_name(tmp_path: Path) -> None:
    assert read(tmp_path, "a = [1, -2, 'x' 'y', True]\nb = (None, 0.5)\na = {}") == {
        "a": {},
        "b": [None, 0.5],
    }
    assert read(tmp_path, "a = [1, -2, 'x' 'y', True]") == {"a": [1, -2, "xy", True]}
    assert read(tmp_path, "\n\nt = Task(id='a', steps=[])")["t"] == Called(
        "Task", {"id": "a", "steps": []}, 3
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = -'b'", f":1: found `-'b'`, {LITERAL}"),
        ("a = b'c'", f":1: found `b'c'`, {LITERAL}"),
        ("a = {1: 2}", ":1: found `1`, expected text as a key"),
        ("a = {**b}", ":1: found `{**b}`, expected text as a key"),
        ("a = Task('b')", ":1: found `Task('b')`, expected Task with its values by name, e.g. "
                          "Task(name=...)"),
        ("a.b = 1", ":1: found `a.b = 1`, expected imports, names and the literals they stand for "
                    "(the file is read, never run)"),
        (f"a = {'b' * 60}", f":1: found `{'b' * 60}`, {LITERAL}"),
        (f"a = {'b' * 61}", f":1: found `{'b' * 57}...`, {LITERAL}"),
        ("a = " + "*".join("1" * 900), f":1: found `BinOp`, {LITERAL}"),
    ],
)  # fmt: skip
def test_what_is_no_literal_is_shown_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    assert refusal(tmp_path, text) == said


def test_a_file_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "MAX_BYTES", 5)
    assert read(tmp_path, "a = 1") == {"a": 1}
    assert refusal(tmp_path, "a = 12") == ": larger than 5 bytes"
    with pytest.raises(InvalidFile, match="not a file, expected a Python file"):
        read_literals(tmp_path, {"Task"})


def nested(depth: int) -> object:
    made: object = 1
    for _ in range(depth // 2):
        made = {"a": [made]}
    return made


def test_plain_values_have_bounds() -> None:
    whole = {"a": [Called("Task", {"b": "\N{GRINNING FACE}\xe9"}, 1), 10**1000 - 1, None]}
    assert plain(whole, "x") == {"a": [{"b": "\N{GRINNING FACE}\xe9"}, 10**1000 - 1, None]}
    assert plain(nested(60), "x") == nested(60)
    for value, said in (
        (nested(62), "x: nested more than 60 deep, expected a task"),
        ([nested(60)], "x: nested more than 60 deep, expected a task"),
        (-(10**1000), "x: found a number beyond 1000 digits"),
        (float("nan"), "x: found a number beyond 1000 digits"),
        ({"\udfff": 1}, "x: found half of a surrogate pair"),
        (["\xe9\ud800"], "x: found half of a surrogate pair"),
    ):
        with pytest.raises(InvalidFile) as caught:
            plain(value, "x")
        assert str(caught.value).startswith(said)
