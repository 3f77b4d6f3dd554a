"""How user and bot speak: naturalness, coherence, diversity (clem:todd, appendix A.4).

After Kazi et al. (LLM user agents), sections 3.3.3 to 3.3.5, and clem:todd's template A.7.4. As
there, the judge is shown what the two sides said and no tool call, and is not told which side is a
machine. The template leaves a share of exactly 20 % of deviating turns without a score, and counts
by "time"; here it is the share of a speaker's turns, and up to and including one in five gives 2.
It rates diversity of the user only; the older paper speaks of both sides, and so does this. Task
completion by the goal, which the template asks for in the same call, is `fulfilment` here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Score
from pytest_todeval.judge.llm_judge.named import named_scores, shown_goal
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.judge.llm_judge.utterances import utterances
from pytest_todeval.llm.prompt import Prompts
from pytest_todeval.llm.reading.scores import ScoresReader

__all__ = ["SCALES", "ConversationScores", "score_conversation"]

SCALES: Mapping[str, tuple[int, int]] = {
    "user_naturalness": (1, 5),
    "user_coherence": (1, 3),
    "user_diversity": (1, 3),
    "system_naturalness": (1, 5),
    "system_coherence": (1, 3),
    "system_diversity": (1, 3),
}
PROMPT = "conversation"


@dataclass(frozen=True, slots=True, eq=False)
class ConversationScores(Assertable):
    """Six scores of a whole dialogue, three for each side."""

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
    """As the user's."""

    @property
    def scores(self) -> ByName[Score]:
        """The scores by name, for the results file."""
        return ByName({name: getattr(self, name) for name in SCALES})

    def _line(self) -> str:
        return "judge.conversation(dialogue).system_naturalness >= 4"

    def __repr__(self) -> str:
        return f"<conversation: {', '.join(map(repr, self.scores.values()))}>"


def score_conversation(dialogue: Dialogue, panel: Panel, prompts: Prompts) -> ConversationScores:
    """The six scores, each with its reason; one call per sample.

    An answer that cannot be read leaves all six unscored. Raises JudgeFault on a dialogue without
    turns, ModelUnavailable if a model could not be asked.
    """
    shown = utterances(dialogue)
    prompt = prompts.get(PROMPT)
    messages = prompt.render(goal=shown_goal(dialogue.goal), dialogue=shown)
    definition = panel.definition(prompt)
    return ConversationScores(
        **named_scores(panel, messages, ScoresReader(SCALES), SCALES, None, definition)
    )
