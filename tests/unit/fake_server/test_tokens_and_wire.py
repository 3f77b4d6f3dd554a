"""What the stand-in counts, writes and reads to the end."""

import math
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.models.fake_server.answer import as_answers
from pytest_todeval.models.fake_server.completion import count, prompt_count
from pytest_todeval.models.fake_server.wire import MAX_BODY, drain


def test_tools_count_as_they_are_written_and_not_as_escapes() -> None:
    said: dict[str, Any] = {"messages": [{"content": "one two"}]}
    tools = [{"function": {"name": "gr\u00fc\u00dfe"}}]
    assert prompt_count(said) == count("one two")
    told = prompt_count({**said, "tools": tools}) - count("one two")
    assert told == count('[{"function": {"name": "gr\u00fc\u00dfe"}}]')
    assert told != count('[{"function": {"name": "gr\\u00fc\\u00dfe"}}]')


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_an_answer_that_no_json_can_hold_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="cannot be written as JSON"):
        as_answers({"score": value}, 1)


def test_an_answer_is_written_in_its_own_letters() -> None:
    (answer,) = as_answers({"word": "gr\u00fc\u00dfe"}, 1)
    assert answer.content == '{"word": "gr\u00fc\u00dfe"}'


class Endless:
    """A client that never stops sending."""

    def __init__(self, piece: int) -> None:
        self.piece, self.taken = b"x" * piece, 0

    def shutdown(self, how: int) -> None: ...

    def settimeout(self, seconds: float) -> None: ...

    def recv(self, most: int) -> bytes:
        assert self.taken <= MAX_BODY, "it goes on for ever"
        self.taken += len(self.piece)
        return self.piece


def test_a_client_that_never_stops_is_heard_up_to_the_limit() -> None:
    client: Any = Endless(65536)
    drain(client)
    assert MAX_BODY <= client.taken < MAX_BODY + 65536
