"""What a model answers; each question is a module of `llm_judge`, imported when it is asked.

A state with labels is no matter of judges: it is the same by rules.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.assertable import ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.judge.question import ModelBench, RuleBench, Rules, require_dialogue
from pytest_todeval.evaluate.judge.rule_answers import TurnScores, needs_model, rules_for
from pytest_todeval.evaluate.rules.report import RuleReport

if TYPE_CHECKING:
    from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison
    from pytest_todeval.evaluate.judge.llm_judge.conversation import ConversationScores
    from pytest_todeval.evaluate.judge.llm_judge.dimensions import DialogueScores
    from pytest_todeval.evaluate.judge.llm_judge.quality import QualityScores
    from pytest_todeval.evaluate.metrics.coverage import CoverageReport
    from pytest_todeval.evaluate.metrics.state_tracking.report import StateReport
    from pytest_todeval.evaluate.metrics.state_tracking.schema import Slots


def turns(bench: ModelBench, dialogue: Dialogue) -> TurnScores:
    """TD-Eval's three scores of every turn, 1 (very bad) to 5 (very good)."""
    from pytest_todeval.evaluate.judge.llm_judge.dimensions import score_turns

    return score_turns(bench, dialogue)


def dialogue(bench: ModelBench, dialogue: Dialogue) -> "DialogueScores":
    """TD-Eval's three scores of the whole dialogue, 1 (very bad) to 5 (very good), and overall."""
    from pytest_todeval.evaluate.judge.llm_judge.dimensions import score_dialogue

    return score_dialogue(bench, dialogue)


def quality(
    bench: ModelBench, dialogue: Dialogue, only: Sequence[str] | None = None
) -> "QualityScores":
    """AutoEval-ToD's response quality: six scores of every turn, 1 (yes) or 0 (no).

    `only` names those to ask about: `only=["empathy", "entailment"]`.
    """
    from pytest_todeval.evaluate.judge.llm_judge.quality import score_quality

    return score_quality(bench, dialogue, only)


def rules(
    bench: ModelBench, dialogue: Dialogue, rules: Rules | Sequence[Rules] | None = None
) -> RuleReport:
    """Executable rules by evidence, `judged` ones by the model, in one report."""
    from pytest_todeval.evaluate.judge.llm_judge.rules import judge_rules

    wanted = rules_for(dialogue, bench.rule_sets if rules is None else rules)
    return judge_rules(bench, dialogue, wanted)


def completion(bench: ModelBench, dialogue: Dialogue) -> Verdict:
    """Says whether the bot did all that the user asked of it, with feedback (LLM user agents).

    The model is shown the words of the dialogue, neither goal nor tools.
    """
    from pytest_todeval.evaluate.judge.llm_judge.completion import judge_completion

    return judge_completion(bench, dialogue)


def fulfilment(bench: ModelBench, dialogue: Dialogue) -> Verdict:
    """Says whether every intention of the user's goal is fulfilled (clem:todd)."""
    from pytest_todeval.evaluate.judge.llm_judge.completion import judge_fulfilment

    return judge_fulfilment(bench, dialogue)


def goal_completion(bench: ModelBench, dialogue: Dialogue, solution: str | None = None) -> Verdict:
    """Says whether and when the bot offered what solves the goal (AutoEval-ToD).

    `solution` defaults to the goal's own, else to a row of the backend that satisfies it. Raises
    OracleFault if there is none.
    """
    from pytest_todeval.evaluate.judge.llm_judge.completion import judge_goal_completion

    return judge_goal_completion(bench, dialogue, solution)


def holds(bench: ModelBench, dialogue: Dialogue, sentence: str) -> Verdict:
    """Says whether a statement about the dialogue is true of it (tau2-bench's NL_ASSERTION)."""
    from pytest_todeval.evaluate.judge.llm_judge.assertion import judge_assertion

    return judge_assertion(bench, dialogue, sentence)


def conversation(bench: ModelBench, dialogue: Dialogue) -> "ConversationScores":
    """Naturalness, coherence and diversity of user and bot (clem:todd)."""
    from pytest_todeval.evaluate.judge.llm_judge.conversation import score_conversation

    return score_conversation(bench, dialogue)


def units(
    bench: ModelBench,
    dialogue: Dialogue,
    tests: Sequence[str] | str | Path | None = None,
    per: str = "turn",
) -> ByName[ScoreSeries]:
    """Natural-language unit tests, 1 to 5 (the LMUnit style of TD-Eval).

    `tests` are sentences, or a file of them; by default the shipped ones, per `turn` or `dialogue`.
    """
    from pytest_todeval.evaluate.judge.llm_judge.units import score_units

    return score_units(bench, dialogue, tests, per)


def state(
    bench: RuleBench | ModelBench,
    dialogue: Dialogue,
    labels: Sequence[Mapping[str, Any]] | None = None,
    *,
    method: str = "two_dimensional",
    match: str = "normalised",
    schema: "Slots | None" = None,
) -> "StateReport":
    """Turns state accuracy and joint goal accuracy (two-dimensional DST evaluation).

    With `labels` (a belief state per turn) by `match`, which asks no model; else by `method`, which
    rules cannot: UsageError.
    `schema` says which slots are tracked: by default MultiWOZ's for its goals, else those used.
    """
    if labels is not None:
        from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled

        return labelled(dialogue, labels, match, schema=schema)
    if isinstance(bench, RuleBench):
        needs_model("state without labels")
    from pytest_todeval.evaluate.judge.llm_judge.state import judge_state

    return judge_state(bench, dialogue, schema=schema, method=method)


def coverage(
    bench: ModelBench, dialogue: Dialogue, keywords: str | None = None
) -> "CoverageReport":
    """Returns which keywords of the goal were raised, where and by whom (LLM user agents).

    `keywords` are the goal's `slots`, or the `phrases` that its message emphasises, which are the
    paper's; by default slots, as published phrases.
    """
    from pytest_todeval.evaluate.judge.llm_judge.coverage import judge_coverage

    kind = keywords or ("phrases" if bench.published else "slots")
    return judge_coverage(bench, dialogue, kind)


def compare(bench: ModelBench, one: Dialogue, other: Dialogue) -> "Comparison":
    """Which of two dialogues over the same goal is better (TD-Eval), asked in both orders."""
    from pytest_todeval.evaluate.judge.llm_judge.comparison import compare

    require_dialogue(other, "judge.compare")
    return compare(bench, one, other)
