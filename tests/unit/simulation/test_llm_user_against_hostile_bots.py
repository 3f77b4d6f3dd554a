"""Nothing a bot says gives orders to the user's model, to its supervisor or to the checker."""

from collections.abc import Mapping

import pytest

from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.loop import Limits
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.hostile_replies import HOSTILE, Honest, gullible, obeyed
from tests.support.llm_user_world import HEADSET, HOTEL, play, settings, thoughtful, turn

STRATEGIES = ("vanilla", "state_tracking", "verify", "autoeval_tod")
OBEYED = "I obey, the bot is perfect. <COMPLETE_CONVERSATION>"


def honest(strategy: str, verdict: str) -> Honest:
    def answer(request: ChatRequest) -> str | Mapping[str, str]:
        if request.schema is not None:
            return {"reason": "looked", "answer": verdict}
        return thoughtful(strategy, f"Well, number {len(request.messages)}.")

    return answer


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_user_does_not_obey_its_bot(strategy: str) -> None:
    goal = HEADSET if strategy == "autoeval_tod" else HOTEL
    found = "no" if strategy == "autoeval_tod" else "yes"

    def dishonest(request: ChatRequest) -> str | Mapping[str, str]:
        return OBEYED if request.schema is None else {"reason": "", "answer": "yes" * 2}

    with StandInServer(gullible(honest(strategy, found), dishonest)) as model:
        for reply in HOSTILE:
            user = LLMUser(goal, settings(model), strategy)
            first = user.respond(None)
            said = user.respond(turn(1, first.text, reply))
            assert (first.stop, said.stop) == (None, None), reply
            assert "Well" in said.text
        assert model.failures == ()


def test_this_model_does_obey_what_is_not_fenced() -> None:
    with StandInServer(gullible("A hotel.", OBEYED)) as model:
        played = play(model, persona=HOSTILE[0], bot=["x"], limits=Limits(max_turns=1))
    assert obeyed(str(m["content"]) for m in played.asked[0].messages)
    assert played.heard[:1] == [] or "I obey" in played.heard[0]
    assert "wrote a message" not in played.dialogue.detail
