"""The JUnit file of a run says what came of each dialogue."""

from xml.etree import ElementTree

import pytest

from tests.plugin.test_page_in_runs import SUITE


@pytest.mark.parametrize("spread", [(), ("-n2",)])
def test_properties_and_what_was_said(pytester: pytest.Pytester, spread: tuple[str, ...]) -> None:
    pytester.makepyfile(SUITE)
    pytester.runpytest("--junitxml=out.xml", *spread)
    cases = list(ElementTree.parse(pytester.path / "out.xml").iter("testcase"))
    assert len(cases) == 12
    for case in cases:
        told = {each.get("name"): each.get("value") for each in case.iter("property")}
        failed = case.find("failure") is not None
        assert told["todeval.outcome"] == ("failed" if failed else "passed")
        assert told["todeval.booking"] == str(not failed)
        assert ("todeval.cause" in told) == failed
        assert ("Hm." in (case.findtext("system-out") or "")) == failed


def test_a_run_without_the_file_keeps_no_properties(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    pytester.makeconftest(
        "def pytest_runtest_logreport(report):\n    assert not report.user_properties\n"
    )
    assert "INTERNALERROR" not in pytester.runpytest().stdout.str()
