"""TD-Eval's turn judge (section 3.1): three scores of every turn, by a model.

Where the paper errs or is silent: backend consistency is judged by earlier results and the policy
too (figure 11 names the policy but does not show it), and is not applicable if there is nothing
to compare; the default policy says what to do with ten results and with none (figure 8 knows more
than ten and less than ten); 5 is the best score throughout (figure 8 counts the other way round);
the slots of all the goal's domains are shown instead of a predicted one's (figure 12), so that the
prompt of every turn begins the same.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.verdict import Score, ScoreSeries
from pytest_todeval.judge.llm_judge.context import contexts, has_results, judged_turns
from pytest_todeval.judge.llm_judge.panel import Panel, PanelAnswer
from pytest_todeval.judge.rule_answers import TurnScores
from pytest_todeval.language.multiwoz_slots import MULTIWOZ_SLOTS
from pytest_todeval.llm.ask import Asked
from pytest_todeval.llm.fence import fenced
from pytest_todeval.llm.prompt import Message, Prompt, Prompts
from pytest_todeval.llm.reading.reader import Reader
from pytest_todeval.llm.reading.score import ScoreReader, ScoreReply
from pytest_todeval.llm.reading.scores import ScoresReader

__all__ = ["DIMENSIONS", "score_turns"]

COHESION, CONSISTENCY, COMPLIANCE = DIMENSIONS = (
    "conversation_cohesion",
    "backend_consistency",
    "policy_compliance",
)
SEPARATE, FUSED = "turn_separate", "turn_fused"
"""The prompts. What differs from call to call comes last: in the one the dimension, which there are
three of, in the other only the dialogue, after all instructions."""
SCALE = (1, 5)

T = TypeVar("T")


def score_turns(
    dialogue: Dialogue, panel: Panel, prompts: Prompts, *, policy: str = "", fused: bool = False
) -> TurnScores:
    """The three scores of every turn, 1 (very bad) to 5 (very good), each with its reason.

    Three calls a turn as in the paper, or one with `fused`. `policy` is what the bot has to keep
    to; by default the paper's. All calls but one run at the same time. Backend consistency may
    be not applicable only if the turn shows no result; an answer that cannot be read makes a
    score unscored (of a fused call, all three).

    Raises JudgeFault on a dialogue without turns, ModelUnavailable if a model could not be
    asked.
    """
    turns = judged_turns(dialogue)
    frame = _Frame.of(dialogue.goal, prompts, policy)
    questions: list[Callable[[], list[Score]]] = []
    for turn, context in zip(turns, contexts(dialogue), strict=True):
        judge = _TurnJudge(frame, panel, turn, context)
        one_each = [partial(judge.separate, name) for name in DIMENSIONS]
        questions += [judge.fused] if fused else one_each
    *others, last = questions
    # The last prompt shows the dialogue of all the others: asked before them, it fills the
    # provider's cache for them; and where the model is out of reach, one call finds out.
    final = last()
    scores = [score for found in panel.each(others) for score in found] + final
    return TurnScores(
        _series(COHESION, scores),
        _series(CONSISTENCY, scores),
        _series(COMPLIANCE, scores),
        frame.definition(panel, FUSED if fused else SEPARATE, DIMENSIONS),
    )


@dataclass(frozen=True)
class _Frame:
    """What is the same in every call about a dialogue."""

    prompts: Prompts
    policy: str
    """Fenced: it gives orders to the bot, none to the judge."""
    policy_definition: str
    slots: str
    """Fenced."""

    @classmethod
    def of(cls, goal: Goal, prompts: Prompts, policy: str) -> "_Frame":
        slots = fenced("slots", _slots(goal))
        if policy.strip():
            digest = hashlib.sha256(policy.encode(errors="replace")).hexdigest()[:12]
            return cls(prompts, fenced("policy", policy), f"own policy ({digest})", slots)
        default = prompts.get("turn_policy_default")
        return cls(prompts, fenced("policy", _text(default)), default.definition, slots)

    def messages(self, name: str, context: Mapping[str, str], **values: str) -> list[Message]:
        """A prompt about one turn."""
        prompt = self.prompts.get(name)
        return prompt.render(policy=self.policy, slots=self.slots, **context, **values)

    def dimension(self, name: str) -> str:
        """What a dimension looks at."""
        return _text(self.prompts.get(_document(name)))

    def definition(self, panel: Panel, name: str, dimensions: Iterable[str]) -> str:
        """What scores of these dimensions mean, given by a prompt."""
        names = [name, *map(_document, dimensions)]
        asked = panel.definition(*(self.prompts.get(name) for name in names))
        return f"{asked}, {self.policy_definition}"


@dataclass(frozen=True)
class _TurnJudge:
    """Asks about one turn."""

    frame: _Frame
    panel: Panel
    turn: Turn
    context: Mapping[str, str]

    def separate(self, name: str) -> list[Score]:
        """The score of one dimension, in a call of its own."""
        dimension = self.frame.dimension(name)
        reader = _OneSchema(
            ScoreReader(scale=SCALE, not_applicable=name in self._optional),
            ScoreReader(scale=SCALE, not_applicable=True).schema,
        )
        messages = self.frame.messages(SEPARATE, self.context, dimension=dimension)
        answers = self.panel.ask(messages, reader)
        definition = self.frame.definition(self.panel, SEPARATE, [name])
        return [self.panel.score(name, self.turn.index, answers, SCALE, definition)]

    def fused(self) -> list[Score]:
        """The scores of all dimensions, in one call."""
        dimensions = {name: self.frame.dimension(name) for name in DIMENSIONS}
        scales = dict.fromkeys(DIMENSIONS, SCALE)
        reader = _OneSchema(
            ScoresReader(scales, self._optional),
            ScoresReader(scales, frozenset({CONSISTENCY})).schema,
        )
        answers = self.panel.ask(self.frame.messages(FUSED, self.context, **dimensions), reader)
        definition = self.frame.definition(self.panel, FUSED, DIMENSIONS)
        return [
            self.panel.score(name, self.turn.index, _of_one(answers, name), SCALE, definition)
            for name in DIMENSIONS
        ]

    @property
    def _optional(self) -> frozenset[str]:
        """The dimensions that may be not applicable to the turn."""
        return frozenset() if has_results(self.turn) else frozenset({CONSISTENCY})


@dataclass(frozen=True)
class _OneSchema(Generic[T]):
    """Reads as strictly as `reader`, and shows the same schema in every call of a dialogue.

    OpenAI puts the schema before the system message (guide on prompt caching): where it changes
    from call to call, the cache serves none of the prompt.
    """

    reader: Reader[T]
    schema: Mapping[str, Any]

    @property
    def expected(self) -> str:
        return self.reader.expected

    def read(self, text: str) -> T:
        return self.reader.read(text)


def _document(dimension: str) -> str:
    return f"turn_{dimension}"


def _text(note: Prompt) -> str:
    """The text of a document that is part of a message."""
    return note.render()[0]["content"]


def _of_one(
    answers: Sequence[PanelAnswer[dict[str, ScoreReply]]], name: str
) -> list[PanelAnswer[ScoreReply]]:
    """What the answers about all dimensions say of one."""
    return [
        PanelAnswer(
            by, Asked(asked.value[name] if asked.value else None, asked.unscored, asked.replies)
        )
        for by, asked in answers
    ]


def _series(name: str, scores: Iterable[Score]) -> ScoreSeries:
    return ScoreSeries(name, [score for score in scores if score.name == name])


def _slots(goal: Goal) -> str:
    """One line per domain: MultiWOZ's slots of it, and those that the goal itself has."""
    return "\n".join(f"{part.domain}: {', '.join(_slots_of(part))}" for part in goal.domains)


def _slots_of(part: DomainGoal) -> Iterable[str]:
    held = (part.inform, part.fail_inform, part.book, part.fail_book)
    own = [slot for slots in held for slot in slots]
    return dict.fromkeys([*MULTIWOZ_SLOTS.get(part.domain, ()), *own, *part.request])
