"""TD-Eval's three dimensions, asked about a turn or about a whole dialogue.

A dimension's document is a note, which `LEVEL_separate` or `LEVEL_fused` takes up, or a whole one,
as a paper has it: that is asked alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from pytest_todeval.core.score import Score
from pytest_todeval.errors import UsageError
from pytest_todeval.judge.llm_judge.named import answers_about
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.judge.llm_judge.policy import Policy
from pytest_todeval.llm.prompt import Prompt, Prompts
from pytest_todeval.llm.reading.reader import Reader
from pytest_todeval.llm.reading.replies import score_reader, scores_reader

__all__ = ["DIMENSIONS", "SCALE", "Dimensions"]

COHESION, CONSISTENCY, COMPLIANCE = DIMENSIONS = (
    "conversation_cohesion",
    "backend_consistency",
    "policy_compliance",
)
SCALE = (1, 5)

T = TypeVar("T")


@dataclass(frozen=True)
class Dimensions:
    """Asks about the three dimensions."""

    level: Literal["turn", "dialogue"]
    panel: Panel
    prompts: Prompts
    policy: Policy
    fused: bool = False
    """Whether one call asks about all three; the paper asks three times."""

    def questions(
        self, places: Mapping[str, str], turn: int | None, *, looked_up: bool
    ) -> list[Callable[[], list[Score]]]:
        """The calls about a turn (None: the whole dialogue), for `places` of it.

        If nothing was `looked_up`, backend consistency may be not applicable; never as published.
        """
        idle = frozenset() if looked_up or self.prompts.published else frozenset({CONSISTENCY})
        if self.fused:
            return [partial(self._fused, places, turn, idle)]
        return [partial(self._separate, name, places, turn, name in idle) for name in DIMENSIONS]

    @property
    def definition(self) -> str:
        """What the three scores mean together."""
        frames = [self._frame("fused")] if self.fused else self._frames(map(self._part, DIMENSIONS))
        return self._defined([*frames, *map(self._part, DIMENSIONS)])

    def _separate(
        self, name: str, places: Mapping[str, str], turn: int | None, idle: bool
    ) -> list[Score]:
        """The score of one dimension, in a call of its own."""
        part = self._part(name)
        if part.is_part:
            whole, texts = self._frame("separate"), {**places, "dimension": _text(part, places)}
        else:
            whole, texts = part, dict(places)
        reader = _OneSchema(
            score_reader(whole, SCALE, not_applicable=idle),
            score_reader(whole, SCALE, not_applicable=True).schema,
        )
        answers = self.panel.ask(whole.render(**texts), reader)
        definition = self._defined([*self._frames([part]), part])
        return [self.panel.score(self._named(name), turn, answers, SCALE, definition)]

    def _fused(
        self, places: Mapping[str, str], turn: int | None, idle: frozenset[str]
    ) -> list[Score]:
        """The scores of all dimensions, in one call."""
        frame, scales = self._frame("fused"), dict.fromkeys(DIMENSIONS, SCALE)
        reader = _OneSchema(
            scores_reader(frame, scales, not_applicable=idle),
            scores_reader(frame, scales, not_applicable=frozenset({CONSISTENCY})).schema,
        )
        notes = {name: _text(self._note(name), places) for name in DIMENSIONS}
        answers = self.panel.ask(frame.render(**places, **notes), reader)
        return [
            self.panel.score(
                self._named(name), turn, answers_about(answers, name), SCALE, self.definition
            )
            for name in DIMENSIONS
        ]

    def _named(self, dimension: str) -> str:
        """The name of a score: that of a dialogue is not the one of its turns."""
        return dimension if self.level == "turn" else f"dialogue_{dimension}"

    def _part(self, name: str) -> Prompt:
        return self.prompts.get(f"{self.level}_{name}")

    def _frame(self, kind: str) -> Prompt:
        return self.prompts.get(f"{self.level}_{kind}")

    def _frames(self, parts: Iterable[Prompt]) -> list[Prompt]:
        return [self._frame("separate")] if any(part.is_part for part in parts) else []

    def _note(self, name: str) -> Prompt:
        part = self._part(name)
        if not part.is_part:
            raise UsageError(
                f"prompt {part.name} is a whole document, which cannot be asked in one call with "
                "others: write it as a `# note`, or have the judge ask about each dimension by "
                "itself (--todeval-judge=model or published, LLMJudge without fused=True)"
            )
        return part

    def _defined(self, prompts: Sequence[Prompt]) -> str:
        asked = self.panel.definition(*prompts)
        shown = any("policy" in prompt.places for prompt in prompts)
        return f"{asked}, {self.policy.definition}" if shown else asked


@dataclass(frozen=True)
class _OneSchema(Generic[T]):
    """Reads as strictly as `reader`, and shows the same schema in every call of a dialogue.

    OpenAI puts the schema before the system message (guide on prompt caching): if it changes
    from call to call, the cache serves none of the prompt.
    """

    reader: Reader[T]
    schema: Mapping[str, Any] | None

    @property
    def expected(self) -> str:
        return self.reader.expected

    def read(self, text: str) -> T:
        return self.reader.read(text)


def _text(note: Prompt, places: Mapping[str, str]) -> str:
    """The text of a document that is part of a message."""
    return note.render(**places)[0]["content"]
