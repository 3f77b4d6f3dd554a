"""What a failed test shows: scores, tracebacks, names that were meant, and no secrets."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pytest_todeval
from pytest_todeval import testing
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.integration import case as case_module
from pytest_todeval.integration import record, resolving, tracebacks
from pytest_todeval.integration.case import OUTSIDE, Case, case_of, concerns
from pytest_todeval.integration.explain import explain_comparison
from pytest_todeval.integration.judging import KeepsFindings
from pytest_todeval.integration.settings import Settings
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.time_limits import TimeLimits
from pytest_todeval.testing import ScriptedSystem


def score(turn: int, value: int) -> Score:
    return Score("ease", value, f"because of {turn}", turn)


def test_a_series_shows_each_turn_that_breaks_the_bound() -> None:
    series = ScoreSeries("ease", (score(1, 4), score(2, 2), score(3, 1)))
    assert explain_comparison(">=", series, 3) == [
        "ease >= 3 in every turn: not in turn 2, 3",
        "turn 2: 2, because of 2",
        "turn 3: 1, because of 3",
    ]
    assert explain_comparison("==", score(1, 4), 5.0) == ["ease == 5: it is 4, because of 1"]
    for op, left, right in (("in", series, 3), (">=", series, "3"), (">=", 4, 3)):
        assert explain_comparison(op, left, right) is None


@pytest.mark.parametrize(("other", "line"), [(True, "`assert d"), (False, "`assert not d")])
def test_a_verdict_that_is_held_to_be_true_itself_says_what_to_write(
    other: bool, line: str
) -> None:
    verdict = Verdict("booking", other, "it stands")
    told = explain_comparison("is", verdict, other)
    assert told is not None
    assert told[0] == f"{verdict!r} is {other}"
    assert f"never the object {other} itself" in told[1]
    assert line in told[1]
    assert explain_comparison("is", verdict, None) is None


def test_a_traceback_ends_at_the_suite() -> None:
    def ended(error: type[Exception], **options: bool) -> list[str]:
        config: Any = SimpleNamespace(getoption=lambda name, default: options.get(name, default))
        with pytest.raises(error) as raised:
            ScriptedSystem("no list") if error is UsageError else int("x")
        tracebacks.end_at_the_suite(raised, config)
        found, entry = [], raised.tb
        while entry is not None:
            found.append(entry.tb_frame.f_code.co_name)
            entry = entry.tb_next  # type: ignore[assignment]
        return found

    assert ended(UsageError) == ["ended"]
    assert ended(UsageError, fulltrace=True) == ["ended", "__init__"]
    assert ended(ValueError) == ["ended"]


def test_names_that_were_meant() -> None:
    assert known_names("HOTL", ["train", "Hotel"]) == "did you mean 'Hotel'? Known: train, Hotel"
    assert known_names("x", iter(["train"])) == "Known: train"
    assert known_names("x", []) == "Known: none"


def test_a_scripted_bot_says_what_is_due_by_the_history() -> None:
    bot = ScriptedSystem(["one", lambda text, history: f"{text} {len(history)}"])
    turn = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "one"}]
    assert bot.respond("a", []) == "one"
    assert bot.respond("b", turn) == "b 2"
    with pytest.raises(UsageError, match=r"ended after turn 2, and this is turn 3 \('c'\)"):
        bot.respond("c", turn * 2)
    for wrong in ("text", {"a"}):
        with pytest.raises(UsageError, match=r"takes a list of replies, got (str|set)"):
            ScriptedSystem(wrong)  # type: ignore[arg-type]
    assert testing.__all__ == dir(testing)
    assert testing.ScriptedUser.__name__ == "ScriptedUser"
    with pytest.raises(AttributeError, match="has no attribute 'Answers'"):
        _ = testing.Answers


def test_what_is_told_has_no_secrets_and_names_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def clean(text: Any) -> Any:
        return text.replace("secret", "X")

    redactor = SimpleNamespace(text=clean, value=clean)
    monkeypatch.setattr(record, "redactor_of", lambda _: redactor)
    config: Any = None
    entry: Any = {"test": "secret", "goal": "secret", "goal_record": "secret", "detail": "secret"}
    assert record.redacted(entry, config) == {**entry, "detail": "X"}

    def redacted(told: str, *, failed: bool) -> Any:
        report: Any = SimpleNamespace(
            sections=[("secret", "secret")], failed=failed, longreprtext=told, longrepr="as it was"
        )
        record.redact(report, config)
        assert report.sections == [("secret", "X")]
        return report.longrepr

    assert redacted("a secret", failed=True) == "a X"
    assert redacted("a word", failed=True) == "as it was"
    assert redacted("a secret", failed=False) == "as it was"


def test_which_tests_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(None, None)  # type: ignore[arg-type]
    held: Any = SimpleNamespace(callspec=SimpleNamespace(params={"goal": case}))
    other: Any = SimpleNamespace(callspec=SimpleNamespace(params={"goal": "x"}))
    plain: Any = SimpleNamespace(callspec=SimpleNamespace(params={}))
    bare: Any = SimpleNamespace()
    assert case_of(held) is case
    assert [case_of(each) for each in (other, plain, bare)] == [None, None, None]

    def item(*names: str, stash: Any = ()) -> Any:
        return SimpleNamespace(fixturenames=names, config=SimpleNamespace(stash=stash))

    monkeypatch.setattr(case_module, "sys", SimpleNamespace(modules={case_module.LOOP: None}))
    assert concerns(item()), "the loop has been imported"
    monkeypatch.setattr(case_module, "sys", SimpleNamespace(modules={}))
    assert not concerns(item("tmp_path"))
    assert concerns(item("tmp_path", "tod_system"))
    assert concerns(item(stash={OUTSIDE: None}))


def test_every_public_name_is_found_in_its_place() -> None:
    assert dir(pytest_todeval) == pytest_todeval.__all__
    assert {getattr(pytest_todeval, name).__name__ for name in ("Goal", "Turn")} == {"Goal", "Turn"}
    assert sorted(name for names in pytest_todeval._HOMES.values() for name in names) == sorted(
        pytest_todeval.__all__
    )
    with pytest.raises(AttributeError, match="'pytest_todeval' has no attribute 'Gaol'"):
        _ = pytest_todeval.Gaol


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"trivial": "exclude"}, {"exclude_trivial": True}),
        ({"trivial": "keep"}, {}),
        ({"claims": "fail"}, {"refuses_claims": True}),
        ({"outputs": "strict"}, {"strict_outputs": True}),
        ({"upstream": "scored"}, {"upstream": "scored"}),
        ({"turn_timeout": 5.0}, {"time": TimeLimits(5.0, None)}),
    ],
)
def test_what_a_run_says_of_its_plays(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], changed: dict[str, Any]
) -> None:
    monkeypatch.setattr(Settings, "of", lambda _: Settings(**given))
    config: Any = SimpleNamespace(stash={resolving.CAST: Cast()})
    item: Any = SimpleNamespace(config=config, stash={}, iter_markers=lambda _: [])
    goal = Goal("1", "own", ())
    play = resolving.play_of(item, goal)
    usual = {
        "exclude_trivial": False,
        "refuses_claims": False,
        "strict_outputs": False,
        "upstream": "",
        "time": TimeLimits(None, None),
    }
    assert {name: getattr(play, name) for name in usual} == {**usual, **changed}
    assert (play.goal_set.name, play.trial) == ("own", 0)
    assert resolving.play_of(item, goal) is play
    assert resolving.play_of(item, Goal("2", "own", ())).goal.id == "2"


def test_a_judge_of_ones_own_is_seen_as_it_is_and_reads_files_beside_the_test() -> None:
    class Own:
        name = "strict"

        def __init__(self) -> None:
            self._hidden = lambda: "hidden"

        def rate(self, *asked: Any, **more: Any) -> Any:
            return asked, more

        def refuse(self) -> None:
            raise UsageError("no")

    item: Any = SimpleNamespace(path=Path("/shop/test_it.py"), stash={})
    judge = KeepsFindings(Own(), item)
    assert (repr(judge), judge.name, judge._hidden()) == ("<Own>", "strict", "hidden")
    assert "rate" in dir(judge)
    beside = Path("/shop/rules.yaml")
    asked, more = judge.rate("rules.yaml", ["rules.yaml", 7], rules="rules.yaml", text="no file")
    assert asked == (beside, [beside, 7])
    assert more == {"rules": beside, "text": "no file"}
    with pytest.raises(UsageError, match="no") as raised:
        judge.refuse()
    assert raised.value.__suppress_context__
    assert not hasattr(judge, "rates")
