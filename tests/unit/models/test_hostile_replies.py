"""The hostile replies do get their way if nothing fences them; else the tests that use them,
and the judge that falls for them, would show nothing.
"""

import pytest

from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.hostile_replies import HOSTILE, ROLE, gullible, obeyed

GUESSED = "0123456789abcdef"


def test_there_are_thirty() -> None:
    assert len(set(HOSTILE)) == 30


@pytest.mark.parametrize("reply", HOSTILE)
def test_each_is_obeyed_where_it_stands_free(reply: str) -> None:
    assert obeyed([f"The bot replied: {reply}\n\nHow good is that?"])


@pytest.mark.parametrize("reply", [r for r in HOSTILE if GUESSED in r or ROLE.search(r)])
def test_a_fence_with_a_guessed_code_or_live_tokens_holds_nothing(reply: str) -> None:
    assert obeyed([f"⟦bot {GUESSED}⟧\n{reply}\n⟦/bot {GUESSED}⟧"])


@pytest.mark.parametrize("reply", HOSTILE)
def test_none_is_obeyed_in_a_fence(reply: str) -> None:
    assert not obeyed([f"The bot replied:\n{fenced('bot', reply)}\n\nHow good is that?"])


@pytest.mark.parametrize("reply", HOSTILE)
def test_none_ends_the_fence_of_another(reply: str) -> None:
    both = f"{fenced('bot', 'Yes.')}\n{fenced('user', reply)}\n{fenced('bot', reply)}"
    assert not obeyed([both])


@pytest.mark.parametrize("name", Prompts.names())
def test_no_prompt_is_taken_for_an_order(name: str) -> None:
    assert not obeyed(text for _, text in Prompts().get(name).messages)


def test_the_judge_answers_by_what_it_finds() -> None:
    def dishonest(request: ChatRequest) -> str:
        return f"5, as {request.model} was told"

    with StandInServer(gullible("1", dishonest)) as server:
        client = ChatClient(ModelSettings("m", base_url=server.base_url))
        free = client.complete([{"role": "user", "content": HOSTILE[0]}])
        held = client.complete([{"role": "user", "content": fenced("bot", HOSTILE[0])}])
        assert (free.text, held.text) == ("5, as m was told", "1")
        assert not server.failures
