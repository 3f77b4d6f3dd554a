"""What the user says next of a step: that it is to be done, once it knows what it wants to know."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.agenda import Agenda
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction

VERIFIED = "whether it is done"
ALL_AT_ONCE = 6
"""Slots that a style says in one turn from which on it says all steps at once, too."""


class StepAgenda(Agenda):
    """Decides what to say of steps; of other business what any agenda says."""

    def _reactions(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        if reaction.other_deed and part.step is not None:
            yield Say(ActKind.DECLINE, part.domain, step=part.step)
            return
        yield from super()._reactions(part, reaction)

    def _item(self, part: DomainPart, strikes: int, reaction: Reaction) -> Iterator[Say]:
        if part.step is None:
            yield from super()._item(part, strikes, reaction)
        elif not part.opened:
            yield from self._begin(part)
        elif self._leaves(part):
            yield Say(ActKind.LEAVE, part.domain, step=part.step)
        else:
            yield from super()._item(part, strikes, reaction)

    def _insist(self, part: DomainPart) -> Iterator[Say]:
        if part.step is None or not part.wants_booking:
            yield from super()._insist(part)
        else:
            yield from self._insist_on_booking(part)

    def _begin(self, part: DomainPart) -> Iterator[Say]:
        """Returns the first words on a step; of all that are left, if the user says all at once."""
        yield from self._first_words(part)
        if self.style.most >= ALL_AT_ONCE:
            for other in self.memory.parts[self.memory.index + 1 :]:
                if not other.opened and other.step is not None and other.step.condition is None:
                    yield from self._first_words(other)

    def _first_words(self, part: DomainPart) -> Iterator[Say]:
        part.opened = True
        step = part.step
        if step is None or step.verb == "ask" or self._undecided(part):
            yield self._tell(part, ActKind.OPEN, part.inform)
            yield self._request(part, 0)
            return
        part.book_raised = True
        yield self._tell(part, ActKind.BOOK, self._some(part.untold_booking))

    def _ask_again(self, part: DomainPart) -> Iterator[Say]:
        if part.step is None or not part.booked:
            yield from super()._ask_again(part)
        else:
            part.asked_again = VERIFIED
            yield Say(ActKind.VERIFY, part.domain, step=part.step)

    def _undecided(self, part: DomainPart) -> bool:
        """Says whether what the step depends on is still to be told."""
        condition = part.step.condition if part.step else None
        return condition is not None and condition.slot not in part.answers

    def _leaves(self, part: DomainPart) -> bool:
        """Says whether the user now knows that the step's condition does not hold."""
        condition = part.step.condition if part.step else None
        if condition is None or condition.slot not in part.answers or part.left or part.booked:
            return False
        told = part.answers[condition.slot]
        holds = None if told == UNKNOWN else condition.holds(told)
        if holds is None and told != UNKNOWN:
            self.fault = f"{part.domain}: the user cannot tell whether {condition}, told {told!r}"
        elif not holds:
            part.left = f"{condition} does not hold of {told!r}"
        return bool(part.left)

    def _requests_now(self, part: DomainPart) -> bool:
        return (part.step is not None and self._undecided(part)) or super()._requests_now(part)

    def _tell(self, part: DomainPart, kind: ActKind, slots: Mapping[str, str]) -> Say:
        return replace(super()._tell(part, kind, slots), step=part.step)
