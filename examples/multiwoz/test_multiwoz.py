"""The 1000 goals of MultiWOZ's test split; needs the data (`todeval data get multiwoz`)."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.multiwoz(split="test")
def test_does_what_the_user_wants(dialogue: Dialogue) -> None:
    assert dialogue.success
    assert dialogue.booking
