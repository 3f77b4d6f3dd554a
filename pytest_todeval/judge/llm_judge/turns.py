"""TD-Eval's turn judge (section 3.1): three scores of every turn, by a model.

Where the paper errs or is silent, by default: backend consistency is judged by earlier results and
the policy too (figure 11 names the policy but does not show it), and is not applicable if there is
nothing to compare; the default policy says what to do with ten results and with none (figure 8
knows more than ten and less than ten), and when to book; 5 is the best score throughout (figure 8
counts the other way round); slots are those of all the goal's domains, so that the prompt of every
turn begins the same; the reason is asked for before the score, and the three judges are shown the
same.

As published each dimension is asked about with what the paper's figures 10 to 12 show: history
without tools, what this turn looked up, for policy compliance the slots and the policy of the
domain that the turn is about. The score comes first, and each turn has one.
"""

from collections.abc import Callable, Iterable

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.judge.llm_judge.context import has_results, judged_turns
from pytest_todeval.judge.llm_judge.dimensions import DIMENSIONS, Dimensions
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.judge.llm_judge.places import turn_places
from pytest_todeval.judge.llm_judge.policy import Policy
from pytest_todeval.judge.rule_answers import TurnScores
from pytest_todeval.llm.prompt import Prompts

__all__ = ["DIMENSIONS", "score_turns"]


def score_turns(
    dialogue: Dialogue,
    panel: Panel,
    prompts: Prompts,
    *,
    policy: str = "",
    fused: bool = False,
    language: str = "English",
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
    asking = Dimensions("turn", panel, prompts, Policy(prompts, policy), fused)
    questions: list[Callable[[], list[Score]]] = []
    shown = turn_places(dialogue, prompts, policy=policy, language=language)
    for turn, places in zip(turns, shown, strict=True):
        questions += asking.questions(places, turn.index, looked_up=has_results(turn))
    *others, last = questions
    # The last prompt shows the dialogue of all the others: asked before them, it fills the
    # provider's cache for them; and if the model is out of reach, one call finds out.
    final = last()
    scores = [score for found in panel.each(others) for score in found] + final
    cohesion, consistency, compliance = (_series(name, scores) for name in DIMENSIONS)
    return TurnScores(cohesion, consistency, compliance, asking.definition)


def _series(name: str, scores: Iterable[Score]) -> ScoreSeries:
    return ScoreSeries(name, [score for score in scores if score.name == name])
