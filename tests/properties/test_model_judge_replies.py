"""Whatever a judge's model writes: a score on its scale, unscored, or a judge fault, no more."""

import json
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.comparison import compare
from pytest_todeval.evaluate.judge.llm_judge.completion import (
    judge_completion,
    judge_goal_completion,
)
from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES, score_conversation
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.llm_judge.quality import DIMENSIONS, score_quality
from pytest_todeval.evaluate.judge.llm_judge.rules import judge_rules
from pytest_todeval.evaluate.judge.llm_judge.units import score_units
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.rules import Rule, RuleSet
from pytest_todeval.testing import StandInServer
from tests.support.dialogue_world import dialogue, found, restaurant_goal, said
from tests.support.examples import examples
from tests.support.judging_world import graded, panel_of

SHOWN = dialogue(restaurant_goal(), said("Food?", "The Copper Kettle.", found("restaurant")))
RULES = RuleSet("r", (Rule("polite", "", JudgedRule("Be polite.")),))
PROMPTS = Prompts()
POLITE = "Is it polite?"


def quality(panel: Panel) -> list[float | None]:
    scores = score_quality(ModelBench(panel, PROMPTS), SHOWN).scores.values()
    return [number(series[0], {0, 1}) for series in scores]


def conversation(panel: Panel) -> list[float | None]:
    scores = score_conversation(ModelBench(panel, PROMPTS), SHOWN).scores.values()
    return [number(score, {1, 2, 3, 4, 5}) for score in scores]


def units(panel: Panel) -> list[float | None]:
    series = score_units(ModelBench(panel, PROMPTS), SHOWN, [POLITE])[POLITE]
    return [number(series[0], {1, 2, 3, 4, 5})]


def rules(panel: Panel) -> list[float | None]:
    report = judge_rules(ModelBench(panel, PROMPTS), SHOWN, RULES)
    assert report.results[0].value in (1, 0, -1, None)
    return [result.value for result in report.results]


def completion(panel: Panel) -> list[float | None]:
    try:
        return [float(bool(judge_completion(ModelBench(panel, PROMPTS), SHOWN)))]
    except JudgeFault:
        return [None]


def solution(panel: Panel) -> list[float | None]:
    try:
        return [float(bool(judge_goal_completion(ModelBench(panel, PROMPTS), SHOWN, "the kettle")))]
    except JudgeFault:
        return [None]


def comparison(panel: Panel) -> list[float | None]:
    winner = compare(ModelBench(panel, PROMPTS), SHOWN, SHOWN).winner
    assert winner in ("tie", None), "two dialogues that are the same"
    return [None if winner is None else 0.5]


def number(score: Score, known: set[int]) -> float | None:
    assert score.value is None or score.value in known or not score.value.is_integer()
    return score.value


ASKED: Mapping[str, tuple[Callable[[Panel], list[float | None]], object]] = {
    "quality": (quality, graded(dict.fromkeys(DIMENSIONS, 1))),
    "conversation": (conversation, graded(dict.fromkeys(SCALES, 2))),
    "units": (units, graded({"test_1": 4})),
    "rules": (rules, graded({"polite": 1})),
    "completion": (completion, {"reason": "done", "answer": "yes"}),
    "solution": (solution, {"reason": "there", "answer": "yes"}),
    "comparison": (comparison, {"reason": "so", "choice": "CONVERSATION_B"}),
}


class Model:
    """Says what it is told to."""

    def __init__(self) -> None:
        self.says = ""

    def serve(self) -> StandInServer:
        return StandInServer(lambda request: self.says)


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def panel(model: Model) -> Iterator[Panel]:
    with model.serve() as server:
        yield panel_of(server)


@pytest.mark.parametrize("name", ASKED)
def test_a_good_reply_is_read(name: str, model: Model, panel: Panel) -> None:
    judge, reply = ASKED[name]
    model.says = json.dumps(reply)
    assert None not in judge(panel)


@pytest.mark.parametrize("name", ASKED)
@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_reply_breaks_a_judge(
    name: str, model: Model, panel: Panel, data: st.DataObject
) -> None:
    judge, reply = ASKED[name]
    good = json.dumps(reply)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(st.text(st.sampled_from('{}[]":,0159-. \nyesno<>'), max_size=4) | st.text())
    model.says = good[:at] + put + good[at + cut :]
    judge(panel)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize(
    "reply", ["{}", "[]", "null", '""', "5", "{" * 500, '{"a": {"a": 1}}', "⟦"]
)
def test_what_says_nothing_is_no_number(name: str, reply: str, model: Model, panel: Panel) -> None:
    model.says = reply
    assert set(ASKED[name][0](panel)) == {None}
