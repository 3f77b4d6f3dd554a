"""TD-Eval of whole dialogues: three scores, their mean, and what is asked for them."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, ModelUnavailable, UsageError
from pytest_todeval.evaluate.judge.llm_judge.dimensions import (
    DIMENSIONS,
    DialogueScores,
    score_dialogue,
)
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.support.dialogue_world import dialogue, said
from tests.support.hostile_replies import HOSTILE, gullible
from tests.support.judging_world import WANTED, everywhere, graded, panel_of, played, texts

COHESION, CONSISTENCY, COMPLIANCE = DIMENSIONS
ASKED_BY = {
    "Cohesion of the conversation": COHESION,
    "Consistency with the backend": CONSISTENCY,
    "Compliance with the policy": COMPLIANCE,
    "Rate the conversation consistency": COHESION,
    "Rate the backend consistency": CONSISTENCY,
    "Rate the policy compliance": COMPLIANCE,
}
GIVEN = dict(zip(DIMENSIONS, (5, 4, 3), strict=True))
IDLE = "not applicable"


def question(request: ChatRequest) -> str:
    """What was asked at first: the last message may ask again."""
    return "\n".join(str(m["content"]) for m in request.messages[:2] if m["role"] == "user")


def is_fused(request: ChatRequest) -> bool:
    return "its three scores" in question(request)


def about(request: ChatRequest) -> str:
    return next(name for words, name in ASKED_BY.items() if words in question(request))


def giving(scores: Mapping[str, object]) -> Any:
    """A judge that gives these scores, in the form it is asked for."""

    def answer(request: ChatRequest) -> Any:
        if is_fused(request):
            return graded(scores)
        name = about(request)
        if request.schema is None:
            return f"Score: {scores[name]}\nJustification: {name} it is"
        return graded(scores)[name]

    return answer


def judged(
    server: StandInServer,
    shown: Dialogue | None = None,
    *,
    fused: bool = False,
    published: bool = False,
    policy: str = "",
) -> DialogueScores:
    bench = ModelBench(panel_of(server), Prompts(published=published), fused, policy)
    found = score_dialogue(bench, played() if shown is None else shown)
    assert not server.failures
    return found


def values(scores: DialogueScores) -> list[float | None]:
    return [score.value for score in scores.scores.values()]


FORMS = pytest.mark.parametrize("form", [{}, {"fused": True}, {"published": True}], ids=str)


@FORMS
def test_a_dialogue_has_three_scores_and_their_mean(form: dict[str, Any]) -> None:
    with StandInServer(giving(GIVEN)) as server:
        scores = judged(server, **form)
    assert [getattr(scores, name).value for name in DIMENSIONS] == [5, 4, 3]
    assert scores.policy_compliance.reason == f"{COMPLIANCE} it is"
    assert scores.policy_compliance.turn is None
    assert (scores.overall.value, scores.overall.scale) == (4, (1, 5))
    assert list(scores.scores) == [f"dialogue_{name}" for name in DIMENSIONS]
    assert len(server.requests) == (1 if form.get("fused") else 3)
    schemas = [request.body.get("response_format") for request in server.requests]
    assert [each is None for each in schemas] == [bool(form.get("published"))] * len(schemas)
    told = ", ".join(map(repr, scores.scores.values()))
    assert repr(scores) == f"<dialogue scores: {told}>"
    assert scores.overall >= 4
    assert not scores.policy_compliance >= 4


@FORMS
def test_the_whole_dialogue_is_shown(form: dict[str, Any]) -> None:
    with StandInServer(giving(GIVEN)) as server:
        judged(server, policy="Never sell before noon.", **form)
    for text in texts(server):
        for shown in ("Which area?", "The Copper Kettle is nice.", "find_restaurant", "Its phone?"):
            assert shown in text
    policy = fenced("policy", "Never sell before noon.")
    shows = [policy in text for text in texts(server)]
    assert sorted(shows) == ([False, False, True] if form.get("published") else [True] * len(shows))


QUIET = dialogue(WANTED, said("Hello!", "Which area?"), said("Goodbye.", "Goodbye!"))


@pytest.mark.parametrize("fused", [False, True])
def test_consistency_is_not_applicable_only_if_nothing_was_looked_up(fused: bool) -> None:
    answer = giving({**GIVEN, CONSISTENCY: IDLE})
    with StandInServer(answer) as server:
        quiet, busy = judged(server, QUIET, fused=fused), judged(server, fused=fused)
    assert quiet.backend_consistency.unscored == Score.NOT_APPLICABLE
    assert quiet.overall.value == 4
    with pytest.raises(JudgeFault, match="dialogue_backend_consistency is not applicable"):
        assert quiet.backend_consistency >= 4
    assert busy.backend_consistency.is_fault
    assert busy.overall.is_fault


def test_as_published_nothing_is_not_applicable() -> None:
    with StandInServer(giving({**GIVEN, CONSISTENCY: IDLE})) as server:
        scores = judged(server, QUIET, published=True)
    assert scores.backend_consistency.is_fault
    assert scores.overall.unscored == scores.backend_consistency.unscored


@FORMS
@pytest.mark.parametrize("reply", ["Very nice.", "", '{"score": 6}', "Score: 0"])
def test_what_cannot_be_read_is_no_number(reply: str, form: dict[str, Any]) -> None:
    with StandInServer(lambda request: reply) as server:
        scores = judged(server, **form)
    assert values(scores) == [None] * 3
    assert scores.overall.is_fault
    with pytest.raises(JudgeFault, match="dialogue_policy_compliance is unscored"):
        assert scores.policy_compliance >= 4


def test_definitions_tell_apart_what_cannot_be_compared() -> None:
    with StandInServer(giving(GIVEN)) as server:
        found = [
            judged(server),
            judged(server, fused=True),
            judged(server, published=True),
            judged(server, policy="Be brief."),
            judged(server, policy="Be polite."),
        ]
    assert len({each.definition for each in found}) == 5
    assert "published dialogue_policy_compliance 1 (" in found[2].definition
    own = [each.policy_compliance.definition for each in found]
    assert len(set(own)) == 5
    assert "policy" not in found[2].conversation_cohesion.definition
    assert own[2].count("published") == 2, "the prompt and the policy"


def test_an_empty_dialogue_and_a_model_out_of_reach_are_no_score() -> None:
    with StandInServer(lambda request: Answer(error=Status(503))) as server:
        with pytest.raises(JudgeFault, match="no turn to judge"):
            judged(server, Dialogue(WANTED))
        assert server.hits == 0
        with pytest.raises(ModelUnavailable):
            judged(server)


def test_rules_cannot_answer_it() -> None:
    with pytest.raises(UsageError, match=r"judge\.dialogue needs a model"):
        RuleJudge().dialogue(played())


@pytest.fixture(scope="module")
def weak_judge() -> Iterator[StandInServer]:
    """Gives 2, or 5 to whoever talks it into it."""
    weak, talked = (giving(dict.fromkeys(DIMENSIONS, score)) for score in (2, 5))
    with StandInServer(gullible(weak, talked)) as server:
        yield server


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("reply", HOSTILE)
def test_no_reply_talks_itself_up(weak_judge: StandInServer, reply: str, published: bool) -> None:
    assert values(judged(weak_judge, everywhere(reply), published=published)) == [2, 2, 2]
