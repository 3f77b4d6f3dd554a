"""Bots that earn nothing: one boasts, one denies, one checks; each once passed for good ones.

None of them shows its backend: verdicts rest on what they say and report.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry

__all__ = ["FALSE_PASSES", "passes", "played"]


class Boaster(RuleSystem):
    """Finds and tells what is asked; never books, and says that it can, in no time."""

    def try_to_book(self, state: DomainState) -> list[str]:
        """Not that it tries."""
        return ["I can have that booked for you in no time."]

    def order_taxi(self, state: DomainState) -> list[str]:
        """Nor that it orders one."""
        return ["I can have a taxi booked for you in no time."]


class Checker(Boaster):
    """Calls a tool that checks a booking, whenever it should book, and asks whether to book."""

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.checked = False

    def respond(self, text: str) -> Reply:
        """Its answer, with the check it made."""
        self.checked = False
        reply = super().respond(text)
        check = ToolCall("check_booking", {"day": "friday"}, {"available": True})
        return replace(reply, tool_calls=(check,)) if self.checked else reply

    def try_to_book(self, state: DomainState) -> list[str]:
        """A check, and a question."""
        self.checked = True
        return ["It is free. Shall I book it?"]

    def order_taxi(self, state: DomainState) -> list[str]:
        """The same of a taxi."""
        self.checked = True
        return ["One is free. Shall I book it?"]


class Denier:
    """Denies each venue that the user names, and has nothing else to say."""

    def __init__(self, backend: MultiwozBackend) -> None:
        vocabulary = backend.database.vocabulary()
        self.names = [name for names in vocabulary.names.values() for name in names]

    def respond(self, text: str) -> str:
        """The first name in the text, denied."""
        said = text.lower()
        name = next((name for name in self.names if name in said), "")
        return f"Sorry, {name.title() or 'that'} is not in our records."


Bot = Callable[[MultiwozBackend], object]
FALSE_PASSES: Mapping[str, tuple[Bot, str]] = {
    "never books, says it can": (Boaster, "booking"),
    "denies every venue": (Denier, "inform"),
    "checks, never books": (Checker, "booking"),
}
"""What the bot does -> the bot, and the verdict it must not pass."""


@cache
def demo() -> tuple[tuple[Goal, ...], MultiwozDatabase]:
    """The demo world's goals and database."""
    found = registry.load("demo")
    return tuple(found.goals), MultiwozDatabase.load(store.DEMO)


def goals_for(verdict: str) -> Iterator[Goal]:
    """The demo goals that a false pass could come from: with a booking, or a venue by name."""
    for goal in demo()[0]:
        named = any("name" in part.inform for part in goal.domains)
        if any(part.wants_booking for part in goal.domains) if verdict == "booking" else named:
            yield goal


def played(bot: Bot, goal: Goal) -> Dialogue:
    """A dialogue with a bot whose backend nobody sees, with its verdicts."""
    database = demo()[1]
    user = AgendaUser(goal, database.vocabulary())
    dialogue = run_dialogue(goal, user, bot(MultiwozBackend(database, goal)))
    return replace(dialogue, verdicts=evaluate(dialogue))


def passes(name: str) -> tuple[list[str], int]:
    """The ids of the goals on which a bot passes what it must not, and how many there are."""
    bot, verdict = FALSE_PASSES[name]
    goals = list(goals_for(verdict))
    found = [goal.id for goal in goals if played(bot, goal).verdicts[verdict].passed]
    return found, len(goals)
