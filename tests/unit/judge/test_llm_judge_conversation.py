"""Naturalness, coherence and diversity of both sides, in one call."""

from collections.abc import Iterator

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.conversation import (
    SCALES,
    ConversationScores,
    score_conversation,
)
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import restaurant_goal
from tests.support.hostile_replies import HOSTILE, gullible
from tests.support.judging_world import everywhere, graded, panel_of, played, texts

LOWEST = {name: low for name, (low, _) in SCALES.items()}
HIGHEST = {name: high for name, (_, high) in SCALES.items()}


def judged(
    server: StandInServer, shown: Dialogue | None = None, *, samples: int = 1
) -> ConversationScores:
    bench = ModelBench(panel_of(server, samples=samples), Prompts())
    return score_conversation(bench, played() if shown is None else shown)


def values(scores: ConversationScores) -> dict[str, float | None]:
    return {name: score.value for name, score in scores.scores.items()}


def test_six_scores_on_their_own_scales() -> None:
    given = dict(zip(SCALES, [4, 3, 1, 5, 2, 3], strict=True))
    with StandInServer(lambda request: graded(given)) as server:
        scores = judged(server)
    assert len(server.requests) == 1
    assert values(scores) == given
    assert [score.scale for score in scores.scores.values()] == list(SCALES.values())
    assert {score.turn for score in scores.scores.values()} == {None}
    assert scores.user_naturalness.reason == "user_naturalness it is"
    told = ", ".join(map(repr, scores.scores.values()))
    assert repr(scores) == f"<conversation: {told}>"
    assert scores.system_naturalness >= 5
    assert not scores.system_coherence >= 3
    assert "conversation 2 (" in scores.user_diversity.definition


@pytest.mark.parametrize(
    "wrong", [{"user_coherence": 4}, {"user_diversity": 0}, {"system_diversity": "not applicable"}]
)
def test_what_is_off_its_scale_is_asked_again_and_never_clipped(wrong: dict[str, object]) -> None:
    with StandInServer(lambda request: graded({**HIGHEST, **wrong})) as server:
        scores = judged(server)
    assert len(server.requests) == 2
    assert all(score.is_fault for score in scores.scores.values())
    with pytest.raises(JudgeFault, match="user_naturalness is unscored"):
        assert scores.user_naturalness >= 1


def test_a_second_answer_is_taken() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "5,3,3,1,2" if len(request.messages) == 2 else graded(LOWEST)

    with StandInServer(answer) as server:
        assert values(judged(server)) == LOWEST


def test_samples_give_a_median() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return graded({**LOWEST, "user_naturalness": 1 + 2 * request.body["seed"]})

    with StandInServer(answer) as server:
        score = judged(server, samples=3).user_naturalness
    assert (score.value, score.spread) == (3, 4)


def test_goal_and_last_words_are_shown() -> None:
    with StandInServer(lambda request: graded(LOWEST)) as server:
        judged(server, everywhere("hello there"))
        judged(server, everywhere("hello there"))
    (text, again) = texts(server)
    assert text == again
    assert text.index("⟦goal ") < text.index("Turn 1\n") < text.index("Last words")


def test_the_judge_sees_what_was_said_and_no_tool() -> None:
    """clem:todd, A.7.4: "the user or the system could either be AI or human"."""
    with StandInServer(lambda request: graded(LOWEST)) as server:
        judged(server)
    (text,) = texts(server)
    assert "The Copper Kettle is nice." in text
    assert "⟦system " in text
    assert not any(
        word in text for word in ("find_restaurant", "results", "tools", "chatbot", "⟦bot ")
    )


# as published: template A.7.4, a row of values for one call

ROW = "Yes,5,3,3,1,2"


def as_published(server: StandInServer, shown: Dialogue | None = None) -> ConversationScores:
    bench = ModelBench(panel_of(server), Prompts(published=True))
    return score_conversation(bench, played() if shown is None else shown)


def test_as_published_a_row_gives_five_scores_and_whether_the_goal_is_fulfilled() -> None:
    with StandInServer(lambda request: ROW) as server:
        scores = as_published(server)
    (request,) = server.requests
    assert request.schema is None
    assert values(scores) == {
        "fulfilment": 1,
        "user_naturalness": 5,
        "system_naturalness": 3,
        "user_coherence": 3,
        "system_coherence": 1,
        "user_diversity": 2,
        "system_diversity": None,
    }
    assert scores.system_diversity.unscored == Score.NOT_APPLICABLE
    assert repr(scores.user_diversity) == "<user_diversity 2 of 3>"
    assert scores.user_diversity.definition.startswith("published conversation 1 (")
    (text,) = texts(server)
    assert text.index("⟦goal ") < text.index("Hello! I want to eat.")
    assert "find_restaurant" not in text


@pytest.mark.parametrize("row", ["5,3,3,1,2", "Yes,5,3,4,1,2", "Yes,5,3,3,1", "Yes", "Maybe."])
def test_as_published_a_row_that_is_none_leaves_all_unscored(row: str) -> None:
    with StandInServer(lambda request: row) as server:
        scores = as_published(server)
    assert len(server.requests) == 2
    assert all(
        score.is_fault for name, score in scores.scores.items() if name != "system_diversity"
    )


@pytest.fixture(scope="module")
def weak_rater() -> Iterator[StandInServer]:
    with StandInServer(gullible("No,1,1,1,1,1", "Yes,5,5,3,3,3")) as server:
        yield server


@pytest.mark.parametrize("reply", HOSTILE)
def test_as_published_no_reply_talks_itself_up(weak_rater: StandInServer, reply: str) -> None:
    hostile = restaurant_goal(inform={"food": reply})
    assert as_published(weak_rater, everywhere(reply, hostile)).user_naturalness.value == 1
