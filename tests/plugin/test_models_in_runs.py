"""Models play the user, the bot and the judge in whole runs: recorded, replayed, and failing."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_todeval.runs.reports.results import read_results, strip_times
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer, Status
from tests.conftest import PROJECT
from tests.plugin.conftest import WITHOUT_XDIST, asking

EXAMPLE = PROJECT / "examples" / "models"

CONFTEST = """
import pytest
from workshop import INSTRUCTIONS, Calendar, book_job, free_days
from pytest_todeval import ChatSystem

@pytest.fixture(scope="session")
def tod_system(todeval_models):
    return ChatSystem(todeval_models["system"][0], INSTRUCTIONS, tools=[free_days, book_job])

@pytest.fixture
def backend():
    return Calendar()
"""

TEST = """
import pytest

@pytest.mark.goals("goals.yaml")
def test_books(dialogue, judge):
    assert dialogue.booking
    assert judge.completion(dialogue)
    assert judge.turns(dialogue).policy_compliance >= 4
"""

Answering = Callable[[ChatRequest], Answer]


def example(name: str) -> ModuleType:
    """A module of the example, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sound: Answering = example("stand_in").answer


def role(request: ChatRequest) -> str:
    return "judge" if request.schema is not None else "system" if request.tools else "user"


class Run:
    """A suite of two dialogues, run against a server or from its cassettes."""

    given: tuple[str, ...] = ("--todeval-model=stand-in", "--todeval-user=thought")

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.requests: tuple[ChatRequest, ...] = ()

    def __call__(self, answer: Answering | None, *options: str) -> pytest.RunResult:
        """Run, recording what is missing if `answer` answers; else replay."""
        given = (*self.given, "--todeval-json=r.json")
        if answer is None:
            self.requests = ()
            return asking(self.pytester, *given, *options)
        with StandInServer(answer) as server:
            where = f"--todeval-base-url={server.base_url}"
            result = asking(self.pytester, *given, where, "--todeval-record=missing", *options)
            self.requests = server.requests
            return result

    @property
    def results(self) -> Any:
        return read_results(self.pytester.path / "r.json")

    @property
    def outcomes(self) -> dict[str, int]:
        counts = self.results["summary"]["outcomes"]
        return {name: count for name, count in counts.items() if count}


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    for name in ("workshop.py", "goals.yaml"):
        (pytester.path / name).write_text((EXAMPLE / name).read_text())
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_workshop=TEST)
    return Run(pytester)


def cassettes(pytester: pytest.Pytester) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(pytester.path).rglob("*.todeval.jsonl")}


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_recorded_then_replayed_offline_with_the_same_results(
    run: Run, processes: list[str]
) -> None:
    run(sound, *processes).assert_outcomes(passed=2)
    recorded = run.results
    assert {role(request) for request in run.requests} == {"user", "system", "judge"}
    run(None, *processes).assert_outcomes(passed=2)
    assert strip_times(run.results) == strip_times(recorded)


def test_the_header_says_who_plays(run: Run) -> None:
    result = run(sound)
    result.stdout.fnmatch_lines(["todeval: user: thought (stand-in); judge: model (stand-in)"])


def test_results_say_what_was_asked_and_of_whom(run: Run) -> None:
    run(sound)
    results = run.results
    assert results["environment"]["models"] == {
        "judge": ["stand-in"],
        "system": ["stand-in"],
        "user": ["stand-in"],
    }
    prompts = results["environment"]["prompts"]
    assert {"completion", "turn_separate", "user_thought"} <= set(prompts)
    calls = results["dialogues"][0]["calls"]
    asked = {lane: spent["calls"] for lane, spent in calls.items()}
    assert asked == {"user": 3, "system": 4, "judge": 7}
    assert results["dialogues"][0]["metrics"]["completion"] is True
    scores = results["dialogues"][0]["scores"]["policy_compliance"]
    assert [score["value"] for score in scores] == [5, 5]
    assert "stand-in" in scores[0]["definition"]


def test_too_many_requests_are_asked_again_and_nothing_is_lost(run: Run) -> None:
    refused: set[str] = set()

    def answer(request: ChatRequest) -> Answer:
        key = json.dumps(request.body, sort_keys=True)
        if key in refused:
            return sound(request)
        refused.add(key)
        return Answer(error=Status(429, retry_after=0.01))

    run(answer).assert_outcomes(passed=2)
    run(None).assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("who", "broken"),
    [
        ("user", Broken.HANG),
        ("user", Status(503)),
        ("system", Broken.CUT),
        ("system", Broken.MALFORMED),
        ("judge", Broken.HANG),
        ("judge", Broken.MALFORMED),
        ("judge", Status(401)),
    ],
)
def test_an_endpoint_that_fails_is_nobodys_failure(
    run: Run, who: str, broken: Broken | Status
) -> None:
    (run.pytester.path / "models.yaml").write_text(
        f"{who}: {{model: stand-in, timeout: 0.5, retries: 0}}\n"
    )

    def answer(request: ChatRequest) -> Answer:
        return Answer(error=broken) if role(request) == who else sound(request)

    result = run(answer, "--todeval-models=models.yaml", "-k", "tune-up")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert run.outcomes == {"infrastructure": 1}
    asked = len(run.requests)
    run(sound, "-k", "tune-up").assert_outcomes(passed=1)
    before = {"user": 0, "system": 1, "judge": 7}[who]
    assert asked >= before + 1
    assert len(run.requests) == 14 - before, "answered calls are not asked again"


def test_a_judge_that_cannot_be_read_is_a_judge_fault(run: Run) -> None:
    def answer(request: ChatRequest) -> Answer:
        return Answer("Well, it depends.") if role(request) == "judge" else sound(request)

    run(answer, "-k", "tune-up").assert_outcomes(failed=1)
    assert run.outcomes == {"judge_fault": 1}
    run(None, "-k", "tune-up").assert_outcomes(failed=1)
    assert run.outcomes == {"judge_fault": 1}, "the same in replay"


def test_a_user_that_leaks_an_error_is_a_simulator_fault(run: Run) -> None:
    def answer(request: ChatRequest) -> Answer:
        return Answer("Error: 500 from upstream") if role(request) == "user" else sound(request)

    run(answer, "-k", "tune-up")
    assert run.outcomes == {"simulator_fault": 1}


def test_words_read_aloud_are_the_simulators_whatever_the_test_asserts(run: Run) -> None:
    run.pytester.makepyfile(
        test_workshop="""
import pytest

@pytest.mark.goals("goals.yaml")
def test_scores(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4

@pytest.mark.goals("goals.yaml")
def test_anything(dialogue):
    assert dialogue.turns
"""
    )
    said = ["I am the AI assistant.", "Hello.", "Nice weather.", "How are you?"]

    def answer(request: ChatRequest) -> Answer:
        if role(request) == "user":
            return Answer(f"Thought: hm\nResponse: {said[len(request.messages) % 4]}")
        return Answer("How can I help you?") if role(request) == "system" else sound(request)

    run(answer, "-k", "tune-up")
    assert run.outcomes == {"simulator_fault": 2}


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (["My bicycle needs a tune-up.", "<COMPLETE_CONVERSATION>"], "simulator_fault"),
        (["My bicycle needs a tune-up.", "Goodbye. <COMPLETE_CONVERSATION>"], "simulator_fault"),
        (
            ["A tune-up on Thursday, and the reference, please.", "<COMPLETE_CONVERSATION>"],
            "failed",
        ),
    ],
)
def test_a_goal_half_said_says_nothing_of_the_bot(run: Run, said: list[str], outcome: str) -> None:
    assert_outcome(run, said, "All right.", outcome)


def test_a_bot_that_claims_a_booking_of_a_goal_half_said_fails(run: Run) -> None:
    said = ["My bicycle needs a tune-up.", "<COMPLETE_CONVERSATION>"]
    assert_outcome(run, said, "Your tune-up is booked. The reference number is A1B2.", "failed")


def assert_outcome(run: Run, said: list[str], bot: str, outcome: str) -> None:
    """A user that says two things to a bot that says one thing."""

    def answer(request: ChatRequest) -> Answer:
        if role(request) == "user":
            turn = sum(message["role"] == "assistant" for message in request.messages)
            return Answer(f"Thought: hm\nResponse: {said[min(turn, 1)]}")
        return Answer(bot) if role(request) == "system" else sound(request)

    run(answer, "-k", "tune-up")
    assert run.outcomes == {outcome: 1}


def test_a_bot_that_never_stops_calling_tools_fails(run: Run) -> None:
    def answer(request: ChatRequest) -> Answer:
        if role(request) == "system":
            return Answer(tool_calls=[("free_days", {"job": "tune-up"})])
        return sound(request)

    run(answer, "-k", "tune-up")
    assert run.outcomes == {"failed": 1}


def test_a_low_score_fails_the_bot_and_shows_the_reason(run: Run) -> None:
    def answer(request: ChatRequest) -> Answer:
        found = sound(request)
        if role(request) == "judge" and isinstance(found.text, dict) and "score" in found.text:
            return Answer({"reason": "It never asked for the job.", "score": 2})
        return found

    result = run(answer, "-k", "tune-up")
    assert run.outcomes == {"failed": 1}
    result.stdout.fnmatch_lines(["*turn 1: 2, It never asked for the job."])


def test_persona_and_language_reach_the_user(run: Run) -> None:
    marker = '@pytest.mark.todeval(persona="You are in a hurry.", language="French")'
    marked = TEST.replace("def test_books", f"{marker}\ndef test_books")
    run.pytester.makepyfile(test_workshop=marked)
    run(sound, "-k", "tune-up").assert_outcomes(passed=1)
    first = next(request for request in run.requests if role(request) == "user")
    text = "".join(str(message["content"]) for message in first.messages)
    assert "You are in a hurry." in text
    assert "French" in text


def test_a_model_user_without_a_model_says_how_to_name_one(run: Run) -> None:
    run.pytester.makeconftest(CONFTEST.replace('todeval_models["system"][0]', '"m"'))
    result = asking(run.pytester, "--todeval-user=react")
    result.stderr.fnmatch_lines(["*--todeval-user=react needs a model*--todeval-model=MODEL*"])


def test_an_unknown_user_stops_the_run(run: Run) -> None:
    result = asking(run.pytester, "--todeval-user=reakt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--todeval-user: no user 'reakt'; did you mean 'react'?*"])


def test_findings_of_a_judge_of_the_suites_own_are_kept(run: Run) -> None:
    run.pytester.makeconftest(
        CONFTEST
        + """
@pytest.fixture
def judge(todeval_models, backend):
    from pytest_todeval import LLMJudge
    return LLMJudge(todeval_models["judge"], fused=True, samples=3, backend=backend)
"""
    )
    run(sound, "-k", "tune-up").assert_outcomes(passed=1)
    score = run.results["dialogues"][0]["scores"]["policy_compliance"][0]
    assert [sample["value"] for sample in score["samples"]] == [5, 5, 5]


def test_a_stale_cassette_names_the_command_with_the_same_players(run: Run) -> None:
    result = run(None, "-k", "tune-up")
    assert run.outcomes == {"stale_cassette": 1}
    command = "*record: pytest * --todeval-user=thought --todeval-model=stand-in --todeval-record=*"
    result.stdout.fnmatch_lines([command])
