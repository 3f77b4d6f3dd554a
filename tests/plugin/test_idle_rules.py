"""Rules that can apply to no dialogue of a run are named in its summary, in one line."""

import pytest

from tests.plugin.conftest import Suite, run

TEST = """
import pytest

@pytest.mark.goals("demo", domains=[{domains}], limit=4, seed=1)
def test_keeps_rules(dialogue, judge):
    assert judge.rules(dialogue, ["hotel", "ours.yaml"])
"""
OURS = """
rules:
  - id: no-refunds
    says: The bot calls no refund tool.
    never: {calls: refund_everything}
  - id: stays-polite
    says: The bot does not swear.
    never: {phrase: damn}
"""
NO_TOOL = "no-refunds (no tool is called refund_everything)"


@pytest.mark.parametrize(
    ("domains", "named"),
    [
        ("'restaurant'", f"hotel-slots-before-booking (no goal has the domain hotel), {NO_TOOL}"),
        ("'restaurant', 'hotel'", NO_TOOL),
    ],
)
def test_what_cannot_apply_is_named_once(
    suite: Suite, domains: str, named: str, processes: list[str]
) -> None:
    pytester = suite(TEST.format(domains=domains))
    pytester.path.joinpath("ours.yaml").write_text(OURS)
    result = run(pytester, *processes)
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines([f"  rules that cannot apply in this run: {named}"])
    result.stdout.no_fnmatch_line("*stays-polite*")


def test_nothing_is_said_if_all_may_apply(suite: Suite) -> None:
    test = TEST.replace('["hotel", "ours.yaml"]', '"hotel"').format(domains="'hotel'")
    run(suite(test)).stdout.no_fnmatch_line("*cannot apply*")
