"""What a worker of pytest-xdist reports may be of another version, or damaged."""

import pytest

from tests.plugin.conftest import RULE_SYSTEM, apart

DAMAGES = """

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item):
    report = yield
    if hasattr(report, "todeval") and "DEMO002" in item.nodeid:
        DAMAGE
    return report
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=2)
def test_it(dialogue):
    assert dialogue.turns
"""


@pytest.mark.parametrize("processes", [("-n2",), ("-p", "no:xdist")], ids=["spread", "alone"])
@pytest.mark.parametrize(
    ("damage", "differs"),
    [
        ("report.todeval = 3", "entry, about, goal_set"),
        ("del report.todeval['entry']", "entry"),
        ("report.todeval['goal_set'] = {'a': 3}", "goal_set"),
        ("del report.todeval['entry']['outcome']", "entry.outcome"),
        ("report.todeval['played_by'] = ['\\x1b[2J']", "played_by"),
    ],
)
def test_a_report_that_is_none_of_this_version_ends_the_run_in_a_line(
    pytester: pytest.Pytester, processes: tuple[str, ...], damage: str, differs: str
) -> None:
    pytester.makeconftest(f"import pytest\n{RULE_SYSTEM}{DAMAGES.replace('DAMAGE', damage)}")
    pytester.makepyfile(test_it=TEST)
    result = apart(pytester, *processes, "--todeval-json=r.json")
    text = f"{result.stdout}\n{result.stderr}"
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    by = "a plugin" if "no:xdist" in processes else "worker gw"
    assert f"what {by}" in text
    assert f"no dialogue of this version; what differs: {differs}" in text
    assert "install the same version of pytest-todeval for all workers" in text
    assert "Traceback" not in text
    assert "INTERNALERROR" not in text
