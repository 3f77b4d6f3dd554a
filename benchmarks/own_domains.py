"""Whether a correct bot over domains of one's own passes, in whatever wording it speaks.

    python benchmarks/own_domains.py
    python benchmarks/own_domains.py --wording sms --domain cinema --show
    python benchmarks/own_domains.py --which apart         # held out: look at its totals only

Plays each goal of `hearing/own_domains.py` with the agenda user, in each wording, and judges
it three times over: with a backend that shows its bookings, with one that also answers queries, and
without any backend. The bot is correct and says only what is true, so whatever does not pass was
misheard, by the user or by a verdict. Printed are passed/failed/fault by domain and wording.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).parents[1]))  # the tests are no package that is installed

from benchmarks.hearing import own_domains, own_domains_apart
from benchmarks.hearing.own_domains import Desk, DeskWithCatalogue, bot_over, own_goals
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue

MODULES: Mapping[str, Any] = {"open": own_domains, "apart": own_domains_apart}

WAYS = ("bookings", "catalogue", "none")
"""What of the bot's desk is seen: its bookings, also its catalogue, nothing."""
Key = tuple[str, str, str]
"""Domain, wording, way."""
Counts = dict[Key, Counter[str]]


def main() -> None:
    options = _options()
    counts: Counts = defaultdict(Counter)
    for way in options.way or WAYS:
        for wording in options.wording or MODULES[options.which].WORDINGS:
            for goal in _goals(options.which, options.domain):
                dialogue = play(goal, wording, way, options.seed, options.which)
                result = outcome(dialogue)
                counts[goal.domains[0].domain, wording, way][result] += 1
                if options.show and result != "passed":
                    print(shown(dialogue, wording, way))
    print(f"{'':14}{'':16}" + "".join(f"{way:>12}" for way in WAYS))
    for line in table(counts):
        print(line)


def play(goal: Goal, wording: str, way: str, seed: int = 0, which: str = "open") -> Dialogue:
    """One dialogue with its verdicts."""
    module = MODULES[which]
    desk = Desk(goal) if way == "bookings" else DeskWithCatalogue(goal, module.DOMAINS)
    backend = None if way == "none" else desk
    bot = bot_over(desk, module.WORDINGS[wording], module.DOMAINS)
    dialogue = run_dialogue(goal, AgendaUser(goal, seed=seed), bot, backend=backend)
    return replace(dialogue, verdicts=evaluate(dialogue, backend))


def outcome(dialogue: Dialogue) -> str:
    """What became of a dialogue."""
    verdicts = dialogue.verdicts.values()
    if any(not verdict.passed and not verdict.doubt for verdict in verdicts):
        return "failed" if dialogue.fault is None else "fault"
    doubted = any(verdict.doubt for verdict in verdicts)
    return "fault" if dialogue.fault is not None or doubted else "passed"


def shown(dialogue: Dialogue, wording: str, way: str) -> str:
    """A dialogue that did not pass: what was said, and why."""
    lines = [f"===== {dialogue.goal.id} | {wording} | {way} | {dialogue.stop_reason}"]
    lines += [f"      {dialogue.fault or ''} {dialogue.detail}"]
    lines += [f"   !! {v.name}: {v.reason}" for v in dialogue.verdicts.values() if not v.passed]
    for turn in dialogue.turns:
        lines += [f"U: {turn.user}", f"B: {turn.system}"]
    return "\n".join([*lines, f"U: {dialogue.last_words}", ""])


def table(counts: Counts) -> Iterator[str]:
    """Passed/failed/fault by domain and wording, then by wording, then in all."""
    domains = list(dict.fromkeys(key[0] for key in counts))
    wordings = list(dict.fromkeys(key[1] for key in counts))
    for domain in domains:
        for wording in wordings:
            yield _line(counts, domain, wording)
    for domain in domains:
        yield _line(counts, domain, "")
    for wording in wordings:
        yield _line(counts, "", wording)
    yield _line(counts, "", "")


def _line(counts: Counts, domain: str, wording: str) -> str:
    """One line; empty stands for all."""
    cells = []
    for way in WAYS:
        total: Counter[str] = Counter()
        for key, count in counts.items():
            if key[2] == way and domain in ("", key[0]) and wording in ("", key[1]):
                total += count
        cells.append("/".join(str(total[name]) for name in ("passed", "failed", "fault")))
    names = f"{domain or 'all domains':14}{wording or 'all wordings':16}"
    return names + "".join(f"{cell:>12}" for cell in cells)


def _goals(which: str, domains: list[str] | None) -> Iterator[Goal]:
    for goal in own_goals(MODULES[which].GOALS):
        if not domains or goal.domains[0].domain in domains:
            yield goal


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--which", default="open", choices=list(MODULES))
    parser.add_argument("--domain", action="append", help="only this domain")
    parser.add_argument("--wording", action="append", help="only this wording")
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="transcripts of what did not pass")
    return parser.parse_args()


if __name__ == "__main__":
    main()
