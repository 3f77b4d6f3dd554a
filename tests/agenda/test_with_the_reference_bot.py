"""The user keeps to its goal in all demo goals; users with one fault each are told by it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.goals import store
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.agenda import Agenda
from pytest_todeval.simulation.agenda.memory import DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.worlds import registry
from tests.agenda.conduct import RULES, breaches, watch

DEMO = registry.load("demo")
DATABASE = MultiwozDatabase.load(store.DEMO)
NAMES = DATABASE.vocabulary()


@pytest.mark.parametrize("goal", DEMO.goals, ids=lambda goal: goal.id)
def test_the_user_keeps_to_its_goal(goal: Goal) -> None:
    steps, dialogue = watch(goal, AgendaUser(goal, NAMES, seed=goal.id), DATABASE)
    assert breaches(goal, steps, dialogue) == set(), dialogue.explain(full=True)


# Faulty users


class Forgetful(DomainPart):
    """Asks for what it was told."""

    @property
    def unanswered(self) -> tuple[str, ...]:
        return self.goal.request


class Hasty(DomainPart):
    """Says its first constraints and no more."""

    @property
    def untold(self) -> dict[str, str]:
        return {} if self.opened else super().untold


class Lavish(DomainPart):
    """Wants everything booked."""

    @property
    def wants_booking(self) -> bool:
        return True


class Easy(DomainPart):
    """Asks for nothing, and misses nothing."""

    @property
    def pending(self) -> tuple[str, ...]:
        return ()

    @property
    def lacks(self) -> list[str]:
        return []


class Dreamy(DomainPart):
    """Takes its booking for done before it is made."""

    @property
    def needs_booking(self) -> bool:
        return False

    @property
    def lacks(self) -> list[str]:
        return []


class Stubborn(DomainPart):
    """Never goes over to the alternative."""

    def take_alternative(self) -> dict[str, str]:
        return {}

    def take_alternative_booking(self) -> dict[str, str]:
        return {}


class Obstinate(DomainPart):
    """Says that it goes over to the alternative, and says no more of it than what stays."""

    def take_alternative(self) -> dict[str, str]:
        changed = super().take_alternative()
        self.told.update(changed)
        return dict.fromkeys(changed, "")


class Nosy(DomainPart):
    """Asks for one thing more than the goal does."""

    @property
    def unanswered(self) -> tuple[str, ...]:
        return (*super().unanswered, *({"address"} - self.answers.keys()))


class Inventive(Agenda):
    """Answers with a value that is not the goal's."""

    def _known(self, part: DomainPart, slot: str) -> dict[str, str]:
        return dict.fromkeys(super()._known(part, slot), "7")


class Jumpy(Agenda):
    """Comes back to its first domain in every turn."""

    def next_acts(self, reaction: Reaction, strikes: int) -> tuple[Say, ...]:
        acts = super().next_acts(reaction, strikes)
        first = Say(ActKind.GOOD, self.memory.parts[0].domain)
        self.last = (*acts, first) if acts else acts
        return self.last


class Parrot(AgendaUser):
    """Says its first words each time."""

    first = ""

    def respond(self, turn: Turn | None) -> Utterance:
        said = super().respond(turn)
        self.first = said.text if turn is None else self.first
        return replace(said, text=self.first)


def with_parts(faulty: type[DomainPart]) -> Callable[[Goal], AgendaUser]:
    def user(goal: Goal) -> AgendaUser:
        made = AgendaUser(goal, NAMES)
        made._memory.parts[:] = [faulty.of(part) for part in goal.domains]
        return made

    return user


def with_agenda(faulty: type[Agenda]) -> Callable[[Goal], AgendaUser]:
    def user(goal: Goal) -> AgendaUser:
        made = AgendaUser(goal, NAMES)
        plan = made._agenda
        made._agenda = faulty(plan.memory, plan.rng, plan.style, plan.answering)
        return made

    return user


FAULTY: dict[str, tuple[Callable[[Goal], AgendaUser], str]] = {
    "Forgetful": (with_parts(Forgetful), "asks what it was told"),
    "Nosy": (with_parts(Nosy), "asks what it does not want"),
    "Hasty": (with_parts(Hasty), "books before it says what"),
    "Lavish": (with_parts(Lavish), "books what it does not want"),
    "Easy": (with_parts(Easy), "leaves content without an answer"),
    "Dreamy": (with_parts(Dreamy), "leaves content without its booking"),
    "Stubborn": (with_parts(Stubborn), "gives up what can be had"),
    "Obstinate": (with_parts(Obstinate), "ends with the wish that was to fail"),
    "Inventive": (with_agenda(Inventive), "says what is not in its goal"),
    "Jumpy": (with_agenda(Jumpy), "jumps between its domains"),
    "Parrot": (lambda goal: Parrot(goal, NAMES), "says the same again and again"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_user_is_told_by_its_conduct(name: str) -> None:
    user, fault = FAULTY[name]
    assert any(fault in breaches(goal, *watch(goal, user(goal), DATABASE)) for goal in DEMO.goals)


def test_each_rule_of_conduct_tells_a_faulty_user() -> None:
    assert {fault for _, fault in FAULTY.values()} == RULES.keys()
