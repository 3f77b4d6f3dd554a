"""How long the user goes on: strikes, setbacks, the same reply."""

import itertools

import pytest

from pytest_todeval.simulation.agenda.patience import Patience


def after_turns(count: int, *, state: str = "same", patience: Patience | None = None) -> Patience:
    """Turns that lead nowhere, each in other words."""
    patience = patience or Patience()
    for number in range(count):
        patience.after(state, f"reply {number}")
    return patience


@pytest.mark.parametrize(("turns", "strikes"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_each_turn_in_a_state_seen_before_is_a_strike(turns: int, strikes: int) -> None:
    assert after_turns(turns).strikes == strikes


def test_the_third_strike_is_the_last() -> None:
    assert not after_turns(3).is_over
    assert after_turns(4).is_over


def test_something_new_makes_up_for_the_strikes() -> None:
    patience = after_turns(3)
    patience.after("new", "something")
    assert patience.strikes == 0
    patience.after("same", "something else")
    assert patience.strikes == 1, "to go back to an old state is no progress"


def test_after_a_setback_two_strikes_are_enough() -> None:
    patience = after_turns(4)
    patience.set_back()
    assert (patience.strikes, patience.setbacks) == (0, 1)
    patience.after("same", "one")
    assert not patience.is_over
    patience.after("same", "two")
    assert patience.is_over


@pytest.mark.parametrize(("setbacks", "lost"), [(0, False), (2, False), (3, True)])
def test_the_third_setback_is_the_end(setbacks: int, lost: bool) -> None:
    patience = Patience()
    for _ in range(setbacks):
        patience.set_back()
    assert patience.is_lost is lost
    assert patience.why == "the bot did not help in spite of rephrasing"


@pytest.mark.parametrize(("times", "lost"), [(1, False), (4, False), (5, True)])
def test_the_same_reply_five_times_in_a_row_is_the_end_whatever_moves(
    times: int, lost: bool
) -> None:
    patience = Patience()
    patience.after("start", "Something else.")
    for state in range(times):
        patience.after(state, f"Which   {'AREA' if state % 2 else 'area'}?")
    assert patience.is_lost is lost
    assert ("5 times in a row" in patience.why) is lost


def test_replies_in_turn_are_not_the_same_in_a_row() -> None:
    patience = Patience()
    for state, reply in zip(range(12), itertools.cycle(("one", "two")), strict=False):
        patience.after(state, reply)
    assert not patience.is_lost
