"""Finds goal coverage: which keywords of the goal were raised, where and by whom.

Kazi et al., LLM user agents, section 3.3.2: the keywords are the informed values and the requested
slots, and both sides count, since a user need not raise what the bot has said already. The paper
asks a model (see `evaluate.judge.llm_judge.coverage`); here they are heard by rule, in whatever
form people write them. Constraints that are to fail first are keywords too, which the paper leaves
open. Its released code takes the phrases that the goal's message emphasises, with a booking's
"reference number" and words such as "place to stay": `keywords="phrases"`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.core.assertable import Assertable, ByName, Several
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.metrics.keywords import Keyword, wanted_keywords
from pytest_todeval.evaluate.metrics.mentioned import places
from pytest_todeval.evaluate.metrics.phrases import meanings

COVERAGE = "goal_coverage"
SCALE = (0, 1)
VERSION = "goal coverage by rule 1"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CoverageReport(Assertable):
    """The keywords of a goal, each with where it was raised."""

    keywords: tuple[Keyword, ...]
    score: Score
    """The share that was raised, 0 to 1; not applicable if the goal has no keywords."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "keywords", Several(self.keywords))

    def __repr__(self) -> str:
        return f"<{COVERAGE} {self.score!r}>"

    def _line(self) -> str:
        return "judge.coverage(dialogue).score >= 1"

    @property
    def missing(self) -> tuple[Keyword, ...]:
        """Returns the keywords that nobody raised."""
        return tuple(keyword for keyword in self.keywords if not keyword.raised)

    @property
    def scores(self) -> ByName[Score]:
        """Returns the score by name, for the results file."""
        return ByName({COVERAGE: self.score})


def report_of(keywords: Iterable[Keyword], definition: str) -> CoverageReport:
    """Makes a report of keywords that are known to be raised or not."""
    words = tuple(keywords)
    if not words:
        why = "the goal names no values and asks for none"
        idle = Score.NOT_APPLICABLE
        score = Score(COVERAGE, None, why, scale=SCALE, unscored=idle, definition=definition)
        return CoverageReport((), score)
    missing = [str(word) for word in words if not word.raised]
    raised = len(words) - len(missing)
    why = f"{raised} of {len(words)} raised" + (f"; not {', '.join(missing)}" if missing else "")
    score = Score(COVERAGE, raised / len(words), why, scale=SCALE, definition=definition)
    return CoverageReport(words, score)


def coverage(dialogue: Dialogue, keywords: str = "slots") -> CoverageReport:
    """Finds by rule which keywords of the goal were raised in a dialogue, where first, by user or
    bot.

    `keywords` are the goal's `slots` or the `phrases` that it emphasises. A value or a slot that
    several domains of the goal have counts only if the talk is about the domain, or refers to the
    other ("the same day"). A phrase is raised by what it means in the goal, else by its words.

    Raises UsageError for keywords of another kind, JudgeFault if nothing was said.
    """
    if not dialogue.turns and not dialogue.last_words:
        raise JudgeFault(f"{dialogue.goal.name}: the dialogue has no turn to score")
    waiting = wanted_keywords(dialogue.goal, keywords)
    meant = {word: meanings(word, dialogue.goal) for word in waiting}
    found: dict[Keyword, Keyword] = {}
    for place in places(dialogue, [each for means in meant.values() for each in means]):
        for word, means in meant.items():
            if word not in found and any(place.raises(each) for each in means):
                found[word] = word.at(place.turn, place.speaker)
    version = VERSION if keywords == "slots" else f"{VERSION}, {keywords}"
    return report_of((found.get(word, word) for word in waiting), version)
