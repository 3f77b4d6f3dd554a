"""Variations by a model (AutoEval-ToD, prompt H.1), and other languages."""

import random
import re
from pathlib import Path

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.models.ask import ask
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.variation.kept import Kept
from pytest_todeval.simulation.variation.levels import MODEL

LONGEST = 4000
"""Characters of an answer that are read."""
_ONE = re.compile(r"<variation>(.*?)</variation>", re.DOTALL | re.IGNORECASE)


class VariationReader:
    """Reads the variations of one level: `<variation>` elements, in a group of the level's if the
    model has written one for each; else the text itself. Those that lose what is kept are left out.
    """

    schema = None

    def __init__(self, level: str, text: str, heard: str, kept: Kept) -> None:
        self._level, self._text, self._heard, self._kept = level, text, heard, kept

    @property
    def expected(self) -> str:
        """Returns what a model is told that is asked again."""
        return "Answer with the new wording between <variation> and </variation>, nothing else."

    def read(self, text: str) -> list[str]:
        """Returns the variations that can be said.

        Raises Unreadable, with what is lost, if there is none.
        """
        if len(text) > LONGEST:
            raise Unreadable(f"is {len(text)} characters long, more than {LONGEST}")
        group = re.search(
            rf"<{self._level}_variations>(.*?)</{self._level}_variations>", text, re.DOTALL
        )
        found = _ONE.findall(group[1] if group else text)
        said = [" ".join(each.split()) for each in (found or [_untagged(text)])]
        lost = [self._kept.lost(self._text, each, self._heard) for each in said]
        sound = [each for each, lacks in zip(said, lost, strict=True) if each and not lacks]
        if sound:
            return sound
        lacks = next(filter(None, lost), [])
        raise Unreadable(f"leaves out {', '.join(map(repr, lacks))}" if lacks else "says nothing")


class ModelVariation:
    """Has a model say it: in the words of a level, or in another language."""

    asks_model = True

    def __init__(
        self,
        name: str,
        goal: Goal,
        seed: int,
        model: str | ModelSettings | ChatClient,
        prompts: str | Path | None = None,
    ) -> None:
        self.name = name
        self._client = model if isinstance(model, ChatClient) else ChatClient(model)
        self._level = name.removeprefix(MODEL) if name.startswith(MODEL) else ""
        self._prompts = Prompts(prompts)
        self._prompt = self._prompts.get("variation" if self._level else "variation_language")
        self._guide = self._prompts.get(f"variation_{self._level}") if self._level else None
        self._goal, self._seed, self._kept = goal, seed, Kept(goal)

    @property
    def definition(self) -> str:
        """Returns the prompts with version and hash, and the model."""
        told = [each.definition for each in (self._prompt, self._guide) if each is not None]
        return f"{self.name} by {self._client.model}: {', '.join(told)}"

    def varied(self, text: str, turn: int, heard: str) -> str:
        """Returns what the bot hears.

        Raises ModelUnavailable; SimulatorFault if the model's answers cannot be read, or leave out
        what the bot needs, even when asked once more.
        """
        kept = [text[start:end] for start, end in self._kept.spans(text, heard)]
        guide = "" if self._guide is None else self._guide.render()[0]["content"]
        messages = self._prompt.render(
            utterance=fenced("utterance", text),
            history=fenced("chatbot", heard),
            kept=", ".join(dict.fromkeys(kept)) or "(nothing)",
            level=self._level,
            guide=guide,
            language=self.name,
        )
        reader = VariationReader(self._level, text, heard, self._kept)
        asked = ask(self._client, messages, reader, prompts=self._prompts)
        if asked.value is None:
            raise SimulatorFault(f"no variation {self.name} of {text!r:.120}: {asked.unscored}")
        return random.Random(f"{self._goal.id}/{self._seed}/{turn}").choice(asked.value)


def _untagged(text: str) -> str:
    """Returns a text without any tag; one with tags is no utterance."""
    return "" if re.search(r"</?\w+>", text) else text.strip().strip('"')
