"""The reference bot on made-up goals beside real ones; in-process, no pytest.

    python benchmarks/made_up_goals.py --goals 500 --data ../shared/data
    python benchmarks/made_up_goals.py --source demo --goals 500

Prints, for the set's own goals and for synthetic, unfulfillable and unrealistic ones: how many are
passed by a bot that does nothing, how many dialogues succeeded, booked and refused, how many were
undecided, and how many that succeeded left a booking (of goals that nobody can meet: none may).
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.made_up.asked import MadeUp, MadeUpKind
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.trivial import trivial


def play(goals: GoalSet, goal: Goal) -> Counter[str]:
    """What one dialogue of the reference bot comes to."""
    if goals.world.impossible(goal):
        return Counter(["nobody can meet"])
    backend = goals.world.backend(goal)
    played = run_dialogue(goal, goals.world.user(goal), RuleSystem, backend=backend)
    if played.fault is not None:
        return Counter([f"fault: {played.fault}"])
    verdicts = goals.world.evaluate(played, backend)
    found = Counter(["played"])
    for name, verdict in verdicts.items():
        state = "undecided" if verdict.undecided else "yes" if verdict.passed else "no"
        found[f"{name} {state}"] += verdict.applicable
    succeeded = verdicts["success"].passed and not verdicts["success"].undecided
    found["success with a booking"] += succeeded and bool(backend.bookings())
    return found


def line(name: str, goals: GoalSet, chosen: Sequence[Goal]) -> str:
    """A line of counts."""
    found: Counter[str] = sum((play(goals, goal) for goal in chosen), Counter())
    idle = sum(trivial(goal, goals).passes is not None for goal in chosen)
    shown = [
        f"{metric} {found[f'{metric} yes']}/{sum(found[f'{metric} {s}'] for s in STATES)}"
        f" ({found[f'{metric} undecided']} undecided)"
        for metric in ("success", "booking", "refusal")
    ]
    faults = [f"{count} {what}" for what, count in found.items() if what.startswith("fault")]
    booked = f"success with a booking {found['success with a booking']}"
    return (
        f"{name:14} {found['played']:5} played, {found['nobody can meet']} nobody can meet, "
        f"passed by doing nothing {idle}; {', '.join(shown)}; "
        f"{booked}; {', '.join(faults) or 'no fault'}"
    )


STATES = ("yes", "no", "undecided")


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", default="multiwoz")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--goals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    settings = {"data": given.data}
    real = registry.load(given.source, settings=settings)
    print(line("real", real, real.goals[: given.goals]), flush=True)
    for kind in MadeUpKind:
        made = registry.load(MadeUp(kind, given.source, given.goals, given.seed), settings=settings)
        print(line(kind, made, made.goals), flush=True)


if __name__ == "__main__":
    main()
