"""Texts of tools: which part is about an item, and what it gives a slot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.nlu.slots import Slot
from pytest_todeval.nlu.values.item_texts import ItemTexts, parts_of

LINES = "AB 12 T4 boarding 06:45 dep 07:25\nAB 21 T4 boarding 09:45 dep 10:25"
SENTENCES = "Rose House: plan Family Max, 3 rooms, no pets. Mill Inn: plan Basic 20, pets, 9 rooms."
BLOCKS = "Name: Rose House\nPhone: 98200 12345\n\nName: Mill Inn\nPhone: 98200 54321"
RECORDS = BLOCKS.replace("\n\n", "\n")
PROSE = (
    "Rose House is in the west. It has a pool. It costs $40. Mill Inn is in the east. It costs $9."
)

VALUES: tuple[tuple[str, str, str, list[str], list[str]], ...] = (
    (LINES, "AB 12", "boarding time", ["06:45"], ["09:45"]),
    (SENTENCES, "Rose House", "plan", ["Family Max"], ["Basic 20"]),
    (SENTENCES, "Rose House", "pets allowed", ["no"], ["yes"]),
    (BLOCKS, "Mill Inn", "phone number", ["98200 54321"], ["98200 12345"]),
    (RECORDS, "Mill Inn", "phone", ["98200 54321"], ["98200 12345"]),
    (PROSE, "Rose House", "price", ["$40"], ["$9"]),
    ("Rose House, dir. Ann Lee", "Rose House", "director", ["Ann Lee"], []),
    ("Rose House: plate KA 01 AB 1234", "Rose House", "number plate", ["KA 01 AB 1234"], []),
    ("Account: $40 (limit $500)", "Account", "balance", [], []),
    ("Rose House: opening time 7:30, pool", "Rose House", "closing time", ["7:30"], []),
    ("No rooms left.", "Rose House", "plan", [], []),
    ("", "Rose House", "plan", [], []),
)


@pytest.mark.parametrize(("text", "item", "slot", "mine", "others"), VALUES)
def test_a_value_is_that_of_the_part_about_the_item(
    text: str, item: str, slot: str, mine: list[str], others: list[str]
) -> None:
    texts = ItemTexts([text], [item])

    assert texts.values(Slot(slot)) == mine
    assert texts.others(Slot(slot)) == others


def test_a_text_about_no_item_in_particular_counts_whole() -> None:
    texts = ItemTexts(["Boarding at 06:45.", "Gate B18."], ["Rose House"])

    assert texts.mine == ["Boarding at 06:45.", "Gate B18."]
    assert texts.values(Slot("gate")) == ["B18"]


@given(st.text(max_size=300))
def test_parts_hold_the_texts_letters_in_order(text: str) -> None:
    def letters(of: str) -> str:
        return "".join(char for char in of if char.isalnum())

    assert letters("".join(parts_of(text))) == letters(text)
