"""What the loop costs per turn: a user and a bot that do nothing, against calling both directly."""

import argparse
import time
from typing import Any

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.user import Utterance


class Talker:
    """Says the same for a number of turns, then leaves."""

    def __init__(self, turns: int) -> None:
        self.left = turns

    def respond(self, turn: Turn | None) -> Utterance:
        self.left -= 1
        return Utterance("go on", StopReason.USER_DONE if self.left < 0 else None)


def answer(text: str, history: list[dict[str, str]]) -> str:
    return "yes?"


async def answer_async(text: str, history: list[dict[str, str]]) -> str:
    return "yes?"


def milliseconds_per_turn(bot: Any, dialogues: int, turns: int) -> float:
    goal = Goal("1", "benchmark", ())
    limits = Limits(max_turns=turns + 1)
    run_dialogue(goal, Talker(1), bot)  # starts the loop's thread
    started = time.perf_counter()
    for _ in range(dialogues):
        dialogue = run_dialogue(goal, Talker(turns), bot, limits=limits)
        assert len(dialogue.turns) == turns
    return (time.perf_counter() - started) / (dialogues * turns) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=500)
    parser.add_argument("--turns", type=int, default=10)
    given = parser.parse_args()
    for name, bot in (("function", answer), ("async function", answer_async)):
        cost = milliseconds_per_turn(bot, given.dialogues, given.turns)
        print(f"{name}: {cost:.3f} ms per turn ({given.dialogues} x {given.turns} turns)")


if __name__ == "__main__":
    main()
