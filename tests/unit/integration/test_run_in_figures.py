"""What the process that reports makes of the dialogues that come to it."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.integration.case import Case, Played
from pytest_todeval.integration.record import Run, _raised, _settles, measured
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.shards import SHARD, keep_share
from tests.unit.integration.test_resume import payload


def changed(number: int, outcome: Outcome = Outcome.PASSED, **changes: Any) -> dict[str, Any]:
    """What a worker sends of a dialogue, with changes to its entry under `entry`."""
    found = payload(number, outcome)
    found["entry"] |= changes.pop("entry", {})
    return {**found, **changes}


def test_what_dialogues_rest_on_is_united() -> None:
    run = Run()
    run.take(changed(1, goal_set={"own": "b"}, rules={"r": "1"}, drift=["d"], unused=["u"]))
    run.take(changed(2, goal_set={"own": "a", "more": "c"}, not_held_back=["n"]))
    trivial = changed(3, played_by="other", entry={"trivial": "says nothing"})
    run.take(trivial)
    about = run.results(Settings(limit=3))["environment"]
    assert about["goal_sets"] == {"more": "c", "own": "a, abc, b"}
    assert about["rules"] == {"r": "1"}
    assert about["settings"] == {"limit": "3"}
    assert about["models"] == {"user": ["small"]}
    assert (run.drift, run.unused, run.not_held_back) == (["d"], ["u"], {"n"})
    assert list(run.played_by) == ["agenda with ours", "other"]
    assert run.trivial == {trivial["entry"]["goal"]}
    assert [entry["goal"] for entry in run.entries] == ["own/1", "own/2", "own/3"]


def test_a_rule_that_applied_once_is_not_idle() -> None:
    run = Run()
    run.take(changed(1, idle_rules={"a": "no offer", "b": "no booking"}))
    assert run.idle_rules == {"a": "no offer", "b": "no booking"}
    run.take(changed(2, idle_rules={"a": "later"}, entry={"rules": {"a": [], "b": []}}))
    run.take(changed(3, idle_rules={"b": "later", "c": "new"}))
    assert run.idle_rules == {"a": "no offer", "c": "new"}


def test_a_restored_run_knows_what_the_file_says() -> None:
    first = Run()
    first.take(changed(1, rules={"r": "1, 2"}, entry={"trivial": "x"}, prompts={"p": "d"}))
    first.take(changed(2, Outcome.FAILED))
    run = Run()
    run.restore(first.results(Settings()))
    assert run.rules == {"r": {"1", "2"}}
    assert (run.models, run.prompts, run.trivial) == ({"user": {"small"}}, {"p": "d"}, {"own/1"})
    assert run.played_by == {"agenda with ours": None}
    assert run.about["bots"] == {"ours": {"class": ["shop.Bot"], "models": []}}
    run.take(changed(2))
    run.take(changed(2))
    assert [entry["outcome"] for entry in run.entries] == ["passed", "passed"]
    assert run.results(Settings())["environment"]["goal_sets"] == {"own": "abc"}


def test_progress_is_told_every_half_minute() -> None:
    now = [100.0]
    run = Run(lambda: now[0])
    run.take(changed(1, Outcome.FAILED))
    run.take(changed(2))
    run.take(changed(3))
    assert run.progress() is None
    now[0] = 129.9
    assert run.progress() is None
    now[0] = 130.0
    assert run.progress() == "3 dialogues so far: 1 failed, 2 passed"
    assert run.progress() is None


def test_only_what_says_how_it_was_measured_is_kept_of_the_settings() -> None:
    given = Settings(user="agenda", json="x.json", record="live", samples=2, claims="fail")
    assert measured(given) == {"user": "agenda", "samples": "2", "claims": "fail"}


def info(error: BaseException | None) -> Any:
    kind: Any = (type(error), error, None)
    found = None if error is None else pytest.ExceptionInfo.from_exc_info(kind)
    return SimpleNamespace(excinfo=found)


@pytest.mark.parametrize(
    ("when", "error", "fault", "settles"),
    [
        ("call", None, None, True),
        ("call", AssertionError(), None, True),
        ("setup", None, None, False),
        ("setup", ValueError(), None, True),
        ("teardown", ValueError(), None, False),
        ("call", pytest.skip.Exception("x"), None, False),
        ("call", pytest.skip.Exception("x"), Outcome.FAILED, True),
    ],
)
def test_which_report_settles_a_test(
    when: str, error: BaseException | None, fault: Outcome | None, settles: bool
) -> None:
    played = Played(Dialogue(Goal("1", "own", ()), fault=fault))
    report: Any = SimpleNamespace(when=when)
    assert _settles(played, info(error), report) is settles


def test_what_a_test_raised_is_one_line() -> None:
    played = Played(Dialogue(Goal("1", "own", ())))
    assert _raised(played, info(None)) == ""
    assert _raised(played, info(ValueError("one\ntwo"))) == "ValueError: one"
    assert _raised(played, info(ValueError())) == "ValueError: "
    assert len(_raised(played, info(ValueError("a" * 600)))) == 500
    played.dialogue = Dialogue(Goal("1", "own", ()), fault=Outcome.FAILED)
    assert _raised(played, info(ValueError("one"))) == ""


def test_a_shard_plays_its_share_and_the_first_one_all_other_tests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def item(name: str, goal: str = "") -> Any:
        case = Case(Goal(goal, "own", ()), None) if goal else None  # type: ignore[arg-type]
        return SimpleNamespace(nodeid=name, callspec=SimpleNamespace(params={"goal": case}))

    def share(number: int, of: int, *items: Any) -> tuple[list[str], list[str], Any]:
        left: list[Any] = []
        hook = SimpleNamespace(pytest_deselected=lambda items: left.extend(items))
        config: Any = SimpleNamespace(stash={}, hook=hook)
        monkeypatch.setattr(Settings, "of", lambda _: Settings(shard=(number, of)))
        kept = list(items)
        keep_share(config, kept)
        names = [[each.nodeid for each in found] for found in (kept, left)]
        return names[0], names[1], config.stash[SHARD]

    items = [item("b", "2"), item("plain"), item("a", "1"), item("c", "3")]
    first, second = share(1, 2, *items), share(2, 2, *items)
    assert first[:2] == (["plain", "a", "c"], ["b"])
    assert second[:2] == (["b"], ["plain", "a", "c"])
    assert first[2]["1/2"]["planned"] == [2]
    assert second[2]["2/2"]["planned"] == [1]
    digest = first[2]["1/2"]["collection"]
    assert second[2]["2/2"]["collection"] == digest
    assert share(1, 2, *items[::-1])[2]["1/2"]["collection"] == digest
    assert share(1, 1, *items)[1] == []
    assert len(digest[0]) == 12
