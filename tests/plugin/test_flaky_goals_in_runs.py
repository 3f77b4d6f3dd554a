"""Goals in quarantine are played and told, and fail no run until their time is over."""

import json
from typing import Any

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import Suite, apart, run

FLIPS = """
import pytest

@pytest.mark.goals("demo", ids=["DEMO012", "DEMO014"])
@pytest.mark.trials(2)
@pytest.mark.flaky_goal({marker})
def test_flips(dialogue, goal):
    assert goal.id != "DEMO012" or dialogue.trial == 0, "the bot dawdled"
"""
SLOW = '"demo/DEMO012", reason="the backend is slow", until="9999-01-31"'
OVER = SLOW.replace("9999", "2020") + ","  # longer: Python keeps bytecode by second and size
ENDS = "demo/DEMO012 is in quarantine until 9999-01-31: the backend is slow"
JSON = "--todeval-json=results.json"


def entries(pytester: pytest.Pytester) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((pytester.path / "results.json").read_text())[
        "dialogues"
    ]
    return found


def outcomes(result: pytest.RunResult) -> dict[str, int]:
    found = result.parseoutcomes()
    return {name: found[name] for name in found if name != "warnings"}


def test_a_goal_in_quarantine_is_told_and_fails_no_run(suite: Suite, processes: list[str]) -> None:
    pytester = suite(FLIPS.format(marker=SLOW))

    result = run(pytester, *processes, JSON, "-rxX")

    assert result.ret == 0
    assert outcomes(result) == {"passed": 2, "xfailed": 1, "xpassed": 1}
    result.stdout.fnmatch_lines(
        [
            "4 dialogues*: 3 passed, 1 failed",
            "  pass@2 = 1.000*",
            "  flaky: 1 of 2 goals (50.0%):",
            "    demo/DEMO012 1/2",
            "  quarantined: 1 goal, which cannot fail the run:",
            "    demo/DEMO012 1/2, until 9999-01-31: the backend is slow",
        ]
    )
    result.stdout.fnmatch_lines_random(
        [f"XFAIL *DEMO012#1* - {ENDS}", f"XPASS *DEMO012#0* - {ENDS}; it passed*remove the marker"]
    )
    held = {"reason": "the backend is slow", "until": "9999-01-31"}
    found = [(each["goal"], each["outcome"], each.get("quarantined")) for each in entries(pytester)]
    assert found == [
        ("demo/DEMO012", "passed", held),
        ("demo/DEMO012", "failed", held),
        ("demo/DEMO014", "passed", None),
        ("demo/DEMO014", "passed", None),
    ]


def test_gates_leave_it_out_and_count_it(suite: Suite, processes: list[str]) -> None:
    pytester = suite(FLIPS.format(marker=SLOW))

    result = run(pytester, *processes, "--todeval-gate=flaky <= 0", "--todeval-gate=passed == 1")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["passed: all gates hold", "left out, quarantined: 2 dialogues"])


@pytest.mark.thorough
def test_without_its_marker_the_same_gate_fails(suite: Suite) -> None:
    pytester = suite(FLIPS.format(marker=SLOW).replace("@pytest.mark.flaky_goal", "#"))
    assert run(pytester, "--todeval-gate=flaky <= 0").ret == 10


@pytest.mark.parametrize(
    "marker", ['"DEMO012"', '"demo/DEMO01[0-2]"', '"*012", "DEMO014"'], ids=["id", "name", "two"]
)
@pytest.mark.thorough
def test_ids_and_patterns_name_goals(suite: Suite, marker: str) -> None:
    marker += ', reason="slow", until="9999-01-31"'
    assert run(suite(FLIPS.format(marker=marker))).ret == 0


def test_after_its_last_day_it_counts_again_and_says_so(suite: Suite) -> None:
    pytester = suite(FLIPS.format(marker=OVER))

    result = run(pytester, JSON, "--todeval-gate=passed == 1")

    assert result.ret == 10
    assert outcomes(result) == {"passed": 3, "failed": 1}
    result.stdout.fnmatch_lines(
        [
            "demo/DEMO012 counts again: its quarantine ended on 2020-01-31 (the backend is slow)",
            "  quarantine is over: 1 goal, which can fail the run again:",
            "    demo/DEMO012 1/2, ended on 2020-01-31: the backend is slow",
        ]
    )
    assert "quarantined" not in entries(pytester)[1]
    assert entries(pytester)[1]["quarantine_over"]["until"] == "2020-01-31"


@pytest.mark.thorough
def test_a_goal_that_passes_every_time_is_told_to_be_taken_out(suite: Suite) -> None:
    result = run(suite(FLIPS.format(marker=SLOW.replace("012", "014"))), "-k", "DEMO014")

    assert outcomes(result) == {"xpassed": 2, "deselected": 2}
    result.stdout.fnmatch_lines(["*demo/DEMO014 2/2, *; passed every time: remove the marker"])


@pytest.mark.thorough
def test_broken_tests_and_faults_of_others_are_not_excused(suite: Suite) -> None:
    broken = FLIPS.format(marker=SLOW) + "\n    if goal.id == 'DEMO012': dialogue.nonsense\n"
    assert outcomes(run(suite(broken), "-k", "DEMO012"))["failed"] == 1

    user = (
        "\n@pytest.fixture\ndef user_simulator():\n"
        "    class Broken:\n        def reply(self, *_):\n            raise ValueError('no')\n"
        "    return Broken()\n"
    )
    result = run(suite(FLIPS.format(marker=SLOW) + user), JSON, "-k", "DEMO012")
    assert outcomes(result)["errors"] == 2


@pytest.mark.thorough
def test_runxfail_has_them_fail(suite: Suite) -> None:
    assert outcomes(run(suite(FLIPS.format(marker=SLOW)), "--runxfail"))["failed"] == 1


def test_a_misspelt_goal_ends_the_collection(suite: Suite) -> None:
    result = run(suite(FLIPS.format(marker=SLOW.replace("demo/", "dmo/"))))

    assert result.ret == 2
    result.stdout.fnmatch_lines(
        ["*none of its 74 goals is 'dmo/DEMO012'; did you mean 'demo/DEMO012'[?]"]
    )


def test_a_test_without_goals_has_none_in_quarantine(suite: Suite) -> None:
    test = f"import pytest\n\n@pytest.mark.flaky_goal({SLOW})\ndef test_other():\n    pass\n"
    result = run(suite(test))

    assert result.ret == 2
    result.stdout.fnmatch_lines(["*is marked `flaky_goal` but no marker gives it goals*"])


def test_a_comparison_leaves_it_out_and_counts_it(
    suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    pytester = suite(FLIPS.format(marker=SLOW))
    run(pytester, "--todeval-json=now.json")
    pytester.makepyfile(test_bot=FLIPS.format(marker=OVER))
    run(pytester, "--todeval-json=before.json")
    capsys.readouterr()

    assert main(["compare", "before.json", "now.json"]) == 0

    told = capsys.readouterr().out
    assert told.startswith("1 goal in both runs; ")
    assert "left out, quarantined: 0 before, 2 now\n" in told
    assert "goals in one run only" not in told
    assert main(["report", "now.json"]) == 0
    assert "demo/DEMO012 1/2, until 9999-01-31: the backend is slow" in capsys.readouterr().out


@pytest.mark.thorough
def test_a_resumed_run_tells_it_as_it_was(suite: Suite) -> None:
    pytester = suite(FLIPS.format(marker=SLOW))
    first = apart(pytester, JSON)
    again = apart(pytester, JSON, "--todeval-resume", "-rx")

    assert outcomes(again) == outcomes(first)
    assert again.ret == 0
    again.stdout.fnmatch_lines([f"XFAIL *DEMO012#1* - {ENDS}"])
    pytester.makepyfile(test_bot=FLIPS.format(marker=OVER))
    assert outcomes(apart(pytester, JSON, "--todeval-resume")) == {"passed": 3, "failed": 1}
    assert all("quarantined" not in each for each in entries(pytester))
