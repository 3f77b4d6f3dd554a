"""One variation, for one dialogue: the same for the same goal, trial and turn."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.variation.kept import Kept, Masked
from pytest_todeval.simulation.variation.levels import LEVELS, check_variation
from pytest_todeval.simulation.variation.manners import MANNERS, Manner
from pytest_todeval.simulation.variation.noise import misheard, mistyped
from pytest_todeval.simulation.variation.rewording import easy, hard, medium
from pytest_todeval.simulation.variation.spoken import spoken
from pytest_todeval.simulation.variation.wordings import sheet_definition

if TYPE_CHECKING:
    from pytest_todeval.models.client import ChatClient
    from pytest_todeval.models.settings import ModelSettings

LONGEST = 4000
"""Characters of an utterance; a longer one, which no person says, is left as it is."""


class Variation(Protocol):
    """Says in other words what a user means."""

    @property
    def name(self) -> str:
        """As it was asked for: `easy`, `model:hard`, `French`."""
        ...

    @property
    def definition(self) -> str:
        """Returns what it rests on: sheet or prompt, with version and hash."""
        ...

    @property
    def asks_model(self) -> bool:
        """Says whether it waits for a model's endpoint."""
        ...

    def varied(self, text: str, turn: int, heard: str) -> str:
        """Returns what the bot hears in that turn; `heard` is what the bot has said lately."""
        ...


class RuleVariation:
    """A variation by rule, in English: words of `wordings.yaml`, typing errors, speech.

    What a bot needs stands in what it hears: the goal's values, figures, addresses and names, in
    speech in the words for them.
    """

    asks_model = False

    def __init__(self, name: str, goal: Goal, seed: int) -> None:
        self.name = name
        self._seed = f"{goal.id}/{seed}/{name}"
        self._kept = Kept(goal)

    @property
    def definition(self) -> str:
        """Returns the sheet's version and hash."""
        return f"{self.name} by rule {sheet_definition()}"

    def varied(self, text: str, turn: int, heard: str) -> str:
        """What the bot hears; the text as it is if it is too long, or nothing of it can be told."""
        masked = self._kept.masked(text, heard) if len(text) <= LONGEST else None
        if masked is None:
            return text
        rng = random.Random(f"{self._seed}/{turn}")
        changed = _CHANGES[self.name](masked.text, rng)
        return self._restored(masked, changed) or text

    def _restored(self, masked: Masked, changed: str) -> str:
        if self.name != "speech":
            return masked.restored(changed).strip()
        said = Masked(masked.text, tuple(f" {spoken(each)} " for each in masked.kept))
        return " ".join(said.restored(changed).split())


_CHANGES: Mapping[str, Callable[[str, random.Random], str]] = MappingProxyType(
    {"easy": easy, "medium": medium, "hard": hard, "typos": mistyped, "speech": misheard}
)


def make_variation(
    name: str,
    goal: Goal,
    seed: int = 0,
    *,
    model: "str | ModelSettings | ChatClient | None" = None,
    prompts: str | Path | None = None,
) -> Variation:
    """Returns the variation of this name for one dialogue; `seed` is the trial.

    `easy`, `medium`, `hard`, `typos` and `speech` are made by rule, with `model:` before them by
    `model`, as is any language (`French`). Raises UsageError for an unknown name, and without a
    model if it takes one.
    """
    check_variation(name, "variation")
    if name in MANNERS:
        return Manner(name)
    if name in LEVELS:
        return RuleVariation(name, goal, seed)
    if model is None:
        raise UsageError(
            f"the variation {name!r} needs a model; by rule there are {', '.join(LEVELS)}"
        )
    from pytest_todeval.simulation.variation.by_model import ModelVariation

    return ModelVariation(name, goal, seed, model, prompts)
