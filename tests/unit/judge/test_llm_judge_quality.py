"""Response quality: six questions about every turn, and what is not scored."""

import pytest

from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.judge.llm_judge.quality import (
    COMPLETENESS,
    DIMENSIONS,
    FACTS,
    QualityScores,
    score_quality,
)
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.judging_world import graded, panel_of, played, texts

ALL_YES = graded(dict.fromkeys(DIMENSIONS, 1))
ALL_NO = graded(dict.fromkeys(DIMENSIONS, 0))


def judged(server: StandInServer, samples: int = 1) -> QualityScores:
    return score_quality(ModelBench(panel_of(server, samples=samples), Prompts()), played())


def values(scores: QualityScores) -> dict[str, list[float | None]]:
    return {name: [each.value for each in series] for name, series in scores.scores.items()}


def test_six_scores_of_every_turn_in_one_call_each() -> None:
    with StandInServer(lambda request: ALL_YES) as server:
        scores = judged(server)
    assert len(server.requests) == 3
    assert values(scores) == {
        FACTS: [None, 1, 1],
        COMPLETENESS: [None, 1, None],
        **{name: [1, 1, 1] for name in DIMENSIONS[2:]},
    }
    assert [each.turn for each in scores.empathy] == [1, 2, 3]
    assert {(each.scale, each.reason) for each in scores.empathy} == {((0, 1), "empathy it is")}
    assert scores.entailment >= 1
    assert scores.language_correctness >= 1
    told = ", ".join(map(repr, scores.scores.values()))
    assert repr(scores) == f"<quality: {told}>"
    assert scores.factual_correctness >= 1


def test_the_judge_of_a_test_asks_for_it() -> None:
    with StandInServer(lambda request: ALL_YES) as server:
        settings = [client.settings for client in panel_of(server).clients]
        scores = LLMJudge(settings).quality(played())
    assert len(server.requests) == 3
    assert scores.empathy >= 1


def test_questions_can_be_asked_by_themselves() -> None:
    with StandInServer(lambda request: graded({"empathy": 1})) as server:
        bench = ModelBench(panel_of(server), Prompts())
        scores = score_quality(bench, played(), only=["empathy"])
        whole = score_quality(bench, played(), only=DIMENSIONS)
    assert values(scores) == {"empathy": [1, 1, 1]}
    schema = server.requests[0].schema
    assert schema is not None
    assert list(schema["properties"]) == ["empathy"]
    assert not any("`unbiased`" in text for text in texts(server)[:3])
    assert scores.definition != whole.definition
    with pytest.raises(UsageError, match=r"unbiased was not asked about: .* named empathy"):
        scores.unbiased  # noqa: B018


@pytest.mark.parametrize(
    ("only", "told"),
    [(["empaty"], "did you mean 'empathy'"), ([], "only is empty"), ("warm", "only='warm'")],
)
def test_what_is_no_question_is_told(only: list[str] | str, told: str) -> None:
    with StandInServer(lambda request: ALL_YES) as server, pytest.raises(UsageError, match=told):
        score_quality(ModelBench(panel_of(server), Prompts()), played(), only=only)
    assert not server.requests


# as published


def as_published(server: StandInServer) -> QualityScores:
    return score_quality(ModelBench(panel_of(server), Prompts(published=True)), played())


def test_as_published_six_calls_per_turn_with_tags_and_no_way_out() -> None:
    """J.1 to J.6: each a call of its own, answered with YES or NO between tags."""
    with StandInServer(lambda request: "<answer>YES</answer>") as server:
        scores = as_published(server)
    assert len(server.requests) == 18
    assert values(scores) == {name: [1, 1, 1] for name in DIMENSIONS}
    assert all(request.schema is None for request in server.requests)
    assert scores.empathy[0].definition.startswith("published quality_empathy 1 (")
    assert scores.empathy[0].definition != scores.unbiased[0].definition


def test_as_published_each_question_is_shown_what_the_paper_shows() -> None:
    with StandInServer(lambda request: "<answer>NO</answer>") as server:
        as_published(server)
    shown = texts(server)
    facts = [text for text in shown if "rests on the chunks" in text]
    bias = [text for text in shown if "free of bias" in text]
    fits = [text for text in shown if "fits the conversation" in text]
    assert [len(each) for each in (facts, bias, fits)] == [3, 3, 3]
    assert sum("the copper kettle" in text for text in facts) == 1, "this turn's results alone"
    assert not any("Italian, centre." in text for text in bias), "the response alone"
    assert all("Hello! I want to eat." in text for text in fits)
    assert not any("find_restaurant" in text for text in fits)
    (last,) = (text for text in fits if "Its phone?" in text)
    assert last.index("Its phone?") < last.index("It is 01999111222.")


def test_as_published_what_cannot_be_read_is_unscored() -> None:
    with StandInServer(lambda request: "Well ...") as server:
        scores = as_published(server)
    assert len(server.requests) == 36
    assert all(each.is_fault for each in scores.empathy)


def test_each_question_has_its_own_answer() -> None:
    answers = {name: at % 2 for at, name in enumerate(DIMENSIONS)}
    with StandInServer(lambda request: graded(answers)) as server:
        scores = judged(server)
    assert {name: series[1].value for name, series in scores.scores.items()} == answers


def test_without_a_look_up_there_is_nothing_to_hold_the_reply_against() -> None:
    """Whatever the model says of it: asked so, models give anything."""
    with StandInServer(lambda request: ALL_NO) as server:
        scores = judged(server)
    first, _, third = scores.factual_correctness
    assert (first.unscored, first.reason) == (
        Score.NOT_APPLICABLE,
        "nothing was looked up so far",
    )
    assert third.value == 0, "what was looked up earlier is known"
    assert [each.unscored for each in scores.completeness] == [
        Score.NOT_APPLICABLE,
        None,
        Score.NOT_APPLICABLE,
    ]


def test_not_applicable_is_no_way_out_of_a_look_up() -> None:
    idle = {**ALL_YES, FACTS: {"reason": "", "score": "not applicable"}}
    with StandInServer(lambda request: idle) as server:
        scores = judged(server)
    assert len(server.requests) == 4
    assert [each.unscored for each in scores.factual_correctness][::2] == ["not applicable"] * 2
    assert scores.factual_correctness[1].is_fault
    assert "something was looked up" in str(scores.factual_correctness[1].unscored)
    with pytest.raises(JudgeFault):
        assert scores.factual_correctness >= 0


@pytest.mark.parametrize("wrong", [0.5, 2, "yes", "very bad", True, None])
def test_a_score_is_yes_or_no(wrong: object) -> None:
    reply = {**ALL_YES, "empathy": {"reason": "", "score": wrong}}
    with StandInServer(lambda request: reply) as server:
        scores = judged(server)
    assert len(server.requests) == 6
    assert all(each.is_fault for each in scores.empathy)


def test_what_cannot_be_read_costs_only_its_own_turn() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "I like it." if "in turn 2," in str(request.messages[1]["content"]) else ALL_YES

    with StandInServer(answer) as server:
        scores = judged(server)
    assert values(scores)["unbiased"] == [1, None, 1]
    assert scores.unbiased[1].is_fault


def test_samples_are_counted() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return ALL_NO if request.body["seed"] == 1 else ALL_YES

    with StandInServer(answer) as server:
        scores = judged(server, samples=3)
    assert [each.value for each in scores.empathy] == [1, 1, 1]
    assert [sample.value for sample in scores.empathy[0].samples] == [1, 0, 1]


def test_the_language_is_the_dialogues() -> None:
    with StandInServer(lambda request: ALL_YES) as server:
        panel = panel_of(server)
        arabic = score_quality(ModelBench(panel, Prompts(), language="Arabic"), played())
        assert all("following language, with right grammar" in text for text in texts(server))
        assert all("another one: Arabic?" in text for text in texts(server))
        english = score_quality(ModelBench(panel, Prompts()), played())
    assert arabic.definition != english.definition
    assert "quality_turn 2 (" in english.definition
