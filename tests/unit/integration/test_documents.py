from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pytest_todeval.core.documents import Document, read_document, read_json_lines, yaml_text
from pytest_todeval.core.documents.faults import fault_of
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


def test_plain_tags_are_read_by_their_kind(tmp_path: Path) -> None:
    text = "[!!int 3, !!float 1.5, !!bool True, !!null ~, !!str 3, ! 3, !!seq [!!map {a: b}]]"
    assert document(tmp_path, text).value == [3, 1.5, True, None, "3", "3", [{"a": "b"}]]


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
    assert found.where("goals", 0, "domains", "nowhere") == f"{tmp_path / name}:3"
    assert found.where("goals", 1, "nowhere") == f"{tmp_path / name}:6"
    assert found.where("goals", 1, "nowhere", "area") == f"{tmp_path / name}:6"


def test_large_json_has_no_lines_but_values(tmp_path: Path) -> None:
    text = '{"a": "' + "x" * (500_000 - len('{"a": ""}')) + '"}'
    assert document(tmp_path, text, "as_large_as_can_be.json").line("a") == 1
    found = document(tmp_path, text + " ", "large.json")
    assert len(found.text) == 500_001
    assert found.value["a"] == text[7:-2]
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
        ("1" * 1001, ":1: a number of more than 1000 digits"),
        ("- []\n- " + "[" * 200 + "]" * 200, ":2: nested too deeply"),
        ("a: !!binary eA==", ":1: tag 'tag:yaml.org,2002:binary' on 'eA==': expected plain"),
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
    assert document(tmp_path, '\n{\t"a":\n\t"b"}', "tabs.json").line("a") == 2
    assert document(tmp_path, 'a: "b\tc"').value == {"a": "b\tc"}


def test_aliases_cannot_grow_without_bound(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "more than 1000000 values" in complaint(tmp_path, "\n".join(lines))


def test_what_is_as_large_as_can_be_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert document(tmp_path, "1" * 1000).value == int("1" * 1000)
    assert document(tmp_path, "- []\n- " + "[" * 199 + "]" * 199).line(1) == 2
    text = "a: &a [1, 2, 3]\nb: *a"  # two lists of four values in a mapping
    monkeypatch.setattr(yaml_text, "MAX_VALUES", 9)
    assert document(tmp_path, text).value == {"a": [1, 2, 3], "b": [1, 2, 3]}
    monkeypatch.setattr(yaml_text, "MAX_VALUES", 8)
    assert complaint(tmp_path, text) == ":2: more than 8 values, counting aliases each time"
    monkeypatch.setattr(yaml_text, "MAX_VALUES", 4)
    assert complaint(tmp_path, text) == ":1: more than 4 values, counting aliases each time"


def test_json_lines_have_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('\n{"a": 1}\n \n[2]\n', encoding="utf-8")
    assert list(read_json_lines(path)) == [(2, {"a": 1}), (4, [2])]
    half = "half of a surrogate pair (\\ud800 to \\udfff alone); expected whole characters"
    for line, said in {
        '{"a": }': "not JSON: Expecting value (column 7)",
        '{"a": 1, "a": 2}': "a key occurs twice in one object; keep one of them",
        '"\\ud800"': half,
        "NaN": "NaN is not a JSON value; expected a finite number, a string or null",
        "[" * 100_000: "nested too deeply; expected plain JSON",
    }.items():
        path.write_text(f"1\n{line}\n", encoding="utf-8")
        with pytest.raises(InvalidFile) as caught:
            list(read_json_lines(path))
        assert str(caught.value) == f"{path}:2: {said}"


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid")
    people: int = Field(gt=0, lt=9)
    near: list[str] = []
    when: str = Field("", max_length=3)
    kind: bool | None = None
    food: Literal["thai", "any"] = "any"

    @field_validator("when")
    @classmethod
    def is_day(cls, when: str) -> str:
        if when == "day":
            raise ValueError("Which day?")
        return when


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({}, "it is missing"),
        ({"people": 1, "men": 1}, "there is no such key"),
        ({"people": 1, "when": "day"}, "Which day?"),
        ({"people": 1, "when": "today"}, "string should have at most 3 characters"),
        ({"people": []}, "expected a whole number"),
        ({"people": 0}, "expected a number greater than 0"),
        ({"people": 9}, "expected a number less than 9"),
        ({"people": 1, "near": "x"}, "expected a list"),
        ({"people": 1, "kind": []}, "expected true or false"),
        ({"people": 1, "near": [1]}, "expected text"),
        ({"people": 1, "food": "x"}, "expected 'thai' or 'any'"),
        ([], "expected a mapping"),
    ],
)
def test_what_pydantic_finds_is_said_in_plain_words(value: object, fault: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Table.model_validate(value)
    (found,) = caught.value.errors()
    assert fault_of(found) == fault


def test_a_file_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    first = tmp_path / "first.yaml"
    first.write_bytes(b"\n\xe9")
    with pytest.raises(InvalidFile, match=r"first\.yaml:2: not UTF-8 \(byte 0xe9\)"):
        read_document(first)
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"a: b\nc: caf\xe9\n")
    with pytest.raises(InvalidFile, match=r"latin\.yaml:2: not UTF-8 \(byte 0xe9\)"):
        read_document(path)


def test_an_unreadable_file_says_why(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"none\.yaml: cannot be read: No such file"):
        read_document(tmp_path / "none.yaml")
