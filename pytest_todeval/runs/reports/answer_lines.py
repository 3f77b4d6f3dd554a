"""What judges and rules said over a run, in few lines: the worst of each, and where the rest is."""

from collections.abc import Iterator, Mapping

from pytest_todeval.runs.reports.schema import PlayersSummary
from pytest_todeval.runs.reports.summary_schema import ComparisonSummary, RuleSummary
from pytest_todeval.runs.reports.table import named, percent

LISTED_RULES = 3


def answer_lines(summary: PlayersSummary) -> Iterator[str]:
    """Rules, comparisons, Overall and composites, a line each."""
    yield from rule_line(summary.get("rules", {}))
    if "comparisons" in summary:
        yield f"  {_compared(summary['comparisons'])}"
    overall = summary.get("overall", {})
    if overall:
        told = ", ".join(f"{value:.2f} by {level}" for level, value in overall.items())
        yield f"  overall, the mean of TD-Eval's three dimensions: {told}"
    for name, found in summary.get("composites", {}).items():
        value = "unknown" if found["value"] is None else f"{found['value']:.3f}"
        lacks = f"; no number for {', '.join(found['missing'])}" if found["missing"] else ""
        yield f"  {name} {value} ({found['definition']}{lacks})"


def rule_line(rules: Mapping[str, RuleSummary]) -> Iterator[str]:
    """Returns how many rules were kept where they applied, and those that were broken most."""
    applied = {name: each for name, each in rules.items() if each["complies"] + each["broken"]}
    if not applied:
        return
    may_fail = {name: each for name, each in applied.items() if not each.get("advises")}
    broken = _worst(may_fail)
    idle = len(rules) - len(applied)
    rest = f"; {idle} not applicable: they found nothing to check" if idle else ""
    rest += f"; broken: {named(broken, LISTED_RULES)}" if broken else ""
    yield f"  rules: {len(may_fail) - len(broken)} of {len(may_fail)} always kept{rest}"
    if advice := _worst({name: each for name, each in applied.items() if each.get("advises")}):
        yield f"  advice (fails nothing): {named(advice, LISTED_RULES)}"


def _worst(rules: Mapping[str, RuleSummary]) -> list[str]:
    """Returns those that were broken, most often broken first."""
    broken = sorted((n for n in rules if rules[n]["broken"]), key=lambda n: (kept(rules[n]), n))
    return [f"{name} {_adherence(rules[name])}" for name in broken]


def kept(rule: RuleSummary) -> float:
    """Returns the share of turns that keep it, 0 to 1; beyond that of a rule that never applied."""
    applied = rule["complies"] + rule["broken"]
    return rule["complies"] / applied if applied else 2.0


def _adherence(rule: RuleSummary) -> str:
    applied = rule["complies"] + rule["broken"]
    if rule["adherence"] is None:
        return f"(broken in {rule['broken']} of {applied} turns)"
    return f"({percent(rule['adherence'])} of {applied} turns)"


def _compared(found: ComparisonSummary) -> str:
    counts = [(what, found[what]) for what in ("better", "worse", "tie", "undecided")]
    told = ", ".join(f"{count} {what}" for what, count in counts if count)
    split = f"; in {found['inconsistent']} the two orders disagree" if found["inconsistent"] else ""
    return f"compared with others: {told}{split}"
