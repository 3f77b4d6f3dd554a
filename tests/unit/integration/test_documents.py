from pathlib import Path

import pytest

from pytest_todeval.documents import Document, read_document, yaml_text
from pytest_todeval.errors import InvalidFile


def document(tmp_path: Path, text: str, name: str = "file.yaml") -> Document:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_document(path)


def complaint(tmp_path: Path, text: str, name: str = "file.yaml") -> str:
    with pytest.raises(InvalidFile) as caught:
        document(tmp_path, text, name)
    message = str(caught.value)
    assert message.startswith(str(tmp_path / name))
    return message.removeprefix(str(tmp_path / name))


def test_scalars_are_read_as_yaml_1_2_reads_them(tmp_path: Path) -> None:
    text = "[yes, no, on, 17:30, 2024-01-31, 01223, 0x1F, 3, -4, 2.5, 1e3, true, ~, null, '3', 1_0]"
    assert document(tmp_path, text).value == [
        *("yes", "no", "on", "17:30", "2024-01-31", "01223", "0x1F"),
        *(3, -4, 2.5, "1e3", True, None, None, "3", "1_0"),
    ]


def test_an_empty_file_is_none(tmp_path: Path) -> None:
    assert document(tmp_path, "# nothing\n").value is None
    assert document(tmp_path, "").where("a") == str(tmp_path / "file.yaml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("file.yaml", "goals:\n- id: a\n  domains:\n    hotel:\n      area: north\n- id: b\n"),
        (
            "file.json",
            '{"goals": [\n{"id": "a",\n"domains":\n\t{"hotel":\n{"area": 1}}},\n{"id": "b"}]}',
        ),
    ],
)
def test_each_value_has_its_line(tmp_path: Path, name: str, text: str) -> None:
    found = document(tmp_path, text, name)
    assert found.line() == 1
    assert found.line("goals", 0, "domains", "hotel") == 4
    assert found.line("goals", 0, "domains", "hotel", "area") == 5
    assert found.line("goals", 1, "id") == 6
    assert found.line("goals", 2) is None
    assert found.line("goals", 0, "nowhere", "area") is None
    assert found.where("goals", 1, "nowhere") == f"{tmp_path / name}:6"
    assert found.where("goals", 1, "nowhere", "area") == f"{tmp_path / name}:6"


def test_large_json_has_no_lines_but_values(tmp_path: Path) -> None:
    found = document(tmp_path, '{"a": "' + "x" * 600_000 + '"}', "large.json")
    assert len(found.value["a"]) == 600_000
    assert found.line("a") is None
    assert found.where("a") == str(tmp_path / "large.json")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3", ":3: duplicate key 'a'; it first stands on line 1"),
        ("a: 1\nb: [1, 2", ":2: broken YAML: while parsing a flow sequence"),
        ("a: b: c", ":1: broken YAML: mapping values are not allowed here"),
        ("a: \x01", ": broken YAML: unacceptable character"),
        ("a\n---\nb", ":2: broken YAML"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]", ":2: tag 'tag:yaml.org,2002:python"),
        ("a: !!int x", ":1: tag"),
        ('a: 1\nb: "x\\ud800y"', ":2: half of a surrogate pair"),
        ("a: &a [*a]", ":1: the alias 'a' stands for no value before it"),
        ("[*b, &b c]", ":1: the alias 'b' stands for no value before it"),
        ("- &a 1\n- &a 2", ":2: the anchor 'a' stands twice"),
        ("[" * 5000, ":1: nested too deeply"),
        ("- " * 5000, ":1: nested too deeply"),
        ("? [a, b]\n: c", ":1: a mapping or list as a key"),
        ("- &a [b]\n- *a : c", ":2: a mapping or list as a key"),
        ("1" * 2000, ":1: a number of more than 1000 digits"),
        ("a: !!set {b}", ":1: tag 'tag:yaml.org,2002:set': expected plain values"),
    ],
)
def test_bad_yaml_says_where(tmp_path: Path, text: str, expected: str) -> None:
    assert complaint(tmp_path, text).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,\n "b": }', ":2: not JSON: Expecting value (column 7)"),
        ('{"a": 1,\n "a": 2}', ":2: duplicate key 'a'; it first stands on line 1"),
        ('{"a": "\\ud800"}', ": half of a surrogate pair"),
        ('{"a": NaN}', ": NaN is not a JSON value"),
        ("[" * 100_000, ": nested too deeply"),
        ("", ":1: not JSON"),
    ],
)
def test_bad_json_says_where(tmp_path: Path, text: str, expected: str) -> None:
    assert complaint(tmp_path, text, "file.json").startswith(expected)


def test_aliases_stand_for_values_and_keys(tmp_path: Path) -> None:
    found = document(tmp_path, "a: &v [1,\n  &k x]\nb: *v\n? *k\n: 2\n? &n y\n: *n")
    assert found.value == {"a": [1, "x"], "b": [1, "x"], "x": 2, "y": "y"}
    lines = [found.line(*keys) for keys in [("a", 1), ("b",), ("b", 1), ("x",), ("y",)]]
    assert lines == [2, 3, 2, 4, 6]


def test_without_libyaml_files_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "a: &v [1,\n  'x', \"\\ud83d\\ude00\"]\nb: *v\nc: |\n  two\n  lines\nd: {e: ~}"
    found = document(tmp_path, text)
    monkeypatch.setattr(yaml_text, "CParser", None)
    again = document(tmp_path, text)
    assert (
        again.value
        == found.value
        == {"a": [1, "x", "😀"], "b": [1, "x", "😀"], "c": "two\nlines\n", "d": {"e": None}}
    )
    assert again.line("d", "e") == found.line("d", "e") == 7


def test_aliases_cannot_grow_without_bound(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "more than 1000000 values" in complaint(tmp_path, "\n".join(lines))


def test_a_file_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"a: b\nc: caf\xe9\n")
    with pytest.raises(InvalidFile, match=r"latin\.yaml:2: not UTF-8 \(byte 0xe9\)"):
        read_document(path)


def test_an_unreadable_file_says_why(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"none\.yaml: cannot be read: No such file"):
        read_document(tmp_path / "none.yaml")
