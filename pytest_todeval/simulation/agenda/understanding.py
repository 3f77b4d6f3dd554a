"""Listens to the bot for one goal: what was said, what the tool calls show, what it means."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rapidfuzz import fuzz

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.steps import Step
from pytest_todeval.facts.calls.reading import SeenCalls, read_turn, seen_of
from pytest_todeval.facts.ear import claims_in
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.names.lexicon import BUILT_IN, PATTERNED
from pytest_todeval.nlu.names.unlisted import offered_names
from pytest_todeval.nlu.questions.beyond_slots import Ask, questions
from pytest_todeval.nlu.questions.relevance import may_concern
from pytest_todeval.nlu.text.manner import unmannered
from pytest_todeval.nlu.values.normalise import normalise
from pytest_todeval.nlu.verbs import speaks_of
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda.interpretation import Interpretation, note_told
from pytest_todeval.simulation.agenda.memory import VENUE_DOMAINS, DomainPart, GoalMemory
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.step_reading import (
    StepInterpretation,
    deeds_in,
    in_words_of_booking,
)
from pytest_todeval.simulation.agenda.taxi import PLACES

MOST_ROWS = 500
"""Rows found whose names are listened for, the last ones."""
FEWEST_WORDS = 4
"""Of an answer that ought to say something."""
SHORTEST_QUOTATION = 12
"""Characters of the user's words that the bot cannot have said by chance."""
_ALL = re.compile(r"\b(?:both|all (?:of them|two|three|done)|everything)\b", re.I)
ECHO = 90
"""rapidfuzz ratio (0 to 100) from which on the bot only repeats what the user said."""


class Understanding:
    """Listens to the bot on behalf of one goal."""

    def __init__(
        self, memory: GoalMemory, vocabulary: Vocabulary | None, facts: Sequence[str] = ()
    ) -> None:
        self.facts = facts
        self._rows: list[tuple[str | None, Mapping[str, Any]]] = []
        self.words = frozenset(_words(memory))
        own = Vocabulary.from_goal(memory.goal)
        self.memory = memory
        self.vocabulary = own if vocabulary is None else vocabulary.merged(_news(own, vocabulary))
        self.named = {d for d, names in vocabulary.names.items() if names} if vocabulary else set()

    def react(self, turn: Turn) -> Reaction:
        """Takes in a turn: remember what it tells, return what it calls for."""
        part = self.memory.current
        if part is None or is_echo(turn):
            return Reaction()
        if part.step is not None:
            part = self._addressed(part, part.step, turn.system)
        turn = replace(turn, system=unmannered(_without_quotation(turn)))
        calls = read_turn(turn, self.memory.goal)
        if part.step is not None:
            self._done_besides(part, turn)
            turn, calls = in_words_of_booking(turn, part.step), deeds_in(calls, part.step)
        self._rows += [(fact.domain, row) for fact in calls for row in fact.rows]
        unlisted = self._unlisted(part, turn.system)
        heard = self._without_old_references(self._heard(turn, part, unlisted), part)
        seen = seen_of(calls, part.domain)
        asked = questions(turn.system, self.vocabulary, part.domain, self.facts)
        found = (part, turn.system, heard, seen, unlisted, asked, turn.as_meant)
        interpretation = Interpretation(*found)
        if part.step is not None:
            interpretation = StepInterpretation(*found, self.facts, self.memory.goal.given)
        self._answers_elsewhere(part, heard)
        reaction = interpretation.reaction()
        spoke = len(turn.system.split()) >= FEWEST_WORDS and not reaction.note
        if spoke and not interpretation.is_understood and not _is_understood(reaction):
            reaction.puzzling = bool(seen.rows or seen.booked)
            reaction.strange = may_concern(turn.system, self.words)
        return reaction

    def _addressed(self, current: DomainPart, step: Step, text: str) -> DomainPart:
        """The step that a turn is about, if the user has raised several; it becomes the current."""
        raised = (p for p in self.memory.parts if p.opened and p.needs_booking and p is not current)
        for part in raised:
            if part.step is not None and current.opened and _is_rather(text, part.step, step):
                self.memory.turn_to(part)
                return part
        return current

    def _done_besides(self, current: DomainPart, turn: Turn) -> None:
        """Takes note of other steps that the bot says it has done in the same turn."""
        for part in self.memory.parts:
            step = part.step
            if part is current or step is None or not part.opened or not part.needs_booking:
                continue
            said = in_words_of_booking(turn, step)
            reading = StepInterpretation(
                *(part, said.system, self._heard(said, part, ()), SeenCalls(), (), (), ""),
                self.facts,
                self.memory.goal.given,
            )
            if _may_be_about(turn.system, step, current.step) and reading.says_booked():
                part.booked = True

    def _without_old_references(
        self, heard: Sequence[DialogueAct], current: DomainPart
    ) -> list[DialogueAct]:
        """Returns the claims, without reference numbers that other bookings have got already."""
        old = {part.reference for part in self.memory.parts if part is not current}
        return [h for h in heard if h.act is not Act.REFERENCE or h.value not in old]

    def _heard(
        self, turn: Turn, part: DomainPart, unlisted: Sequence[str]
    ) -> tuple[DialogueAct, ...]:
        text = turn.system
        for name in unlisted:  # the centre of "Village Centre" is no area
            text = text.replace(name, "it")
        found = () if part.domain in self.named else tuple(self._rows[-MOST_ROWS:])
        turn = replace(turn, system=text)
        return claims_in(turn, self.vocabulary, domain=part.domain, found=found)

    def _unlisted(self, part: DomainPart, text: str) -> list[str]:
        """Names in the text, if the vocabulary lists none for the domain."""
        if part.domain in self.named or part.domain not in VENUE_DOMAINS:
            return []
        names = offered_names(text, [*part.told.values(), *part.goal.request])
        return names if not part.venue or part.venue in names else [*names, part.venue]

    def _answers_elsewhere(self, current: DomainPart, heard: Sequence[DialogueAct]) -> None:
        """Late answers about a domain that the user has left already."""
        for part in self.memory.parts[: self.memory.index]:
            if part is not current:
                note_told(part, [h for h in heard if h.domain == part.domain])


def _without_quotation(turn: Turn) -> str:
    """Returns what the bot says, without the user's own words if it repeats them."""
    said = turn.user.strip()
    return turn.system.replace(said, "", 1) if len(said) >= SHORTEST_QUOTATION else turn.system


def _is_understood(reaction: Reaction) -> bool:
    known = (question for question in reaction.questions if question.ask is not Ask.UNKNOWN)
    return reaction.not_understood or reaction.reply is not None or any(known)


def _is_rather(text: str, step: Step, current: Step) -> bool:
    """Says whether a turn is about a step, and not about the one the user is at."""
    named, other = step.target.get("id", ""), current.target.get("id", "")
    if named != other and (says_value(text, "id", named) or says_value(text, "id", other)):
        return says_value(text, "id", named) and not says_value(text, "id", other)
    return speaks_of(text, step.means) and not speaks_of(text, current.means)


def _may_be_about(text: str, step: Step, current: Step | None) -> bool:
    """Says whether a turn may be about a step that is not the one the user is at."""
    if current is None or step.verb != current.verb:
        return speaks_of(text, step.means)
    named = step.target.get("id", "")
    return _ALL.search(text) is not None or says_value(text, "id", named)


def _words(memory: GoalMemory) -> Iterator[str]:
    """Returns the words of a goal's domains, slots and values."""
    for part in memory.parts:
        goal = part.goal
        wishes = (goal.inform, goal.fail_inform, goal.book, goal.fail_book)
        said = (text for slots in wishes for text in (*slots, *slots.values()))
        for text in (part.domain, *said, *goal.request):
            yield from text.lower().replace("_", " ").split()


def is_echo(turn: Turn) -> bool:
    """Whether the bot only gives back what the user said, perhaps with a few words around it."""
    user, system = turn.user.lower().strip(), turn.system.lower().strip()
    if fuzz.ratio(user[:500], system[:500]) >= ECHO:
        return True
    return len(user) > 15 and user in system and len(system) - len(user) < 30


def _news(own: Vocabulary, known: Vocabulary) -> Vocabulary:
    """Returns what a goal adds to a vocabulary.

    To compile a vocabulary takes longer than a dialogue, so one that a goal adds nothing to is to
    stay as it is: values heard by their form, or known in another spelling, are no news.
    """
    names = {d: _new("name", found, known.names.get(d, ())) for d, found in own.names.items()}
    places = [name for found in known.names.values() for name in found]
    values = {
        slot: _new(slot, found, (*known.values.get(slot, ()), *(places if slot in PLACES else ())))
        for slot, found in own.values.items()
        if slot not in PATTERNED
    }
    lists = known.values.keys() | BUILT_IN
    return Vocabulary(
        {domain: found for domain, found in names.items() if found or domain not in known.names},
        {slot: found for slot, found in values.items() if found or slot not in lists},
        own.taught,
    )


def _new(slot: str, found: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    if not found:
        return ()
    forms = {normalise(slot, value) for value in known}
    return tuple(value for value in found if normalise(slot, value) not in forms)
