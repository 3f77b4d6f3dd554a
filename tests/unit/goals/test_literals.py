"""Literals of Python files: what is read, what is too much, and what is shown of the rest."""

from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals import literals
from pytest_todeval.goals.literals import Called, plain, read_literals


def read(tmp_path: Path, text: str) -> dict[str, object]:
    path = tmp_path / "tasks.py"
    path.write_text(text, encoding="utf-8")
    return read_literals(path, {"Task"})


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(InvalidFile) as caught:
        read(tmp_path, text)
    return str(caught.value).removeprefix(str(tmp_path / "tasks.py"))


def test_lists_and_texts_are_put_together(tmp_path: Path) -> None:
    text = "a = [1] + [-2]\na += [*a, +3]\na.append('x' + 'y')\na.extend([True])\nb = (None, 0.5)"
    assert read(tmp_path, text) == {"a": [1, -2, 1, -2, 3, "xy", True], "b": [None, 0.5]}
    assert read(tmp_path, "\n\nt = Task(id='a', steps=[])")["t"] == Called(
        "Task", {"id": "a", "steps": []}, 3
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [1]\na += 'b'", ":2: found `a += 'b'`, expected two lists or two texts around `+`"),
        ("a = 'b'\na += [1]", ":2: found `a += [1]`, expected two lists or two texts around `+`"),
        ("a = 'b'\na.append(1)", ":2: found `a.append(1)`, expected a to be a list"),
        ("a = []\na.extend('b')", ":2: found `a.extend('b')`, expected a list to extend with"),
        ("a = [*'b']", ":1: found `*'b'`, expected a list after `*`"),
        ("a = -True", ":1: found `-True`, expected a literal (the file is read, never run)"),
        ("a = b'c'", ":1: found `b'c'`, expected text, a number, True, False or None"),
        ("a = {1: 2}", ":1: found `1`, expected text as a key"),
        ("a = {**b}", ":1: found `{**b}`, expected text as a key"),
        ("a = Task('b')", ":1: found `Task('b')`, expected Task with its values by name, e.g. "
                          "Task(name=...)"),
        ("a.b = 1", ":1: found `a.b`, expected a name to bind a literal to"),
        (f"a = [1]\na += {'b' * 60}", f":2: found `{'b' * 60}`, expected {'b' * 60} to be bound "
                                      "to a literal further up in this file"),
        (f"a = {'b' * 61}", f":1: found `{'b' * 57}...`, expected {'b' * 61} to be bound to a "
                            "literal further up in this file"),
        ("a = " + "*".join("1" * 900), ":1: found `BinOp`, expected a literal (the file is read, "
                                       "never run)"),
    ],
)  # fmt: skip
def test_what_is_no_literal_is_shown_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    assert refusal(tmp_path, text) == said


@pytest.mark.parametrize(
    ("text", "spent"),
    [
        ("a = [1, 2]\nb = a + a", 4),
        ("a = 'ab' + 'cde'", 5),
        ("a = [1, 2]\na += a", 2),
        ("a = [1, 2]\na.extend(a)", 2),
        ("a = [1, 2]\nb = [*a, 3]", 2),
    ],
)
def test_what_is_copied_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, spent: int
) -> None:
    monkeypatch.setattr(literals, "MAX_VALUES", spent)
    assert read(tmp_path, text)
    monkeypatch.setattr(literals, "MAX_VALUES", spent - 1)
    assert f"expected at most {spent - 1} values in all" in refusal(tmp_path, text)


def test_a_file_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "MAX_BYTES", 5)
    assert read(tmp_path, "a = 1") == {"a": 1}
    assert refusal(tmp_path, "a = 12") == ": larger than 5 bytes, expected a file of tasks"
    with pytest.raises(InvalidFile, match="not a file, expected a Python file"):
        read_literals(tmp_path, {"Task"})


def nested(depth: int) -> object:
    made: object = 1
    for _ in range(depth // 2):
        made = {"a": [made]}
    return made


def test_plain_values_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
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
    for value, count in (([1, [2]], 4), ({"a": "b" * 128, "c": 1}, 5), (["b" * 127, 1], 4)):
        monkeypatch.setattr(literals, "MAX_VALUES", count)
        assert plain(value, "x") == value
        monkeypatch.setattr(literals, "MAX_VALUES", count - 1)
        with pytest.raises(InvalidFile, match="x: too many values, expected a task"):
            plain(value, "x")
