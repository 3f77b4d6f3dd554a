"""What a model answered about a dialogue is kept for it: who asks the same again asks nobody."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.evaluate.judge.judge import TABLE
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.rules import Rule, RuleSet
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.support.dialogue_world import dialogue
from tests.support.judging_world import WANTED, played

RULES = RuleSet("asked", (Rule("polite", "polite", JudgedRule("Be polite.")),))
SO = {"reason": "so", "answer": "yes"}
STATE = {"restaurant": {"food": "italian"}}

ARGUMENTS: dict[str, dict[str, Any]] = {
    "rules": {"rules": RULES},
    "goal_completion": {"solution": "Copper Kettle"},
    "holds": {"sentence": "It is polite."},
}
FREE = {"retrieval", "approves"}
"""What no model is asked about."""


def tracked() -> Dialogue:
    """The dialogue, with a state that the bot reported."""
    shown = played()
    return replace(shown, turns=tuple(replace(turn, state=STATE) for turn in shown.turns))


def answer(request: ChatRequest) -> Answerable:
    """Anything that fits the schema: the lowest number, the first word, no pair."""
    return "Score: 4\nJustification: so" if request.schema is None else fitting(request.schema)


def fitting(schema: Any) -> Any:
    if "anyOf" in schema:
        return fitting(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {name: fitting(each) for name, each in schema["properties"].items()}
    return [] if schema["type"] == "array" else "so"


def judge_of(server: StandInServer, *models: str, **options: Any) -> LLMJudge:
    settings = [ModelSettings(m, base_url=server.base_url, retries=0) for m in models or ("m",)]
    return LLMJudge(settings, **options)


def put(judge: LLMJudge, name: str, shown: Dialogue) -> Any:
    if name == "compare":
        return judge.compare(shown, played())
    return judge.ask(TABLE[name], shown, **ARGUMENTS.get(name, {}))


@pytest.mark.parametrize("kind", ["usual", "fused", "published", "samples"])
@pytest.mark.parametrize("name", [name for name in TABLE if name not in FREE])
def test_every_question_is_asked_once(name: str, kind: str) -> None:
    options = {"samples": 3} if kind == "samples" else {} if kind == "usual" else {kind: True}
    with StandInServer(answer) as server:
        shown = tracked()
        first = outcome(lambda: put(judge_of(server, **options), name, shown))
        asked = server.hits
        again = outcome(lambda: put(judge_of(server, **options), name, shown))
        assert asked > 0
        assert server.hits == asked
        assert again == first
        # A dialogue of the same words, such as another trial, is another one.
        outcome(lambda: put(judge_of(server, **options), name, tracked()))
        assert server.hits == 2 * asked


def outcome(ask: Callable[[], Any]) -> str:
    """What came of it; as published some answers cannot be read, which is kept, too."""
    try:
        found = ask()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return repr(getattr(found, "scores", found))


@pytest.mark.parametrize(
    "other",
    [
        {"models": ("other",)},
        {"policy": "Never recommend."},
        {"fused": True},
        {"published": True},
        {"language": "Polish"},
        {"samples": 2},
    ],
    ids=str,
)
def test_another_definition_is_another_question(other: dict[str, Any]) -> None:
    with StandInServer(answer) as server:
        shown = played()
        ask = "quality" if "language" in other else "turns"
        put(judge_of(server), ask, shown)
        asked = server.hits
        put(judge_of(server, *other.pop("models", ()), **other), ask, shown)
        assert server.hits > asked


def test_what_is_made_of_a_dialogue_shares_its_answers_and_a_copy_does_not() -> None:
    with StandInServer(answer) as server:
        shown = played()
        put(judge_of(server), "completion", shown)
        put(judge_of(server), "completion", replace(shown, detail="the user left"))
        assert server.hits == 1
        put(judge_of(server), "completion", deepcopy(shown))
        assert server.hits == 2


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        pytest.param("Well ...", 2, id="an unreadable answer is asked for again once"),
        pytest.param(Answer(error=Status(400, "too long")), 1, id="a refused request is not"),
    ],
)
def test_what_could_not_be_told_is_kept(reply: Answerable, asked: int) -> None:
    with StandInServer(lambda request: reply) as server:
        shown, judge = played(), judge_of(server)
        assert "JudgeFault" in outcome(lambda: judge.completion(shown))
        assert server.hits == asked
        assert "JudgeFault" in outcome(lambda: judge.completion(shown))
        assert server.hits == asked


def test_an_outage_is_not_kept() -> None:
    with StandInServer.script([Answer(error=Status(503)), SO]) as server:
        shown, judge = played(), judge_of(server)
        with pytest.raises(ModelUnavailable):
            judge.completion(shown)
        assert judge.completion(shown)
        assert server.hits == 2


def test_the_same_asked_at_the_same_time_is_one_call() -> None:
    together = Barrier(8)

    def asks(judge: LLMJudge, shown: Dialogue) -> bool:
        together.wait()
        return bool(judge.completion(shown))

    with (
        StandInServer(lambda request: SO) as server,
        ThreadPoolExecutor(8) as pool,
    ):
        shown, judge = dialogue(WANTED, *played().turns), judge_of(server)
        assert all(pool.map(lambda _: asks(judge, shown), range(8)))
        assert server.hits == 1
