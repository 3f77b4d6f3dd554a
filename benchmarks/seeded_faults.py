"""How many seeded faults of bots the suites catch, and what they find against bots that are right.

    python benchmarks/seeded_faults.py --world demo --faults open
    python benchmarks/seeded_faults.py --world multiwoz --data ../shared/data/multiwoz --limit 40
    python benchmarks/seeded_faults.py --faults all --json kills.json
    python benchmarks/seeded_faults.py --trajectories trajectories_gpt-4o.json

Plays each mutant of `tests/faulty_bots` on goals with which it can show, and the healthy bot under
the same seed. A mutant *fires* in a dialogue that differs from the healthy bot's. It is caught if a
suite (`tests/faulty_bots/suites.py`) finds something that it does not find against the healthy
bot. Then it plays the healthy bots and variants that are as right: what is found is a false alarm.

Half of the faults and variants are kept apart, to measure rules on what their writers have not
seen: `--faults apart` names none of them unless `--names` asks for it. `open4`, `apart4` and the
like are later rounds, seeded by somebody who had not read the rules; of the rounds before the
fourth those faults are left that alone show what a rule or verdict catches. A fault of a bot that
speaks otherwise than the healthy one fires in a dialogue that differs from that bot's.

`--trajectories` plays nothing: it lists what the full suite finds against stored trajectories of
tau-bench that earned a reward of 1.0, to be read one by one.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, get_args

sys.path.insert(1, str(Path(__file__).parents[1]))  # the tests are no package that is installed

from pytest_todeval.evaluate.judge.rule_answers import merged_rules
from tests.faulty_bots.catalogue import HALVES, faults, variants
from tests.faulty_bots.grounds import GROUNDS, Ground, ground_of, multiwoz
from tests.faulty_bots.seeded import Kind, SeededFault, Variant
from tests.faulty_bots.stored import alarms_in
from tests.faulty_bots.suites import RULE_SETS, SUITES
from tests.faulty_bots.tally import (
    Alarms,
    Kills,
    alarms_of,
    by_dialogue,
    by_mutant,
    kills_of,
    rate,
    survivors,
)

LIMIT = 12
"""Goals per fault in worlds that have many; of tasks all are played."""
ALL_ARE_PLAYED = ("service_desk", "lamp_shop")


def main() -> None:
    options = _options()
    if options.trajectories is not None:
        print("\n".join(_stored(options.trajectories)))
        return
    started = time.perf_counter()
    worlds = [*GROUNDS] if options.world == "all" else [options.world]
    played = [fault for fault in faults(options.faults) if _at(fault.ground, options) in worlds]
    right = [each for each in variants(options.faults) if _at(each.ground, options) in worlds]
    healthy = [Variant(w, _ground(w, options).healthy) for w in worlds]
    with ProcessPoolExecutor(options.processes) as pool:
        kills = list(pool.map(partial(_kills, options=options), played, chunksize=4))
        alarms = list(pool.map(partial(_alarms, options=options), [*healthy, *right]))
    suites = SUITES if options.suite == "both" else (options.suite,)
    for line in chain(
        _totals(kills, suites, options), _kinds(kills, suites), _false(alarms, suites, options)
    ):
        print(line)
    for line in _survivors(kills, suites[-1], options):
        print(line)
    if options.rules:
        print("\n".join(_by_rule(alarms)))
    if options.each:
        print("\n".join(_each(kills, options)))
    if options.json:
        options.json.write_text(json.dumps(_plain(kills, alarms), indent=1), encoding="utf-8")
    print(f"{time.perf_counter() - started:.0f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--world", choices=("all", *GROUNDS, "multiwoz"), default="all")
    parser.add_argument("--suite", choices=(*SUITES, "both"), default="both")
    parser.add_argument("--faults", choices=(*HALVES, "all"), default="open")
    parser.add_argument("--limit", type=int, help=f"goals per fault; {LIMIT}, of tasks all")
    parser.add_argument("--data", type=Path, help="the folder of MultiWOZ")
    parser.add_argument("--split", default="test")
    parser.add_argument("--names", action="store_true", help="name faults that are kept apart")
    parser.add_argument("--rules", action="store_true", help="false alarms of each rule")
    parser.add_argument("--each", action="store_true", help="a line for each fault")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--trajectories", type=Path, help="stored trajectories of tau-bench")
    options = parser.parse_args()
    if options.world == "multiwoz" and options.data is None:
        parser.error("--world multiwoz needs --data: the folder that holds MultiWOZ")
    return options


def _at(ground: str, options: argparse.Namespace) -> str:
    """Where it is played: faults of demo bots are played on MultiWOZ too."""
    return "multiwoz" if (ground, options.world) == ("demo", "multiwoz") else ground


def _ground(name: str, options: argparse.Namespace) -> Ground:
    return _multiwoz(options.data, options.split) if name == "multiwoz" else ground_of(name)


@cache
def _multiwoz(data: Path, split: str) -> Ground:
    return multiwoz(data, split)


def _limit(ground: Ground, options: argparse.Namespace) -> int | None:
    if options.limit is not None:
        return int(options.limit)
    return None if ground.name in ALL_ARE_PLAYED else LIMIT


def _kills(fault: SeededFault, options: argparse.Namespace) -> Kills:
    ground = _ground(_at(fault.ground, options), options)
    return kills_of(fault, _limit(ground, options), ground)


def _alarms(variant: Variant, options: argparse.Namespace) -> Alarms:
    ground = _ground(_at(variant.ground, options), options)
    limit = options.limit if options.limit is not None else None
    return alarms_of(variant, limit, ground)


def _totals(
    kills: Sequence[Kills], suites: Sequence[str], options: argparse.Namespace
) -> Iterator[str]:
    yield f"{'caught':14} {'suite':6} {'by mutant':>20} {'by fired dialogue':>24}"
    groups: dict[str, list[Kills]] = defaultdict(list)
    for each in kills:
        groups[_at(each.fault.ground, options)].append(each)
    if len(groups) > 1:
        groups["all"] = list(kills)
    for name, group in groups.items():
        for suite in suites:
            mutants, dialogues = by_mutant(group, suite), by_dialogue(group, suite)
            yield f"{name:14} {suite:6} {rate(*mutants):>20} {rate(*dialogues):>24}"
    silent = [each for each in kills if not each.fired]
    if silent:
        yield f"never fired: {_named(silent, options)}"


def _kinds(kills: Sequence[Kills], suites: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"{'kind':14} {'suite':6} {'by mutant':>20} {'by fired dialogue':>24}"
    for kind in get_args(Kind):
        group = [each for each in kills if each.fault.kind == kind]
        for suite in suites if group else ():
            mutants, dialogues = by_mutant(group, suite), by_dialogue(group, suite)
            yield f"{kind:14} {suite:6} {rate(*mutants):>20} {rate(*dialogues):>24}"


def _false(
    alarms: Sequence[Alarms], suites: Sequence[str], options: argparse.Namespace
) -> Iterator[str]:
    yield ""
    lead = f"{'false alarms':14} {'bot':26} {'differs':>8} {'undecided':>10}"
    yield lead + "".join(f"{suite:>16}" for suite in suites)
    for each in alarms:
        name = each.name if options.names or not each.apart else "(apart)"
        raised = "".join(f"{f'{len(each.raised[s])} of {each.played}':>16}" for s in suites)
        undecided = len(each.undecided)
        yield f"{each.ground:14} {name:26} {each.differs:>8} {undecided:>10}{raised}"
    for suite in suites:
        found = sum(len(each.raised[suite]) for each in alarms)
        whole = sum(each.played for each in alarms)
        yield f"{'all':14} {suite}: {found} of {whole} dialogues = {100 * found / whole:.1f} %"
        yield from _reasons(alarms, suite, options)


def _reasons(alarms: Sequence[Alarms], suite: str, options: argparse.Namespace) -> Iterator[str]:
    """Per world and assertion: in how many dialogues, and the first of the reasons."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    first: dict[tuple[str, str], str] = {}
    for each in alarms:
        for goal, found in each.raised[suite].items():
            for name, reason in found.items():
                key = (each.ground, name)
                counts[key] += 1
                shown = options.names or not each.apart
                first.setdefault(key, f"{each.name}, {goal}: {reason}" if shown else "(apart)")
    for key, count in sorted(counts.items(), key=lambda item: -item[1]):
        yield f"  {key[0]:14} {key[1]}: {count}, e.g. {first[key]:.160}"


def _by_rule(alarms: Sequence[Alarms]) -> Iterator[str]:
    """In how many dialogues of right bots each rule is broken, of those that it is asked of."""
    yield ""
    asked: dict[str, list[Alarms]] = defaultdict(list)
    for each in alarms:
        for rule in merged_rules(RULE_SETS[each.ground]).rules:
            asked[rule.id].append(each)
    for rule_id, judged in sorted(asked.items()):
        raised = [found for each in judged for found in each.raised["full"].values()]
        broken = sum(f"rule {rule_id}" in found for found in raised)
        yield f"{rule_id:32} {rate(broken, sum(each.played for each in judged)):>22}"


def _survivors(kills: Sequence[Kills], suite: str, options: argparse.Namespace) -> Iterator[str]:
    yield ""
    yield f"survivors of {suite}, by kind"
    for kind in get_args(Kind):
        group = [each for each in survivors(kills, suite) if each.fault.kind == kind]
        if group:
            yield f"  {kind}: {_named(group, options)}"


def _named(kills: Iterable[Kills], options: argparse.Namespace) -> str:
    kills = list(kills)
    shown = [each for each in kills if options.names or not each.fault.apart]
    names = [
        f"{each.fault.name} ({_at(each.fault.ground, options)}, {len(each.fired)} dialogues)"
        for each in shown
    ]
    hidden = len(kills) - len(shown)
    return ", ".join([*names, *([f"{hidden} kept apart"] if hidden else [])])


def _each(kills: Sequence[Kills], options: argparse.Namespace) -> Iterator[str]:
    yield ""
    for each in kills:
        if options.names or not each.fault.apart:
            caught = ", ".join(f"{suite} {len(each.caught[suite])}" for suite in SUITES)
            by = ", ".join(each.by["full"]) or "nothing"
            fired = f"fired {len(each.fired)} of {each.played}"
            yield f"{each.fault.kind:13} {each.fault.name:28} {fired}, caught: {caught}; by {by}"


def _stored(path: Path) -> Iterator[str]:
    """Each finding against trajectories that earned 1.0, then in how many there is any."""
    judged = list(alarms_in(path))
    for dialogue, found in judged:
        for name, reason in found.failed.items():
            yield f"task {dialogue.goal.id}, {name}: {reason:.200}"
    raised = sum(bool(found.failed) for _, found in judged)
    yield f"found something in {rate(raised, len(judged))} trajectories that earned 1.0"


def _plain(kills: Sequence[Kills], alarms: Sequence[Alarms]) -> dict[str, Any]:
    return {
        "faults": [
            {
                "name": each.fault.name,
                "world": each.fault.ground,
                "kind": each.fault.kind,
                "level": each.fault.level,
                "apart": each.fault.apart,
                "wrong": each.fault.bot.__doc__,
                "played": each.played,
                "fired": each.fired,
                "caught": each.caught,
                "undecided": each.undecided,
                "by": each.by,
            }
            for each in kills
        ],
        "right": [
            {
                "name": each.name,
                "world": each.ground,
                "apart": each.apart,
                "played": each.played,
                "differs": each.differs,
                "raised": each.raised,
                "undecided": each.undecided,
            }
            for each in alarms
        ],
    }


if __name__ == "__main__":
    main()
