"""The answers of the rule judge: turn scores, rules and verdicts from evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_todeval.core.assertable import Assertable, ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.judge.approval import Approval, approval
from pytest_todeval.evaluate.judge.cohesion import cohesion_faults
from pytest_todeval.evaluate.judge.question import ModelBench, RuleBench, Rules
from pytest_todeval.evaluate.judge.scoring import JUDGE_VERSION, Fault, mean_score, scored
from pytest_todeval.evaluate.metrics.task_success import evaluate_evidence
from pytest_todeval.evaluate.rules.checking import check_evidence
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.predicates import bookings, denials, grounding
from pytest_todeval.evaluate.rules.report import RuleReport
from pytest_todeval.evaluate.rules.rule import JudgedRule, RuleSet
from pytest_todeval.facts.dialogue import Evidence
from pytest_todeval.facts.doubt import hangs_on, other_readings
from pytest_todeval.models.usage import book

if TYPE_CHECKING:
    from pytest_todeval.evaluate.metrics.coverage import CoverageReport
    from pytest_todeval.evaluate.metrics.retrieval import RetrievalReport

CONTRADICTIONS = {
    "phantom booking": bookings.booking_missing,
    "wrong reference": bookings.wrong_reference,
    "untold booking": bookings.booking_untold,
    "invented venue": grounding.names_unknown_venue,
    "denies results": denials.denies_results,
}
VALUES = ["phone", "address", "postcode", "price", "entrance fee", "duration"]


@dataclass(frozen=True, slots=True, eq=False)
class TurnScores(Assertable):
    """TD-Eval's three scores of every turn, 1 (very bad) to 5 (very good)."""

    conversation_cohesion: ScoreSeries
    """Answers what was asked, does not repeat itself, does not ask for what was said."""
    backend_consistency: ScoreSeries
    """Names, values, references and claims agree with the results and bookings; not applicable to
    turns if nothing was looked up or claimed."""
    policy_compliance: ScoreSeries
    """No rule is broken."""
    version: str = JUDGE_VERSION

    @property
    def scores(self) -> ByName[ScoreSeries]:
        """Returns the series by name, for the results file."""
        series = (self.conversation_cohesion, self.backend_consistency, self.policy_compliance)
        return ByName({each.name: each for each in series})

    @property
    def overall(self) -> ScoreSeries:
        """Returns TD-Eval's Overall: in each turn the mean of the dimensions that apply."""
        by_turn = zip(*self.scores.values(), strict=True)
        return ScoreSeries("turn_overall", [mean_score("turn_overall", each) for each in by_turn])

    def _line(self) -> str:
        return "judge.turns(dialogue).policy_compliance >= 4"

    def __repr__(self) -> str:
        return f"<turn scores: {', '.join(map(repr, self.scores.values()))}>"


def turns(bench: RuleBench, dialogue: Dialogue) -> TurnScores:
    """Scores every turn on the three dimensions, each with its reason.

    Raises JudgeFault on a dialogue without turns: it has no score.
    """
    evidence = bench.evidence(dialogue)
    _some_turn(dialogue, evidence)
    report = check_evidence(evidence, rules_for(dialogue, bench.rule_sets).rules)
    others = other_readings(evidence)
    cohesion = _settled(_cohesion, evidence, others)
    consistency = _settled(_consistency, evidence, others)
    if not any(score.value for score in consistency) and _could_look_up(evidence):
        consistency[-1] = _called_nothing(evidence)
    policy = [
        scored("policy_compliance", turn.index, _broken(turn.index, report), "breaks no rule")
        for turn in evidence.turns
    ]
    return TurnScores(
        ScoreSeries("conversation_cohesion", cohesion),
        ScoreSeries("backend_consistency", consistency),
        ScoreSeries("policy_compliance", policy),
    )


def rules(
    bench: RuleBench, dialogue: Dialogue, rules: Rules | Sequence[Rules] | None = None
) -> RuleReport:
    """Checks every turn against rules: a shipped set's name, a file, a rule set, or several.

    Without any, by the rules of the judge: those of the goal's world, else of its domains.

    Raises UsageError or InvalidFile if the rules are wrong, JudgeFault without turns.
    """
    wanted = rules_for(dialogue, bench.rule_sets if rules is None else rules)
    return check_evidence(bench.evidence(dialogue), wanted.rules)


def approves(
    bench: RuleBench | ModelBench,
    dialogue: Dialogue,
    rules: Rules | Sequence[Rules] | None = None,
) -> Approval:
    """Checks all that is sound at once: verdicts, rules and cohesion; truthy if none speaks against
    the bot.

    The strongest suite that blames few right bots, by evidence, whoever judges: the verdicts of
    the goal's world, the rules that may fail (those of the judge, or the sets given), and no turn
    that repeats itself, asks for what was said or does not answer. What it checked and what it
    could not is in `.checked` and `.unchecked`, what only advises in `.advice`.
    """
    own = RuleBench(bench.rule_sets, bench.backend)
    evidence = (bench if isinstance(bench, RuleBench) else own).evidence(dialogue)
    _some_turn(dialogue, evidence)
    wanted = rules_for(dialogue, bench.rule_sets if rules is None else rules).rules
    told = [rule for rule in wanted if not isinstance(rule.demand, JudgedRule)]
    cohesion = ScoreSeries(
        "conversation_cohesion", _settled(_cohesion, evidence, other_readings(evidence))
    )
    known = dialogue.verdicts
    verdicts = known if len(known) else evaluate_evidence(evidence)
    return approval(dialogue, [*verdicts.values()], check_evidence(evidence, told), cohesion)


def _some_turn(dialogue: Dialogue, evidence: Evidence) -> None:
    """Raises JudgeFault if there is no turn to judge."""
    if not evidence.turns:
        raise JudgeFault(
            f"{dialogue.goal.name}: the dialogue has no turn to score (it stopped by "
            f"{dialogue.stop_reason})"
        )


def completion(bench: RuleBench, dialogue: Dialogue) -> Verdict:
    """Judges whether the user got everything the goal asks for: success and booking together."""
    return _all_of_goal("completion", bench, dialogue)


def fulfilment(bench: RuleBench, dialogue: Dialogue) -> Verdict:
    """Judges whether every intention of the goal is fulfilled: success and booking together.

    By rules it is `completion` under another name: both go by the goal.
    """
    return _all_of_goal("fulfilment", bench, dialogue)


def _all_of_goal(name: str, bench: RuleBench, dialogue: Dialogue) -> Verdict:
    known = dialogue.verdicts
    verdicts = known if len(known) else evaluate_evidence(bench.evidence(dialogue))
    asked = [verdicts[name] for name in ("success", "booking") if name in verdicts]
    if not asked:
        raise JudgeFault(f"{dialogue.goal.name}: neither success nor booking was evaluated")
    failed = [verdict for verdict in asked if not verdict.undecided and not verdict.passed]
    undecided = [verdict for verdict in asked if verdict.undecided]
    deciding = [*failed, *undecided, *asked][0]
    return replace(deciding, name=name, applicable=True, value=None)


def coverage(bench: RuleBench, dialogue: Dialogue, keywords: str | None = None) -> "CoverageReport":
    """Finds which keywords of the goal were raised, where and by whom, as far as can be heard.

    `keywords` are the goal's `slots` (default), or the `phrases` that its message emphasises.
    """
    from pytest_todeval.evaluate.metrics.coverage import coverage

    return coverage(dialogue, keywords or "slots")


def retrieval(
    bench: RuleBench | ModelBench,
    dialogue: Dialogue,
    relevant: "Sequence[str | int] | Callable[[Any], bool] | None" = None,
) -> "RetrievalReport":
    """Finds at which rank each turn retrieved a relevant item; see
    `evaluate.metrics.retrieval.retrieval`.

    `relevant` are texts or ids; by default the goal's solution, else the backend's rows for it.
    """
    from pytest_todeval.evaluate.metrics.retrieval import retrieval

    return retrieval(dialogue, relevant, query=getattr(bench.backend, "query", None))


def needs_model(what: str) -> NoReturn:
    """Raises UsageError: rules cannot answer this."""
    raise UsageError(
        f"judge.{what} needs a model as the judge: set --todeval-model=judge:MODEL, or "
        "todeval_model in the ini file. The rule judge answers turns, rules, completion, "
        "fulfilment, coverage, retrieval, and state with labels"
    )


def rules_for(dialogue: Dialogue, wanted: Rules | Sequence[Rules] | None) -> RuleSet:
    """Returns the rules asked for; without any, the shipped ones for the domains of the goal.

    Raises UsageError or InvalidFile if the rules are wrong.
    """
    if wanted is None:
        from pytest_todeval.evaluate.rules.load import shipped

        domains = [part.domain for part in dialogue.goal.domains if part.domain in shipped()]
        wanted = ["common", *domains, *(["steps"] if dialogue.goal.steps else [])]
    found = merged_rules(wanted)
    book().rules.update(found.hashes)
    return found


def merged_rules(rules: Rules | Sequence[Rules]) -> RuleSet:
    """Merges one or several rule sets or files into one set."""
    from pytest_todeval.evaluate.rules.load import load_rules

    first, *rest = [rules] if isinstance(rules, Rules) else rules
    merged = load_rules(first)
    for each in rest:
        merged = merged.merged(load_rules(each))
    return merged


def _settled(
    score: Callable[[View], Score], evidence: Evidence, others: Sequence[tuple[Evidence, str]]
) -> list[Score]:
    """Returns the scores of all turns; none for a turn whose score would change if a claim was
    misheard.
    """
    found = _scores(score, evidence)
    readings = [(_scores(score, other), doubt) for other, doubt in others]
    return [
        _unscored(each, [(scores[at], doubt) for scores, doubt in readings])
        for at, each in enumerate(found)
    ]


def _scores(score: Callable[[View], Score], evidence: Evidence) -> list[Score]:
    return [score(View(evidence, facts)) for facts in evidence.turns]


def _unscored(score: Score, others: Sequence[tuple[Score, str]]) -> Score:
    doubt = hangs_on(score, others, lambda one, other: one.value != other.value)
    if not doubt or score.value is None:
        return score
    why = f"it hangs on {doubt}"
    return replace(score, value=None, reason=why, unscored=Score.NOT_APPLICABLE)


def _cohesion(view: View) -> Score:
    faults = cohesion_faults(view.evidence, view.facts)
    return scored("conversation_cohesion", view.index, faults, "answers to the point")


def _consistency(view: View) -> Score:
    found = [(kind, rule.function(view)) for kind, rule in CONTRADICTIONS.items()]
    found.append(("wrong value", grounding.wrong_value.function(view, VALUES)))
    if all(each.holds is None for _, each in found) and not view.facts.turn.tool_calls:
        why, idle = "nothing was looked up or claimed in this turn", Score.NOT_APPLICABLE
        name, turn = "backend_consistency", view.index
        return Score(name, None, why, turn, unscored=idle, definition=JUDGE_VERSION)
    faults = [Fault(kind, each.reason) for kind, each in found if each.holds]
    return scored("backend_consistency", view.index, faults, "agrees with results and bookings")


def _could_look_up(evidence: Evidence) -> bool:
    """Says whether the bot had tools whose calls are visible, and called none of them."""
    return bool(getattr(evidence.backend, "tools", ())) and not evidence.traced


def _called_nothing(evidence: Evidence) -> Score:
    """Returns the score of a bot that could have looked things up and did not in any turn."""
    why = "called no tool in the whole dialogue"
    told = [claim for facts in evidence.turns for claim in facts.acts(Act.INFORM) if claim.value]
    if told:
        why = f"tells the {told[0].slot} as {told[0].value!r}, and {why}"
    faults = [Fault("no look-up", why)]
    return scored("backend_consistency", evidence.turns[-1].index, faults, "")


def _broken(turn: int, report: RuleReport) -> Iterator[Fault]:
    for result in report.of_turn(turn):
        if result.value == 0 and not result.advises:
            yield Fault("rule broken", f"{result.rule}: {result.reason}")
