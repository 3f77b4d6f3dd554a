"""`todeval gate`: what a run has to reach, and whether its goals decide it."""

import json
import random
from math import comb
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.baseline import baseline_of
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.at_best import at_best_lines
from pytest_todeval.runs.reports.gates.deciding import decide, gate_lines, overall, why_undecided
from pytest_todeval.runs.reports.gates.gate import Gate, parse_gate
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.statistics.level import goals_to_decide, level_of
from pytest_todeval.runs.statistics.more_goals import stretched
from tests.conftest import Todeval
from tests.support.dialogue_world import dialogue, restaurant_goal

WANTED = restaurant_goal(request=("phone",))


def entry(
    goal: int, passed: bool | None = True, *, trial: int = 0, tone: float = 4, **more: Any
) -> DialogueEntry:
    """A dialogue of 2 turns, of 1 and 3 seconds; the user spoiled it if `passed` is None."""
    turns = [Turn(n, "u", "s", latency=2.0 * n - 1) for n in (1, 2)]
    outcome = {True: Outcome.PASSED, False: Outcome.FAILED, None: Outcome.SIMULATOR_FAULT}[passed]
    found = dialogue_entry(
        dialogue(WANTED, *turns),
        test=f"t[{goal}]",
        outcome=outcome,
        metrics={"booking": Verdict("booking", bool(passed), "so")},
        scores={"tone": [Score("tone", 5, "so", 1), Score("tone", tone, "so", 2)]},
        rules={"polite": [{"value": int(bool(passed))}, {"value": -1}], "idle": [{"value": -1}]},
        bot="HotelBot",
    )
    return {**found, "goal": f"test/g{goal}", "trial": trial, **more}  # type: ignore[typeddict-item]


def run(passed: int, failed: int, faults: int = 0) -> list[DialogueEntry]:
    kinds = [True] * passed + [False] * failed + [None] * faults
    return [entry(number, each) for number, each in enumerate(kinds)]


def finding(gate: str, entries: list[DialogueEntry]) -> str:
    return decide([gate], entries)[-1].finding


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("booking >= 0.85", ("booking", None, ">=", 0.85, ())),
        ("judge.policy_compliance.min>=3", ("policy_compliance", "min", ">=", 3, ())),
        ("latency.p90 <= 300ms", ("latency", "p90", "<=", 0.3, ())),
        ("success >= 80 %", ("success", None, ">=", 0.8, ())),
        ("rules.no-phantom-booking == 0", ("rules.no-phantom-booking", None, "==", 0, ())),
        (
            "inform > 0.5 for domain hotel for bot B",
            ("inform", None, ">", 0.5, (("domain", "hotel"), ("bot", "B"))),
        ),
    ],
)
def test_gates_are_read(text: str, gate: tuple[Any, ...]) -> None:
    assert parse_gate(text) == Gate(" ".join(text.split()), *gate)


@pytest.mark.parametrize(
    "text",
    ["", "booking", "booking = 1", ">= 3", "booking >= high", "a >= 1 for city x", "a >= 1e9"],
)
def test_what_is_no_gate_is_told_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match=r"expected"):
        parse_gate(text)


@pytest.mark.parametrize(
    ("gate", "passed", "failed", "found"),
    [
        ("booking >= 0.85", 40, 0, "passed"),
        ("booking >= 0.85", 10, 0, "undecided"),
        ("booking >= 0.85", 37, 3, "undecided"),
        ("booking >= 0.85", 20, 20, "failed"),
        ("booking <= 0.5", 2, 38, "passed"),
        ("passed >= 0.5", 38, 2, "passed"),
        ("booking == 1", 10, 0, "passed"),
        ("booking == 1", 10, 1, "failed"),
        ("tone >= 3", 40, 0, "passed"),
        ("tone >= 4.9", 40, 0, "failed"),
        ("tone.min >= 4", 3, 0, "passed"),
        ("tone.min >= 4.5", 3, 0, "failed"),
        ("latency.p90 <= 3s", 3, 0, "passed"),
        ("latency.p90 <= 2s", 3, 0, "failed"),
        ("latency.p50 <= 2s", 3, 0, "passed"),
        ("turns.max <= 2", 3, 0, "passed"),
        ("rules.polite == 0", 3, 0, "passed"),
        ("rules.polite == 0", 3, 1, "failed"),
        ("rules.polite.rate >= 0.5", 40, 0, "passed"),
        ("cost <= 2", 3, 0, "passed"),
    ],
)
def test_findings(gate: str, passed: int, failed: int, found: str) -> None:
    assert finding(gate, run(passed, failed)) == found


def test_faults_have_a_budget_and_make_the_run_unreliable_not_the_bot_bad() -> None:
    few, many = run(40, 0, faults=2), run(40, 0, faults=10)

    assert overall(decide(["booking >= 0.5"], few)) == "passed"
    assert overall(decide(["booking >= 0.5"], many)) == "unreliable"
    assert overall(decide(["booking >= 0.5", "faults <= 0.3"], many)) == "passed"
    assert overall(decide(["booking >= 0.99"], many)) == "unreliable"


def test_trials_of_a_goal_count_once() -> None:
    once = run(10, 0)
    often = [{**each, "trial": trial} for each in once for trial in range(8)]

    assert finding("booking >= 0.85", often) == "undecided"  # type: ignore[arg-type]


def test_a_reward_is_a_number_and_has_gates_too() -> None:
    rewards = [entry(n, bool(n % 2), metrics={"reward": float(n % 2)}) for n in range(40)]

    assert finding("reward >= 0.2", rewards) == "passed"
    assert finding("reward >= 0.8", rewards) == "failed"


def test_a_number_beyond_0_to_1_has_no_scale_and_is_a_fact_of_this_run() -> None:
    def rewards(*values: float) -> list[DialogueEntry]:
        return [entry(n, metrics={"reward": value}) for n, value in enumerate(values)]

    for values, found, mean in (
        ((-1, -1, -1, 1), "failed", -0.5),
        ((0.5, 1.5), "passed", 1.0),
        ((12.0,), "passed", 12.0),
    ):
        decided = decide(["reward >= 0.85"], rewards(*values))[-1]
        assert (decided.finding, decided.value, decided.level) == (found, mean, None)


def test_trials_that_all_or_any_succeed_have_gates() -> None:
    runs = [entry(n, bool(t or n % 2), trial=t) for n in range(40) for t in range(2)]

    found = decide(["pass^2 >= 0.3", "pass@2 >= 0.9", "pass^1 <= 0.5"], runs)[1:]
    assert [(each.value, each.finding) for each in found] == [
        (0.5, "passed"), (1.0, "passed"), (0.75, "failed"),
    ]  # fmt: skip
    for gate, told in (
        ("pass^4 >= 0.5", "no goal was played 4 times for 'pass^4': `--todeval-trials 4`"),
        ("pass^2.min >= 0.5", "'pass^2' has no statistics, got 'min'"),
    ):
        with pytest.raises(UsageError) as error:
            decide([gate], runs)
        assert told in str(error.value)
    others = [{**each, "goal": f"own/{each['trial']}"} for each in runs]
    with pytest.raises(UsageError, match="add `for goals own` or `for goals test`"):
        decide(["pass^2 >= 0.5"], [*runs, *others])  # type: ignore[list-item]


def test_percentiles_say_where_those_of_other_goals_would_lie() -> None:
    slow = entry(1, turns=[{"latency_s": 9.0}])
    (_, found) = decide(["latency.p90 <= 3s"], [*run(8, 0), slow])

    assert found.finding == "passed"
    assert found.interval is not None
    assert found.interval.low <= 3 < found.interval.high


def test_goals_that_flip() -> None:
    steady = [entry(n, True, trial=t) for n in range(3) for t in range(2)]
    flipping = [*steady, entry(9, True), entry(9, False, trial=1)]

    assert finding("flaky <= 0.2", steady) == "passed"
    assert finding("flaky <= 0.2", flipping) == "failed"
    assert decide(["flaky <= 0.2"], flipping)[-1].value == 0.25


def test_goals_in_quarantine_are_left_out_but_for_what_they_cost() -> None:
    held: Any = {"quarantined": {"reason": "slow", "until": "2027-01-31"}}
    priced: Any = {"calls": {"user": {"dollars": 0.5, "calls": 1}}}
    flipping = [entry(9, each, trial=t, **held) for t, each in enumerate((True, False))]
    faulty = [entry(n, None, **held) for n in range(10, 20)]
    steady = [entry(n, True, trial=t) for n in range(3) for t in range(2)]
    found = decide(["flaky == 0", "passed == 1"], [*steady, *flipping, *faulty])

    assert [each.finding for each in found] == ["passed"] * 3
    assert list(gate_lines(found))[-1] == "left out, quarantined: 12 dialogues"
    (*_, costs) = decide(["cost <= 1"], [entry(1, **priced), entry(2, **priced, **held)])
    assert costs.value == 1.0
    with pytest.raises(UsageError, match="all 2 dialogues are of goals in quarantine"):
        decide(["passed == 1"], flipping)


def test_a_gate_on_some_dialogues() -> None:
    entries = run(30, 0) + [
        {**each, "bot": "Other", "goal": f"own/{number}"} for number, each in enumerate(run(0, 30))
    ]

    assert finding("booking >= 0.8 for bot HotelBot", entries) == "passed"
    assert finding("booking >= 0.8 for goals own", entries) == "failed"
    assert finding("booking >= 0.3 for domain restaurant", entries) == "passed"


def test_a_gate_on_a_label_of_goals() -> None:
    def labelled(found: DialogueEntry, *labels: str) -> DialogueEntry:
        return {**found, "goal_record": {**found["goal_record"], "labels": list(labels)}}

    entries = [
        *(labelled(each, "smoke", "refund") for each in run(30, 0)),
        *(labelled({**each, "goal": f"own/{n}"}, "refund") for n, each in enumerate(run(0, 30))),
        *run(0, 30),
    ]

    assert finding("booking >= 0.8 for label smoke", entries) == "passed"
    assert finding("booking >= 0.8 for label refund", entries) == "failed"
    assert finding("booking >= 0.8 for label refund for goals test", entries) == "passed"
    with pytest.raises(UsageError, match=r"label smok; did you mean 'smoke'\? Known: refund"):
        decide(["booking >= 0.8 for label smok"], entries)


def test_costs_that_are_not_known_are_not_nothing() -> None:
    calls = {"user": {"dollars": None, "calls": 3}}

    with pytest.raises(UsageError, match="what 1 of 1 dialogues cost is not known"):
        decide(["cost <= 2"], [entry(1, calls=calls)])


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        (["booking >= 0.5"], 0),
        (["booking >= 0.85"], 11),
        (["booking >= 0.85", "--undecided=pass"], 0),
        (["booking >= 0.85", "--strict"], 11),
        (["booking >= 0.99"], 10),
        (["faults <= 0.01"], 12),
        (["nonsense"], 2),
    ],
)
def test_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gates: list[str], code: int
) -> None:
    path, out = tmp_path / "r.json", tmp_path / "out.json"
    write_results(path, results(run(36, 4, faults=1), environment()))

    assert main(["gate", str(path), *gates, "--json", str(out)]) == code

    told = capsys.readouterr()
    if code == 2:
        assert "`booking >= 0.85`" in told.err
        return
    findings = {
        0: ("passed", "undecided"),
        10: ("failed",),
        11: ("undecided",),
        12: ("unreliable",),
    }
    assert told.out.startswith(findings[code])
    assert json.loads(out.read_text(encoding="utf-8"))["gates"][-1]["gate"]["text"] == gates[0]
    assert ("goals more" in told.out) == (gates[0] == "booking >= 0.85")


@pytest.mark.parametrize(
    ("now", "gates", "code", "told"),
    [
        (
            run(40, 40),
            [],
            10,
            "failed: worse than {baseline}: passed, booking, rules.polite (40 goals broke: ",
        ),
        (run(80, 0), [], 0, "passed: all gates hold, and nothing is worse than in {baseline}\n"),
        (
            run(80, 0),
            ["booking >= 0.9"],
            0,
            "passed: all gates hold, and nothing is worse than in ",
        ),
        (run(80, 0), ["tone == 5"], 10, "failed: tone == 5 does not hold\n"),
        (
            run(76, 4),
            [],
            11,
            "undecided, which counts as failed (undecided=fail): 4 goals broke against ",
        ),
        (run(76, 4, faults=40), ["booking > 0.1"], 12, "unreliable: faults <= 0.1 does not hold: "),
    ],
)
def test_a_run_is_held_against_gates_and_a_baseline_at_once(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    now: list[DialogueEntry],
    gates: list[str],
    code: int,
    told: str,
) -> None:
    baseline, path, out = tmp_path / "baseline.json", tmp_path / "r.json", tmp_path / "out.json"
    write_results(baseline, results(run(80, 0), environment()))
    write_results(path, results(now, environment()))
    command = ["gate", str(path), *gates, "--baseline", str(baseline), "--strict"]

    assert main([*command, "--json", str(out)]) == code

    text = capsys.readouterr().out
    assert text.startswith(told.format(baseline=baseline))
    assert f"baseline {baseline}:\n" in text
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["finding"], found["exit_code"]) == (
        told.partition(",")[0].partition(":")[0],
        code,
    )
    assert main([*command, "--markdown"]) == code
    markdown = capsys.readouterr().out
    assert markdown.startswith("**" + told.format(baseline=baseline).removesuffix("\n"))
    assert "| booking | " in markdown


def test_what_is_undecided_passes_if_nothing_failed_or_if_that_is_asked_for_and_says_so(
    tmp_path: Path, todeval: Todeval
) -> None:
    path, failed = tmp_path / "r.json", tmp_path / "failed.json"
    write_results(path, results(run(12, 0), environment()))
    write_results(failed, results(run(36, 4), environment()))

    assert todeval("gate", path, "booking >= 0.85").out.startswith(
        "undecided, which counts as passed: booking >= 0.85 (about 7 goals more)\n"
    )
    assert todeval("gate", failed, "booking >= 0.85", code=11).out.startswith(
        "undecided, which counts as failed: booking >= 0.85 (about "
    )
    assert todeval("gate", failed, "booking >= 0.85", "--undecided=pass").out.startswith(
        "undecided, which counts as passed (undecided=pass): booking >= 0.85 (about "
    )
    assert "name a gate, or --baseline FILE" in todeval("gate", path, code=2).err


@pytest.mark.parametrize("goals", [20, 61])
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95])
def test_verdicts_err_no_more_often_than_said(goals: int, rate: float) -> None:
    wrong = {True: 0.0, False: 0.0}
    for hits in range(goals + 1):
        level = level_of([1.0] * hits + [0.0] * (goals - hits))
        found = level.reaches(">=", rate)
        if found is not None:
            chance = comb(goals, hits) * rate**hits * (1 - rate) ** (goals - hits)
            wrong[found] += chance

    assert max(wrong.values()) <= 0.05


def test_means_of_trials_err_about_as_often_as_said() -> None:
    draw = random.Random(3)

    def one() -> float:
        likely = draw.choice([0.7, 0.9])
        return sum(draw.random() < likely for _ in range(4)) / 4

    runs = [level_of([one() for _ in range(80)]).reaches(">=", 0.8) for _ in range(400)]

    # 20 of 400 are to be expected of each; 33 is three standard errors above that
    assert runs.count(True) <= 33
    assert runs.count(False) <= 33


@pytest.mark.parametrize("goals", [20, 50, 100])
def test_goals_that_nearly_always_pass_err_no_more_often_than_said(goals: int) -> None:
    wrong = {True: 0.0, False: 0.0, None: 0.0}
    for flaky in range(goals):  # each with 0.05, and then one trial of two fails
        level = level_of([0.5] * flaky + [1.0] * (goals - flaky))
        chance = comb(goals, flaky) * 0.05**flaky * 0.95 ** (goals - flaky)
        wrong[level.reaches(">=", 0.975)] += chance

    assert wrong[True] <= 0.05
    assert wrong[False] <= 0.05


@pytest.mark.parametrize(
    ("hits", "goals", "sign", "bound"),
    [
        (36, 40, ">=", 0.8),
        (12, 12, ">=", 0.85),
        (5, 5, ">=", 0.9),
        (45, 50, ">=", 0.85),
        (38, 50, ">=", 0.85),
        (1, 20, "<=", 0.1),
        (470, 500, ">=", 0.93),
    ],
)
def test_the_goals_more_that_are_named_decide_and_two_thirds_of_them_do_not(
    hits: int, goals: int, sign: str, bound: float
) -> None:
    values = [1.0] * hits + [0.0] * (goals - hits)

    def reached(number: int) -> bool | None:
        return level_of(stretched(values, number)).reaches(sign, bound)

    needed = goals_to_decide(values, sign, bound)
    assert needed is not None
    assert reached(goals) is None
    assert reached(needed) is not None
    assert needed < 1.5 * goals or reached(int(needed / 1.5)) is None


def test_a_mean_that_is_its_bound_takes_too_many_goals() -> None:
    assert goals_to_decide([1.0] * 9 + [0.0], ">=", 0.9) is None


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        ("booking >= 0", "no value can fail it"),
        ("booking <= 100%", "no value can fail it"),
        ("tone >= 1", "no value can fail it"),
        ("tone.min >= 0", "no value can fail it"),
        ("rules.polite.rate > 1", "no value can pass it"),
        ("booking >= 60", "no value can pass it.*from 0 to 1, or 0% to 100%"),
        ("booking > 1", "no value can pass it"),
        ("tone == 6", "no value can pass it"),
        ("tone >= 3s", "'s' is a unit of latency"),
        ("turns <= 300ms", "'ms' is a unit of latency"),
        ("tone >= 60%", "no value can fail it"),
        ("cost <= 5%", "'%' is a unit of shares"),
    ],
)
def test_gates_that_say_nothing_are_errors(gate: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"gate '{gate}': .*{told}"):
        decide([gate], run(3, 1))


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        ("booking >= 0.5 for bot HotelBox", "no dialogue is of bot HotelBox; did you mean 'HotelB"),
        ("booking >= 0.5 for domain hotl", "no dialogue is of domain hotl; Known: restaurant"),
        ("booking >= 0.5 for goals tests", "of goals tests; did you mean 'test'"),
        ("booking >= 0.5 for label smoke", "no dialogue is of label smoke; Known: none"),
        ("flaky == 0", "no goal was played more than once: play each several times, `--todeval-t"),
        ("tone.mx >= 3", "no statistic 'mx'; did you mean 'max'"),
        ("rules.polit == 0", "no dialogue has 'rules.polit'; did you mean 'rules.polite'"),
        ("rules.idle == 0", "applied in no turn, so that it cannot fail"),
        ("bokking >= 0.5", "no dialogue has 'bokking'; did you mean 'booking'"),
        ("booking >= 0.5 for bot Other", "no dialogue is of bot Other"),
        ("latency.p95 <= 3s", "no statistic 'p95'; did you mean 'p90'"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(gate: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        decide([gate], run(3, 1))
    assert told in str(error.value)


@pytest.mark.parametrize(
    "gate", ["latency <= 1s", "booking >= 0.5 for domain hotel", "booking >= 0.5 for label smoke"]
)
def test_what_a_baseline_does_not_keep_is_told_as_such(gate: str) -> None:
    kept = baseline_of(results(run(3, 1), environment()))["dialogues"]

    with pytest.raises(UsageError, match=r"a baseline keeps no turns .* name the run's results"):
        decide([gate], kept)


def test_rules_that_nobody_asked_for_are_told_with_how_to_ask() -> None:
    unruled: list[Any] = [{**each, "rules": {}} for each in run(3, 1)]

    with pytest.raises(UsageError, match=r"judge\.rules\(dialogue\).*--ask rules"):
        decide(["rules.no-phantom-booking == 0"], unruled)


def test_what_is_undecided_says_how_many_goals_more_also_far_from_the_bound() -> None:
    assert "undecided: about 7 goals more" in "\n".join(
        gate_lines(decide(["booking >= 0.85"], run(12, 0)))
    )
    assert "a run cannot show a mean of 1; `booking == 1` asks for it in this run" in "\n".join(
        gate_lines(decide(["booking >= 1"], run(12, 0)))
    )


def test_a_run_without_dialogues_is_no_baseline(tmp_path: Path, todeval: Todeval) -> None:
    path, kept = tmp_path / "r.json", tmp_path / "baseline.json"
    for nothing in ([], run(0, 0, faults=3)):
        write_results(path, results(nothing, environment()))

        assert f"{path} holds no dialogue" in todeval("baseline", "update", path, kept, code=2).err
        assert not kept.exists()


def test_a_baseline_says_how_many_of_its_dialogues_count(tmp_path: Path, todeval: Todeval) -> None:
    path, kept = tmp_path / "r.json", tmp_path / "baseline.json"
    write_results(path, results(run(3, 1, faults=2), environment()))

    printed = todeval("baseline", "update", path, kept).out
    assert "baseline.json: 6 dialogues, 4 of which count." in printed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("booking => 0.85", "did you mean `booking >= 0.85`?"),
        ("turns =< 8", "did you mean `turns <= 8`?"),
        ("booking ≥ 0.85", "did you mean `booking >= 0.85`?"),
        ("turns ≤ 8", "did you mean `turns <= 8`?"),
        ("booking = 1", "did you mean `booking == 1`?"),
        ("other.json", "`todeval merge` makes one file of several"),
    ],
)
def test_what_was_meant_is_told(text: str, told: str) -> None:
    with pytest.raises(UsageError) as wrong:
        parse_gate(text)
    assert told in str(wrong.value)


@pytest.mark.parametrize("text", ["booking >== 0.85", "=> 1", "booking", "booking >= -1"])
def test_nothing_is_guessed_that_is_no_gate_either(text: str) -> None:
    with pytest.raises(UsageError, match="expected `NAME") as wrong:
        parse_gate(text)
    assert "did you mean" not in str(wrong.value)


def test_a_run_without_dialogues_is_told_as_such() -> None:
    with pytest.raises(UsageError, match=r"^the run has no dialogue") as wrong:
        decide(["booking >= 0.85"], [])
    assert "faults" not in str(wrong.value)


def test_one_goal_is_not_told_as_several() -> None:
    goals = next(n for n in range(1, 99) if goals_to_decide([1.0] * n, ">=", 0.9) == n + 1)
    (_, found) = decide(["booking >= 0.9"], run(goals, 0))
    assert why_undecided(found) == "about 1 goal more"


# Red is red: what failed passes only if it is allowed.

ALL_GOOD = results(run(80, 0), environment())


def sure(entries: list[DialogueEntry]) -> list[DialogueEntry]:
    return [{**each, "chance": []} for each in entries]


@pytest.mark.parametrize("goals", [1, 2, 3, 5, 7, 10, 20, 50])
@pytest.mark.parametrize("known", [True, False], ids=["sure", "by chance"])
@pytest.mark.parametrize("gates", [[], ["booking >= 0.85"], ["turns <= 9"], ["booking >= 0.01"]])
def test_a_bot_that_is_wholly_broken_never_passes(
    goals: int, known: bool, gates: list[str]
) -> None:
    before, now = (run(goals, 0), [{**e, "outcome": "failed"} for e in run(goals, 0)])
    old = results(sure(before) if known else before, environment())
    new = results(sure(now) if known else now, environment())  # type: ignore[arg-type]

    for base in (old, None):
        if base is None and not gates:
            continue
        compared = None if base is None else compare_runs(base, new)
        decided = decide(gates, new["dialogues"])
        for undecided in (None, "fail"):
            ruling = Ruling.of(new["dialogues"], decided, base, compared, "b", undecided)
            assert ruling.exit_code, ruling.headline()
        assert ruling.headline().startswith(("failed", "undecided, which counts as failed"))
        if base is not None and known:
            assert ruling.exit_code == 10
            assert f"{goals} goal{'s' * (goals > 1)} broke against b (test/g0" in ruling.headline()


@pytest.mark.parametrize(
    ("gates", "lacks", "code"),
    [
        (["booking >= 0.5"], {}, 0),  # the dialogues that failed lack a booking
        (["passed >= 0.5"], {}, 0),
        (["turns <= 9"], {}, 1),  # which says nothing of failures
        (["faults <= 0.5"], {}, 1),
        (["booking >= 0.5"], {"metrics": {"booking": True}}, 1),  # they failed for something else
        (["tone >= 4"], {"metrics": {}}, 1),
        (["tone >= 3.5"], {"scores": {"tone": [{"value": 2.0, "scale": [1, 5]}]}}, 0),
        (["booking >= 0.99"], {}, 10),
        (["booking >= 0.92"], {}, 11),
    ],
)
def test_a_gate_allows_the_failures_that_it_is_about(
    gates: list[str], lacks: dict[str, Any], code: int
) -> None:
    entries = [*run(36, 0), *({**each, **lacks} for each in run(40, 4)[-4:])]
    found = Ruling.of(entries, decide(gates, entries), None, None, "", None)  # type: ignore[arg-type]

    assert found.exit_code == code, found.headline()
    if code == 1:
        assert found.headline() == (
            "failed: 4 dialogues failed (test/g40, test/g41, test/g42, test/g43), and nothing that "
            "was asked for allows it"
        )


@pytest.mark.parametrize("known", [True, False])
def test_a_baseline_allows_what_failed_before_and_nothing_else(known: bool) -> None:
    def ruled(before: list[DialogueEntry], now: list[DialogueEntry]) -> Ruling:
        old, new = (results(sure(e) if known else e, environment()) for e in (before, now))
        compared = compare_runs(old, new)
        return Ruling.of(new["dialogues"], decide([], new["dialogues"]), old, compared, "b", None)

    same = ruled(run(8, 2), run(8, 2))
    assert same.exit_code == 0
    assert same.headline().startswith("passed" if known else "undecided, which counts as passed")
    new_goal = ruled(run(8, 2), [*run(8, 2), entry(70, False)])
    assert new_goal.exit_code == 1
    assert "1 dialogue failed (test/g70)" in new_goal.headline()
    another_test = ruled(run(8, 0), [*run(8, 0), entry(3, False, test="harder[3]")])
    assert another_test.exit_code == 1


@pytest.mark.parametrize(
    ("undecided", "code"), [(None, 11), ("pass", 0), ("fail", 11), ("later", 0)]
)
def test_softer_is_asked_for_by_name_and_is_said_first(undecided: Any, code: int) -> None:
    now = run(76, 4)
    new = results(now, environment())
    found = Ruling.of(now, decide([], now), ALL_GOOD, compare_runs(ALL_GOOD, new), "b", undecided)

    assert found.exit_code == code
    how = f" (undecided={undecided})" if undecided else ""
    counts = "failed" if code else "passed"
    assert found.headline().startswith(
        f"undecided, which counts as {counts}{how}: 4 goals broke against b (test/g76, "
    )


def test_a_run_too_small_to_show_anything_falls_back_to_its_tests() -> None:
    now = run(2, 1)
    base = results(run(3, 0), environment())
    found = Ruling.of(
        now, decide(["booking >= 0.5"], now), base, compare_runs(base, results(now, environment())),
        "b", None,
    )  # fmt: skip

    assert found.exit_code == 1
    assert found.headline() == (
        "failed: 1 dialogue failed (test/g2), and nothing that was asked for allows it; 3 goals "
        "cannot show booking >= 0.5, so each failed test counts; 3 goals cannot show a value to be "
        "worse, so each failed test counts"
    )


def test_so_few_goals_that_failed_before_by_chance_are_not_allowed_to_fail_again() -> None:
    now = run(0, 1)
    base = results(now, environment())
    found = Ruling.of(now, decide([], now), base, compare_runs(base, base), "b", None)
    assert found.exit_code == 1


def test_what_goals_can_show_at_best_is_said_before_they_are_played() -> None:
    gates = ["booking >= 0.85", "passed >= 0.5", "tone >= 4.9", "latency.p90 <= 3s", "cost <= 2"]
    steady = results(sure(run(10, 0)), environment())

    assert list(at_best_lines(gates, 10, steady, "b")) == [
        "10 goals cannot show booking >= 0.85 even at their best (it takes 19): each failed test "
        "counts",
        "10 goals cannot show tone >= 4.9 even at their best (it takes 119): each failed test "
        "counts",
        "b left nothing to chance: if this run does not either, each goal that breaks fails it",
    ]
    flipping = results(run(10, 0), environment())
    (line,) = at_best_lines([], 10, flipping, "b")
    assert line.startswith("of 10 goals at least 5 have to break to show passed to be worse")
    (line,) = at_best_lines([], 4, flipping, "b")
    assert line.startswith("4 goals cannot show passed to be worse than in b")


@pytest.mark.parametrize("goals", [4, 5, 18, 19])
def test_what_is_said_of_goals_at_their_best_is_so(goals: int) -> None:
    at_best = list(at_best_lines(["booking >= 0.85"], goals, None, ""))
    assert bool(at_best) is (finding("booking >= 0.85", run(goals, 0)) != "passed")
    before, now = (results(run(*kinds), environment()) for kinds in ((goals, 0), (0, goals)))
    (beside,) = at_best_lines([], goals, before, "b")
    assert ("cannot show" in beside) is (not compare_runs(before, now).worse)
