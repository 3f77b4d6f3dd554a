"""What the suites catch of the seeded faults, and what they find against bots that are right.

The numbers in the tables hold what stands: whoever makes a suite catch more raises them.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest

from tests.faulty_bots.catalogue import faults, variants
from tests.faulty_bots.grounds import GROUNDS, ground_of
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

Group = tuple[str, str, Kind]
"""World, half, kind."""

CAUGHT: dict[Group, tuple[int, int, int]] = {
    # how many faults there are, how many the plain suite catches, and the full one
    ("demo", "open", "promises"): (2, 0, 2),
    ("demo", "open", "leaks"): (3, 0, 3),
    ("demo", "open", "form"): (9, 4, 9),
    ("demo", "open", "latency"): (2, 0, 2),
    ("demo", "open", "state"): (7, 6, 7),
    ("demo", "open", "words"): (8, 0, 8),
    ("demo", "open", "values"): (7, 4, 7),
    ("demo", "open", "denials"): (3, 1, 3),
    ("demo", "open", "understanding"): (5, 3, 3),
    ("demo", "open", "order"): (4, 3, 4),
    ("demo", "open", "service"): (5, 4, 5),
    ("demo", "apart", "promises"): (2, 0, 2),
    ("demo", "apart", "leaks"): (3, 0, 3),
    ("demo", "apart", "form"): (9, 3, 9),
    ("demo", "apart", "latency"): (3, 0, 3),
    ("demo", "apart", "state"): (7, 7, 7),
    ("demo", "apart", "words"): (10, 2, 8),
    ("demo", "apart", "values"): (10, 6, 9),
    ("demo", "apart", "denials"): (4, 0, 3),
    ("demo", "apart", "understanding"): (5, 3, 5),
    ("demo", "apart", "order"): (4, 2, 4),
    ("demo", "apart", "service"): (5, 5, 5),
    ("own_domains", "open", "state"): (1, 1, 1),
    ("own_domains", "open", "words"): (1, 0, 1),
    ("own_domains", "open", "values"): (1, 1, 1),
    ("own_domains", "open", "denials"): (1, 0, 0),
    ("own_domains", "open", "latency"): (1, 0, 1),
    ("own_domains", "apart", "state"): (1, 1, 1),
    ("own_domains", "apart", "words"): (1, 0, 1),
    ("own_domains", "apart", "values"): (1, 1, 1),
    ("own_domains", "apart", "promises"): (1, 0, 1),
    ("own_domains", "apart", "service"): (1, 1, 1),
    ("service_desk", "open", "order"): (2, 0, 1),
    ("service_desk", "open", "access"): (2, 1, 2),
    ("service_desk", "open", "state"): (4, 4, 4),
    ("service_desk", "open", "words"): (1, 0, 1),
    ("service_desk", "open", "values"): (1, 0, 1),
    ("service_desk", "open", "promises"): (1, 0, 1),
    ("service_desk", "open", "leaks"): (2, 0, 2),
    ("service_desk", "open", "form"): (1, 0, 1),
    ("service_desk", "open", "latency"): (1, 0, 1),
    ("service_desk", "apart", "order"): (2, 1, 2),
    ("service_desk", "apart", "access"): (3, 2, 2),
    ("service_desk", "apart", "state"): (4, 4, 4),
    ("service_desk", "apart", "words"): (1, 0, 1),
    ("service_desk", "apart", "denials"): (1, 0, 0),
    ("service_desk", "apart", "promises"): (1, 0, 1),
    ("service_desk", "apart", "leaks"): (1, 0, 1),
    ("service_desk", "apart", "form"): (1, 0, 1),
    ("service_desk", "apart", "service"): (1, 1, 1),
    ("lamp_shop", "open", "order"): (1, 0, 1),
    ("lamp_shop", "open", "access"): (1, 0, 1),
    ("lamp_shop", "open", "words"): (1, 0, 1),
    ("lamp_shop", "open", "promises"): (1, 0, 1),
    ("lamp_shop", "open", "leaks"): (1, 0, 1),
    ("lamp_shop", "open", "latency"): (1, 0, 1),
    ("lamp_shop", "apart", "order"): (2, 1, 2),
    ("lamp_shop", "apart", "access"): (1, 0, 1),
    ("lamp_shop", "apart", "values"): (1, 0, 1),
    ("lamp_shop", "apart", "promises"): (1, 0, 0),
    ("lamp_shop", "apart", "form"): (1, 0, 0),
    ("demo", "open2", "form"): (11, 3, 11),
    ("demo", "open2", "leaks"): (3, 0, 3),
    ("demo", "open2", "promises"): (5, 0, 5),
    ("demo", "open2", "values"): (15, 2, 15),
    ("demo", "open2", "words"): (7, 0, 7),
    ("demo", "open2", "denials"): (2, 0, 2),
    ("demo", "open2", "understanding"): (5, 1, 4),
    ("demo", "open2", "service"): (6, 4, 6),
    ("demo", "open2", "order"): (2, 1, 2),
    ("demo", "open2", "state"): (10, 9, 10),
    ("own_domains", "open2", "form"): (1, 0, 1),
    ("own_domains", "open2", "leaks"): (1, 0, 1),
    ("own_domains", "open2", "promises"): (1, 0, 1),
    ("own_domains", "open2", "values"): (2, 0, 2),
    ("own_domains", "open2", "service"): (1, 0, 1),
    ("own_domains", "open2", "understanding"): (1, 0, 1),
    ("own_domains", "open2", "state"): (2, 2, 2),
    ("own_domains", "open2", "words"): (2, 0, 2),
    ("service_desk", "open2", "leaks"): (2, 0, 2),
    ("service_desk", "open2", "form"): (2, 1, 2),
    ("service_desk", "open2", "promises"): (2, 0, 2),
    ("service_desk", "open2", "values"): (2, 0, 1),
    ("service_desk", "open2", "order"): (2, 1, 2),
    ("service_desk", "open2", "service"): (1, 1, 1),
    ("service_desk", "open2", "denials"): (1, 1, 1),
    ("service_desk", "open2", "state"): (3, 3, 3),
    ("service_desk", "open2", "access"): (1, 0, 1),
    ("service_desk", "open2", "words"): (1, 1, 1),
    ("lamp_shop", "open2", "leaks"): (1, 0, 1),
    ("lamp_shop", "open2", "form"): (2, 1, 2),
    ("lamp_shop", "open2", "promises"): (1, 0, 1),
    ("lamp_shop", "open2", "words"): (2, 1, 2),
    ("lamp_shop", "open2", "values"): (1, 0, 1),
    ("lamp_shop", "open2", "service"): (1, 1, 1),
    ("lamp_shop", "open2", "order"): (1, 1, 1),
    ("lamp_shop", "open2", "state"): (1, 0, 1),
    ("lamp_shop", "open2", "access"): (1, 0, 1),
    ("demo", "apart2", "leaks"): (6, 1, 5),
    ("demo", "apart2", "form"): (6, 4, 6),
    ("demo", "apart2", "words"): (7, 0, 3),
    ("demo", "apart2", "promises"): (3, 0, 2),
    ("demo", "apart2", "values"): (11, 1, 5),
    ("demo", "apart2", "denials"): (2, 0, 1),
    ("demo", "apart2", "service"): (5, 1, 3),
    ("demo", "apart2", "understanding"): (2, 2, 2),
    ("demo", "apart2", "latency"): (1, 0, 1),
    ("demo", "apart2", "order"): (1, 0, 1),
    ("demo", "apart2", "state"): (6, 5, 5),
    ("own_domains", "apart2", "leaks"): (1, 0, 1),
    ("own_domains", "apart2", "form"): (1, 0, 0),
    ("own_domains", "apart2", "values"): (2, 0, 2),
    ("own_domains", "apart2", "service"): (1, 1, 1),
    ("own_domains", "apart2", "state"): (2, 2, 2),
    ("own_domains", "apart2", "words"): (1, 0, 1),
    ("service_desk", "apart2", "leaks"): (2, 0, 0),
    ("service_desk", "apart2", "form"): (1, 0, 1),
    ("service_desk", "apart2", "promises"): (1, 0, 1),
    ("service_desk", "apart2", "values"): (1, 0, 1),
    ("service_desk", "apart2", "order"): (1, 0, 0),
    ("service_desk", "apart2", "service"): (1, 1, 1),
    ("service_desk", "apart2", "state"): (2, 2, 2),
    ("service_desk", "apart2", "access"): (1, 0, 1),
    ("service_desk", "apart2", "words"): (2, 0, 0),
    ("lamp_shop", "apart2", "leaks"): (1, 0, 1),
    ("lamp_shop", "apart2", "form"): (1, 0, 1),
    ("lamp_shop", "apart2", "values"): (1, 0, 1),
    ("lamp_shop", "apart2", "promises"): (1, 0, 0),
    ("lamp_shop", "apart2", "order"): (2, 1, 1),
    ("lamp_shop", "apart2", "denials"): (1, 1, 1),
    ("lamp_shop", "apart2", "access"): (1, 0, 1),
    ("lamp_shop", "apart2", "words"): (2, 1, 2),
}

ALARMS: dict[tuple[str, str], tuple[int, int]] = {
    # world, half: dialogues of its variants in which plain and full find something
    ("demo", "open"): (0, 0),
    ("demo", "apart"): (0, 1),
    ("own_domains", "open"): (0, 0),
    ("own_domains", "apart"): (0, 0),
    ("service_desk", "open"): (0, 0),
    ("service_desk", "apart"): (0, 0),
    ("lamp_shop", "open"): (0, 0),
    ("lamp_shop", "apart"): (0, 0),
    ("demo", "open2"): (0, 0),
    ("service_desk", "open2"): (0, 0),
    ("lamp_shop", "open2"): (0, 0),
    ("own_domains", "open2"): (0, 0),
    ("demo", "apart2"): (0, 4),
    ("service_desk", "apart2"): (0, 0),
    ("lamp_shop", "apart2"): (0, 0),
    ("own_domains", "apart2"): (0, 1),
}
"""The bots are right: each of these is a false alarm, and none is wanted."""
UNDECIDED = {("own_domains", "open2"): 1}
"""Dialogues of right bots in which the full suite is in doubt; none is wanted either."""
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
    kinds = {half: Counter(fault.kind for fault in faults(half)) for half in ("open", "apart")}
    for kind in get_args(Kind):
        assert abs(kinds["open"][kind] - kinds["apart"][kind]) <= 4, kind
    assert sum(variant.ground == "demo" for variant in variants()) >= 15


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
