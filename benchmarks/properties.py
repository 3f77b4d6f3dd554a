"""What properties, relations, mutants and limit-testing users find, and what they blame wrongly.

python benchmarks/properties.py bugs          # 20 planted bugs: found, shrunk, again by a seed
python benchmarks/properties.py bugs --random # the same by random goals, without shrinking
"""

import argparse
import re
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(1, str(Path(__file__).parents[1]))

from benchmarks.planted_bugs import BUGS
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.properties.playing import play
from pytest_todeval.properties.relations import RELATIONS
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
        self.smallest: DrawnConversation | None = None
        self.why = ""

    def fails(self, conversation: DrawnConversation) -> bool:
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
        def holds(conversation: DrawnConversation) -> None:
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


class BooksForOne(RuleSystem):
    """Books for one once something was said in a way that it does not get."""

    lost = False

    def book(self, state: Any, arguments: dict[str, str]) -> Any:
        if self.lost and "people" in arguments:
            arguments = {**arguments, "people": "1"}
        return super().book(state, arguments)


class OrderMatters(BooksForOne):
    """Does not get the number of people if it comes before the day."""

    def respond(self, text: str) -> Any:
        day = re.search("(mon|tues|wednes|thurs|fri|satur|sun)day", text.lower())
        who = re.search("people|person|of us", text.lower())
        self.lost = self.lost or bool(day and who and who.start() < day.start())
        return super().respond(text)


class NoSynonyms(BooksForOne):
    """Gets people and persons, and no other word for them."""

    def respond(self, text: str) -> Any:
        other = re.search("individuals|guests|of us|folks|travellers|adults", text.lower())
        self.lost = self.lost or other is not None
        return super().respond(text)


class GreetsBack(BooksForOne):
    """Is lost once it is greeted."""

    def respond(self, text: str) -> Any:
        self.lost = self.lost or "nice day" in text
        return super().respond(text)


class DeafToCapitals(BooksForOne):
    """Takes no number from words in capitals."""

    def respond(self, text: str) -> Any:
        self.lost = text.isupper()
        return super().respond(text)


class LikesCats(BooksForOne):
    """Is lost once it hears of a cat."""

    def respond(self, text: str) -> Any:
        self.lost = self.lost or "cat" in text.split()
        return super().respond(text)


class ForgetsWhatIsSplit(BooksForOne):
    """Does not get wishes that come one by one."""

    alone = 0

    def update(self, heard: Any) -> None:
        super().update(heard)
        self.alone += len(heard.informs) == 1
        self.lost = self.alone >= 3


class LosesTheFourth(BooksForOne):
    """Does not get more than two wishes in its first turn."""

    def update(self, heard: Any) -> None:
        super().update(heard)
        self.lost = self.lost or (self.state.turn == 1 and len(heard.informs) > 2)


class KeepsTheFirst(RuleSystem):
    """Keeps the first value that it heard."""

    def update(self, heard: Any) -> None:
        known = {d: {**s.constraints, **s.booking} for d, s in self.state.domains.items()}
        informs = [i for i in heard.informs if i.slot not in known.get(i.domain, {})]
        super().update(replace(heard, informs=tuple(informs)))


class NeverTwice(RuleSystem):
    """Ends the dialogue if it is asked the same again."""

    def answer_request(self, state: Any, request: Any) -> str:
        key = state.domain, request.slot
        self.asked_for = [*getattr(self, "asked_for", ()), key]
        if self.asked_for.count(key) > 1:
            raise RuntimeError("told already")
        return super().answer_request(state, request)


class FindsMoreForMore(RuleSystem):
    """Searches with its first wish only if there are three."""

    def constraints_for(self, state: Any) -> dict[str, str]:
        wanted = super().constraints_for(state)
        return dict([*wanted.items()][:1]) if len(wanted) >= 3 else wanted


MUTANTS_OF_RELATIONS = {
    "reordered": OrderMatters,
    "paraphrased": NoSynonyms,
    "greeting": GreetsBack,
    "shouted": DeafToCapitals,
    "aside": LikesCats,
    "split": ForgetsWhatIsSplit,
    "at_once": LosesTheFourth,
    "corrected": KeepsTheFirst,
    "asked_twice": NeverTwice,
    "stricter": FindsMoreForMore,
}


def relations(options: argparse.Namespace) -> None:
    drawn: list[DrawnConversation] = []

    @seed(options.seed)
    @settings(
        max_examples=options.goals,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(conversations("demo", satisfiable=None, steps=2, styles=False))
    def draw(conversation: DrawnConversation) -> None:
        drawn.append(conversation)

    draw()
    print(f"{'relation':12} applies  broken by the reference bot   mutant caught in")
    first = {each.name: play(each, RuleSystem) for each in drawn}
    of_mutants: dict[tuple[str, str], Dialogue] = {}
    for name, relation in RELATIONS.items():
        if options.only and options.only != name:
            continue
        pairs = [(e, other) for e in drawn if (other := relation.other(e)) is not None]
        broken = []
        for each, other in pairs:
            if why := held(relation, first[each.name], play(other, RuleSystem)):
                broken.append((why, other))
        bot, caught = MUTANTS_OF_RELATIONS[name], 0
        for each, other in pairs[:60]:
            key = bot.__name__, each.name
            of_mutants.setdefault(key, play(each, bot))
            caught += bool(held(relation, of_mutants[key], play(other, bot)))
        shown = "; ".join(f"{why} {other!r}" for why, other in broken[: options.show])
        of = f"{len(broken)} of {len(pairs)}"
        print(
            f"{name:12} {len(pairs):7} {of:>28} {caught:3} of {len(pairs[:60])}  {shown}",
            flush=True,
        )


def held(relation: Any, first: Dialogue, second: Dialogue) -> str:
    """What is broken, as a test says it: of dialogues that say something about the bot."""
    sound = (None, Outcome.FAILED)
    if first.fault is not None or wrong(first) or second.fault not in sound:
        return ""
    return str(relation.broken(first, second))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("bugs", "relations"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--once", action="store_true", help="no second hunt by the same seed")
    parser.add_argument("--goals", type=int, default=200)
    parser.add_argument("--show", type=int, default=1)
    options = parser.parse_args()
    {"bugs": bugs, "relations": relations}[options.what](options)


if __name__ == "__main__":
    main()
