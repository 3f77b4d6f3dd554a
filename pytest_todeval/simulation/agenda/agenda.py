"""What the user says next: reactions to the bot first, then the next item of its agenda.

After Schatzmann et al. (2007), "Agenda-based user simulation for bootstrapping a POMDP dialogue
system": acts wait in the order constraints, requests, booking, domain by domain; what the bot does
puts answers, corrections and changes on top.
"""

import random
from collections.abc import Iterator, Mapping

from pytest_todeval.simulation.agenda.acts import BESIDE, ActKind, Say
from pytest_todeval.simulation.agenda.answering import Answering, is_open
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart, GoalMemory
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.styles import Style
from pytest_todeval.simulation.agenda.taxi import missing_places, needs_places

BOOKING_SLOTS = frozenset({"people", "day", "time", "stay"})
"""Slots a bot asks for in order to book."""
LIKES = 0.3
"""How often the user says that it likes an offer, before it goes on."""
MOST_REFUSALS = 2
MOST_BOOKING_FAILURES = 3
MOST_BAFFLED = 2
"""Times in a domain that the user says that it has no idea."""
SAME_WISH = {
    "time": ("time", "leaveAt", "arriveBy"),
    "leaveAt": ("leaveAt", "time", "arriveBy"),
    "arriveBy": ("arriveBy", "time", "leaveAt"),
}
"""Slots that answer the question for another one."""


class Agenda:
    """Decides what to say; knows no words."""

    fault = ""
    """Why the user cannot go on; empty if it can."""

    def __init__(
        self, memory: GoalMemory, rng: random.Random, style: Style, answering: Answering
    ) -> None:
        self.memory = memory
        self.answering = answering
        self.rng = rng
        self.style = style
        self.last: tuple[Say, ...] = ()
        """What was said last."""
        self._adds = style.adds
        """Whether the last part is still held back."""
        self.books_first = {part.domain: rng.random() < 0.4 for part in memory.parts}
        if style.returns:
            self._keep_a_question()

    def _keep_a_question(self) -> None:
        """Keeps one question about an earlier domain for the end."""
        for part in self.memory.parts[:-1]:
            spare = part.spare_questions
            if spare:
                part.kept = self.rng.choice(spare)
                return

    def next_acts(self, reaction: Reaction, strikes: int) -> tuple[Say, ...]:
        """What to say now; empty when nothing is left. Notes in the memory what is being said."""
        part = self.memory.current
        if part is None:
            return ()
        if reaction.not_understood and self.last:
            return self.last
        part.asking = ()
        acts = tuple(self._reactions(part, reaction))
        if not any(_is_enough(act, part) for act in acts):
            acts += tuple(self._initiative(strikes, reaction))
        self.last = acts if self.memory.current is not None else ()
        return self.last

    def set_back(self) -> None:
        """Gives up what the user is at, since the bot does not help with it."""
        self.last = ()
        part = self.memory.current
        if part is None:
            return
        if part.tries_first:
            part.take_alternative()
        elif part.needs_venue or part.untold or not part.opened:
            self._abandon(part, "nothing was found")
        elif any(part.requested[slot] for slot in part.pending) or not part.needs_booking:
            part.dropped.update(part.pending)
        else:
            part.booking_dropped = True

    def _abandon(self, part: DomainPart, why: str) -> None:
        part.abandoned = why
        self.memory.index += 1

    def _reactions(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        objections = tuple(self._objections(part, reaction))
        if objections:
            yield from objections
            return
        word = self.answering.word(part, reaction)
        if word is not None:
            yield word
            return
        if reaction.confirms and not reaction.refused:
            yield Say(ActKind.CONFIRM, part.domain)
        yield from self._consent(part, reaction)
        yield from self.answering.answers(part, reaction)
        if reaction.refused:
            yield from self._insist(part)
        elif reaction.booking_failed and not reaction.asked:
            yield from self._insist_on_booking(part)
        if reaction.baffling and self._has_no_idea(part):
            yield Say(ActKind.NO_IDEA, part.domain)

    def _has_no_idea(self, part: DomainPart) -> bool:
        part.baffled += 1
        return part.baffled <= MOST_BAFFLED and is_open(part)

    def _objections(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        if reaction.changed:
            yield from self._change(part, reaction)
        elif reaction.wrong:
            of_booking = reaction.booked_wrong and part.step is None
            kind = ActKind.CORRECT_BOOKING if of_booking else ActKind.CORRECT
            yield self._tell(part, kind, reaction.wrong)
        elif reaction.another is not None:
            yield self._tell(part, ActKind.ANOTHER, reaction.another)

    def _consent(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        if reaction.had_choice:
            yield Say(ActKind.PICK, part.domain, venue=reaction.taken)
        elif reaction.taken and not self.style.short and self.rng.random() < LIKES:
            yield Say(ActKind.GOOD, part.domain)
        yield from self._answers(part, reaction)

    def _change(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        changed = {slot: value for slot, value in reaction.changed.items() if value}
        dropped = {slot: "" for slot, value in reaction.changed.items() if not value}
        if changed:
            kind = ActKind.CHANGE_MIND if reaction.unforced else ActKind.CHANGE
            yield self._tell(part, kind, changed)
        if dropped:
            yield Say(ActKind.NO_PREFERENCE, part.domain, dropped)

    def _insist(self, part: DomainPart) -> Iterator[Say]:
        if part.goal.refusal:
            self._take_refusal(part)
        elif part.refusals > MOST_REFUSALS:
            self._abandon(part, "nothing was found")
        else:
            yield self._tell(part, ActKind.RESTATE, part.inform)

    def _take_refusal(self, part: DomainPart) -> None:
        part.took_refusal = True
        self.memory.index += 1

    def _insist_on_booking(self, part: DomainPart) -> Iterator[Say]:
        if part.goal.refusal:
            self._take_refusal(part)
        elif part.booking_failures > MOST_BOOKING_FAILURES:
            part.booking_dropped = True
        elif part.needs_booking and not part.untold:
            yield self._tell(part, ActKind.BOOK_AGAIN, part.book)

    def _answers(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        if part.booked:
            return
        answers: dict[str, str] = {}
        indifferent: list[str] = []
        no_booking = reaction.offers_booking and not part.wants_booking
        for slot in reaction.asked:
            known = self._known(part, slot)
            if known:
                answers.update(known)
            elif slot in BOOKING_SLOTS - part.inform.keys() and not part.wants_booking:
                no_booking = True
            else:
                indifferent.append(slot)
        if reaction.offers_booking and part.needs_booking and not part.untold:
            yield Say(ActKind.YES, part.domain)
            answers = {**part.untold_booking, **answers}
            if not answers and part.step is None:
                yield self._tell(part, ActKind.BOOK_AGAIN, {})
        if answers:
            yield self._tell(part, ActKind.ANSWER, answers)
        if no_booking:
            yield Say(ActKind.NO_BOOKING, part.domain)
        if indifferent:
            part.indifferent.update(indifferent)
            yield Say(ActKind.NO_PREFERENCE, part.domain, dict.fromkeys(indifferent, ""))

    def _known(self, part: DomainPart, slot: str) -> dict[str, str]:
        for name in SAME_WISH.get(slot, (slot,)):
            if name in part.slots:
                return {name: part.slots[name]}
        return {}

    def _initiative(self, strikes: int, reaction: Reaction) -> Iterator[Say]:
        part = self.memory.current
        moved = False
        while part is not None:
            acts = tuple(self._item(part, strikes, reaction))
            if acts:
                if moved:
                    yield Say(self._going_on(), part.domain)
                yield from acts
                return
            if self._waits(part, reaction):
                return
            if self.memory.current is part:
                if self._holds_back():
                    yield Say(ActKind.THAT_IS_ALL, part.domain)
                    return
                self.memory.index += 1
            part, moved, strikes = self.memory.current, True, 0
        yield from self._going_back()

    def _holds_back(self) -> bool:
        """Whether only the last part is left, and the user first says that this was everything."""
        rest = self.memory.parts[self.memory.index + 1 :]
        holds = self._adds and len(rest) == 1 and not rest[0].opened
        self._adds = self._adds and not holds
        return holds

    def _going_on(self) -> ActKind:
        part = self.memory.parts[-1]
        adds = self.style.adds and not self._adds and self.memory.current is part
        return ActKind.ONE_MORE if adds else ActKind.GOING_ON

    def _going_back(self) -> Iterator[Say]:
        """Returns one more question about a domain that the user had left."""
        for index, part in enumerate(self.memory.parts):
            kept, part.kept = part.kept, ""
            if kept in part.pending and not part.abandoned:
                self.memory.index = index
                part.requested[kept] += 1
                part.asking = (kept,)
                yield Say(ActKind.RETURN, part.domain, {kept: ""}, part.venue, part.step)
                return

    def _item(self, part: DomainPart, strikes: int, reaction: Reaction) -> Iterator[Say]:
        """Returns the next thing to say about one domain; nothing if all is done there."""
        if not part.opened:
            yield from self._open(part)
        elif part.untold:
            yield self._tell(part, ActKind.INFORM, self._some(part.untold))
        elif part.needs_venue:
            yield from self._ask_for_offers(part, strikes, reaction)
        elif self._requests_now(part) and not (reaction.unclear and part.untold_booking):
            yield self._request(part, strikes)
        elif part.needs_booking:
            yield self._book(part)
        elif self.style.asks_again and not any(p.asked_again for p in self.memory.parts):
            yield from self._ask_again(part)

    def _ask_again(self, part: DomainPart) -> Iterator[Say]:
        told = [slot for slot in part.goal.request if part.answers.get(slot, UNKNOWN) != UNKNOWN]
        if told:
            part.asked_again = self.rng.choice(told)
            yield Say(ActKind.ASK_AGAIN, part.domain, {part.asked_again: ""}, part.venue)

    def _open(self, part: DomainPart) -> Iterator[Say]:
        if needs_places(part, self.memory):
            places = missing_places(part, self.memory)
            if places is None:
                self._abandon(part, "no venues known to go between")
                return
            part.inform = {**places, **part.inform}
        part.opened = True
        yield self._tell(part, ActKind.OPEN, self._some(part.untold))

    def _ask_for_offers(self, part: DomainPart, strikes: int, reaction: Reaction) -> Iterator[Say]:
        if self._waits(part, reaction):
            return
        if strikes % 2 == 1:
            yield self._tell(part, ActKind.RESTATE, part.inform)
        else:
            named = {s: v for s, v in part.inform.items() if s == "name"}
            yield Say(ActKind.RECOMMEND, part.domain, named)

    def _waits(self, part: DomainPart, reaction: Reaction) -> bool:
        """Says whether the bot's questions were answered, and it is its turn to find something."""
        asks = bool(reaction.asked) or reaction.offers_booking
        return asks and part.opened and part.needs_venue and not part.abandoned

    def _requests_now(self, part: DomainPart) -> bool:
        if not part.pending:
            return False
        return not (part.needs_booking and (self.books_first[part.domain] or part.domain == "taxi"))

    def _request(self, part: DomainPart, strikes: int) -> Say:
        asked = self._some(dict.fromkeys(part.pending, ""))
        again = strikes > 0 and all(part.requested[slot] for slot in asked)
        part.requested.update(asked.keys())
        part.asking = tuple(asked)
        kind = ActKind.REQUEST_AGAIN if again else ActKind.REQUEST
        return Say(kind, part.domain, asked, part.venue, part.step)

    def _book(self, part: DomainPart) -> Say:
        if part.book_raised and not part.untold_booking:
            return self._tell(part, ActKind.BOOK_AGAIN, part.book)
        kind = ActKind.INFORM if part.book_raised else ActKind.BOOK
        part.book_raised = True
        return self._tell(part, kind, self._some(part.untold_booking))

    def _tell(self, part: DomainPart, kind: ActKind, slots: Mapping[str, str]) -> Say:
        part.told.update(slots)
        return Say(kind, part.domain, dict(slots), part.venue)

    def _some(self, slots: Mapping[str, str]) -> dict[str, str]:
        """Returns the first few; as many as the style allows."""
        count = self.rng.randint(self.style.least, self.style.most)
        return dict(list(slots.items())[:count])


def _is_enough(act: Say, part: DomainPart) -> bool:
    """Says whether an act leaves the next word to the bot."""
    if act.kind is ActKind.REPLY:
        return True  # the word alone is said; what else there is would be lost
    if act.kind in BESIDE or (act.kind is ActKind.YES and part.step is not None):
        return is_open(part)  # the bot goes on from there
    return act.kind is ActKind.BOOK_AGAIN or (
        bool(act.slots) and act.kind is not ActKind.NO_PREFERENCE
    )
