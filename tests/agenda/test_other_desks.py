"""Desks of others, right and with seeded faults: what `benchmarks/steps_faults.py` counts."""

import pytest

from benchmarks.steps_faults import DESKS, FAULTS, played
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.agenda.styles import STYLES


@pytest.mark.parametrize("desk", DESKS)
def test_a_right_desk_is_not_blamed(desk: str) -> None:
    for style in STYLES:
        dialogue, wrong = played(desk, "", style)
        assert (style, wrong) == (style, [])
        assert dialogue.stop_reason is not StopReason.SIMULATOR_FAULT


@pytest.mark.parametrize("desk", DESKS)
def test_a_fault_of_a_desk_is_found(desk: str) -> None:
    assert [fault for fault in FAULTS if not played(desk, fault, "plain")[1]] == []


@pytest.mark.parametrize(
    ("fault", "rule"),
    [("without asking", "asks-before-it-acts"), ("done and denied", "not-denied-if-done")],
)
def test_the_rule_that_is_broken_is_named(fault: str, rule: str) -> None:
    for desk in DESKS:
        assert rule in played(desk, fault, "plain")[1]
