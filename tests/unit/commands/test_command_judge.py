"""`todeval judge`: stored dialogues judged anew, recorded and replayed, interrupted and resumed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.commands.judge_results import LISTED, _broken
from pytest_todeval.commands.judge_source import SourceDialogue
from pytest_todeval.commands.judging import Findings
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.lane import Lane
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.runs.reports.results import (
    Results,
    dialogue_entry,
    environment,
    read_results,
    results,
    write_results,
)
from pytest_todeval.runs.reports.schema import DialogueEntry, KeywordEntry
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.conftest import Todeval
from tests.support.dialogue_world import KETTLE, dialogue, found, restaurant_goal, said

WANTED = restaurant_goal(request=("phone",))
KINDS = ("conversation_cohesion", "backend_consistency", "policy_compliance")
OLD = "rule judge 0"


def played(word: str) -> Dialogue:
    return dialogue(
        WANTED,
        said(f"Hello {word}!", "Which area?"),
        said("Italian, centre.", "The Copper Kettle is nice.", found("restaurant", KETTLE)),
    )


def an_entry(
    name: str, outcome: Outcome = Outcome.PASSED, stored: Dialogue | None = None
) -> DialogueEntry:
    old = [Score(KINDS[0], 4, "as before", turn, definition=OLD) for turn in (1, 2)]
    entry = dialogue_entry(
        played(name) if stored is None else stored,
        test=f"t.py::test[{name}]",
        outcome=outcome,
        scores={KINDS[0]: old, "own": [Score("own", 3, "mine", definition="own 1")]},
        metrics={"reward": 0.5, "inform": Verdict("inform", True, "fits")},
    )
    return {**entry, "goal": f"test/{name}"}


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    return write(tmp_path, an_entry("a"), an_entry("b", Outcome.FAILED))


def write(folder: Path, *entries: DialogueEntry) -> Path:
    path = folder / "results.json"
    write_results(path, results(entries, environment(metrics={"inform": "online 1"})))
    return path


def by_turn(request: ChatRequest) -> Mapping[str, Any]:
    """4 for what is said of the first turn, 2 of the second."""
    value = 4 if "in turn 1," in request.last_user else 2
    return {"reason": f"reason {value}", "score": value}


def judge(path: Path, server: StandInServer | None, *options: str) -> int:
    model = ["--model", "m", "--base-url", server.base_url] if server else []
    return main(["judge", str(path), *model, *options])


def values(file: Results, name: str) -> list[list[float | None]]:
    return [[s["value"] for s in e["scores"].get(name, [])] for e in file["dialogues"]]


def test_what_an_endpoint_ignores_is_told_once(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ignores_the_cap(request: ChatRequest) -> Answer:
        spent = {"prompt_tokens": 1, "completion_tokens": 100 + request.number}
        return Answer(by_turn(request), usage=spent, finish="stop")

    models = tmp_path / "models.yaml"
    with StandInServer(ignores_the_cap) as server:
        models.write_text(f"judge: {{model: m, base_url: '{server.base_url}', max_tokens: 80}}")
        main(["judge", str(stored), "--models", str(models)])
        assert len(server.requests) > 1
    error = capsys.readouterr().err
    assert error.count("more tokens than `max_completion_tokens`, which was 80") == 1


def test_scores_are_replaced_and_all_else_stays(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new.json"
    with StandInServer(by_turn) as server:
        assert judge(stored, server, "--json", str(out)) == 0
        assert len(server.requests) == 2 * 2 * 3
    old, new = read_results(stored), read_results(out)
    for name in KINDS:
        assert values(new, name) == [[4, 2], [4, 2]]
    for before, after in zip(old["dialogues"], new["dialogues"], strict=True):
        for field in ("outcome", "turns", "metrics", "verdicts", "goal_record", "rules"):
            assert after[field] == before[field]
        assert after["scores"]["own"] == before["scores"]["own"]
    score = new["dialogues"][0]["scores"][KINDS[2]][1]
    assert score["reason"] == "reason 2"
    assert score["definition"].startswith("turn_separate ")
    about = new["environment"]
    assert about["models"] == {"judge": ["m"]}
    assert about["prompts"]["turn_separate"] in score["definition"]
    assert "user_vanilla" not in about["prompts"]
    assert about["metrics"] == {"inform": "online 1"}
    calls = new["dialogues"][0]["calls"]["judge"]
    assert isinstance(calls, dict)
    assert (calls["calls"], calls["models"]) == (6, ["m"])
    printed = capsys.readouterr().out
    assert "results.json: 2 dialogues judged by m" in printed
    row = next(line for line in printed.splitlines() if line.startswith(f"{KINDS[0]} "))
    assert row.split()[1:] == ["3.00", "2", "4", "0", "0", "4.00", "(not", "comparable)"]
    assert f"{KINDS[0]}: least 2 in test/a turn 2: reason 2" in printed
    assert "judge: m, 12 calls" in printed


def test_the_same_judge_again_is_comparable(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    with StandInServer(by_turn) as server:
        judge(stored, server, "--json", str(once))
        capsys.readouterr()
        judge(once, server, "--json", str(twice))
    assert "not comparable" not in capsys.readouterr().out
    assert values(read_results(twice), KINDS[0]) == values(read_results(once), KINDS[0])


def test_what_is_recorded_is_replayed_offline(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tapes, outs = tmp_path / "tapes", [tmp_path / "1.json", tmp_path / "2.json"]
    with StandInServer(by_turn) as server:
        judge(stored, server, "--json", str(outs[0]), "--cassette", str(tapes))
        asked = len(server.requests)
    with StandInServer(by_turn) as server:
        options = ["--cassette", str(tapes), "--concurrency", "1"]
        assert judge(stored, server, "--json", str(outs[1]), *options) == 0
        assert not server.requests
    assert asked == 12
    one, two = (strip(read_results(path)) for path in outs)
    assert one == two
    cassettes = sorted(tapes.iterdir())
    assert [path.name for path in cassettes] == [f"test-{n}#0.todeval.jsonl" for n in "ab"]
    calls = read_cassette(cassettes[0]).calls
    assert {call.request.lane for call in calls} == {Lane.JUDGE}
    assert {call.dialogue for call in calls} == {"test/a#0"}


def strip(file: Results) -> str:
    from pytest_todeval.runs.reports.results import strip_times

    return json.dumps(strip_times(file), sort_keys=True)


def test_a_call_that_is_not_recorded_says_how_to_go_on(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tapes = str(tmp_path / "tapes")
    with StandInServer(by_turn) as server:
        judge(stored, server, "--cassette", tapes, "--limit", "1")
        assert judge(stored, server, "--cassette", tapes, "--concurrency", "1") == 2
        assert len(server.requests) == 6
        error = capsys.readouterr().err
        assert "1 of 2 dialogues are judged. To go on: the same with --record missing" in error
        assert judge(stored, server, "--cassette", tapes, "--record", "missing") == 0
        assert len(server.requests) == 12


@pytest.mark.parametrize("status", [404, 429, 503])
def test_a_model_that_goes_away_loses_nothing(
    stored: Path, tmp_path: Path, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    out, tapes = tmp_path / "new.json", tmp_path / "tapes"
    impatient = tmp_path / "models.yaml"
    impatient.write_text("judge: {model: m, retries: 0}")
    options = ["--json", str(out), "--cassette", str(tapes), "--concurrency", "1"]
    options += ["--models", str(impatient)]

    def goes_away(request: ChatRequest) -> Any:
        if "Hello b!" in str(request.messages) and "in turn 2," in request.last_user:
            return Answer(error=Status(status, retry_after=0))
        return by_turn(request)

    with StandInServer(goes_away) as server:
        assert judge(stored, server, *options) == 2
    assert "1 of 2 dialogues are judged; they are in" in capsys.readouterr().err
    assert values(read_results(out), KINDS[0]) == [[4, 2]]
    with StandInServer(by_turn) as server:
        assert judge(stored, server, *options, "--record", "missing") == 0
        assert server.requests
        assert all("Hello b!" in str(request.messages) for request in server.requests)
    assert values(read_results(out), KINDS[0]) == [[4, 2], [4, 2]]


def test_without_a_cassette_it_is_told_that_one_helps(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with StandInServer(lambda request: Answer(error=Status(404))) as server:
        assert judge(stored, server, "--concurrency", "1") == 2
    assert "0 of 2 dialogues are judged. To go on: add --cassette DIR" in capsys.readouterr().err


def test_what_cannot_be_read_is_counted_and_no_number(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new.json"
    with StandInServer(lambda request: "no idea, really") as server:
        assert judge(stored, server, "--json", str(out), "--limit", "1") == 1
    new = read_results(out)
    assert values(new, KINDS[0]) == [[None, None]]
    assert new["summary"]["scores"][KINDS[0]]["unscored"] == 2
    assert new["dialogues"][0]["outcome"] == "passed"
    assert f"no answer: test/a#0: {KINDS[0]} of turn 1 is unscored" in capsys.readouterr().out


def test_what_says_nothing_about_the_bot_is_reported_and_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path,
        an_entry("a"),
        an_entry("b", Outcome.SIMULATOR_FAULT),
        an_entry("c", stored=Dialogue(WANTED)),
        an_entry("d", Outcome.JUDGE_FAULT),
    )
    out = tmp_path / "new.json"
    with StandInServer(by_turn) as server:
        assert judge(path, server, "--json", str(out)) == 0
        assert not any("Hello b!" in str(request.messages) for request in server.requests)
    printed = capsys.readouterr().out
    assert "2 dialogues judged by m" in printed
    assert "not judged: test/b#0: its outcome is simulator_fault" in printed
    assert "not judged: test/c#0: its turns are not in the file" in printed
    new = read_results(out)
    assert [e["outcome"] for e in new["dialogues"]] == [
        "passed",
        "simulator_fault",
        "passed",
        "judge_fault",
    ]
    assert values(new, KINDS[0]) == [[4, 2], [], [], [4, 2]]
    assert new["summary"]["scores"][KINDS[0]]["definition"] != "(differs)"
    assert len(new["dialogues"][1]["scores"]["own"]) == 1


def test_without_a_model_the_rule_judge_judges(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new.json"
    options = ["--ask", "turns", "--ask", "rules", "common", "restaurant", "--json", str(out)]
    assert judge(stored, None, *options) == 0
    said = capsys.readouterr().out
    assert "judged by the rule judge (no model is set)" in said
    new = read_results(out)
    ruled = [json.dumps(each["rules"]) for each in new["dialogues"] if each["rules"]]
    broken = ['"value": 0' in rules for rules in ruled]
    assert f"rules: kept in {broken.count(False)} of {len(broken)} dialogues" in said
    assert new["environment"]["models"] == {}
    assert new["dialogues"][0]["rules"]
    assert new["dialogues"][0]["scores"][KINDS[0]][0]["definition"] == "rule judge 4"


def test_same_goal_in_two_tests_has_two_places(tmp_path: Path) -> None:
    twin: DialogueEntry = {**an_entry("a"), "test": "t.py::other[a]"}
    path, out = write(tmp_path, an_entry("a"), twin), tmp_path / "new.json"
    tapes = tmp_path / "tapes"
    with StandInServer(by_turn) as server:
        judge(path, server, "--cassette", str(tapes), "--json", str(out))
    assert len(list(tapes.iterdir())) == 2
    assert values(read_results(out), KINDS[0]) == [[4, 2], [4, 2]]


def test_an_older_file_cannot_be_judged_by_its_goal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = an_entry("a")
    del entry["goal_record"]
    path = write(tmp_path, entry)
    assert judge(path, None, "--ask", "completion") == 1
    assert "completion: the file does not hold the goal" in capsys.readouterr().out
    assert judge(path, None) == 0
    assert "note: 1 dialogue from an older version" in capsys.readouterr().out


def test_without_its_goal_a_model_judges_what_the_user_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """LLM user agents, 3.3.1: "solely based on the dialogues"."""
    entry = an_entry("a")
    del entry["goal_record"]
    path = write(tmp_path, entry)
    with StandInServer(lambda request: {"reason": "r", "answer": "yes"}) as server:
        assert judge(path, server, "--ask", "completion") == 0
        assert judge(path, server, "--ask", "fulfilment") == 1
        assert len(server.requests) == 1
    told = capsys.readouterr().out
    assert "completion: 1 of 1 dialogues" in told
    assert "fulfilment: the file does not hold the goal" in told


def test_prices_tell_what_judging_cost(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("m: {prompt: 1000000, completion: 0}")
    with StandInServer(by_turn) as server:
        assert judge(stored, server, "--prices", str(prices), "--limit", "1") == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("  judge: m"))
    tokens = line.split(" calls, ")[1].split(" + ")[0].replace(",", "")
    assert line.endswith(f", ${tokens}.0000")


def test_ctrl_c_writes_what_was_judged(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(judge: object, questions: object, asked: SourceDialogue) -> Findings:
        if "Hello b!" in asked.dialogue.turns[0].user:
            raise KeyboardInterrupt
        return Findings()

    monkeypatch.setattr("pytest_todeval.commands.judging.ask", interrupted)
    out = tmp_path / "new.json"
    assert judge(stored, None, "--json", str(out)) == 130
    assert [entry["goal"] for entry in read_results(out)["dialogues"]] == ["test/a"]


def fitting(schema: Mapping[str, Any]) -> Any:
    """The first thing that a schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return fitting(schema["anyOf"][0])
    if schema["type"] == "object":
        return {name: fitting(part) for name, part in schema.get("properties", {}).items()}
    return {"array": [], "string": "why", "boolean": True}.get(schema["type"], 1)


def test_everything_may_be_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stated = dialogue(WANTED, said("Hello!", "Which area?", state={"restaurant": {"area": "west"}}))
    path, out = write(tmp_path, an_entry("a", stored=stated)), tmp_path / "new.json"
    everything = "turns,quality,completion,conversation,state"
    options = ["--ask", everything, "--ask", "rules", "restaurant", "--json", str(out)]
    with StandInServer(lambda request: fitting(request.schema or {})) as server:
        assert judge(path, server, *options) == 0
    entry = read_results(out)["dialogues"][0]
    expected = {*KINDS, "empathy", "system_coherence", "joint_goal_accuracy", "own"}
    assert expected <= set(entry["scores"])
    assert all(score["definition"] for found in entry["scores"].values() for score in found)
    assert entry["metrics"]["completion"] in (True, False)
    assert entry["rules"]
    about = read_results(out)["environment"]
    assert about["prompts"]["completion"] in about["metrics"]["completion"]
    assert "completion: " in capsys.readouterr().out


def test_unit_tests_are_named_by_their_sentence_cut_short(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with StandInServer(lambda request: fitting(request.schema or {})) as server:
        assert judge(stored, server, "--ask", "units") == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) < 160


def test_an_old_verdict_does_not_stay_beside_new_ones(tmp_path: Path) -> None:
    old = Verdict("completion", True, "as before", metric_set="model")
    told = Verdict("success", True, "all told")
    one, two = (
        dialogue_entry(
            Dialogue(WANTED, played(name).turns, verdicts={"success": told}),
            test=name,
            outcome=Outcome.PASSED,
            metrics={"completion": old},
        )
        for name in "ab"
    )
    del two["goal_record"]
    path, out = write(tmp_path, one, two), tmp_path / "new.json"
    assert judge(path, None, "--ask", "completion", "--json", str(out)) == 1
    new = read_results(out)
    assert new["dialogues"][0]["verdicts"]["completion"]["metric_set"] == "online"
    assert "completion" not in new["dialogues"][1]["verdicts"]
    assert new["environment"]["metrics"]["completion"] == "online 1"


def test_only_the_goals_named(stored: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.json"
    with StandInServer(by_turn) as server:
        judge(stored, server, "--goal", "*/b", "--json", str(out))
    assert [entry["goal"] for entry in read_results(out)["dialogues"]] == ["test/b"]


def test_words_of_a_model_cannot_steer_the_terminal(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def hostile(request: ChatRequest) -> Mapping[str, Any]:
        return {"reason": "\x1b[2J\nresults.json: \u202eall well" + "x" * 999, "score": 1}

    with StandInServer(hostile) as server:
        judge(stored, server)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert max(map(len, printed.splitlines())) < 300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ask", "turnz"], "did you mean 'turns'"),
        (["--ask", "quality"], "--ask quality needs a model as the judge"),
        (["--ask", "rules", "no_such_rules"], "no_such_rules"),
        (["--samples", "3"], "--samples needs a model as the judge"),
        (["--fused"], "--fused needs a model as the judge"),
        (["--record", "live"], "--record needs --cassette"),
        (["--goal", "tset/a"], "holds no dialogue to judge; did you mean 'test/a'"),
        (["--model", "m", "--policy", "none.md"], "--policy none.md: cannot be read"),
        (["--model", "m", "--prompts", "none"], "no folder none"),
    ],
)
def test_wrong_options_say_what_to_do(
    stored: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(stored, None, *options) == 2
    assert message in capsys.readouterr().err


def test_the_file_judged_is_never_replaced(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stored.read_bytes()
    assert judge(stored, None, "--json", str(stored)) == 2
    assert "would replace a file that is read" in capsys.readouterr().err
    assert stored.read_bytes() == before


def test_spans_and_latencies_do_not_reach_the_model(tmp_path: Path) -> None:
    slow = Dialogue(WANTED, (Turn(1, "Hello!", "Hi.", latency=77.125, spans=(("x", 77.5),)),))
    with StandInServer(by_turn) as server:
        judge(write(tmp_path, an_entry("a", stored=slow)), server)
        assert server.requests
        assert not any("77." in str(request.messages) for request in server.requests)


def test_keywords_and_comparisons_are_kept_and_renewed(stored: Path, tmp_path: Path) -> None:
    old = read_results(stored)
    for entry in old["dialogues"]:
        entry["comparisons"] = [
            {
                "against": "ab",
                "winner": "this",
                "reason": "briefer",
                "consistent": True,
                "undecided": None,
                "games": [],
                "definition": "c",
            }
        ]
        raised: KeywordEntry = {"keyword": "old", "turn": 1, "speaker": "user"}
        entry["keywords"] = {"goal_coverage": [], KINDS[2]: [raised]}
        entry["rule_definitions"] = {"polite": "rules 1, m"}
    write_results(stored, old)
    out = tmp_path / "new.json"
    with StandInServer(by_turn) as server:
        assert judge(stored, server, "--json", str(out)) == 0
    for entry in read_results(out)["dialogues"]:
        assert entry["comparisons"][0]["winner"] == "this"
        assert entry["keywords"] == {"goal_coverage": []}
        assert entry["rule_definitions"] == {"polite": "rules 1, m"}


def breaking(turns: int, kept: int = 1) -> list[Any]:
    rude = [{"turn": n, "value": 0, "reason": "rude\nwords"} for n in range(1, turns + 1)]
    rules = [{"polite": [{"turn": 9, "value": 1, "reason": ""}, "odd"], "brief": "odd"}] * kept
    return [{"goal": "g", "rules": each} for each in [{"polite": rude}, *rules, {}]]


def test_the_first_turns_that_break_a_rule_are_listed() -> None:
    told = list(_broken(breaking(2)))
    assert told == [
        "rules: kept in 1 of 2 dialogues",
        "rule polite broken in g turn 1: rude words",
        "rule polite broken in g turn 2: rude words",
    ]
    assert len(list(_broken(breaking(LISTED)))) == LISTED + 1
    assert list(_broken(breaking(LISTED + 3)))[-1] == (
        "and 3 more turns break a rule (--json has them)"
    )
    assert list(_broken(breaking(0, 0)[1:])) == []


@pytest.mark.parametrize("count", ["0", "-1", "two", "1.5"])
def test_so_many_at_once_are_no_number(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["judge", "r.json", f"--concurrency={count}"])
    assert f"got '{count}', expected a whole number from 1 up" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_told(todeval: Todeval) -> None:
    printed = todeval("judge", "nowhere.json", "--model", "m", code=2).err
    assert "no file to judge at nowhere.json" in printed
