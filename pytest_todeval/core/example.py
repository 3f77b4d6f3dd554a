"""An example of how one's own bot speaks: a sentence, and what it means."""

import re
from dataclasses import dataclass

from pytest_todeval.core.dialogue_act import DialogueAct

GAP = re.compile(r"\{([A-Za-z]\w{0,40})\}")
"""A place in a sentence that other words may take, with its name: `{stylist}`."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of a bot, and what it means (`hearing:` in a goal file)."""

    says: str
    """As the bot says it; `{stylist}` stands for any few words."""
    means: tuple[DialogueAct, ...]
    """Nothing, one claim or several; their values may be the sentence's gaps, `{stylist}`."""
