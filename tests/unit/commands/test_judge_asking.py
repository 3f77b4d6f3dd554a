"""`todeval judge FILE --ask QUESTION [ARGUMENT ...]`, of transcripts and of results files."""

import json
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval import extensions
from pytest_todeval.cli import main
from pytest_todeval.commands.judge_asking import Asking, OtherDialogues, questions_asked
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.judge import TABLE
from pytest_todeval.evaluate.judge.question import OFFERED, Question
from pytest_todeval.evaluate.rules.rule import RuleSet
from pytest_todeval.runs.reports.results import Results, read_results
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.conftest import Todeval
from tests.unit.commands.test_command_judge import fitting

GOAL = {
    "id": "mute",
    "message": "Your headset plays no sound.",
    "solution": "Switch off the mute key.",
}


def turn(user: str, system: str, **more: Any) -> dict[str, Any]:
    return {"user": user, "system": system, **more}


def line(id: str, *turns: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    said = turns or (turn("No sound.", "Press the mute key."), turn("Thanks", "Welcome."))
    return {"id": id, "goal": {**GOAL, "id": id}, "turns": list(said), **more}


def written(folder: Path, *lines: object, name: str = "desk.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return written(tmp_path, line("a"), line("b"))


def judged(
    path: Path, *options: str, answer: Callable[[ChatRequest], Any] | None = None, code: int = 0
) -> Results:
    """The results of asking a model that gives the first answer that fits; else the given one."""
    out = path.parent / "out.json"
    with StandInServer(answer or (lambda request: fitting(request.schema or {}))) as server:
        model = ["--model", "m", "--base-url", server.base_url, "--json", str(out)]
        assert main(["judge", str(path), *options, *model]) == code
    return read_results(out)


def no_other(path: Path) -> OtherDialogues:
    raise AssertionError(path)


def asked(*words: str, by_model: bool = True) -> Asking:
    (found,) = questions_asked([words], by_model=by_model, read_other=no_other)
    return found


def needed(name: str, other: Path) -> list[str]:
    """Words for the arguments that a question cannot do without."""
    _, _, *rest = signature(TABLE[name].by_model).parameters.values()
    return [
        str(other) if "Dialogue" in str(each.annotation) else "The bot says it plainly."
        for each in rest
        if each.default is each.empty
    ]


@pytest.mark.parametrize("name", TABLE)
def test_every_question_of_the_table_can_be_asked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new question is asked here as soon as it is in the table."""
    stated = turn("North.", "A room?", state={"hotel": {"area": "north"}}, retrieved=["x"])
    path = written(tmp_path, line("a", stated))
    other = written(tmp_path, line("a", turn("North.", "What?")), name="other.jsonl")
    arguments = needed(name, other)
    found = judged(path, "--ask", name, *arguments)["dialogues"][0]
    kept = [found["scores"], found["verdicts"], found["rules"], found.get("comparisons", [])]
    assert any(kept), capsys.readouterr().out


def test_words_go_to_the_first_argument_and_names_to_theirs() -> None:
    sentence = "It says a = b, and more."
    assert asked("holds", sentence).arguments == {"sentence": sentence}
    assert asked("quality", "empathy", "entailment").arguments == {
        "only": ["empathy", "entailment"]
    }
    assert asked("units", "politeness.yaml", "per=dialogue").arguments == {
        "tests": Path("politeness.yaml"),
        "per": "dialogue",
    }
    assert asked("units", "Is it polite?").arguments == {"tests": ["Is it polite?"]}
    assert asked("state", "method=cot").arguments == {"method": "cot"}
    assert asked("goal_completion", "solution=Press it.").arguments == {"solution": "Press it."}
    (rules,) = asked("rules", "common", "hotel").arguments.values()
    assert isinstance(rules, RuleSet)


@pytest.mark.parametrize("language", [None, "French"])
def test_the_judge_knows_the_language_of_the_dialogues(desk: Path, language: str | None) -> None:
    shown: list[str] = []

    def answer(request: ChatRequest) -> Any:
        shown.append(json.dumps(request.body["messages"]))
        return fitting(request.schema or {})

    options = [] if language is None else ["--language", language]
    judged(desk, "--ask", "quality", "language_correctness", "--limit", "1", *options,
           answer=answer)  # fmt: skip
    assert shown
    assert all((language or "English") in each for each in shown)
    assert not any("None" in each for each in shown)


def _patient(bench: object, dialogue: Dialogue, turns: int = 3, strict: bool = False) -> Verdict:
    return Verdict("patient", len(dialogue.turns) >= turns, "by its turns" + " alone" * strict)


patient = Question("patient", _patient, _patient)


def test_a_package_s_question_takes_its_own_arguments(
    desk: Path, monkeypatch: pytest.MonkeyPatch, todeval: Todeval
) -> None:
    entry = EntryPoint("patient", f"{__name__}:patient", OFFERED.group)
    monkeypatch.setattr(extensions, "entry_points", lambda group: [entry])
    assert asked("patient", "2", "strict=yes").arguments == {"turns": 2, "strict": True}
    for word, meant in {"no": False, "false": False, "true": True}.items():
        assert asked("patient", f"strict={word}").arguments == {"strict": meant}
    for words, told in (("turns=two", "a whole number"), ("strict=2", "yes or no")):
        with pytest.raises(UsageError, match=f"--ask patient {words}: expected {told}"):
            asked("patient", words)
    assert "patient: 2 of 2 dialogues" in todeval("judge", desk, "--ask", "patient", "turns=2").out


def test_several_questions_with_commas_between() -> None:
    found = questions_asked([["turns, quality,turns"], ["holds", "x y"]], by_model=True,
                            read_other=no_other)  # fmt: skip
    assert [each.name for each in found] == ["turns", "quality", "holds"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["holds"], "--ask holds: expected its sentence: --ask holds SENTENCE"),
        (["compare"], "--ask compare: expected its other: --ask compare FILE"),
        (["holds", "The", "bot"], "expected one, got 2: put a sentence in quotation marks"),
        (["turns", "politely"], "--ask turns 'politely': the question takes no argument"),
        (["state", "methods=cot"], "no argument 'methods': did you mean 'method'?"),
        (["turns,quality", "empathy"], "several questions take no arguments"),
        (["turnz"], "--ask 'turnz': no question 'turnz': did you mean 'turns'?"),
        (["rules", "no_such_set"], "no_such_set"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_paid_for(
    words: list[str], told: str
) -> None:
    with pytest.raises(UsageError) as raised:
        asked(*words)
    assert told in str(raised.value)


def test_a_question_for_models_needs_one() -> None:
    with pytest.raises(UsageError, match="--ask quality needs a model as the judge: name one with"):
        asked("quality", by_model=False)
    assert asked("coverage", by_model=False).name == "coverage"


def test_the_outcome_of_a_transcript_follows_from_what_was_found(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(request: ChatRequest) -> dict[str, object]:
        return {"reason": "so it is", "answer": "Welcome." not in str(request.messages)}

    by_words = written(
        desk.parent, line("a"), line("b", turn("No sound.", "Press it.")), name="two.jsonl"
    )
    found = judged(by_words, "--ask", "holds", "It helps.", answer=answer)
    assert [entry["outcome"] for entry in found["dialogues"]] == ["failed", "passed"]
    assert [entry["test"] for entry in found["dialogues"]] == ["two.jsonl[a]", "two.jsonl[b]"]
    assert found["environment"]["settings"]["format"] == "transcripts"
    assert "two.jsonl: 2 dialogues judged by m" in capsys.readouterr().out


def test_two_sentences_are_both_kept_and_summed(desk: Path) -> None:
    options = ["--ask", "holds", "It helps.", "--ask", "holds", "It is polite."]
    found = judged(desk, *options)
    assert [len(entry["verdicts"]) for entry in found["dialogues"]] == [2, 2]
    names = list(found["dialogues"][0]["verdicts"])
    assert [found["summary"]["metrics"][name]["total"] for name in names] == [2, 2]


def test_two_files_are_compared_goal_by_goal(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = written(desk.parent, line("b", turn("No sound.", "Hm.")), name="other.jsonl")
    found = judged(
        desk, "--ask", "compare", str(other), answer=lambda _: {"reason": "r", "choice": "EQUAL"},
        code=1,
    )  # fmt: skip
    told = [entry.get("comparisons", []) for entry in found["dialogues"]]
    assert [[each["winner"] for each in each_told] for each_told in told] == [[], ["tie"]]
    printed = capsys.readouterr().out
    assert "compared: of 1 pairs, 1 level" in printed
    missing = "compare: other.jsonl has no dialogue of transcripts/a#0 over the same goal"
    assert f"no answer: transcripts/a#0: {missing}" in printed


def test_a_transcript_without_a_goal_says_how_to_give_it_one(
    tmp_path: Path, todeval: Todeval
) -> None:
    path = written(tmp_path, {"goal": "multiwoz/MUL1", "turns": [turn("a", "b")]})
    printed = todeval("judge", path, "--ask", "completion", code=1).out
    assert "completion: the file does not hold the goal" in printed
    assert "note: 1 dialogue without a goal in the file (--goal-set finds those" in printed


def test_goals_that_are_named_come_from_a_goal_set(tmp_path: Path, todeval: Todeval) -> None:
    from pytest_todeval.worlds.registry import load

    goal = load("demo").goals[0]
    path = written(tmp_path, {"goal": goal.name, "turns": [turn("Hello", "Hello.")]})
    out = tmp_path / "out.json"
    options = ["--goal-set", "demo", "--ask", "completion", "--json", str(out)]
    assert "completion: 0 of 1 dialogues" in todeval("judge", path, *options).out
    (entry,) = read_results(out)["dialogues"]
    assert (entry["goal"], entry["outcome"]) == (goal.name, "failed")


def test_labels_and_judge_stand_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By labels the second turn misses the stars; the judge is made to find nothing wrong."""
    north = {"hotel": {"area": "north"}}
    both = {"hotel": {"area": "north", "stars": "4"}}
    turns = [
        turn("North.", "Stars?", state=north, label=north),
        turn("Four.", "A room.", state=north, label=both),
    ]
    path = written(tmp_path, line("a", *turns))
    found = judged(path, "--ask", "state", answer=nothing_wrong)
    scores = found["dialogues"][0]["scores"]
    by_labels = [score["value"] for score in scores["labelled_turn_state_accuracy"]]
    by_judge = [score["value"] for score in scores["turn_state_accuracy"]]
    assert (by_labels, by_judge) == ([1, 0], [1, 1])
    assert "match with labels" not in json.dumps(scores["turn_state_accuracy"])
    told = "turn_state_accuracy: labels 0.500, judge 1.000; they agree in 1 of 2 turns"
    assert told in capsys.readouterr().out
    assert main(["judge", str(path), "--ask", "state", "match=exact"]) == 0
    assert "labelled_joint_goal_accuracy" in capsys.readouterr().out


def nothing_wrong(request: ChatRequest) -> dict[str, object]:
    schema = request.schema or {}
    return {
        name: [] if part.get("type") == "array" else fitting(part)
        for name, part in schema.get("properties", {}).items()
    }


def test_retrieval_is_told_over_all_turns_and_by_turn(tmp_path: Path, todeval: Todeval) -> None:
    """Ranks 2 and 1, then none at all: HR@1 = 1/3, MRR@3 = (1/2 + 1 + 0)/3."""
    solution = GOAL["solution"]
    first = line("a", turn("x", "y", retrieved=["z", solution]), turn("x", "y"))
    second = line("b", turn("x", "y", retrieved=["z"]), turn("x", "y", retrieved=[solution]))
    path, out = written(tmp_path, first, second), tmp_path / "out.json"
    printed = [
        row.split()
        for row in todeval("judge", path, "--ask", "retrieval", "--json", out).out.splitlines()
    ]
    assert ["all", "turns", "3", "0.333", *["0.667"] * 4, "0.333", *["0.500"] * 4] in printed
    assert ["turn", "1", "2", "0.000", *["0.500"] * 4, "0.000", *["0.250"] * 4] in printed
    assert ["turn", "2", "1", *["1.000"] * 10] in printed
    summary = read_results(out)["summary"]["scores"]["mrr@3"]
    assert (summary["mean"], summary["scored"], summary["not_applicable"]) == (0.5, 3, 1)


def test_retrieval_is_told_by_variation_of_the_user_s_words(
    tmp_path: Path, todeval: Todeval
) -> None:
    """AutoEval-ToD, table 2: the same issue, put easily and hard."""
    solution = GOAL["solution"]
    easy = line("a", turn("x", "y", retrieved=[solution]), variation="easy")
    hard = line("b", turn("x", "y", retrieved=["z", solution]), variation="hard")
    path = written(tmp_path, easy, hard, line("c", turn("x", "y", retrieved=["z"])))
    printed = [row.split() for row in todeval("judge", path, "--ask", "retrieval").out.splitlines()]
    assert ["easy", "1", *["1.000"] * 10] in printed
    assert ["hard", "1", "0.000", *["1.000"] * 4, "0.000", *["0.500"] * 4] in printed
    assert ["plain", "1", *["0.000"] * 10] in printed


def test_states_need_labels_or_a_model(desk: Path, todeval: Todeval) -> None:
    printed = todeval("judge", desk, "--ask", "state", code=2).err
    assert "needs a model as the judge (--model), or a file with labels" in printed


def test_predicted_states_are_known_by_their_shape(tmp_path: Path, todeval: Todeval) -> None:
    path = tmp_path / "predicted.json"
    for states in ({"state": {"hotel": {"area": "north"}}}, {"turn_state": {}, "response": "Yes?"}):
        for indent in (None, 1):
            path.write_text(json.dumps({"MUL0148": [states]}, indent=indent), encoding="utf-8")
            told = todeval("judge", path, "--ask", "state", code=2).err
            assert "predicted.json: belief states by dialogue" in told
            assert "add --format dst" in told
    others: tuple[object, ...] = ({"MUL0148": [{"response": "Yes?"}]}, {"a": [], "b": 1}, {}, [], 3)
    for other in others:
        path.write_text(json.dumps(other), encoding="utf-8")
        printed = todeval("judge", path, "--ask", "state", code=2).err
        assert "predicted.json: not a results file" in printed


def test_transcripts_without_states_are_told_what_to_add(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(desk, "--ask", "state", code=1)
    told = capsys.readouterr().out
    assert "a#0: state: no turn has a `state`, or a `turn_state`: add the bot's to the" in told
    assert "Reply(" not in told


def test_a_file_that_is_none_is_told(tmp_path: Path, todeval: Todeval) -> None:
    assert "no file to judge at" in todeval("judge", tmp_path / "none", code=2).err
    path = written(tmp_path, {"dialog": []})
    printed = todeval("judge", path, "--format", "transcript", code=2).err
    assert "format 'transcript': did you mean 'transcripts'?" in printed
    path.write_text('{"turns": [{"system": "x"}\n', encoding="utf-8")
    assert "desk.jsonl:1: " in todeval("judge", path, code=2).err


def test_dialogues_over_different_slots_have_one_mean(tmp_path: Path) -> None:
    """All are judged over the slots of the whole file: three, of which two are never missed."""
    north, cheap = {"shop": {"area": "north"}}, {"shop": {"price": "cheap", "size": "big"}}
    path = written(
        tmp_path,
        line("a", turn("North.", "Yes.", state=north, label=north)),
        line("b", turn("Cheap and big.", "Yes.", state={"shop": {"price": "cheap"}}, label=cheap)),
    )
    scores = judged(path, "--ask", "state", answer=nothing_wrong)["summary"]["scores"]
    assert scores["labelled_joint_goal_accuracy"]["mean"] == 0.5
    assert scores["labelled_slot_accuracy"]["mean"] == pytest.approx((1 + 2 / 3) / 2)
    assert scores["joint_goal_accuracy"]["mean"] == 1


def test_a_wrong_argument_or_prompt_is_all_that_is_told(desk: Path, todeval: Todeval) -> None:
    told = todeval("judge", desk, "--ask", "coverage", "keywords=frases", code=2)
    assert told.out == ""
    assert "did you mean 'phrases'?" in told.err
    (desk.parent / "assertion.md").write_text(
        "---\nversion: 1\nanswer: text\nreply: tags\n---\n# user\n{{dialogue}}\n"
    )
    prompts = ["--prompts", str(desk.parent), "--model", "m", "--base-url", "http://127.0.0.1:9"]
    told = todeval("judge", desk, "--ask", "holds", "It helps.", *prompts, code=2)
    assert "reply is 'tags'; did you mean 'tag'?" in told.err
    assert "--cassette" not in told.err
    assert told.out == ""


def test_what_has_no_answer_ends_with_the_next_step(tmp_path: Path, todeval: Todeval) -> None:
    goal = {"id": "a", "message": "A hotel.", "domains": {"hotel": {"inform": {"area": "north"}}}}
    path = written(tmp_path, {"goal": goal, "turns": [turn("x", "y")]})
    printed = todeval("judge", path, "--ask", "retrieval", code=1).out
    assert "desk.jsonl: 1 dialogue judged by" in printed
    assert "no answer: transcripts/a#0: retrieval: nothing to look for" in printed
    assert "relevant=" in printed


def test_a_score_without_a_reason_is_told_without_one(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(desk, "--published", "--ask", "conversation", answer=lambda _: "Yes,5,3,3,1,2")
    told = capsys.readouterr().out.splitlines()
    assert "system_naturalness: least 3 in transcripts/a" in told
