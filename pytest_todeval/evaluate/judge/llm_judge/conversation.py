"""Scores how user and bot speak: naturalness, coherence, diversity (clem:todd, appendix A.4).

After Kazi et al. (LLM user agents), sections 3.3.3 to 3.3.5, and clem:todd's template A.7.4. As
there, the judge is shown what the two sides said and no tool call, and is not told which side is a
machine. The template leaves a share of exactly 20 % of deviating turns without a score, and counts
by "time"; here it is the share of a speaker's turns, and up to and including one in five gives 2.
It rates diversity of the user only; the older paper speaks of both sides, and so does this. Task
completion by the goal, which the template asks for in the same call, is `fulfilment` here; as
published it comes with the scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.evaluate.judge.llm_judge.context import utterances
from pytest_todeval.evaluate.judge.llm_judge.named import named_scores
from pytest_todeval.evaluate.judge.llm_judge.places import dialogue_places
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.reading.replies import scores_reader

SCALES: Mapping[str, tuple[int, int]] = {
    "user_naturalness": (1, 5),
    "user_coherence": (1, 3),
    "user_diversity": (1, 3),
    "system_naturalness": (1, 5),
    "system_coherence": (1, 3),
    "system_diversity": (1, 3),
}
FULFILMENT, ONE_SIDED = "fulfilment", "system_diversity"
ROW: Mapping[str, tuple[int, int]] = {
    FULFILMENT: (0, 1),
    **{
        name: SCALES[name]
        for name in (
            *("user_naturalness", "system_naturalness"),
            *("user_coherence", "system_coherence", "user_diversity"),
        )
    },
}
"""What template A.7.4 asks for, in its order."""
PROMPT = "conversation"


@dataclass(frozen=True, slots=True, eq=False)
class ConversationScores(Assertable):
    """Six scores of a whole dialogue, three per side; as published, only the user's diversity, plus
    whether the goal is fulfilled.
    """

    user_naturalness: Score
    """1 (a machine, or hard to understand) to 5 (cannot be told from a person)."""
    user_coherence: Score
    """3: each utterance fits those before it, and all together lead to the goal; 2: one of these
    holds; 1: neither does."""
    user_diversity: Score
    """Share of turns that reasonably leave the straight way to the goal: 1 none, 2 up to one in
    five, 3 more."""
    system_naturalness: Score
    """As the user's."""
    system_coherence: Score
    """As the user's."""
    system_diversity: Score
    """As the user's; not applicable as published."""
    fulfilment: Score | None = None
    """1 if each intention of the goal is fulfilled, else 0; only as published, where it is asked
    in the same call."""

    @property
    def scores(self) -> ByName[Score]:
        """Returns the scores by name, for the results file."""
        found = {name: getattr(self, name) for name in SCALES}
        return ByName(found if self.fulfilment is None else {**found, FULFILMENT: self.fulfilment})

    def _line(self) -> str:
        return "judge.conversation(dialogue).system_naturalness >= 4"

    def __repr__(self) -> str:
        return f"<conversation: {', '.join(map(repr, self.scores.values()))}>"


def score_conversation(bench: ModelBench, dialogue: Dialogue) -> ConversationScores:
    """Asks for the six scores, each with its reason; one call per sample.

    If the document's replies are a row of values, they are those of template A.7.4, without
    reasons. An answer that cannot be read leaves all scores unscored. Raises JudgeFault on a
    dialogue without turns, ModelUnavailable if a model could not be asked.
    """
    shown = utterances(dialogue)
    prompt = bench.prompts.get(PROMPT)
    places = dialogue_places(bench, dialogue)
    messages = prompt.render(**{**places, "dialogue": shown})
    definition = bench.panel.definition(prompt)
    scales = SCALES if prompt.reply == "json" else ROW
    reader = scores_reader(prompt, scales)
    scores = named_scores(bench.panel, messages, reader, scales, None, definition)
    if ONE_SIDED not in scores:
        scores[ONE_SIDED] = _one_sided(definition)
    return ConversationScores(**scores)


def _one_sided(definition: str) -> Score:
    why, idle = "the template asks for the diversity of the user only", Score.NOT_APPLICABLE
    return Score(ONE_SIDED, None, why, None, SCALES[ONE_SIDED], idle, definition=definition)
