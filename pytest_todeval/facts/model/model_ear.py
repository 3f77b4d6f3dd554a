"""The ear that is a model: asked once about each reply, and cross-checked by the rules.

What it says is held against the reply: a claim whose words, name or value do not stand there is
left out. It is shown what the user said and what the bot said in the turn, both fenced, and the
names of the goal's domains and slots: no value of the goal, and never its solution.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import JudgeFault
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.facts.ear import MAX_TEXT, Heard
from pytest_todeval.facts.model.grounds import held_against
from pytest_todeval.facts.model.two_ears import DISAGREE, compared
from pytest_todeval.facts.model.wording import CheckedText
from pytest_todeval.models.ask import ask
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.claims import ClaimsReader
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.nlu.examples.finding import find_examples
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.vocabulary import Vocabulary

PROMPT = "ear"
SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
"""Where a sentence of a reply ends."""


class ModelEar:
    """Hears the replies of one dialogue by asking a model, once about each.

    `backend` serves the rules that cross-check it, as it serves the metrics; `prompts` is a folder
    with documents that replace the shipped ones.
    """

    def __init__(
        self,
        goal: Goal,
        model: ChatClient | ModelSettings | str,
        *,
        backend: Any = None,
        prompts: str | Path | None = None,
    ) -> None:
        self._goal, self._backend = goal, backend
        self._client = model if isinstance(model, ChatClient) else ChatClient(model)
        self._prompts = Prompts(prompts)

    def __repr__(self) -> str:
        return f"<ModelEar {self._client.model}>"

    def hear(self, turns: Sequence[Turn]) -> Heard:
        """Returns what the bot says in the last of these turns; the others are what was before.

        Raises ModelUnavailable if the model could not be asked, JudgeFault, with the reply quoted,
        if its answer could not be read twice.
        """
        turn = turns[-1]
        text = turn.system[:MAX_TEXT]
        evidence = gather(Dialogue(self._goal, tuple(turns)), self._backend)
        told = self._asked(turn, text)
        kept, wrong = held_against(told, text, [part.domain for part in self._goal.domains])
        settled = _Settled(text, evidence.vocabulary)
        claims, doubts = compared(kept, evidence.turns[-1].heard, text, settled)
        who, index = self._client.model, turn.index
        left_out = (f"left out of what {who} heard in turn {index}: {why}" for why in wrong)
        disagreements = (f"{DISAGREE} {index}: {doubt}" for doubt in doubts)
        return Heard(claims, who, (*left_out, *disagreements))

    def _asked(self, turn: Turn, text: str) -> tuple[DialogueAct, ...]:
        messages = self._prompts.get(PROMPT).render(
            slots=fenced("slots", "\n".join(map(_slots_of, self._goal.domains))),
            user=fenced("user", turn.user[:MAX_TEXT]),
            response=fenced("bot", text),
        )
        asked = ask(self._client, messages, ClaimsReader(), prompts=self._prompts)
        if asked.value is None:
            raise JudgeFault(
                f"an answer of the ear {self._client.model} cannot be read: {asked.unscored}"
            )
        return asked.value


class _Settled:
    """Whether an example (`hearing:`) says how words of a text are to be heard."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        sentences = SENTENCE.split(text) if vocabulary.taught else []
        self._taught = [CheckedText(each) for each in sentences if self._covers(each)]

    def __call__(self, words: str) -> bool:
        """Says whether an example stands in these words, or in the sentence that they are of."""
        if not words or not self._vocabulary.taught:
            return False
        return self._covers(words) or any(each.has_quote(words) for each in self._taught)

    def _covers(self, words: str) -> bool:
        return bool(find_examples(plain(words), self._vocabulary))


def _slots_of(part: DomainGoal) -> str:
    held = (part.inform, part.fail_inform, part.book, part.fail_book)
    slots = dict.fromkeys([*(slot for slots in held for slot in slots), *part.request])
    return f"{part.domain}: {', '.join(slots)}"
