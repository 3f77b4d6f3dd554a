"""A text cut into blocks, and what each block is about."""

import pytest

from pytest_todeval.nlu.text.layout import Block, blocks, owners
from tests.conftest import must_end


def texts(text: str) -> list[str]:
    return [block.text for block in blocks(text)]


def about(text: str, *names: str) -> list[tuple[str, str | None]]:
    """Each block with the name that it is about."""
    found = blocks(text)

    def first(block: Block) -> str | None:
        return next((name for name in names if name in block.text), None)

    return [(b.text, o) for b, o in zip(found, owners(found, first), strict=True) if b.text]


@pytest.mark.parametrize(
    "mark",
    ["- ", "* ", "• ", "– ", "1. ", "1) ", "(2) ", "a) ", "b. ", "✅ ", "1️⃣ ", "🍝 ", "> - ", "+ "],
)
def test_marks_of_items(mark: str) -> None:
    assert texts(f"Two places:\n{mark}Blue Fig\n{mark}Olive Bar") == [
        "Two places:",
        "Blue Fig",
        "Olive Bar",
    ]
    assert [block.item for block in blocks(f"Two:\n{mark}Blue Fig")] == [False, True]


@pytest.mark.parametrize(
    "line",
    ["7.30pm is free", "-5 degrees outside", "12:30 suits them", "I think so", "**Blue Fig**"],
)
def test_what_only_looks_like_a_mark(line: str) -> None:
    found = blocks(f"Well\n{line}")
    assert found[1].text == line.strip("*")
    assert not found[1].item


def test_one_line_is_one_block() -> None:
    assert blocks("- Blue Fig") == (Block("- Blue Fig"),)
    assert blocks("") == (Block(""),)
    assert blocks("\n\n") == ()


def test_sub_items_belong_to_the_item_above() -> None:
    text = "Here:\n1. Blue Fig\n   - cheap\n     - very\n2. Olive Bar\n   - dear\nWhich one?"
    assert about(text, "Blue Fig", "Olive Bar") == [
        ("Here:", None),
        ("Blue Fig", "Blue Fig"),
        ("cheap", "Blue Fig"),
        ("very", "Blue Fig"),
        ("Olive Bar", "Olive Bar"),
        ("dear", "Olive Bar"),
        ("Which one?", None),
    ]


def test_headings_own_what_stands_under_them() -> None:
    text = "## Blue Fig\nArea: north\n## Olive Bar\nArea: south"
    assert [owner for _, owner in about(text, "Blue Fig", "Olive Bar")] == [
        "Blue Fig",
        "Blue Fig",
        "Olive Bar",
        "Olive Bar",
    ]


def test_lines_of_labels_belong_to_the_name_among_them_wherever_it_stands() -> None:
    text = "Train 1:\n- Leaves: 9:00\n- Train ID: TR1\n\nTrain 2:\n- Leaves: 10:00\n- Train ID: TR2"
    assert [owner for _, owner in about(text, "TR1", "TR2")] == ["TR1"] * 3 + ["TR2"] * 3
    flat = "Name: Blue Fig\nArea: north\nName: Olive Bar\nArea: south"
    assert [owner for _, owner in about(flat, "Blue Fig", "Olive Bar")] == [
        "Blue Fig",
        "Blue Fig",
        "Olive Bar",
        "Olive Bar",
    ]


@pytest.mark.parametrize(
    "head",
    ["| | |\n| --- | --- |\n", "| Detail | |\n|---|---|\n", "| Field | Value |\n|-|-|\n", ""],
)
def test_two_columns_may_be_labels_and_values(head: str) -> None:
    text = f"### Blue Fig\n\n{head}| **Wi-Fi** | no |\n| **Parking** | yes |\n"
    assert [b for b in about(text, "Blue Fig") if ":" in b[0]] == [
        ("Wi-Fi: no", "Blue Fig"),
        ("Parking: yes", "Blue Fig"),
    ]


@pytest.mark.parametrize("edge", ["|", ""])
def test_cells_of_a_table_have_their_header_and_their_row(edge: str) -> None:
    rows = ["Name | Area", "--- | :---:", "Blue Fig | north", "Olive Bar | south"]
    text = "\n".join(f"{edge} {row} {edge}" for row in rows)
    assert about(text, "Blue Fig", "Olive Bar") == [
        ("Name: Blue Fig", "Blue Fig"),
        ("Area: north", "Blue Fig"),
        ("Name: Olive Bar", "Olive Bar"),
        ("Area: south", "Olive Bar"),
    ]
    assert [b.label for b in blocks(text) if b.text] == ["Name", "Area", "Name", "Area"]


@pytest.mark.parametrize("line", ["❌ Blue Fig", "- ~~Blue Fig~~", "✗ Blue Fig"])
def test_crossed_out(line: str) -> None:
    assert blocks(f"Tried:\n{line}")[1].crossed
    assert not blocks("Tried:\n- Blue Fig")[1].crossed


@pytest.mark.parametrize(
    "line", ["- a", "| a | b |", "a: b", "#", "  - a", "1. ", ">", "**", "\t", "-", "|", "a:", "—"]
)
def test_hostile_text_is_cut_in_no_time(line: str) -> None:
    text = (f"{line}\n" * 200_000)[:200_000]
    with must_end():
        found = blocks(text)
        owners(found, lambda block: block.text or None)


def test_lists_nested_fifty_deep() -> None:
    text = "\n".join(f"{' ' * depth}- item {depth}" for depth in range(50))
    found = blocks(f"{text}\n{text}")
    assert len(found) == 100
    assert found[49].parent == 48
    assert owners(found, lambda block: None if block.parent is not None else "top") == ["top"] * 100
