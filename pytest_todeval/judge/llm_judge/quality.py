"""Response quality (AutoEval-ToD, section 3.5): six questions about every turn, by a model.

The paper asks each in a call of its own and shows some the reply alone; here one call per turn asks
all six, which takes about half the paper's tokens. Where the paper errs or is silent: J.6 asks for
"proper English" in a framework for several languages, here it is the dialogue's language; J.4,
headed "Entailment Checker" like J.3, is the check for bias; table 5 counts bias found, here 1 means
free of it; J.5 asks for validation of feelings even if the user shows none, here a friendly tone
then does; facts that were looked up in an earlier turn count as known; and if nothing was looked
up, nothing is scored against it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.verdict import Score, ScoreSeries
from pytest_todeval.judge.llm_judge.context import contexts, has_results, judged_turns
from pytest_todeval.judge.llm_judge.named import each_turn, named_scores
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.llm.prompt import Message, Prompts
from pytest_todeval.llm.reading.reader import Unreadable
from pytest_todeval.llm.reading.score import ScoreReply
from pytest_todeval.llm.reading.scores import ScoresReader

__all__ = ["DIMENSIONS", "QualityScores", "score_quality"]

FACTS, COMPLETENESS = LOOKED_UP = ("factual_correctness", "completeness")
"""What is judged against what the bot looked up."""
DIMENSIONS = (*LOOKED_UP, "entailment", "unbiased", "empathy", "language_correctness")
SCALE = (0, 1)
PROMPT = "quality_turn"
SCALES = dict.fromkeys(DIMENSIONS, SCALE)
ALL = ScoresReader(SCALES, frozenset(LOOKED_UP))


@dataclass(frozen=True, slots=True, eq=False)
class QualityScores(Assertable):
    """AutoEval-ToD's six scores of every turn: 1 yes, 0 no (between them if samples differ)."""

    factual_correctness: ScoreSeries
    """What it states is borne out by what was looked up; not applicable if nothing was so far,
    or if nothing was in this turn and no fact is stated."""
    completeness: ScoreSeries
    """It gives what matters of what this turn looked up; not applicable if that is nothing."""
    entailment: ScoreSeries
    """It follows from the conversation so far."""
    unbiased: ScoreSeries
    """It is free of prejudice."""
    empathy: ScoreSeries
    """It is friendly, and takes up what the user feels."""
    language_correctness: ScoreSeries
    """It is right in grammar and spelling of the dialogue's language."""
    definition: str = ""
    """What the numbers mean: prompt, language, models."""

    @property
    def scores(self) -> ByName[ScoreSeries]:
        """The series by name, for the results file."""
        return ByName({name: getattr(self, name) for name in DIMENSIONS})

    def _line(self) -> str:
        return "judge.quality(dialogue).unbiased >= 1"

    def __repr__(self) -> str:
        return f"<quality: {', '.join(map(repr, self.scores.values()))}>"


def score_quality(
    dialogue: Dialogue, panel: Panel, prompts: Prompts, language: str = "English"
) -> QualityScores:
    """The six scores of every turn, each with its reason; one call per turn and sample.

    `language` is the one the bot has to speak. An answer that cannot be read leaves the turn's six
    unscored. Raises JudgeFault on a dialogue without turns, ModelUnavailable if a model could
    not be asked.
    """
    turns = judged_turns(dialogue)
    prompt = prompts.get(PROMPT)
    definition = f"{panel.definition(prompt)}, in {language}"
    questions: list[Callable[[], dict[str, Score]]] = []
    known = False
    for turn, context in zip(turns, contexts(dialogue), strict=True):
        known = known or has_results(turn)
        messages = prompt.render(language=language, **context)
        questions.append(partial(_judged, turn, known, messages, panel, definition))
    found = each_turn(panel, questions)
    series = {name: ScoreSeries(name, [scores[name] for scores in found]) for name in DIMENSIONS}
    return QualityScores(**series, definition=definition)


def _judged(
    turn: Turn, known: bool, messages: list[Message], panel: Panel, definition: str
) -> dict[str, Score]:
    reader = _QualityReader(looked_up=has_results(turn))
    scores = named_scores(panel, messages, reader, SCALES, turn.index, definition)
    idle = _idle(turn, known)
    return scores | {name: _not_applicable(name, turn, why, definition) for name, why in idle}


def _idle(turn: Turn, known: bool) -> Iterator[tuple[str, str]]:
    """What cannot be judged, whatever the model says: there is nothing to hold the reply against.

    `known` tells whether anything was looked up up to this turn.
    """
    if not known:
        yield FACTS, "nothing was looked up so far"
    if not has_results(turn):
        yield COMPLETENESS, "nothing was looked up in this turn"


def _not_applicable(name: str, turn: Turn, why: str, definition: str) -> Score:
    unscored = Score.NOT_APPLICABLE
    return Score(name, None, why, turn.index, SCALE, unscored, definition=definition)


@dataclass(frozen=True)
class _QualityReader:
    """Reads the six; if something was looked up, nothing is not applicable.

    Its schema is the same for every turn: a provider's cache starts with the schema.
    """

    looked_up: bool

    @property
    def schema(self) -> Mapping[str, Any]:
        return ALL.schema

    @property
    def expected(self) -> str:
        return ALL.expected

    def read(self, text: str) -> dict[str, ScoreReply]:
        found = ALL.read(text)
        for name, reply in found.items():
            if reply.value not in (0, 1, None):
                raise Unreadable(f"{name}: the score is {reply.value:g}, expected 1 or 0")
        idle = [name for name in LOOKED_UP if found[name].value is None]
        if self.looked_up and idle:
            raise Unreadable(
                f"{idle[0]} is said to be not applicable, but something was looked up in this turn"
            )
        return found
