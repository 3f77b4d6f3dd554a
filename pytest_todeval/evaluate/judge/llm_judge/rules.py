"""Domain rules judged by a model (AutoEval-ToD, section 3.4), beside those that evidence decides.

Prompt H.3 has the model look for the score in the rules' order; here each rule has its name, and
the judge sees what tools gave back. As published rules are numbered, and the judge sees the domain,
what was said and the reply. A rule whose `when` does not hold in a turn does not apply to it,
whatever the model says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Sample
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns, until_reply
from pytest_todeval.evaluate.judge.llm_judge.named import answers_about, digest, each_turn
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel, PanelAnswer, several
from pytest_todeval.evaluate.judge.llm_judge.places import turn_places
from pytest_todeval.evaluate.judge.llm_judge.votes import nothing_said
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.rules.checking import check_evidence
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.report import (
    BROKEN,
    COMPLIES,
    NOT_APPLICABLE,
    RuleReport,
    RuleResult,
)
from pytest_todeval.evaluate.rules.rule import JudgedRule, Rule, RuleSet
from pytest_todeval.facts.dialogue import Evidence, gather
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompt
from pytest_todeval.models.reading.replies import rules_reader
from pytest_todeval.models.reading.rules import RuleReply

PROMPT = "rules_turn"

Answers = Sequence[PanelAnswer[dict[str, RuleReply]]]


def judge_rules(bench: ModelBench, dialogue: Dialogue, ruleset: RuleSet) -> RuleReport:
    """Judges every turn by every rule: executable rules by evidence, `judged` ones by the model.

    One call per turn and sample asks about all judged rules; none if no judged rule applies.
    Of several answers the one that more than half of them give counts (kept and not applicable
    both speak against broken). An answer that cannot be read leaves its results untold.

    Raises JudgeFault on a dialogue without turns, ModelUnavailable if a model could not be
    asked.
    """
    judged_turns(dialogue)
    evidence = gather(dialogue, bench.backend)
    asked = [(rule, rule.demand) for rule in ruleset.rules if isinstance(rule.demand, JudgedRule)]
    told = [rule for rule in ruleset.rules if not isinstance(rule.demand, JudgedRule)]
    report = check_evidence(evidence, told)
    if not asked:
        return report
    inquiry = _RuleInquiry(bench.panel, bench.prompts.get(PROMPT), tuple(asked))
    results = [*report.results, *inquiry.results(evidence, turn_places(bench, dialogue))]
    order = {rule.id: at for at, rule in enumerate(ruleset.rules)}
    results.sort(key=lambda result: (result.turn, order[result.rule]))
    return RuleReport(results, inquiry.definition)


@dataclass(frozen=True)
class _RuleInquiry:
    """Asks about judged rules."""

    panel: Panel
    prompt: Prompt
    asked: tuple[tuple[Rule, JudgedRule], ...]

    @property
    def definition(self) -> str:
        """Returns the definition of the results: prompt, models, and the rules, which are asked
        about together.
        """
        rules = digest(text for r, d in self.asked for text in (r.id, d.sentence))
        return f"{self.panel.definition(self.prompt)}, rules ({rules})"

    @property
    def numbered(self) -> bool:
        """Says whether to ask as in H.3: by numbers, about the reply after what was said."""
        return self.prompt.reply != "json"

    def results(self, evidence: Evidence, places: Iterable[Mapping[str, str]]) -> list[RuleResult]:
        """Returns the results of all turns, in order; `places` holds the placeholders of each
        turn.
        """
        views = [View(evidence, facts) for facts in evidence.turns]
        shown = zip(views, places, until_reply(evidence.dialogue), strict=True)
        questions = [
            partial(self._turn, view, {**values, "history": said} if self.numbered else values)
            for view, values, said in shown
        ]
        found = each_turn(self.panel, questions)
        return [result for results in found for result in results]

    def _turn(self, view: View, context: Mapping[str, str]) -> list[RuleResult]:
        """Returns the results of one turn; the model is not asked if no rule applies."""
        idle = [(rule, rule.idle(view)) for rule, _ in self.asked]
        answers = self._answers(context) if any(each is None for _, each in idle) else ()
        return [each or self._result(rule, view.index, answers) for rule, each in idle]

    def _answers(self, context: Mapping[str, str]) -> Answers:
        reader = rules_reader(self.prompt, tuple(rule.id for rule, _ in self.asked))
        return self.panel.ask(self.prompt.render(**context, rules=self._rules), reader)

    @property
    def _rules(self) -> str:
        told = [(rule.id, fenced("rule", demand.sentence)) for rule, demand in self.asked]
        if self.numbered:
            each = (f"<rule{n}>\n{text}\n</rule{n}>" for n, (_, text) in enumerate(told, 1))
            return "\n".join(each)
        return "\n\n".join(f"`{name}`:\n{text}" for name, text in told)

    def _result(self, rule: Rule, turn: int, answers: Answers) -> RuleResult:
        samples = tuple(_sample(answer) for answer in answers_about(answers, rule.id))
        value, reason = _told(samples)
        by = " + ".join(client.model for client in self.panel.clients)
        told = (value, reason, by, several(samples), rule.advises)
        return RuleResult(rule.id, rule.says, turn, *told)


def _sample(answer: PanelAnswer[RuleReply]) -> Sample:
    by, asked = answer
    if asked.value is None:
        return Sample(by, None, answer.why)
    return Sample(by, asked.value.value, asked.value.reason)


def _told(samples: Sequence[Sample]) -> tuple[int | None, str]:
    """Combines the answers, with the reason of the first one that agrees."""
    values = [sample.value for sample in samples]
    broken, complies = values.count(BROKEN), values.count(COMPLIES)
    idle = values.count(NOT_APPLICABLE)
    if 2 * broken > len(values):
        value = BROKEN
    elif 2 * (complies + idle) > len(values):
        value = COMPLIES if complies >= idle else NOT_APPLICABLE
    else:
        split = f"the answers are divided: {broken} say broken, {complies + idle} say not"
        return None, nothing_said(samples) or split
    return value, next(sample.reason for sample in samples if sample.value == value)
