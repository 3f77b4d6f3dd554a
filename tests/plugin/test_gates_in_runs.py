"""Gates and a baseline decide if a run fails, in place of single dialogues."""

import json

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import read_results
from tests.plugin.conftest import RULE_SYSTEM, WITHOUT_XDIST, Suite, apart

BOT = """
import os
import pytest
from pytest_todeval.systems import RuleSystem

@pytest.mark.goals("demo", limit=10, seed=1, booking=True)
def test_books(dialogue, goal):
    broken = int(goal.id[-1]) < int(os.environ.get("BROKEN", 0))
    assert dialogue.booking and not broken
"""


@pytest.fixture
def gated(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("BROKEN", raising=False)
    return suite(BOT)


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_a_gate_that_holds_passes_a_run_with_failures(
    gated: pytest.Pytester, processes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "2")

    result = apart(gated, *processes, "--todeval-gate=passed >= 0.3")

    assert result.ret == 0
    assert result.parseoutcomes()["failed"] > 0
    result.stdout.fnmatch_lines(["passed: all gates hold", "passed >= 0.3 *passed"])


@pytest.mark.parametrize(
    ("gate", "more", "code", "told"),
    [
        ("passed >= 0.99", [], 0, "undecided, which counts as passed: passed >= 0.99 (*"),
        ("passed >= 0.99", ["--todeval-undecided=fail"], 11, "undecided, which counts as failed*"),
        ("booking <= 0.5", [], 10, "failed: booking <= 0.5 does not hold"),
        ("beauty >= 0.5", [], 4, "gates: gate 'beauty >= 0.5': no dialogue has 'beauty'*"),
    ],
)
def test_exit_codes(
    gated: pytest.Pytester, gate: str, more: list[str], code: int, told: str
) -> None:
    result = apart(gated, f"--todeval-gate={gate}", *more)

    assert result.ret == code
    result.stdout.fnmatch_lines([told])


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        ("bokking >= 0.5", "*no dialogue will have 'bokking'; did you mean 'booking'?"),
        ("judge.policy_complience >= 4", "*did you mean 'policy_compliance'?"),
        ("booking >= 85", "*no value can pass it: booking goes from 0 to 1, or 0% to 100%"),
        ("booking >= 0.5 for domain hotle", "*no goal is of domain hotle; did you mean 'hotel'*"),
        ("booking >= 0.5 for goals dmo", "*no goal is of goals dmo; did you mean 'demo'*"),
    ],
)
def test_a_gate_on_what_there_is_not_is_refused_before_anything_is_played(
    gated: pytest.Pytester, processes: list[str], gate: str, told: str
) -> None:
    result = apart(gated, *processes, f"--todeval-gate={gate}")

    assert result.ret == 4
    assert not result.parseoutcomes().keys() & {"passed", "failed"}
    pytest.LineMatcher([*result.outlines, *result.errlines]).fnmatch_lines([f"ERROR: gate {told}"])


OWN = """
import pytest
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge

@pytest.fixture
def judge():
    return RuleJudge()

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue, judge):
    pass
"""


def test_a_judge_of_ones_own_may_bring_a_value_of_any_name(suite: Suite) -> None:
    result = apart(suite(OWN, RULE_SYSTEM), "--todeval-gate=bokking >= 0.5")

    assert result.ret == 4
    result.stdout.fnmatch_lines(["gates: gate 'bokking >= 0.5': no dialogue has 'bokking'*"])


SCRIPT = """
import pytest
from pytest_todeval.testing import ScriptedUser

@pytest.fixture
def user_simulator():
    return ScriptedUser(["Hello!", "What can you do?", "Thank you, bye."])

@pytest.mark.goals("demo", booking=True, limit=2)
def test_it(dialogue):
    assert {asserted}
"""


@pytest.mark.parametrize("asserted", ["dialogue.turns", "dialogue.booking", "dialogue.satisfied"])
def test_figures_of_a_script_that_asks_for_nothing_are_not_applicable(
    suite: Suite, asserted: str
) -> None:
    result = apart(
        suite(SCRIPT.format(asserted=asserted), RULE_SYSTEM),
        "--todeval-gate=booking >= 0.5",
    )

    assert result.ret == 4
    outcome = "passed" if asserted == "dialogue.turns" else "failed"
    assert result.parseoutcomes() == {outcome: 2}
    names = "inform, success, booking, satisfied"
    result.stdout.fnmatch_lines(
        [
            f"  not applicable in 2 dialogues: {names}, first demo/*the user told no value of its*",
            "gates: gate 'booking >= 0.5': 'booking' applies to none of 2 dialogues: *",
        ]
    )
    result.stdout.no_fnmatch_line("* 0.0 %*")


RULES = """
import pytest

OURS = "rules/ours.yaml"

@pytest.mark.goals("demo", limit=2)
def test_it(dialogue, judge):
    assert judge.{call}
"""


@pytest.mark.parametrize(
    "call", ['rules(dialogue, ["common", OURS])', "approves(dialogue, rules=OURS)"]
)
@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (None, "*::test_it: no rules 'rules/ours.yaml': neither a file *"),
        ("rules:\n  - id: x\n    says: y\n    nevr: z\n", "*ours.yaml:4*unknown key `nevr`*never*"),
    ],
    ids=["missing", "broken"],
)
def test_rules_of_a_test_are_read_before_anything_is_played(
    suite: Suite, processes: list[str], call: str, rules: str | None, told: str
) -> None:
    run = suite(RULES.format(call=call), RULE_SYSTEM)
    if rules is not None:
        (run.mkdir("rules") / "ours.yaml").write_text(rules)

    result = apart(run, *processes)

    assert result.ret == 4
    assert not result.parseoutcomes().keys() & {"passed", "failed", "errors"}
    pytest.LineMatcher([*result.outlines, *result.errlines]).fnmatch_lines([f"ERROR: {told}"])


@pytest.mark.parametrize("goals", [1, 3])
def test_a_bot_that_is_wholly_broken_fails_beside_its_baseline_however_few_goals_there_are(
    gated: pytest.Pytester, processes: list[str], monkeypatch: pytest.MonkeyPatch, goals: int
) -> None:
    limit = f"--todeval-limit={goals}"
    apart(gated, limit, "--todeval-json=now.json")
    base = gated.path / "base.json"
    assert main(["baseline", "update", str(gated.path / "now.json"), str(base)]) == 0
    monkeypatch.setenv("BROKEN", "10")

    result = apart(gated, *processes, limit, "--todeval-baseline=base.json")
    gate = apart(gated, *processes, limit, "--todeval-gate=booking >= 0.85")

    assert (result.ret, gate.ret) == (10, 1)
    broke = f"failed: {goals} goal{'s' * (goals > 1)} broke against base.json (demo/*"
    result.stdout.fnmatch_lines(["todeval: base.json left nothing to chance: *", broke])
    gate.stdout.fnmatch_lines(
        [
            f"todeval: {goals} goal* cannot show booking >= 0.85 even at *: each failed test *",
            f"failed: {goals} dialogue* failed (demo/*), and nothing that was asked for allows it*",
        ]
    )


@pytest.mark.parametrize("drawn", ["random.random()", "0.5"])
def test_a_bot_that_draws_random_numbers_leaves_its_dialogues_to_chance(
    suite: Suite, drawn: str
) -> None:
    run = suite(
        f"""
        import random
        import pytest
        from pytest_todeval.systems import RuleSystem

        class Drawing(RuleSystem):
            def respond(self, *args, **kwargs):
                self.drawn = {drawn}
                return super().respond(*args, **kwargs)

        @pytest.fixture
        def tod_system():
            return Drawing

        @pytest.mark.goals("demo", limit=1)
        def test_it(dialogue):
            pass
        """
    )
    apart(run, "--todeval-json=now.json")

    (entry,) = read_results(run.path / "now.json")["dialogues"]
    told = ["random numbers that were drawn"] if "random" in drawn else []
    assert entry["chance"] == told


@pytest.mark.thorough
def test_gates_of_the_ini_file_and_what_is_none(gated: pytest.Pytester) -> None:
    ini = "[pytest]\ntodeval_gate =\n  booking <= 0.5\n  passed >= 0.1\n"
    gated.makefile(".ini", pytest=ini)

    assert apart(gated).ret == 10
    assert apart(gated, "--todeval-gate=passed >= 0.1").ret == 0
    result = apart(gated, "--todeval-gate=passed")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--todeval-gate: gate: got 'passed', expected*"])


@pytest.mark.thorough
def test_a_test_that_is_broken_fails_the_run_whatever_the_gates_say(
    gated: pytest.Pytester,
) -> None:
    gated.makepyfile(test_other="def test_other():\n    assert False\n")
    gated.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.goals("demo", limit=1)
        def test_own(dialogue):
            dialogue.nonsense
        """
    )
    gate = "--todeval-gate=passed >= 0.1"

    assert apart(gated, gate, "test_bot.py").ret == 0
    assert apart(gated, gate, "test_bot.py", "test_other.py").ret == 1
    assert apart(gated, gate, "test_bot.py", "test_own.py").ret == 1


def test_a_run_that_did_not_end_is_not_decided(
    gated: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "9")

    assert apart(gated, "--todeval-gate=passed >= 0.1", "test_none.py").ret == 4


def test_too_many_faults_make_the_run_unreliable(suite: Suite) -> None:
    pytester = suite(
        """
        import pytest
        from pytest_todeval.simulation.agenda.user import AgendaUser

        class Lost(AgendaUser):
            def respond(self, said):
                raise RuntimeError("the user is lost")

        @pytest.fixture
        def user_simulator(goal, request):
            return (Lost if "lost" in request.node.name else AgendaUser)(goal)

        @pytest.mark.goals("demo", limit=4)
        def test_lost(dialogue):
            pass

        @pytest.mark.goals("demo", limit=4, seed=3)
        def test_fine(dialogue):
            pass
        """
    )

    gated = apart(pytester, "--todeval-gate=passed >= 0.1", "--todeval-json=now.json")
    compared = apart(pytester, "--todeval-baseline=now.json")

    assert (gated.ret, compared.ret) == (12, 12)
    for result in (gated, compared):
        result.stdout.fnmatch_lines(["unreliable: faults*", "faults <= 0.1 *0.500*unreliable"])


@pytest.mark.thorough
def test_a_run_is_held_against_its_baseline(
    gated: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    base = gated.path / "base.json"
    apart(gated, "--todeval-json=now.json")
    assert main(["baseline", "update", str(gated.path / "now.json"), str(base)]) == 0

    assert apart(gated, "-n2", "--todeval-baseline=base.json").ret == 0
    monkeypatch.setenv("BROKEN", "9")
    result = apart(gated, "-n2", "--todeval-baseline=base.json", "--todeval-json=now.json")

    assert result.ret == 10
    result.stdout.fnmatch_lines(
        [
            "failed: * broke against base.json (*",
            "*10 goals in both runs; * broke; worse: passed*",
            "broke (*",
        ]
    )
    capsys.readouterr()
    assert main(["baseline", "update", str(gated.path / "now.json"), str(base)]) == 0
    assert "worse: passed" in capsys.readouterr().out
    assert apart(gated, "-n2", "--todeval-baseline=base.json").ret == 0


@pytest.mark.thorough
def test_a_baseline_is_small_and_holds_no_words(gated: pytest.Pytester) -> None:
    apart(gated, "--todeval-json=now.json")
    whole, base = gated.path / "now.json", gated.path / "base.json"
    assert main(["baseline", "update", str(whole), str(base)]) == 0

    assert base.stat().st_size < whole.stat().st_size / 5
    assert "elcome" not in base.read_text(encoding="utf-8")
    assert len(read_results(base)["dialogues"]) == 10


def _on_other(what: str, name: str, gated: pytest.Pytester) -> None:
    """A baseline that rests on something else."""
    apart(gated, "--todeval-json=base.json", "--todeval-limit=1")
    path = gated.path / "base.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    found["environment"][what][name] = "another"
    path.write_text(json.dumps(found), encoding="utf-8")


def test_a_baseline_over_other_goals_is_refused_before_anything_is_played(
    gated: pytest.Pytester,
) -> None:
    _on_other("goal_sets", "demo", gated)
    before = (gated.path / "base.json").read_bytes()

    result = apart(gated, "--todeval-baseline=base.json", "--todeval-json=base.json")

    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*--todeval-baseline: base.json: goal set 'demo' was 'another', is '*'. Keep a new one*"]
    )
    result.stdout.no_fnmatch_line("test_bot.py*")
    assert (gated.path / "base.json").read_bytes() == before


@pytest.mark.thorough
def test_gates_are_told_beside_a_baseline_that_cannot_be_compared(gated: pytest.Pytester) -> None:
    _on_other("metrics", "booking", gated)

    result = apart(gated, "--todeval-baseline=base.json", "--todeval-gate=booking >= 0.1")

    assert result.ret == 4
    result.stdout.fnmatch_lines(
        ["booking >= 0.1*passed", "gates: the two runs cannot be compared*"]
    )


def test_a_baseline_that_is_none_is_told_before_anything_is_played(
    gated: pytest.Pytester,
) -> None:
    result = apart(gated, "--todeval-baseline=missing.json")

    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--todeval-baseline: *missing.json*"])


LABELLED = """
name: own
database: demo
goals:
{goals}
"""
LABELS = """
from dataclasses import replace
import pytest

@pytest.fixture
def goal(goal):
    return replace(goal, labels=(*goal.labels, "from-code")) if goal.id == "g2" else goal

@pytest.mark.goals("own.yaml")
def test_told(dialogue, goal):
    assert "smoke" in goal.labels
"""
GOAL = "- {{id: g{n}, labels: [{labels}], domains: {{restaurant: {{request: phone}}}}}}"


@pytest.fixture
def labelled(suite: Suite) -> pytest.Pytester:
    run = suite(LABELS)
    goals = [GOAL.format(n=n, labels="smoke" if n < 2 else "slow, refund") for n in range(4)]
    (run.path / "own.yaml").write_text(LABELLED.format(goals="\n".join(goals)))
    return run


@pytest.mark.thorough
def test_goals_are_gated_by_their_labels(labelled: pytest.Pytester) -> None:
    gates = ("passed == 1 for label smoke", "passed == 0 for label slow")

    played = apart(labelled, "--todeval-json=run.json", *(f"--todeval-gate={g}" for g in gates))

    assert played.ret == 0
    assert played.parseoutcomes() == {"passed": 2, "failed": 2}
    found = read_results(labelled.path / "run.json")
    labels = [entry["goal_record"].get("labels") for entry in found["dialogues"]]
    assert labels == [["smoke"], ["smoke"], ["slow", "refund", "from-code"], ["slow", "refund"]]
    assert found["summary"]["labels"]["refund"]["outcomes"]["failed"] == 2


def test_goals_are_chosen_by_their_labels(labelled: pytest.Pytester) -> None:
    chosen = ["*own/g2]", "*own/g3]"]

    collected = apart(labelled, "--collect-only", "-q", "-k", "refund")
    collected.stdout.fnmatch_lines([*chosen, "2/4 tests collected (2 deselected)*"])

    labelled.makepyfile(test_bot=LABELS.replace('"own.yaml"', '"own.yaml", labels=["refund"]'))
    collected = apart(labelled, "--collect-only", "-q")
    collected.stdout.fnmatch_lines([*chosen, "2 tests collected*"])
