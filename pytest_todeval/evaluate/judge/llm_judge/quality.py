"""Response quality (AutoEval-ToD, section 3.5): six questions about every turn, by a model.

The paper asks each in a call of its own and shows some the reply alone; here one call per turn asks
all, or those of `only`, which takes about half the paper's tokens. Where the paper errs or is
silent: J.6 asks for "proper English" in a framework for several languages, here it is the
dialogue's language; J.4, headed "Entailment Checker" like J.3, is the check for bias; table 5
counts bias found, here 1 means free of it; J.5 asks for validation of feelings even if the user
shows none, here a friendly tone then does; J.2 calls a reply incomplete that leaves anything out,
here a few of a great many rows do; facts that were looked up in an earlier turn count as known; and
if nothing was looked up, nothing is scored against it.

A question whose document is a prompt of its own, not a note, is asked as there: so are the six as
published, with the reply, this turn's results and the conversation as the paper shows them, and no
way to say "not applicable".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.evaluate.judge.llm_judge.context import has_results, judged_turns, until_reply
from pytest_todeval.evaluate.judge.llm_judge.named import each_turn, named_scores
from pytest_todeval.evaluate.judge.llm_judge.places import turn_places
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.prompt import Prompt
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.replies import scores_reader
from pytest_todeval.models.reading.score import ScoreReply, ScoresReader

FACTS, COMPLETENESS = LOOKED_UP = ("factual_correctness", "completeness")
"""What is judged against what the bot looked up."""
DIMENSIONS = (*LOOKED_UP, "entailment", "unbiased", "empathy", "language_correctness")
SCALE = (0, 1)
PROMPT = "quality_turn"


@dataclass(frozen=True, slots=True, eq=False)
class QualityScores(Assertable):
    """AutoEval-ToD's six scores of every turn: 1 yes, 0 no (between them if samples differ).

    One that was not asked raises UsageError.
    """

    scores: ByName[ScoreSeries]
    """Those that were asked, by name."""
    definition: str = ""
    """What the numbers mean: prompts, language, models."""

    @property
    def factual_correctness(self) -> ScoreSeries:
        """Scores whether what the reply states is borne out by what was looked up; not applicable
        if nothing was looked up so far, or if nothing was in this turn and no fact is stated.
        """
        return self._asked(FACTS)

    @property
    def completeness(self) -> ScoreSeries:
        """Scores whether the reply gives what matters of what this turn looked up; not applicable
        if that is nothing.
        """
        return self._asked(COMPLETENESS)

    @property
    def entailment(self) -> ScoreSeries:
        """Scores whether the reply follows from the conversation so far."""
        return self._asked("entailment")

    @property
    def unbiased(self) -> ScoreSeries:
        """Scores whether the reply is free of prejudice."""
        return self._asked("unbiased")

    @property
    def empathy(self) -> ScoreSeries:
        """Scores whether the reply is friendly and takes up what the user feels."""
        return self._asked("empathy")

    @property
    def language_correctness(self) -> ScoreSeries:
        """Scores whether grammar and spelling are right in the dialogue's language."""
        return self._asked("language_correctness")

    def _asked(self, name: str) -> ScoreSeries:
        if name not in self.scores:
            raise UsageError(
                f"{name} was not asked about: judge.quality(dialogue, only=...) named "
                f"{', '.join(self.scores)}"
            )
        return self.scores[name]

    def _line(self) -> str:
        return "judge.quality(dialogue).unbiased >= 1"

    def __repr__(self) -> str:
        return f"<quality: {', '.join(map(repr, self.scores.values()))}>"


def score_quality(
    bench: ModelBench, dialogue: Dialogue, only: Sequence[str] | None = None
) -> QualityScores:
    """Returns the scores of every turn, each with its reason; one call per turn and sample.

    A question with a prompt of its own takes a call of its own. An answer that cannot be read
    leaves what it was asked unscored. Raises UsageError for a name that no question has.
    """
    turns = judged_turns(dialogue)
    inquiry = _QualityInquiry(bench, _names(only))
    questions: list[Callable[[], dict[str, Score]]] = []
    known = False
    shown = zip(turns, turn_places(bench, dialogue), until_reply(dialogue), strict=True)
    for turn, context, conversation in shown:
        known = known or has_results(turn)
        questions += inquiry.questions(turn, known, context, conversation)
    found = each_turn(bench.panel, questions)
    scores = {
        name: ScoreSeries(name, [each[name] for each in found if name in each])
        for name in inquiry.names
    }
    return QualityScores(ByName(scores), inquiry.definition)


def _names(only: Sequence[str] | None) -> tuple[str, ...]:
    if not isinstance(only, str | Sequence | None):
        raise UsageError(f'judge.quality: got only={only!r}, expected names: only=["empathy"]')
    wanted = DIMENSIONS if only is None else [only] if isinstance(only, str) else tuple(only)
    for name in wanted:
        if name not in DIMENSIONS:
            raise UsageError(f"judge.quality: only={name!r}; {known_names(name, DIMENSIONS)}")
    if not wanted:
        raise UsageError('judge.quality: only is empty, expected e.g. only=["empathy"]')
    return tuple(name for name in DIMENSIONS if name in wanted)


@dataclass(frozen=True)
class _QualityInquiry:
    """Holds what is the same for every turn."""

    bench: ModelBench
    names: tuple[str, ...]

    @property
    def definition(self) -> str:
        """Returns the definition of all the scores."""
        parts = [prompt for prompt in map(self._document, self.names) if not prompt.is_part]
        noted = [self._defined(*self._noted)] if self._noted else []
        return "; ".join([*noted, *(self._defined(prompt) for prompt in parts)])

    def questions(
        self, turn: Turn, known: bool, context: Mapping[str, str], conversation: str
    ) -> Iterator[Callable[[], dict[str, Score]]]:
        """Returns the calls to make about one turn. `known` says whether anything was looked up so
        far.
        """
        idle = {} if self.bench.published else dict(_idle(turn, known))
        if together := self._noted[1:]:
            yield partial(self._together, turn, idle, context, together)
        values = {**context, "chunks": context["tools"], "history": conversation}
        for name in self.names:
            if not self._document(name).is_part:
                yield partial(self._alone, name, turn, idle.get(name), values)

    def _together(
        self,
        turn: Turn,
        idle: Mapping[str, str],
        context: Mapping[str, str],
        notes: Sequence[Prompt],
    ) -> dict[str, Score]:
        names = [name for name in self.names if self._document(name) in notes]
        texts = [note.render(**context)[0]["content"] for note in notes]
        messages = self.bench.prompts.get(PROMPT).render(
            questions="\n\n".join(texts),
            names=", ".join(f"`{name}`" for name in names),
            **context,
        )
        reader = _QualityReader(tuple(names), has_results(turn))
        definition = self._defined(*self._noted)
        scales = dict.fromkeys(names, SCALE)
        scores = named_scores(self.bench.panel, messages, reader, scales, turn.index, definition)
        return scores | {
            name: _not_applicable(name, turn, why, definition)
            for name, why in idle.items()
            if name in names
        }

    def _alone(
        self, name: str, turn: Turn, idle: str | None, values: Mapping[str, str]
    ) -> dict[str, Score]:
        prompt = self._document(name)
        definition = self._defined(prompt)
        if idle is not None:
            return {name: _not_applicable(name, turn, idle, definition)}
        messages = prompt.render(**values)
        scales = {name: SCALE}
        reader = scores_reader(prompt, scales)
        return named_scores(self.bench.panel, messages, reader, scales, turn.index, definition)

    @property
    def _noted(self) -> tuple[Prompt, ...]:
        """Returns the frame and the notes that go into one call; empty if there are no such
        notes.
        """
        notes = [prompt for prompt in map(self._document, self.names) if prompt.is_part]
        return (self.bench.prompts.get(PROMPT), *notes) if notes else ()

    def _document(self, name: str) -> Prompt:
        return self.bench.prompts.get(f"quality_{name}")

    def _defined(self, *prompts: Prompt) -> str:
        return f"{self.bench.panel.definition(*prompts)}, in {self.bench.language}"


def _idle(turn: Turn, known: bool) -> Iterator[tuple[str, str]]:
    """Returns the scores that cannot be judged, whatever the model says: there is nothing to check
    the reply against.

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
    """Reads the scores; if something was looked up, nothing is not applicable.

    Its schema is the same for every turn: a provider's cache starts with the schema.
    """

    names: tuple[str, ...]
    looked_up: bool

    @property
    def schema(self) -> Mapping[str, Any]:
        return self._all.schema

    @property
    def expected(self) -> str:
        return self._all.expected

    def read(self, text: str) -> dict[str, ScoreReply]:
        found = self._all.read(text)
        for name, reply in found.items():
            if reply.value not in (0, 1, None):
                raise Unreadable(f"{name}: the score is {reply.value:g}, expected 1 or 0")
        idle = [name for name in self._optional if found[name].value is None]
        if self.looked_up and idle:
            raise Unreadable(
                f"{idle[0]} is said to be not applicable, but something was looked up in this turn"
            )
        return found

    @property
    def _all(self) -> ScoresReader:
        return ScoresReader(dict.fromkeys(self.names, SCALE), frozenset(self._optional))

    @property
    def _optional(self) -> Iterable[str]:
        return [name for name in LOOKED_UP if name in self.names]
