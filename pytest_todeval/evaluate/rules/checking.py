"""The check of a dialogue against rules."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.idle import idle_rules
from pytest_todeval.evaluate.rules.report import NOT_APPLICABLE, RuleReport, RuleResult
from pytest_todeval.evaluate.rules.rule import JudgedRule, Rule, RuleSet
from pytest_todeval.facts.dialogue import Evidence, gather
from pytest_todeval.facts.doubt import hangs_on, other_readings


def check(dialogue: Dialogue, ruleset: RuleSet, backend: Any = None) -> RuleReport:
    """Judges every turn of a dialogue by every rule.

    Raises JudgeFault on a dialogue without turns: that keeps no rule and breaks none; UsageError
    if a rule takes a model to judge.
    """
    return check_evidence(gather(dialogue, backend), ruleset.rules)


def check_evidence(evidence: Evidence, rules: Iterable[Rule]) -> RuleReport:
    """Returns the same from evidence gathered before.

    If a result would be another one if a doubtful claim were misheard, the rule does not apply.
    """
    rules = tuple(rules)
    _no_model_needed(rules)
    if not evidence.turns:
        raise JudgeFault(
            f"{evidence.goal.name}: the dialogue has no turn, so no rule can be kept or broken "
            f"(it stopped by {evidence.dialogue.stop_reason})"
        )
    # scores and assertions ask for the same rules; the rules are kept, so that no id is used again
    key = ("report", *map(id, rules))
    return evidence.once(key, lambda: (rules, _report(evidence, rules)))[1]


def _report(evidence: Evidence, rules: Sequence[Rule]) -> RuleReport:
    found = _results(evidence, rules)
    others = [(_results(other, rules), doubt) for other, doubt in other_readings(evidence)]
    return RuleReport(
        [
            _settled(result, [(other[at], doubt) for other, doubt in others])
            for at, result in enumerate(found)
        ],
        idle=idle_rules(evidence, rules),
    )


def _results(evidence: Evidence, rules: Sequence[Rule]) -> list[RuleResult]:
    views = [View(evidence, facts) for facts in evidence.turns]
    return [rule.result(view, views[:at]) for at, view in enumerate(views) for rule in rules]


def _settled(result: RuleResult, others: Sequence[tuple[RuleResult, str]]) -> RuleResult:
    doubt = hangs_on(result, others, lambda one, other: one.value != other.value)
    if not doubt or result.value == NOT_APPLICABLE:
        return result
    return replace(result, value=NOT_APPLICABLE, reason=f"not applicable: it hangs on {doubt}")


def _no_model_needed(rules: Iterable[Rule]) -> None:
    judged = next((rule for rule in rules if isinstance(rule.demand, JudgedRule)), None)
    if judged is not None:
        raise UsageError(
            f"rule {judged.id!r} is `judged`, which takes a model, but this judge asks none. Let a "
            "model judge (`--todeval-judge=model`, or LLMJudge in your conftest.py), or write the "
            "rule with `never`, `always` or `before`, or leave it out"
        )
