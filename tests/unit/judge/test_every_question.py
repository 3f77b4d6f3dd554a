"""What holds of every question put to a model: outages, silence, the same words, hostile words."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import ScoreSeries
from pytest_todeval.errors import JudgeFault, ModelUnavailable
from pytest_todeval.evaluate.judge.llm_judge import assertion, context
from pytest_todeval.evaluate.judge.llm_judge.assertion import judge_assertion
from pytest_todeval.evaluate.judge.llm_judge.comparison import OPTIONS, compare
from pytest_todeval.evaluate.judge.llm_judge.completion import (
    judge_completion,
    judge_fulfilment,
    judge_goal_completion,
)
from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES, score_conversation
from pytest_todeval.evaluate.judge.llm_judge.quality import DIMENSIONS, score_quality
from pytest_todeval.evaluate.judge.llm_judge.rules import judge_rules
from pytest_todeval.evaluate.judge.llm_judge.units import score_units
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.rules import Rule, RuleSet
from pytest_todeval.simulation.llm_user import oracle
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.support.dialogue_world import dialogue, restaurant_goal, said
from tests.support.hostile_replies import HOSTILE, gullible
from tests.support.judging_world import (
    WANTED,
    everywhere,
    graded,
    panel_of,
    played,
    texts,
    together,
)

SENTENCE = "The bot should not name a price."
GOOD = dialogue(WANTED, said("Italian?", "The Copper Kettle is a good one."))
RULES = RuleSet("asked", tuple(Rule(id, id, JudgedRule(f"Be {id}.")) for id in ("polite", "brief")))


@dataclass(frozen=True)
class Asked:
    """A question, the answers of a strict judge and of one talked round, and their results."""

    ask: Callable[[ModelBench, Dialogue], Any]
    strict: Answerable | Callable[[ChatRequest], Answerable]
    rosy: Answerable | Callable[[ChatRequest], Answerable]
    result: Callable[[Any], object]
    worst: object
    best: object
    fences: tuple[ModuleType, ...] = (context,)
    """Where what may be hostile is fenced."""
    at_once: int = 1
    """How many calls are under way before the first answer is there."""


def says(answer: str) -> Mapping[str, str]:
    return {"reason": "told why", "answer": answer}


def yes_no(ask: Callable[[ModelBench, Dialogue], Any], *fences: ModuleType) -> Asked:
    places = fences or (context,)
    return Asked(ask, says("no"), says("yes"), lambda found: found.passed, False, True, places)


def chooses(good_first: str, good_last: str) -> Callable[[ChatRequest], Answerable]:
    """A judge that chooses by the order in which the good dialogue is shown."""

    def answer(request: ChatRequest) -> Answerable:
        shown = str(request.messages[1]["content"])
        first = "a good one" in shown[: shown.index("Here ends conversation A.")]
        return {"reason": "told why", "choice": good_first if first else good_last}

    return answer


def every_test(score: object) -> Callable[[ChatRequest], Answerable]:
    """A judge that gives every unit test the same score."""

    def answer(request: ChatRequest) -> Answerable:
        assert request.schema is not None
        return graded(dict.fromkeys(request.schema["properties"], score))

    return answer


def by_name(scores: Mapping[str, ScoreSeries]) -> dict[str, list[float | None]]:
    return {name: [score.value for score in series] for name, series in scores.items()}


def all_values(scores: Mapping[str, ScoreSeries]) -> list[float | None]:
    return [value for values in by_name(scores).values() for value in values]


def units(per: str, count: int) -> Asked:
    return Asked(
        lambda bench, shown: score_units(bench, shown, None, per),
        *(every_test(1), every_test(5), all_values, [1] * count, [5] * count),
    )


LOWEST, HIGHEST = ({name: ends[at] for name, ends in SCALES.items()} for at in (0, 1))
QUESTIONS = {
    "assertion": yes_no(lambda bench, shown: judge_assertion(bench, shown, SENTENCE)),
    "completion": yes_no(judge_completion),
    "fulfilment": yes_no(judge_fulfilment),
    "goal completion": yes_no(
        lambda bench, shown: judge_goal_completion(bench, shown, "Press reset."), oracle
    ),
    "comparison": Asked(
        lambda bench, shown: compare(bench, replace(GOOD, goal=shown.goal), shown),
        chooses(OPTIONS[0], OPTIONS[1]),
        chooses(OPTIONS[1], OPTIONS[0]),
        lambda found: (found.winner, found.consistent),
        *(("one", True), ("other", True)),
        at_once=2,
    ),
    "conversation": Asked(
        score_conversation,
        *(graded(LOWEST), graded(HIGHEST)),
        lambda found: {name: score.value for name, score in found.scores.items()},
        *(LOWEST, HIGHEST),
    ),
    "quality": Asked(
        score_quality,
        *(graded(dict.fromkeys(DIMENSIONS, 0)), graded(dict.fromkeys(DIMENSIONS, 1))),
        lambda found: by_name(found.scores),
        *({name: [score] * 2 for name in DIMENSIONS} for score in (0, 1)),  # type: ignore[arg-type]
    ),
    "rules": Asked(
        lambda bench, shown: judge_rules(bench, shown, RULES),
        *(graded({"polite": 0, "brief": 0}), graded({"polite": 1, "brief": -1})),
        lambda found: [result.value for result in found.results],
        *([0, 0, 0, 0], [1, -1, 1, -1]),
    ),
    "units of turns": units("turn", 24),
    "units of the dialogue": units("dialogue", 1),
}
ARGUMENTS = {
    "sentence": yes_no(
        lambda bench, shown: judge_assertion(bench, played(), shown.turns[0].user), assertion
    ),
    "solution": yes_no(
        lambda bench, shown: judge_goal_completion(bench, played(), shown.turns[0].user), oracle
    ),
}
"""Questions whose argument may be hostile: it is what the user says in the dialogue."""


@pytest.fixture(scope="module", params=QUESTIONS)
def asked(request: pytest.FixtureRequest) -> Asked:
    return QUESTIONS[request.param]


@pytest.fixture(scope="module", params=[*QUESTIONS, *ARGUMENTS])
def weak(request: pytest.FixtureRequest) -> Iterator[tuple[Asked, StandInServer]]:
    """Each question, and a judge of it that obeys whatever stands outside of the fences."""
    asked = {**QUESTIONS, **ARGUMENTS}[request.param]
    with StandInServer(gullible(asked.strict, asked.rosy)) as server:
        yield asked, server


def bench_of(server: StandInServer, *models: str, samples: int = 1) -> ModelBench:
    return ModelBench(panel_of(server, *models, samples=samples), Prompts())


@pytest.mark.parametrize("status", [401, 429, 503])
def test_an_endpoint_that_fails_is_no_answer(asked: Asked, status: int) -> None:
    with StandInServer(lambda request: Answer(error=Status(status))) as server:
        with pytest.raises(ModelUnavailable):
            asked.ask(bench_of(server), played())
        assert len(server.requests) == asked.at_once, "the first call finds out"


def test_an_empty_dialogue_is_never_asked_about(asked: Asked) -> None:
    with StandInServer(gullible(asked.strict, asked.rosy)) as server:
        with pytest.raises(JudgeFault, match="no turn"):
            asked.ask(bench_of(server), Dialogue(WANTED))
        assert server.hits == 0


def test_the_same_is_asked_in_the_same_words(asked: Asked) -> None:
    def bodies() -> list[str]:
        with StandInServer(gullible(asked.strict, asked.rosy)) as server:
            asked.ask(bench_of(server), played())
            return sorted(json.dumps(request.body) for request in server.requests)

    first = bodies()
    assert first
    assert first == bodies()


@pytest.mark.parametrize("name", ["quality", "rules", "units of turns"])
def test_each_turns_prompt_begins_with_what_the_one_before_showed(name: str) -> None:
    asked = QUESTIONS[name]
    with StandInServer(gullible(asked.strict, asked.rosy)) as server:
        asked.ask(bench_of(server), played())
    short, middle, long = texts(server)
    assert together(short, middle) > short.index("⟦bot ")
    assert together(middle, long) > middle.rindex("⟦bot ")
    assert len({str(request.schema) for request in server.requests}) == 1


@pytest.mark.parametrize("reply", HOSTILE)
def test_no_reply_talks_itself_up(weak: tuple[Asked, StandInServer], reply: str) -> None:
    asked, server = weak
    shown = everywhere(reply, restaurant_goal(inform={"food": reply}))
    assert asked.result(asked.ask(bench_of(server), shown)) == asked.worst


def test_without_fences_they_would(
    weak: tuple[Asked, StandInServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, server = weak
    for place in asked.fences:
        monkeypatch.setattr(place, "fenced", lambda kind, text: text)
    found = asked.ask(bench_of(server), everywhere(HOSTILE[0]))
    assert asked.result(found) == asked.best


VERDICTS = pytest.mark.parametrize("name", ["assertion", "completion", "fulfilment"])


@VERDICTS
@pytest.mark.parametrize("reply", ["Well ...", "", says("perhaps"), says("not applicable")])
def test_what_does_not_tell_is_a_fault(name: str, reply: Answerable) -> None:
    about = {"assertion": "'The bot should not .*"}.get(name, name)
    with (
        StandInServer(lambda request: reply) as server,
        pytest.raises(JudgeFault, match=rf"test/G1: {about} could not be judged: "),
    ):
        QUESTIONS[name].ask(bench_of(server), played())


@VERDICTS
@pytest.mark.parametrize(
    ("given", "passed"),
    [
        (("yes", "yes", "no"), True),
        (("no", "?", "no"), False),
        (("yes", "no", "?"), None),
        (("yes", "?", "?"), None),
    ],
)
def test_most_answers_count(name: str, given: Sequence[str], passed: bool | None) -> None:
    with StandInServer(lambda request: says(given[request.body["seed"]])) as server:
        if passed is None:
            with pytest.raises(JudgeFault):
                QUESTIONS[name].ask(bench_of(server, samples=3), played())
        else:
            found = QUESTIONS[name].ask(bench_of(server, samples=3), played())
            assert found.passed is passed


@VERDICTS
def test_a_divided_panel_is_a_fault(name: str) -> None:
    with (
        StandInServer(lambda request: says("yes" if request.model == "a" else "no")) as server,
        pytest.raises(JudgeFault, match="the answers are divided"),
    ):
        QUESTIONS[name].ask(bench_of(server, "a", "b"), played())
