"""TD-Eval of whole dialogues (sections 4.1 and 4.3, tables 2 and 6), by a model.

The paper rates the three dimensions of a dialogue as it does those of a turn; its prompts for
dialogues are not printed. Overall is the mean over the dimensions.
"""

from dataclasses import dataclass

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.judge.llm_judge.context import has_results, judged_turns
from pytest_todeval.judge.llm_judge.dimensions import DIMENSIONS, Dimensions
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.judge.llm_judge.places import dialogue_places
from pytest_todeval.judge.llm_judge.policy import Policy
from pytest_todeval.judge.scoring import mean_score
from pytest_todeval.llm.prompt import Prompts

__all__ = ["DialogueScores", "score_dialogue"]


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
        """The mean of the three, those left out that are not applicable; unscored if one is."""
        return mean_score("dialogue_overall", tuple(self.scores.values()))

    @property
    def scores(self) -> ByName[Score]:
        """The scores by name, for the results file: `dialogue_` and the dimension."""
        parts = (getattr(self, name) for name in DIMENSIONS)
        return ByName({part.name: part for part in parts})

    def _line(self) -> str:
        return "judge.dialogue(dialogue).policy_compliance >= 4"

    def __repr__(self) -> str:
        return f"<dialogue scores: {', '.join(map(repr, self.scores.values()))}>"


def score_dialogue(
    dialogue: Dialogue,
    panel: Panel,
    prompts: Prompts,
    *,
    policy: str = "",
    fused: bool = False,
    language: str = "English",
) -> DialogueScores:
    """The three scores of the dialogue, each with its reason.

    Three calls, or one with `fused`. `policy` is what the bot has to keep to; by default the
    paper's. An answer that cannot be read makes a score unscored (of a fused call, all three).

    Raises JudgeFault on a dialogue without turns, ModelUnavailable if a model could not be
    asked.
    """
    turns = judged_turns(dialogue)
    asking = Dimensions("dialogue", panel, prompts, Policy(prompts, policy), fused)
    places = dialogue_places(dialogue, prompts, policy=policy, language=language)
    looked_up = any(map(has_results, turns))
    questions = asking.questions(places, None, looked_up=looked_up)
    scores = [score for found in panel.each(questions) for score in found]
    cohesion, consistency, compliance = scores
    return DialogueScores(cohesion, consistency, compliance, asking.definition)
