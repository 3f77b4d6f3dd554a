"""Asks for TD-Eval's three dimensions, about each turn or about a whole dialogue.

A dimension's document is a note, which `LEVEL_separate` or `LEVEL_fused` takes up, or a whole one,
as a paper has it: that is asked alone.

The turn judge (section 3.1). Where the paper errs or is silent, by default: backend consistency is
judged by earlier results and the policy too (figure 11 names the policy but does not show it), and
is not applicable if there is nothing to compare; the default policy says what to do with ten
results and with none (figure 8 knows more than ten and less than ten), and when to book; 5 is the
best score throughout (figure 8 counts the other way round); slots are those of all the goal's
domains, so that the prompt of every turn begins the same; the reason is asked for before the score,
and the three judges are shown the same. As published each dimension is asked about with what the
paper's figures 10 to 12 show: history without tools, what this turn looked up, for policy
compliance the slots and the policy of the domain that the turn is about. The score comes first, and
each turn has one.

Whole dialogues (sections 4.1 and 4.3, tables 2 and 6). The paper rates their three dimensions as it
does those of a turn; its prompts for dialogues are not printed. Overall is the mean over the
dimensions.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.context import has_results, judged_turns
from pytest_todeval.evaluate.judge.llm_judge.named import answers_about, each_turn
from pytest_todeval.evaluate.judge.llm_judge.places import defined, dialogue_places, turn_places
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.judge.rule_answers import TurnScores
from pytest_todeval.evaluate.judge.scoring import mean_score
from pytest_todeval.models.prompt import Prompt
from pytest_todeval.models.reading.reader import Reader
from pytest_todeval.models.reading.replies import score_reader, scores_reader

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
    bench: ModelBench

    def questions(
        self, places: Mapping[str, str], turn: int | None, *, looked_up: bool
    ) -> list[Callable[[], list[Score]]]:
        """The calls about a turn (None: the whole dialogue), for `places` of it.

        If nothing was `looked_up`, backend consistency may be not applicable; never as published.
        """
        idle = frozenset() if looked_up or self.bench.published else frozenset({CONSISTENCY})
        if self.bench.fused:
            return [partial(self._fused, places, turn, idle)]
        return [partial(self._separate, name, places, turn, name in idle) for name in DIMENSIONS]

    @property
    def definition(self) -> str:
        """Returns the definition of the three scores together."""
        parts = list(map(self._part, DIMENSIONS))
        frames = [self._frame("fused")] if self.bench.fused else self._frames(parts)
        return defined(self.bench, *frames, *parts)

    def _separate(
        self, name: str, places: Mapping[str, str], turn: int | None, idle: bool
    ) -> list[Score]:
        """Asks for one dimension in a call of its own."""
        part = self._part(name)
        if part.is_part:
            whole, texts = self._frame("separate"), {**places, "dimension": _text(part, places)}
        else:
            whole, texts = part, dict(places)
        reader = _OneSchema(
            score_reader(whole, SCALE, not_applicable=idle),
            score_reader(whole, SCALE, not_applicable=True).schema,
        )
        answers = self.bench.panel.ask(whole.render(**texts), reader)
        definition = defined(self.bench, *self._frames([part]), part)
        return [self.bench.panel.score(self._named(name), turn, answers, SCALE, definition)]

    def _fused(
        self, places: Mapping[str, str], turn: int | None, idle: frozenset[str]
    ) -> list[Score]:
        """Asks for all dimensions in one call."""
        frame, scales = self._frame("fused"), dict.fromkeys(DIMENSIONS, SCALE)
        reader = _OneSchema(
            scores_reader(frame, scales, not_applicable=idle),
            scores_reader(frame, scales, not_applicable=frozenset({CONSISTENCY})).schema,
        )
        notes = {name: _text(self._note(name), places) for name in DIMENSIONS}
        answers = self.bench.panel.ask(frame.render(**places, **notes), reader)
        return [
            self.bench.panel.score(
                self._named(name), turn, answers_about(answers, name), SCALE, self.definition
            )
            for name in DIMENSIONS
        ]

    def _named(self, dimension: str) -> str:
        """Names a score; a dialogue's score has another name than its turns' scores."""
        return dimension if self.level == "turn" else f"dialogue_{dimension}"

    def _part(self, name: str) -> Prompt:
        return self.bench.prompts.get(f"{self.level}_{name}")

    def _frame(self, kind: str) -> Prompt:
        return self.bench.prompts.get(f"{self.level}_{kind}")

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
    """Returns the text of a document that is part of a message."""
    return note.render(**places)[0]["content"]


def score_turns(bench: ModelBench, dialogue: Dialogue) -> TurnScores:
    """Returns the three scores of every turn, 1 (very bad) to 5 (very good), each with its reason.

    Three calls a turn as in the paper, or one with `fused`. All calls but one run at the same time.
    Backend consistency may be not applicable only if the turn shows no result; an answer that
    cannot be read makes a score unscored (of a fused call, all three).
    """
    turns = judged_turns(dialogue)
    asking = Dimensions("turn", bench)
    questions: list[Callable[[], list[Score]]] = []
    for turn, places in zip(turns, turn_places(bench, dialogue), strict=True):
        questions += asking.questions(places, turn.index, looked_up=has_results(turn))
    scores = [score for found in each_turn(bench.panel, questions) for score in found]
    cohesion, consistency, compliance = (
        ScoreSeries(name, [score for score in scores if score.name == name]) for name in DIMENSIONS
    )
    return TurnScores(cohesion, consistency, compliance, asking.definition)


@dataclass(frozen=True, slots=True, eq=False)
class DialogueScores(Assertable):
    """TD-Eval's three scores of a whole dialogue, 1 (very bad) to 5 (very good)."""

    conversation_cohesion: Score
    """How well the bot's replies hold together with the conversation."""
    backend_consistency: Score
    """How well what it states agrees with what its tools gave back; not applicable if nothing was
    looked up and nothing claimed (as published it always has a number)."""
    policy_compliance: Score
    """How well it keeps to its policy."""
    definition: str = ""
    """What the numbers mean: prompts, policy, models."""

    @property
    def overall(self) -> Score:
        """Returns the mean of the three scores. Scores that are not applicable are left out; one
        unscored makes it unscored.
        """
        return mean_score("dialogue_overall", tuple(self.scores.values()))

    @property
    def scores(self) -> ByName[Score]:
        """Returns the scores by name, for the results file: `dialogue_` and the dimension."""
        parts = (getattr(self, name) for name in DIMENSIONS)
        return ByName({part.name: part for part in parts})

    def _line(self) -> str:
        return "judge.dialogue(dialogue).policy_compliance >= 4"

    def __repr__(self) -> str:
        return f"<dialogue scores: {', '.join(map(repr, self.scores.values()))}>"


def score_dialogue(bench: ModelBench, dialogue: Dialogue) -> DialogueScores:
    """The three scores of the dialogue, each with its reason, in three calls, or one with `fused`.

    An answer that cannot be read makes a score unscored (of a fused call, all three).
    """
    turns = judged_turns(dialogue)
    asking = Dimensions("dialogue", bench)
    places = dialogue_places(bench, dialogue)
    questions = asking.questions(places, None, looked_up=any(map(has_results, turns)))
    cohesion, consistency, compliance = (
        score for found in bench.panel.each(questions) for score in found
    )
    return DialogueScores(cohesion, consistency, compliance, asking.definition)
