"""The agenda user: plays a goal against any bot, in English, without a model."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.satisfaction import LACKING
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda.agenda import BOOKING_SLOTS, Agenda
from pytest_todeval.simulation.agenda.answering import MOST_ASKED, Answering
from pytest_todeval.simulation.agenda.facts import Facts
from pytest_todeval.simulation.agenda.memory import DomainPart, GoalMemory
from pytest_todeval.simulation.agenda.patience import Patience
from pytest_todeval.simulation.agenda.puzzles import Puzzles, quoted
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.step_agenda import StepAgenda
from pytest_todeval.simulation.agenda.step_parts import parts_of, played, wish_otherwise
from pytest_todeval.simulation.agenda.styles import STYLES, with_other_wish
from pytest_todeval.simulation.agenda.understanding import Understanding
from pytest_todeval.simulation.agenda.wording import Wording
from pytest_todeval.simulation.user import Utterance

MOST_REPEATS = 2
"""Times the same words are said in one dialogue before the user is at its wits' end."""


class AgendaUser:
    """A rule-based user simulator (agenda-based: Schatzmann et al. 2007).

    It says its constraints bit by bit, answers and corrects the bot, asks for what the goal
    requests, books, takes the goal's alternative if the first wish fails, and goes on to the
    next domain. It leaves with `USER_DONE` when it has everything, `USER_GAVE_UP` when the bot does
    not help in spite of rephrasing, and `SIMULATOR_FAULT` when it cannot play its goal.

    `vocabulary` holds the names and values that may come up (from the databases, if there are
    any); those of the goal are always added. `style` is `plain` (1 to 3 slots a turn), `terse`
    (one, in fragments), `chatty` (everything at once), or plain with a habit: `returns` (to an
    earlier domain, with one more question), `changes_mind` (after an offer), `asks_again` (for what
    it was told), `adds` (its last domain or step, after saying that it has everything). Two users
    with the same goal, `seed` and style say the same to the same bot.

    Raises UsageError on an unknown style.
    """

    def __init__(
        self,
        goal: Goal,
        vocabulary: Vocabulary | None = None,
        *,
        seed: int | str | None = None,
        style: str = "plain",
    ) -> None:
        if style not in STYLES:
            raise UsageError(f"unknown user style {style!r}: {known_names(str(style), STYLES)}")
        self.goal = goal
        self.notes: list[str] = []
        """What was taken from visible calls, since nothing was understood of the words."""
        self._cannot = next(inexpressible(goal), "")
        if self._cannot:
            return
        rng = random.Random(f"{goal.id}/{seed}")
        facts = Facts(goal.user, f"{goal.id}/{seed}/facts")
        goal = played(goal)
        parts = parts_of(goal)
        if STYLES[style].changes_mind and not goal.steps:
            goal = with_other_wish(goal, vocabulary, rng)
            parts = parts_of(goal)
        elif STYLES[style].changes_mind:
            wish_otherwise(parts, goal.given, rng)
        self._memory = GoalMemory(goal, parts)
        self._answering = Answering(facts)
        self._agenda: Agenda = StepAgenda(self._memory, rng, STYLES[style], self._answering)
        self._understanding = Understanding(self._memory, vocabulary, facts.own)
        self._patience = Patience()
        self._puzzles = Puzzles()
        self._wording = Wording(rng, short=STYLES[style].short)

    @property
    def lacks(self) -> list[str]:
        """Returns what it has not got so far, in words."""
        if self._cannot:
            return []
        part = self._memory.current
        known = self._memory.lacks
        return known if known or part is None else [f"{part.domain}: what it asked for last"]

    def respond(self, turn: Turn | None) -> Utterance:
        """Says the next thing, given the turn just ended (None at the start)."""
        if self._cannot:
            return _fault(self._cannot)
        reaction = self._react(turn)
        if fault := self._puzzles.fault or self._unanswerable or self._not_in_goal():
            return _fault(fault)
        if self._patience.is_lost:
            return self._give_up(self._patience.why)
        acts = self._agenda.next_acts(reaction, self._patience.strikes)
        if self._agenda.fault:
            return _fault(self._agenda.fault)
        if not acts:
            return self._leave()
        text = self._wording.utterance(acts, first=turn is None)
        if self._wording.said[text] > MOST_REPEATS:
            return _fault(f"the user has no other words left than {text!r}")
        return Utterance(text)

    def _react(self, turn: Turn | None) -> Reaction:
        self._unanswerable = ""
        if turn is None:
            return Reaction()
        reaction = self._understanding.react(turn)
        if reaction.note:
            self.notes.append(
                f"turn {turn.index}: understood nothing of {quoted(turn.system)}, {reaction.note}"
            )
        self._puzzles.after(turn, reaction)
        self._note_questions(turn, reaction)
        self._patience.after((self._memory.state(), self._memory.settled), turn.system)
        if not self._patience.is_over:
            return reaction
        self._agenda.set_back()
        self._patience.set_back()
        return Reaction()  # what the bot said was about what is now given up

    def _note_questions(self, turn: Turn, reaction: Reaction) -> None:
        part = self._memory.current
        if part is None:
            return
        asked = self._answering.note(part, reaction, self._memory.state())
        if asked:
            self._unanswerable = (
                f"the bot asked {MOST_ASKED} times for what the goal does not settle, and took no"
                f" answer: {quoted(turn.system)}, heard as {asked!r}"
            )

    def _not_in_goal(self) -> str:
        """Returns what the bot needs for a booking that the goal wants but does not describe."""
        part = self._memory.current
        if part is None or not part.needs_booking or part.booked or part.step is not None:
            return ""
        missing = (slot for slot in _slots_to_book(part) if part.asked[slot] >= MOST_ASKED)
        slot = next((slot for slot in missing if slot not in part.slots), None)
        if slot is None:
            return ""
        return f"the bot needs `{slot}` to book, and the goal has no {slot} for {part.domain}"

    def _leave(self) -> Utterance:
        lacks = self._memory.lacks
        if lacks:
            return self._give_up(self._patience.why)
        return Utterance(self._wording.line("thanks"), StopReason.USER_DONE, "everything is done")

    def _give_up(self, why: str) -> Utterance:
        unheard = next((p for p in self._memory.parts if p.is_unheard), None)
        if unheard is not None:
            return _fault(
                f"no booking of {unheard.domain} was heard in {quoted(unheard.unheard)}, though a"
                f" visible call made one"
            )
        lacks = "; ".join(self._memory.lacks)
        reason = f"{why}; {LACKING}{lacks}" if lacks else why
        return Utterance(self._wording.line("give_up"), StopReason.USER_GAVE_UP, reason)


def inexpressible(goal: Goal) -> Iterator[str]:
    """Says why a goal cannot be put into words, one reason at a time."""
    if not (goal.domains or goal.steps):
        yield f"{goal.name} has no domains: there is nothing to say"
    for part in played(goal).domains:
        if not _is_text(part.domain):
            yield f"{goal.name}: domain {part.domain!r} is no text"
        yield from _unsayable(goal, part)
        if not (part.inform or part.book or part.request or part.wants_booking):
            yield f"{goal.name}: nothing is wanted of {part.domain}"


def _unsayable(goal: Goal, part: DomainGoal) -> Iterator[str]:
    groups: Mapping[str, Mapping[str, Any]] = {
        "inform": part.inform,
        "fail_inform": part.fail_inform,
        "book": part.book,
        "fail_book": part.fail_book,
        "request": dict.fromkeys(part.request, "wanted"),
    }
    for name, slots in groups.items():
        for slot, value in slots.items():
            if not (_is_text(slot) and _is_text(value)):
                yield f"{goal.name}: {part.domain}.{name}: {slot!r}: {value!r} is no text to say"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and any(char.isalnum() for char in value)


def _slots_to_book(part: DomainPart) -> tuple[str, ...]:
    if part.domain == "taxi":
        return ("departure", "destination")
    return tuple(sorted(BOOKING_SLOTS))


def _fault(reason: str) -> Utterance:
    return Utterance("", StopReason.SIMULATOR_FAULT, reason)
