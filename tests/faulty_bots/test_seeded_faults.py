"""What the suites catch of the seeded faults, and what they find against bots that are right.

What stands is in `ratchet.py`.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest

from tests.faulty_bots.catalogue import faults, variants
from tests.faulty_bots.grounds import GROUNDS, ground_of
from tests.faulty_bots.prose import DeskProse, ModelProse, ShopProse
from tests.faulty_bots.ratchet import ALARMS, CAUGHT, UNDECIDED, Group
from tests.faulty_bots.seeded import Kind, SeededFault, Variant
from tests.faulty_bots.stored import alarms_in
from tests.faulty_bots.suites import PLAIN, RULE_SETS
from tests.faulty_bots.tally import Kills, alarms_of, kills_of
from tests.support.library_world import bot, call, set_field, user

pytestmark = pytest.mark.thorough

ENOUGH = 2
"""Dialogues in which a fault fires before the next fault is played."""
MOST_GOALS = 24
"""Goals played until it has."""

VARIANT_GOALS = 8
"""Goals that each variant is played on."""


def group_of(fault: SeededFault) -> Group:
    return fault.ground, fault.half, fault.kind


GROUPS: dict[Group, list[SeededFault]] = defaultdict(list)
for _fault in faults():
    GROUPS[group_of(_fault)].append(_fault)


@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_suites_catch_what_they_have_caught(group: Group) -> None:
    kills = [kills_of(fault, MOST_GOALS, enough=ENOUGH) for fault in GROUPS[group]]
    assert [each.fault.name for each in kills if not each.fired] == []
    assert alike(kills) == []
    count, plain, full = CAUGHT[group]
    assert len(kills) == count
    assert sum(bool(each.caught["plain"]) for each in kills) >= plain
    assert sum(bool(each.caught["full"]) for each in kills) >= full


def alike(kills: list[Kills]) -> list[tuple[str, ...]]:
    """Faults that show in the same way in a dialogue: one of them is none of its own."""
    shown: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in kills:
        for goal, dialogue in each.shown.items():
            shown[goal, dialogue].append(each.fault.name)
    return [tuple(names) for names in shown.values() if len(names) > 1]


@pytest.mark.parametrize(("world", "half"), ALARMS)
def test_right_bots_raise_no_more_alarms(world: str, half: str) -> None:
    right = [variant for variant in variants(half) if variant.ground == world]
    alarms = [alarms_of(variant, VARIANT_GOALS) for variant in right]
    plain, full = ALARMS[world, half]
    assert sum(len(each.raised["plain"]) for each in alarms) <= plain
    assert sum(len(each.raised["full"]) for each in alarms) <= full
    assert sum(len(each.undecided) for each in alarms) <= UNDECIDED.get((world, half), 0)
    assert sum(each.differs for each in alarms) > 0


@pytest.mark.parametrize("world", GROUNDS)
def test_healthy_bots_pass_the_plain_suite(world: str) -> None:
    ground = ground_of(world)
    alarms = alarms_of(Variant(world, ground.healthy), VARIANT_GOALS)
    assert alarms.raised["plain"] == {}
    assert alarms.differs == 0  # the same seed plays the same dialogue


def test_a_finding_against_every_bot_catches_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A rule that each reply breaks finds nothing against the fault."""
    silence = tmp_path / "silence.yaml"
    silence.write_text("rules: [{id: silence, says: Be silent., never: {pattern: .}}]\n")
    monkeypatch.setitem(RULE_SETS, "demo", (str(silence),))
    fault = next(each for each in faults("open") if each.name == "LeaksPrices")
    ground = GROUNDS["demo"]()  # of which nothing has been judged by other rules
    kills = kills_of(fault, 3, ground)
    assert len(kills.fired) == 3
    assert kills.caught["full"] == []
    healthy = alarms_of(Variant("demo", ground.healthy), 3, ground)
    assert len(healthy.raised["full"]) == 3


def test_faults_are_many_documented_and_halved() -> None:
    every = faults()
    assert len(every) >= 120
    assert [fault.name for fault in every if not fault.bot.__dict__.get("__doc__")] == []
    assert {fault.kind for fault in every} == set(get_args(Kind))
    names = Counter((fault.ground, fault.name) for fault in every)
    assert [name for name, count in names.items() if count > 1] == []
    for half in ("open", "apart"):
        kinds = {fault.kind for fault in every if fault.apart is (half == "apart")}
        assert kinds == set(get_args(Kind)), half
    assert sum(variant.ground == "demo" for variant in variants()) >= 15


def test_faults_in_the_prose_of_models_are_compared_with_that_prose() -> None:
    for fault in faults():
        for right in (ModelProse, DeskProse, ShopProse):
            assert not issubclass(fault.bot, right) or fault.control is right, fault.name


def test_suites_know_every_world() -> None:
    assert {*GROUNDS, "multiwoz", "tau_bench"} == set(PLAIN) == set(RULE_SETS)


def test_stored_trajectories_that_earned_their_reward_are_judged(tmp_path: Path) -> None:
    renewed = call(set_field("L1", "weeks", 3), '{"weeks": 3}')
    asks = [user("Renew L1."), *renewed, bot("Done. What is your credit card number?")]
    stored = [
        {"task_id": task, "trial": 0, "reward": reward, "info": {}, "traj": said}
        for task, reward, said in (
            (0, 1.0, asks),
            (1, 0.0, asks),
            (2, 1.0, [*asks[:-1], bot("Ok.")]),
        )
    ]
    path = tmp_path / "trajectories.json"
    path.write_text(json.dumps(stored), encoding="utf-8")
    found = {d.goal.id: (len(d.tool_calls), list(f.failed)) for d, f in alarms_in(path)}
    assert found["0"] == (1, ["policy_compliance >= 4", "rule no-personal-details"])
    assert set(found) == {"0", "2"}
