"""What is said of a call that is refused: whose it may be, and how to name its dialogue."""

import pytest

from pytest_todeval.core.lane import Lane, Place
from pytest_todeval.recording.refusals import blocked, stray, unnamed

SERVED = "Calls of a bot's server in this process"


def test_a_blocked_connection_is_told_with_the_option_that_allows_it() -> None:
    told = str(blocked("connecting to", "shop.example", 80, " in d"))
    assert told.startswith("connecting to shop.example:80 in d: the network is blocked")
    assert '--todeval-allow="shop.example:80"' in told


@pytest.mark.parametrize(
    ("open_", "listed"),
    [
        (["a"], "under way: a"),
        (["a", "b", "c"], "under way: a, b, c"),
        (["a", "b", "c", "d"], "under way: a, b, c ..."),
    ],
)
def test_a_stray_call_lists_three_dialogues(open_: list[str], listed: str) -> None:
    told = stray("GET /", None, open_, bots_served=False)
    assert told.startswith("GET / belongs to no dialogue: it was made in a thread")
    assert told.endswith(listed)


def test_a_server_of_bots_is_blamed_only_if_two_dialogues_may_have_asked_it() -> None:
    assert SERVED in stray("GET /", None, ["a", "b"], bots_served=True)
    assert SERVED not in stray("GET /", None, ["a"], bots_served=True)
    over = Place("d", Lane.SYSTEM, 1)
    told = stray("GET /", over, ["a", "b"], bots_served=True)
    assert "the dialogue d, in which it was started, is over" in told
    assert SERVED not in told


def test_a_call_at_the_gateway_lists_all() -> None:
    told = unnamed("GET /", "it has no name", ["a", "b", "c", "d"])
    assert told.startswith("GET / came to the gateway, and belongs to no dialogue: it has no name.")
    assert told.endswith("Open: a, b, c, d")
