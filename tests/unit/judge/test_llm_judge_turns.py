"""The turn judge: what is asked, what its answers mean, and that no bot talks itself up."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, ModelUnavailable
from pytest_todeval.evaluate.judge.llm_judge import context
from pytest_todeval.evaluate.judge.llm_judge.dimensions import DIMENSIONS, score_turns
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.judge.rule_answers import TurnScores
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.support.dialogue_world import (
    BOOK,
    KETTLE,
    TABLE,
    booked,
    dialogue,
    found,
    restaurant_goal,
    said,
)
from tests.support.hostile_replies import HOSTILE, gullible

WANTED = restaurant_goal(book=BOOK, request=("phone", "dress code"))
PLAYED = dialogue(
    WANTED,
    said("Hello!", "Which area?"),
    said("Italian, centre.", "The Copper Kettle is nice.", found("restaurant", KETTLE)),
    said("Book it.", "Booked, AB12CD34.", booked("restaurant", **TABLE)),
)
COHESION, CONSISTENCY, COMPLIANCE = DIMENSIONS
ASKED_BY = {
    "hold together with the conversation": COHESION,
    "agree with what the bot knew": CONSISTENCY,
    "keep to the bot's policy": COMPLIANCE,
}


def verdict(score: object, reason: str = "because") -> dict[str, object]:
    return {"reason": reason, "score": score}


def question(request: ChatRequest) -> str:
    """What was asked at first: the last message may ask again."""
    return str(request.messages[1]["content"])


def is_fused(request: ChatRequest) -> bool:
    return "its three scores" in question(request)


def dimension(request: ChatRequest) -> str:
    return next(name for words, name in ASKED_BY.items() if words in question(request))


def all_say(score: object) -> Any:
    """A judge that says the same of everything."""

    def answer(request: ChatRequest) -> Mapping[str, Any]:
        one = verdict(score)
        return dict.fromkeys(DIMENSIONS, one) if is_fused(request) else one

    return answer


def by_dimension(request: ChatRequest) -> Mapping[str, Any]:
    """3 for cohesion, 4 for consistency, 5 for compliance."""
    scores = {name: verdict(3 + at, name) for at, name in enumerate(DIMENSIONS)}
    return scores if is_fused(request) else scores[dimension(request)]


def judged(
    server: StandInServer,
    played: Dialogue = PLAYED,
    *,
    fused: bool = False,
    samples: int = 1,
    policy: str = "",
    models: Sequence[str] = ("m",),
    prompts: Path | None = None,
) -> TurnScores:
    clients = [
        ChatClient(ModelSettings(model, base_url=server.base_url, retries=0)) for model in models
    ]
    panel = Panel(clients, samples)
    found = score_turns(ModelBench(panel, Prompts(prompts), fused, policy), played)
    assert not server.failures
    return found


def values(scores: TurnScores) -> list[list[float | None]]:
    return [[score.value for score in series] for series in scores.scores.values()]


def texts(server: StandInServer) -> list[str]:
    """What was asked, as the model reads it, in the order of turns and dimensions."""
    asked = ["\n".join(m["content"] for m in request.messages) for request in server.requests]
    return sorted(asked, key=lambda text: (text.count("⟦bot "), [w in text for w in ASKED_BY]))


def shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


@pytest.mark.parametrize("fused", [False, True])
def test_every_turn_has_three_scores_with_reasons(fused: bool) -> None:
    with StandInServer(by_dimension) as server:
        scores = judged(server, fused=fused)
    assert values(scores) == [[3, 3, 3], [4, 4, 4], [5, 5, 5]]
    assert list(scores.scores) == list(DIMENSIONS)
    for name, series in scores.scores.items():
        assert [score.turn for score in series] == [1, 2, 3]
        assert {(score.name, score.reason, score.scale) for score in series} == {
            (name, name, (1, 5))
        }
    assert len(server.requests) == (3 if fused else 9)


@pytest.mark.parametrize("fused", [False, True])
def test_scores_of_a_turn_are_those_asked_about_it(fused: bool) -> None:
    def by_turn(request: ChatRequest) -> Mapping[str, Any]:
        turn = request.last_user.count("⟦bot ")
        assert f"in turn {turn}," in request.last_user
        answer: Mapping[str, Any] = all_say(turn)(request)
        return answer

    with StandInServer(by_turn) as server:
        assert values(judged(server, fused=fused)) == [[1, 2, 3]] * 3


@pytest.mark.parametrize("fused", [False, True])
def test_not_applicable_only_where_nothing_came_back(fused: bool) -> None:
    def answer(request: ChatRequest) -> Mapping[str, Any]:
        one = by_dimension(request)
        idle = verdict("not applicable", "a question")
        if is_fused(request):
            return {**one, CONSISTENCY: idle}
        return idle if dimension(request) == CONSISTENCY else one

    with StandInServer(answer) as server:
        scores = judged(server, fused=fused)
    first, second, third = scores.backend_consistency
    assert (first.unscored, first.reason) == (Score.NOT_APPLICABLE, "a question")
    assert second.is_fault
    assert third.is_fault
    others = [[None, None], [None, None]] if fused else [[3, 3], [5, 5]]
    assert [values(scores)[0][1:], values(scores)[2][1:]] == others
    with pytest.raises(JudgeFault, match="backend_consistency of turn 2 is unscored"):
        assert scores.backend_consistency >= 1


def test_claims_without_any_result_may_be_scored() -> None:
    with StandInServer(all_say(1)) as server:
        scores = judged(server, dialogue(WANTED, said("A phone?", "It is 01999111222.")))
    assert scores.backend_consistency[0].value == 1
    assert scores.policy_compliance[0].value == 1


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize(
    "reply", ["I like it.", "", '{"score": 6}', '{"score": 0}', "Very nice (7)"]
)
def test_what_cannot_be_read_is_asked_once_more_and_then_unscored(reply: str, fused: bool) -> None:
    with StandInServer(lambda request: reply) as server:
        scores = judged(server, fused=fused)
    assert values(scores) == [[None] * 3] * 3
    assert all(score.is_fault for series in scores.scores.values() for score in series)
    assert len(server.requests) == 2 * (3 if fused else 9)


def test_a_refused_request_is_unscored_with_what_the_endpoint_says() -> None:
    with StandInServer(lambda request: Answer(error=Status(400, "too long"))) as server:
        scores = judged(server)
    assert "too long" in f"{scores.conversation_cohesion[0].unscored}"


def test_a_model_that_cannot_be_asked_is_nobodys_score() -> None:
    with StandInServer(lambda request: Answer(error=Status(503))) as server:
        with pytest.raises(ModelUnavailable):
            judged(server)
        assert len(server.requests) == 1


@pytest.mark.parametrize("turns", [(), (Turn(1, "", ""),)])
def test_an_empty_dialogue_is_never_shown(turns: tuple[Turn, ...]) -> None:
    with StandInServer(all_say(5)) as server:
        with pytest.raises(JudgeFault, match="no turn to judge"):
            judged(server, Dialogue(WANTED, turns))
        assert server.hits == 0


def test_samples_and_models_give_median_spread_and_reasons() -> None:
    def answer(request: ChatRequest) -> Mapping[str, Any]:
        return verdict(1 + request.body["seed"] + (2 if request.model == "b" else 0))

    with StandInServer(answer) as server:
        scores = judged(server, samples=2, models=("a", "b"))
    one = scores.conversation_cohesion[0]
    assert one.value == 2.5
    assert one.spread == 3
    assert [(s.by, s.value) for s in one.samples] == [("a", 1), ("a", 2), ("b", 3), ("b", 4)]
    assert {sample.reason for sample in one.samples} == {"because"}
    assert len(server.requests) == 9 * 4


def test_fused_samples_give_a_median_of_each_dimension() -> None:
    def answer(request: ChatRequest) -> Mapping[str, Any]:
        seed = request.body["seed"]
        return {name: verdict(1 + at + seed) for at, name in enumerate(DIMENSIONS)}

    with StandInServer(answer) as server:
        scores = judged(server, samples=3, fused=True)
    assert values(scores) == [[2] * 3, [3] * 3, [4] * 3]
    assert scores.policy_compliance[2].spread == 2


def test_prompts_show_context_facts_slots_and_policy() -> None:
    with StandInServer(by_dimension) as server:
        judged(server, policy="Never sell {{question}} before noon.")
    for text in texts(server)[-3:]:
        for shown in ("Which area?", "Italian, centre.", '"find_restaurant"', "Booked, AB12CD34."):
            assert shown in text
        assert fenced("policy", "Never sell {{question}} before noon.") in text
        slots = text.split("⟦slots")[1].split("⟦/slots")[0]
        assert "- food: the kind of food\n- area: the part of town\n" in slots
        assert "people: how many people the table is for" in slots
        for wanted in ("phone", "reference", "dress code"):
            assert wanted not in slots, "the user asks for it, the bot does not"
        assert "ten" not in text.split("⟦policy")[1].split("⟦/policy")[0]


def test_by_default_the_policy_is_the_papers_and_slots_are_the_goals_own() -> None:
    part = DomainGoal("bakery", {"bread": "rye"}, book={"pick-up": "9:00"}, request=("price",))
    with StandInServer(by_dimension) as server:
        judged(server, dialogue(Goal("B", "mine", (part,)), said("Rye?", "How much?")), fused=True)
    (text,) = texts(server)
    assert "More than ten entries match" in text
    assert "asks for a detail" in text.split("if that is needed to narrow them down,")[1][:20]
    assert fenced("slots", "bakery:\n- bread\n- pick-up") in text
    assert "rye" not in text.split("⟦/slots")[0]


@pytest.mark.parametrize("fused", [False, True])
def test_each_prompt_begins_with_all_that_the_one_before_showed(fused: bool) -> None:
    with StandInServer(by_dimension) as server:
        judged(server, fused=fused)
    asked = texts(server)
    for one, other in pairwise(asked):
        assert shared(one, other) >= one.index("\n\nExamine the bot's reply")
    systems = {str(request.messages[0]) for request in server.requests}
    formats = {json.dumps(request.body["response_format"]) for request in server.requests}
    assert len(systems) == len(formats) == 1


def test_the_longest_prompt_is_asked_alone_and_first() -> None:
    with StandInServer(by_dimension) as server:
        judged(server)
    first, *others = [question(request).split("\n\nExamine")[0] for request in server.requests]
    assert all(first.startswith(other) for other in others)


def test_the_same_dialogue_gives_the_same_requests() -> None:
    def bodies() -> list[str]:
        with StandInServer(by_dimension) as server:
            judged(server, samples=2)
            return sorted(json.dumps(request.body) for request in server.requests)

    first = bodies()
    assert first == bodies()
    assert len(set(first)) == 18


def test_definitions_tell_apart_what_cannot_be_compared(tmp_path: Path) -> None:
    own = tmp_path / "turn_policy_compliance.md"
    own.write_text("---\nversion: 9\n---\n# note\nDoes it keep to the bot's policy?", "utf-8")
    with StandInServer(by_dimension) as server:
        plain, fused = judged(server), judged(server, fused=True)
        other_policy = judged(server, policy="Be brief.")
        third_policy = judged(server, policy="Be polite.")
        other_model = judged(server, models=("n",))
        other_prompt = judged(server, prompts=tmp_path)
    judgements = (plain, fused, other_policy, third_policy, other_model, other_prompt)
    assert len({each.version for each in judgements}) == 6
    for name in ("turn_separate 2 (", f"turn_{COHESION} 1 (", ", m, "):
        assert name in plain.conversation_cohesion[0].definition
    assert "turn_policy_default 2 (" in plain.version
    assert "turn_policy_compliance 9 (" in other_prompt.version
    cohesion = [each.conversation_cohesion[0].definition for each in (plain, other_prompt)]
    assert cohesion[0] == cohesion[1]


def everywhere(text: str) -> Dialogue:
    """A dialogue in which user, bot, tools and goal all say the same."""
    call = ToolCall(text, {text: text}, {text: [text]})
    turns = (
        Turn(1, text, text, (call, ToolCall("book", {}, error=text)), retrieved=(text,)),
        Turn(2, "Which one?", text),
    )
    return Dialogue(Goal("G", "test", (DomainGoal(text, {text: text}),)), turns, last_words=text)


@pytest.fixture(scope="module")
def weak_judge() -> Iterator[StandInServer]:
    """Gives 2, or 5 to whoever talks it into it."""
    with StandInServer(gullible(all_say(2), all_say(5))) as server:
        yield server


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("reply", HOSTILE)
def test_no_reply_talks_itself_up(weak_judge: StandInServer, reply: str, fused: bool) -> None:
    assert values(judged(weak_judge, everywhere(reply), fused=fused)) == [[2, 2]] * 3


@pytest.mark.parametrize("reply", HOSTILE)
def test_without_a_fence_each_would(
    weak_judge: StandInServer, reply: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "fenced", lambda kind, text: f"{kind} said: {text}")
    played = dialogue(WANTED, said("Anything?", reply))
    assert values(judged(weak_judge, played, fused=True)) == [[5]] * 3
