"""Tables of ratings in files, and `todeval agreement`."""

import json
from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.research.agreement.ratings_file import read_ratings, scale_of
from tests.conftest import Todeval

WIDE = "dialogue,turn,ann,bob\nd1,0,5,4\nd1,1,,2\nd2,0,3,3\n"
LONG = "dialogue,turn,rater,rating\nd1,0,ann,5\nd1,0,bob,4\nd1,1,bob,2\nd2,0,bob,3\nd2,0,ann,3\n"
ROWS = [
    {"dialogue": "d1", "turn": 0, "ratings": {"ann": 5, "bob": 4}},
    {"dialogue": "d1", "turn": 1, "ratings": {"bob": 2, "ann": None}},
    {"dialogue": "d2", "turn": 0, "ratings": {"ann": 3, "bob": 3}},
]
COLUMNS = {
    "columns": ["dialogue", "turn", "ann", "bob"],
    "items": [["d1", 0, 5, 4], ["d1", 1, None, 2], ["d2", 0, 3, 3]],
}
FORMS = {
    "wide.csv": WIDE,
    "long.csv": LONG,
    "rows.json": json.dumps(ROWS),
    "columns.json": json.dumps(COLUMNS),
}


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_a_table_says_the_same(tmp_path: Path, name: str) -> None:
    table = read_ratings(file(tmp_path, name, FORMS[name]))
    found = table.ratings((1, 2, 3, 4, 5))[""]

    assert found.raters == ("ann", "bob")
    assert found.items == ("d1, 0", "d1, 1", "d2, 0")
    assert found.given == ((4, 3), (None, 1), (2, 2))
    assert found.clusters == ("d1", "d1", "d2")


def test_a_table_for_each_value_of_a_column(tmp_path: Path) -> None:
    table = read_ratings(file(tmp_path, "r.csv", WIDE))

    parts = table.ratings((1, 2, 3, 4, 5), by="turn")

    assert {name: len(part.items) for name, part in parts.items()} == {"": 3, "0": 2, "1": 1}
    with pytest.raises(UsageError, match="the columns about the items are dialogue, turn"):
        table.ratings((1, 2, 3, 4, 5), by="dimension")


def test_raters_may_be_named(tmp_path: Path) -> None:
    path = file(tmp_path, "r.csv", "who,ann,bob,note\nd1,1,2,fine\nd2,2,2,\n")

    assert read_ratings(path, ["ann", "bob"]).about == ("who", "note")
    with pytest.raises(UsageError, match=r"got 'carl'; the columns of .* are who, ann, bob, note"):
        read_ratings(path, ["ann", "carl"])


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1-5", (1, 2, 3, 4, 5)),
        ("-1 to 1", (-1, 0, 1)),
        ("0,0.5,1", (0, 0.5, 1)),
        ("bad, fair, good", ("bad", "fair", "good")),
    ],
)
def test_scales(text: str, scale: tuple[object, ...]) -> None:
    assert scale_of(text) == scale


@pytest.mark.parametrize("text", ["", "5", "5-1", "a,a", "1-9999", "1-"])
def test_what_is_no_scale_is_told_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match=r"--scale: got .*`1-5`"):
        scale_of(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no rows"),
        ("item,ann\nd1,5\n", "1 column of ratings .ann., expected one for each of two"),
        ("item,ann,bob\nd1,5\n", "not as many cells"),
        ("item,ann,bob\nd1,5,4,3\n", "not as many cells"),
        ("item,ann,bob\nd1,5,4\nd1,3,3\n", "row 2: the item d1 is there twice"),
        ("item,ann,bob\nd1,5,4\nmean,5,4\n", "the row 'mean' is no item but sums up"),
        ("item,d1,d2\nrater_1,5,4\nrater_2,5,4\n", "the rows seem to be raters.*transposed"),
        ("item,rater,rating\nd1,ann,5\nd1,ann,4\n", "row 2: ann rated d1 twice"),
        ("rater,rating\nann,5\n", "a column that says which item was rated"),
    ],
)
def test_what_is_no_table_of_ratings(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidFile, match=rf"r\.csv: .*{told}"):
        read_ratings(file(tmp_path, "r.csv", text))


@pytest.mark.parametrize(
    "text",
    ["3", "{}", '{"items": 4}', "[[1, 2]]", '[{"ratings": "5"}]', '{"columns": 1, "items": []}'],
)
def test_json_of_another_shape(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidFile, match="expected a list of items"):
        read_ratings(file(tmp_path, "r.json", text))


def test_a_rating_that_the_scale_does_not_have(tmp_path: Path, todeval: Todeval) -> None:
    path = file(tmp_path, "r.csv", "item,ann,bob\nd1,5,4\nd2,9,4\n")

    printed = todeval("agreement", path, "--scale", "1-5", code=2).err
    assert "item 2: got 9, expected one of 1, 2, 3, 4, 5" in printed


def test_the_command_prints_and_writes(tmp_path: Path, todeval: Todeval) -> None:
    lines = [f"d{number},{1 + number % 5},{1 + number % 5}" for number in range(20)]
    path = file(tmp_path, "r.csv", "\n".join(["dialogue,ann,judge", *lines]))
    out = tmp_path / "out.json"
    options = ["--scale", "1-5", "--judge", "judge", "--json", str(out)]

    told = todeval("agreement", path, *options).out
    assert "20 items rated by two or more of 2 raters: judge against ann" in told
    assert told.startswith("all items: judge is better than a judge that always says ")
    assert json.loads(out.read_text(encoding="utf-8"))["all"]["figures"]["AC1"]["value"] == 1


BY_KIND = """dialogue,kind,ann,judge
d1,caf\N{LATIN SMALL LETTER E WITH ACUTE},1,2
d2,caf\N{LATIN SMALL LETTER E WITH ACUTE},2,2
d3,inn,3,3
d4,inn,3,3
d5,inn,1,2
d6,inn,,3
"""
TOLD = """\
all items: judge cannot be told from a judge that always says 2: quadratic agreement +0.100 \
(+0.000 to +0.208)
5 items rated by two or more of 2 raters: judge against ann
scale 1, 2, 3; intervals of 95 %, resampled by 6 dialogues
                                value       interval  a constant judge
agreement                       0.600   0.17 to 1.00             0.400
AC1                             0.412  -0.21 to 1.00             0.221
"""
RATE = """
items with 2 or more
  by judge: 1.000 (0.51 to 1.00) of 6
  by people: 0.600 (0.16 to 1.00) of 5
  corrected, prediction-powered: 0.600 (0.16 to 1.00)
  corrected, Rogan and Gladen: -
  judge said good where a person did not 2 times, and the reverse 0 times
  a gate at 1 passes by judge's word, and is undecided once its errors are taken out

"""


def test_the_command_tells_how_a_judge_agrees_and_corrects_it(
    tmp_path: Path, todeval: Todeval
) -> None:
    path = file(tmp_path, "r.csv", BY_KIND)
    options = ["--scale", "1-3", "--raters", "ann", "judge", "--judge", "judge"]

    told = todeval("agreement", path, *options, "--good", "2", "--gate", "1").out
    assert told.startswith(TOLD)
    assert told.endswith(RATE)
    assert "\nMatthews' correlation           0.577   0.47 to 1.00                 -\n" in told
    assert "as much: p = 0.142\n" in told
    assert "more raters" not in told


def test_the_command_tells_kinds_of_items_apart(tmp_path: Path, todeval: Todeval) -> None:
    path, out = file(tmp_path, "r.csv", BY_KIND.replace("d6,inn,,3\n", "")), tmp_path / "o.json"
    options = ["--scale", "1-3", "--raters", "ann", "judge", "--by", "kind", "--json", str(out)]

    told = todeval("agreement", path, *options).out
    assert told.startswith("all items\n5 items rated by two or more of 2 raters: ann, judge\n")
    assert "value       interval\n" in told
    assert [line for line in told.splitlines() if "kind" in line] == [
        "kind = caf\N{LATIN SMALL LETTER E WITH ACUTE}", "kind = inn",
    ]  # fmt: skip
    text = out.read_text(encoding="utf-8")
    assert text.startswith('{\n "all": {\n  "items": 5,')
    assert list(json.loads(text)) == ["all", "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "inn"]
    assert '"caf\N{LATIN SMALL LETTER E WITH ACUTE}"' in text


def test_more_raters_than_items_are_asked_about(tmp_path: Path, todeval: Todeval) -> None:
    path = file(tmp_path, "r.csv", "a,b,c\n1,2,1\n2,2,2\n")

    assert "more raters than items" in todeval("agreement", path, "--scale", "1-2").out
