"""The forms in which a name is said."""

import pytest

from pytest_todeval.nlu.names.wordings import name_wordings


def forms(name: str) -> list[str]:
    return [" ".join(form) for form in name_wordings(tuple(name.split()))]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("the warkworth house", ["warkworth house", "warkworth houses", "warkworth"]),
        ("the", ["the"]),
        ("the dojo", ["dojo"]),
        ("k q bar", ["k q bar"]),  # single letters name nothing
        ("xo bar lounge", ["xo bar lounge", "xo bar"]),
        ("", [""]),
        ("the old mill", ["old mill"]),  # "old" is an everyday word
        ("the golden curry", ["golden curry"]),
        ("golden wok takeaway", ["golden wok takeaway", "golden wok"]),  # two words may be everyday
        ("dojo noodle bar", ["dojo noodle bar", "dojo noodle"]),  # four letters do not stand for it
        ("house of curry", ["house of curry"]),
        ("cambridge museum", ["cambridge museum"]),
        (
            "cambridge arts theatre",
            [
                *("cambridge arts theatre", "cambridge arts theater"),
                *("arts theatre", "arts theater", "cambridge arts"),
            ],
        ),
        (
            "rosa s bed and breakfast",
            [
                *("rosa s bed and breakfast", "rosa s bed breakfast", "rosa s b and b"),
                *("rosas bed and breakfast", "rosa s bed", "rosas bed"),
            ],
        ),
        ("rosas cafe", ["rosas cafe", "rosa s cafe", "rosas", "rosa s"]),
    ],
)
def test_a_name_is_said_whole_shortened_and_in_other_spellings(name: str, said: list[str]) -> None:
    assert forms(name) == said
