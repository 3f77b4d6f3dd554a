"""State tracking without labels, judged by a model (two-dimensional DST evaluation).

Two questions per turn (sections 2.1 and 2.2): whether what the bot wrote down is accurate, whether
it is complete. Rules then filter the answers (section 2.2) and add up what is left (section 2.3).

As published (or by prompts of one's own that are no notes) they are asked as the paper prints them,
with the schema in the question on completeness alone, and the model's word stands. Else, where the
paper errs or is silent: a value that a categorical slot cannot have is incorrect by rule
(the appendix shows the model passing "pricerange: high"); the schema stands in both questions; a
turn without new pairs is not asked about accuracy; pairs that the bot takes out of its state are
shown, and are missed if the user still wants them; for the list of correct pairs see
`state_tracking.running`. Several models or samples: a pair counts if more than half of the
answers that can be read name it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.context import SYSTEM, USER, judged_turns, spoken_turn
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.places import NOTHING_SAID, dialogue_places
from pytest_todeval.evaluate.judge.llm_judge.state_pairs import by_pairs
from pytest_todeval.evaluate.judge.llm_judge.state_step import StateStep, as_whole
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.metrics.state_tracking.belief import NO_STATE, NoStateReported, tracked
from pytest_todeval.evaluate.metrics.state_tracking.report import StateReport, TurnResult
from pytest_todeval.evaluate.metrics.state_tracking.schema import Slots, StateSchema
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Message, Prompt
from pytest_todeval.models.reading.in_text import InText
from pytest_todeval.models.reading.reader import Reader
from pytest_todeval.models.reading.replies import yes_no_reader
from pytest_todeval.models.reading.slots import SlotsReader, SlotsReply

T = TypeVar("T")

INCORRECT, MISSED = "incorrect_domain_slots", "missed_domain_slots"

METHODS: Mapping[str, tuple[str, ...]] = {
    "two_dimensional": ("state_accuracy", "state_completeness"),
    "two_dimensional_cot": ("state_accuracy_cot", "state_completeness_cot"),
    "cot": ("state_cot",),
    "direct": ("state_direct",),
}
"""Method -> the prompts of its questions: the paper's own, and its baselines (section 3.3)."""

FRAME = "state_frame"
NOBODY = "(nothing: the dialogue begins here)"


AGENT = {"agent", "system"}
"""The places of the bot's last words."""


def judge_state(
    bench: ModelBench,
    dialogue: Dialogue,
    *,
    schema: Slots | None = None,
    method: str = "two_dimensional",
) -> StateReport:
    """Turns state accuracy and, by the methods that name pairs, joint goal accuracy.

    `schema` says which slots are tracked, and the values of categorical ones; by default MultiWOZ's
    for its goals, else the slots that goal and bot use. Slots outside it are not judged. `method`
    is one of `METHODS`: two calls per turn, or one for `direct` and `cot`, which only ask whether
    the turn state is right. A turn whose answer cannot be read, or in which the bot reported no
    state, is unscored, and so is joint goal accuracy from there on.

    Raises UsageError if the method is unknown, JudgeFault if the dialogue has no turn or the
    bot never reported a state, ModelUnavailable if a model could not be asked.
    """
    if method not in METHODS:
        raise UsageError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    known = StateSchema.for_dialogue(dialogue) if schema is None else StateSchema.of(schema)
    inquiry = _StateInquiry(bench, known, METHODS[method])
    steps = list(_steps(bench, dialogue, known))
    turns = inquiry.whole(steps) if len(METHODS[method]) == 1 else inquiry.pairs(steps)
    return StateReport(tuple(turns), method, inquiry.definition)


def _steps(bench: ModelBench, dialogue: Dialogue, schema: StateSchema) -> Iterator[StateStep]:
    judged_turns(dialogue)
    places = dialogue_places(bench, dialogue)
    states = tracked(dialogue, slots=schema.slots)
    if all(state.silent for state in states):
        raise NoStateReported(f"{dialogue.goal.name}: {NO_STATE}")
    said = [spoken_turn(turn) for turn in dialogue.goal.opening]
    opening = dialogue.goal.opening
    agent = fenced(SYSTEM, opening[-1].system) if opening else NOBODY
    earlier = [*said[:-1], *(f"Turn {t.index}\n{fenced(USER, t.user)}" for t in opening[-1:])]
    for turn, state in zip(dialogue.turns, states, strict=True):
        shown = {
            **places,
            "turn": str(turn.index),
            "history": "\n\n".join(said) or NOTHING_SAID,
            "agent": agent,
            "system": agent,
            "user": fenced(USER, turn.user),
            "schema": fenced("schema", schema.text),
        }
        which = "this turn" if state.silent else "the turn before"
        why = "" if state.turn else f"the bot reported no state in {which}"
        parts = "\n\n".join(earlier) or NOTHING_SAID
        yield StateStep(turn.index, shown, state.before, state.turn, why, parts, state.reported)
        earlier = [*said, f"Turn {turn.index}\n{fenced(USER, turn.user)}"]
        said.append(spoken_turn(turn))
        agent = fenced(SYSTEM, turn.system)


@dataclass(frozen=True)
class _StateInquiry:
    """Holds what is the same for every turn."""

    bench: ModelBench
    schema: StateSchema
    names: tuple[str, ...]
    """Of the questions' prompts."""

    @property
    def documents(self) -> list[Prompt]:
        """Returns the question documents: notes within `state_frame`, or prompts of their own."""
        return [self.bench.prompts.get(name) for name in self.names]

    @property
    def definition(self) -> str:
        frame = [self.bench.prompts.get(FRAME)] if self.framed else []
        return f"{self.bench.panel.definition(*frame, *self.documents)}, {self.schema.definition}"

    @property
    def framed(self) -> bool:
        """Says whether to ask in our way; a paper's own prompts stand by themselves."""
        return all(document.is_part for document in self.documents)

    def pairs(self, steps: Sequence[StateStep]) -> list[TurnResult]:
        """Scores the turns by the two questions that name pairs."""
        readers = (SlotsReader(INCORRECT), SlotsReader(MISSED))
        asked = [
            (document, reader if document.reply == "json" else InText(reader, reader.expected))
            for document, reader in zip(self.documents, readers, strict=True)
        ]
        questions = [
            self._question(step, document, reader, idle=not at and self._needless(step))
            for step in steps
            for at, (document, reader) in enumerate(asked)
        ]
        answers: list[tuple[PanelAnswer[SlotsReply], ...]] = self.bench.panel.each(questions)
        told = zip(steps, answers[::2], answers[1::2], strict=True)
        return by_pairs(
            told,
            self.schema,
            self.definition,
            by_values=self.framed,
            all_pairs=self.bench.published,
        )

    def whole(self, steps: Sequence[StateStep]) -> list[TurnResult]:
        """Scores the turns by the one question whether the turn state is right."""
        (document,) = self.documents
        reader = yes_no_reader(document)
        answers = self.bench.panel.each([self._question(step, document, reader) for step in steps])
        return as_whole(zip(steps, answers, strict=True), self.definition)

    def _needless(self, step: StateStep) -> bool:
        """Says whether there is no pair to ask about for accuracy."""
        return self.framed and step.state is not None and not step.state.updated

    def _question(
        self, step: StateStep, document: Prompt, reader: Reader[T], *, idle: bool = False
    ) -> Callable[[], tuple[PanelAnswer[T], ...]]:
        if step.state is None or idle:
            return lambda: ()
        messages = self._messages(step, document)
        return lambda: self.bench.panel.ask(messages, reader)

    def _messages(self, step: StateStep, document: Prompt) -> list[Message]:
        if not document.is_part:
            apart = {"history": step.earlier} if AGENT & document.places else {}
            context = {**step.context, **apart}
            return document.render(**context, state=step.label, turn_label=step.label)
        question = document.render(**step.context)[0]["content"]
        return self.bench.prompts.get(FRAME).render(
            question=question, state=step.text, **step.context
        )
