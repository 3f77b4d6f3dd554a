"""Names of slots, as strange as files of strangers may have them."""

from pytest_todeval.nlu.slots import Slot


def test_a_name_of_any_length_has_labels_of_about_that_length() -> None:
    assert sum(map(len, Slot("a" * 10_000).labels)) < 50_000
    assert any("addr" in label for label in Slot("address").labels)
