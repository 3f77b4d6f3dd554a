"""Games as clembench counts them: values worked out by hand from its public code."""

from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import Breach, Side, Violation
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.games import (
    GamePlayed,
    clem_score,
    game_lines,
    game_scores,
    games_summary,
    violation_counts,
)
from pytest_todeval.runs.reports.summary_schema import GameSetSummary
from tests.support.dialogue_world import dialogue, restaurant_goal, said

WON, LOST, ABORTED = GamePlayed(False, True), GamePlayed(False, False), GamePlayed(True, False)


def together(kinds: dict[str, GameSetSummary]) -> tuple[float, float | None, float | None]:
    found = clem_score(kinds)
    return found["percent_played"], found["quality"], found["clemscore"]


def test_played_games_have_a_quality_and_aborted_ones_none() -> None:
    found = game_scores([WON, WON, LOST, ABORTED])
    assert found == {
        "played": 3,
        "aborted": 1,
        "won": 2,
        "lost": 1,
        "percent_played": 75.0,
        "quality": 66.67,
    }


def test_an_aborted_game_is_neither_won_nor_lost() -> None:
    found = game_scores([GamePlayed(True, True)])
    assert (found["played"], found["won"], found["lost"], found["quality"]) == (0, 0, 0, None)


def test_the_clemscore_is_the_share_played_of_the_quality_over_kinds_alike() -> None:
    """clemeval: 50 % and 100 % played, quality 80 and 40: 0.75 x 60."""
    kinds = {
        "one": game_scores([WON] * 4 + [LOST] + [ABORTED] * 5),
        "other": game_scores([WON] * 2 + [LOST] * 3),
    }
    assert together(kinds) == (75.0, 60.0, 45.0)


def test_a_kind_that_was_never_played_has_no_quality_but_counts_as_not_played() -> None:
    kinds = {"one": game_scores([WON]), "other": game_scores([ABORTED])}
    assert together(kinds) == (50.0, 100.0, 50.0)
    assert together({"other": game_scores([ABORTED])}) == (0.0, None, None)


def test_rounding_is_clembenchs_in_each_step() -> None:
    kinds = {str(n): game_scores([WON] + [LOST] * n + [ABORTED] * n) for n in (2, 6)}
    assert [each["percent_played"] for each in kinds.values()] == [60.0, 53.85]
    assert [each["quality"] for each in kinds.values()] == [33.33, 14.29]
    assert together(kinds) == (56.92, 23.81, 13.55)


def test_halves_are_rounded_as_clembench_rounds_them() -> None:
    """12.5 % and 33.33 % played: numpy makes 22.92 of 22.915, Python's `round` 22.91."""
    kinds = {
        "one": game_scores([WON] + [ABORTED] * 7),
        "other": game_scores([WON] + [ABORTED] * 2),
    }
    assert clem_score(kinds)["percent_played"] == 22.92


def entry(
    stop: StopReason = StopReason.USER_DONE,
    outcome: Outcome = Outcome.PASSED,
    protocol: str = "strict",
    violations: tuple[Violation, ...] = (),
    **metrics: bool,
) -> Any:
    played = dialogue(restaurant_goal(), said("Hi", "Hello"))
    found = Dialogue(
        played.goal,
        played.turns,
        stop,
        protocol=protocol,
        violations=violations,
        verdicts={name: Verdict(name, value, "r") for name, value in metrics.items()},
    )
    return dialogue_entry(found, test="t", outcome=outcome)


def test_the_main_score_is_the_booking_else_reward_else_success_else_the_test() -> None:
    games = games_summary(
        [
            entry(booking=True, success=False),
            entry(booking=False, success=True, outcome=Outcome.FAILED),
            entry(success=True),
            entry(outcome=Outcome.FAILED),
            entry(),
        ]
    )
    assert games is not None
    (found,) = games["goal_sets"].values()
    assert (found["won"], found["lost"]) == (3, 2)


def test_violations_of_either_side_abort_and_other_faults_are_no_games() -> None:
    games = games_summary(
        [
            entry(StopReason.SYSTEM_VIOLATION, Outcome.FAILED),
            entry(StopReason.USER_VIOLATION, Outcome.SIMULATOR_FAULT),
            entry(StopReason.SIMULATOR_FAULT, Outcome.SIMULATOR_FAULT),
            entry(StopReason.NETWORK, Outcome.INFRASTRUCTURE),
            entry(StopReason.TURN_LIMIT, Outcome.FAILED),
            entry(booking=True),
        ]
    )
    assert games is not None
    (found,) = games["goal_sets"].values()
    assert (found["played"], found["aborted"], found["won"], found["lost"]) == (2, 2, 1, 1)
    assert (games["percent_played"], games["quality"], games["clemscore"]) == (50.0, 50.0, 25.0)


def test_dialogues_without_a_protocol_are_no_games() -> None:
    assert games_summary([entry(protocol="")]) is None


def test_violations_are_counted_by_side_and_kind() -> None:
    slips = (
        Violation(Side.SYSTEM, Breach.NO_CALL, "words", 1),
        Violation(Side.SYSTEM, Breach.NO_CALL, "words", 2),
        Violation(Side.USER, Breach.ENDING_NOT_ALONE, "Thanks! DONE", 2),
        Violation(Side.SYSTEM, Breach.WRONG_VALUE, "stars", 2),
    )
    entries = [entry(protocol="lenient", violations=slips), entry(protocol="lenient")]
    counted = violation_counts(entries)
    assert counted == {
        "system": {"no_call": 2, "wrong_value": 1},
        "user": {"ending_not_alone": 1},
    }
    rows = list(game_lines(games_summary(entries), counted))
    assert rows[1][1:7] == ["2", "0", "2", "0", "100.00", "100.00"]
    assert rows[2][-1] == "100.00"
    assert [row[:2] for row in rows[3:]] == [
        ["  violation, system: no_call", "2"],
        ["  violation, system: wrong_value", "1"],
        ["  violation, user: ending_not_alone", "1"],
    ]
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("games", [None])
def test_without_games_there_is_a_heading_alone(games: None) -> None:
    assert len(list(game_lines(games, {}))) == 1
