"""What properties, relations, mutants and limit-testing users find, and what they blame wrongly.

python benchmarks/properties.py bugs          # 20 planted bugs: found, shrunk, again by a seed
python benchmarks/properties.py bugs --random # the same by random goals, without shrinking
"""

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(1, str(Path(__file__).parents[1]))

from benchmarks.planted_bugs import BUGS
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.judge.rule_judge import RuleJudge
from pytest_todeval.play.conversation import Conversation
from pytest_todeval.properties.playing import play
from pytest_todeval.properties.smaller import smaller, smallest
from pytest_todeval.strategies import conversations
from pytest_todeval.systems import RuleSystem

EXAMPLES = 500


def wrong(dialogue: Dialogue) -> str:
    """What an ordinary test of it finds; empty if it passes, or says nothing about the bot."""
    if dialogue.fault not in (None, Outcome.FAILED):
        return ""
    if dialogue.fault is Outcome.FAILED:
        return str(dialogue.detail)
    verdicts = dialogue.verdicts
    for name in ("success", "booking", "refusal"):
        found = verdicts.get(name)
        if found is not None and found.applicable and not found.undecided and not found.passed:
            return f"{name}: {found.reason}"
    report = RuleJudge().rules(dialogue)
    return "" if report else f"rules: {report!r}"


class Hunt:
    """Hypothesis looks for a conversation in which a bot fails."""

    def __init__(self, bot: type[Any], number: int) -> None:
        self.bot, self.number = bot, number
        self.played = self.first = 0
        self.smallest: Conversation | None = None
        self.why = ""

    def fails(self, conversation: Conversation) -> bool:
        self.played += 1
        why = wrong(play(conversation, self.bot))
        self.why = why or self.why
        return bool(why)

    def run(self) -> "Hunt":
        @seed(self.number)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        @given(conversations("demo"))
        def holds(conversation: Conversation) -> None:
            if self.smallest is None and self.fails(conversation):
                self.first = self.played
                self.smallest = smallest(conversation, self.fails)
            assert self.smallest is None

        started = time.process_time()
        with suppress(AssertionError):
            holds()
        self.seconds = time.process_time() - started
        return self


def bugs(options: argparse.Namespace) -> None:
    print(f"{'bug':32} found after  dialogues   CPU s  can be left out  again  smallest goal")
    for bug in BUGS:
        if options.only and options.only not in bug.__name__:
            continue
        hunt = Hunt(bug, options.seed).run()
        if hunt.smallest is None:
            print(f"{bug.__name__:32} not found in {hunt.played}, {hunt.seconds:.0f} s", flush=True)
            continue
        left_out = sum(bool(wrong(play(each, bug))) for each in smaller(hunt.smallest))
        right = wrong(play(hunt.smallest, RuleSystem))
        same = (
            ""
            if options.once
            else repr(Hunt(bug, options.seed).run().smallest) == repr(hunt.smallest)
        )
        print(
            f"{bug.__name__:32} {hunt.first:11} {hunt.played:10} {hunt.seconds:7.1f} {left_out:16}"
            f"  {same!s:5} {'ALSO RIGHT BOT ' if right else ''} {hunt.smallest}; {hunt.why[:150]}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("bugs",))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--once", action="store_true", help="no second hunt by the same seed")
    options = parser.parse_args()
    {"bugs": bugs}[options.what](options)


if __name__ == "__main__":
    main()
