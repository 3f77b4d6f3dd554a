"""Natural-language unit tests scored by a model (LMUnit, as TD-Eval puts it to use, figure 9).

LMUnit scores one test per call, by a model made for it; here any model scores all tests of a turn
in one call, which sends the dialogue once. TD-Eval rounds a mean to compare it with whole numbers
(appendix A.2); here it stays as it is. It asks about the results of a look-up on every turn; here a
test about what a turn does not have is not applicable.

As published each test has a call of its own and a score in every turn, and the score of tests that
belong together is rounded to the nearest whole number, halves up.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from statistics import fmean

from pytest_todeval.core.assertable import ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns
from pytest_todeval.evaluate.judge.llm_judge.named import answers_about, digest, each_turn
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.llm_judge.places import dialogue_places, turn_places
from pytest_todeval.evaluate.judge.llm_judge.unit_tests import UnitTest, unit_tests
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Message, Prompt
from pytest_todeval.models.reading.replies import score_reader, scores_reader

SCALE = (1, 5)

BySentence = Mapping[str, Score]


def score_units(
    bench: ModelBench,
    dialogue: Dialogue,
    tests: Sequence[str] | str | Path | None,
    per: str = "turn",
) -> ByName[ScoreSeries]:
    """Scores unit tests from 1 (no) to 5 (yes): one series by turn, or one score for the dialogue.

    `tests` are sentences, or a file of them (see `unit_tests`); None stands for the shipped ones:
    TD-Eval's three dimensions per turn, goal completion per dialogue. The keys are the names of the
    tests; if a test has several sentences its score is the mean of theirs, which stand under
    their own words as well. One call per turn (or dialogue) and sample.

    An answer that cannot be read leaves a turn's scores unscored, and a mean of which a part is
    unscored is so too. Raises UsageError or InvalidFile if the tests are wrong, JudgeFault on a
    dialogue without turns, ModelUnavailable if a model could not be asked.
    """
    wanted = unit_tests(tests, per)
    judged_turns(dialogue)
    prompt = bench.prompts.get(f"unit_test_{per}")
    questions = _Questions(wanted, bench.panel, prompt, optional=per == "turn")
    if per == "turn":
        shown = turn_places(bench, dialogue)
        asked = [partial(questions.ask, int(each["turn"]), each) for each in shown]
    else:
        asked = [partial(questions.ask, None, dialogue_places(bench, dialogue))]
    return ByName(questions.series(each_turn(bench.panel, asked)))


@dataclass(frozen=True)
class _Questions:
    """Puts all tests to the model as one question."""

    tests: tuple[UnitTest, ...]
    panel: Panel
    prompt: Prompt
    optional: bool
    """Whether a test may be not applicable."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Returns each sentence once, in order."""
        return tuple(dict.fromkeys(each for test in self.tests for each in test.sentences))

    @property
    def definition(self) -> str:
        """Returns the definition of the scores: prompt, models, and the tests, which are asked
        together.
        """
        tests = digest(each for test in self.tests for each in (test.name, *test.sentences))
        return f"{self.panel.definition(self.prompt)}, tests ({tests})"

    def ask(self, turn: int | None, context: Mapping[str, str]) -> BySentence:
        """Asks for the scores of one turn, or of the dialogue."""
        if self.alone:
            each = [partial(self._asked, turn, context, sentence) for sentence in self.sentences]
            return dict(zip(self.sentences, self.panel.each(each), strict=True))
        names = {f"test_{at}": sentence for at, sentence in enumerate(self.sentences, 1)}
        idle = frozenset(names) if self.optional else frozenset()
        reader = scores_reader(self.prompt, dict.fromkeys(names, SCALE), not_applicable=idle)
        answers = self.panel.ask(self._messages(names, context), reader)
        return {
            sentence: self.panel.score(
                sentence, turn, answers_about(answers, name), SCALE, self.definition
            )
            for name, sentence in names.items()
        }

    @property
    def alone(self) -> bool:
        """Says whether each test gets a call of its own, as published."""
        return "test" in self.prompt.places

    def _asked(self, turn: int | None, context: Mapping[str, str], sentence: str) -> Score:
        """Asks for the score of one test in a call of its own."""
        messages = self.prompt.render(**{**context, "test": fenced("test", sentence)})
        idle = self.optional and not self.prompt.published
        answers = self.panel.ask(messages, score_reader(self.prompt, SCALE, not_applicable=idle))
        return self.panel.score(sentence, turn, answers, SCALE, self.definition)

    def series(self, found: Sequence[BySentence]) -> dict[str, ScoreSeries]:
        """Returns the scores by test, and by sentence for tests with several sentences."""
        mean = _rounded if self.prompt.published else _mean
        series = {test.name: _each(test.name, found, partial(mean, test)) for test in self.tests}
        parts = [each for test in self.tests if len(test.sentences) > 1 for each in test.sentences]
        for part in parts:
            series.setdefault(part, _each(part, found, itemgetter(part)))
        return series

    def _messages(self, names: Mapping[str, str], context: Mapping[str, str]) -> list[Message]:
        tests = "\n\n".join(f"`{name}`:\n{fenced('test', text)}" for name, text in names.items())
        return self.prompt.render(**{**context, "tests": tests})


def _each(
    name: str, found: Sequence[BySentence], score: Callable[[BySentence], Score]
) -> ScoreSeries:
    return ScoreSeries(name, [score(each) for each in found])


def _mean(test: UnitTest, scores: BySentence) -> Score:
    """Averages a test's sentences, with the reason of the lowest; one fault makes the mean a
    fault.
    """
    parts = [scores[sentence] for sentence in test.sentences]
    if len(parts) == 1:
        return replace(parts[0], name=test.name)
    scored = sorted((part.value, at) for at, part in enumerate(parts) if part.value is not None)
    open_ = [part for part in parts if part.is_fault] or ([] if scored else parts)
    if open_:
        return replace(open_[0], name=test.name, samples=())
    lowest = parts[scored[0][1]]
    return replace(
        lowest,
        name=test.name,
        value=fmean(value for value, _ in scored),
        reason=f"lowest {lowest.value:g}: {lowest.reason}",
        samples=(),
    )


def _rounded(test: UnitTest, scores: BySentence) -> Score:
    """Rounds the mean as TD-Eval does (appendix A.2): to the nearest whole number, halves up."""
    mean = _mean(test, scores)
    return mean if mean.value is None else replace(mean, value=float(math.floor(mean.value + 0.5)))
