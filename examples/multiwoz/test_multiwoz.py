"""The 1000 goals of MultiWOZ's test split; needs the data (`todeval data get multiwoz`)."""

from typing import Any

import pytest


@pytest.mark.multiwoz(split="test")
def test_does_what_the_user_wants(dialogue: Any) -> None:
    assert dialogue.success
    assert dialogue.booking
