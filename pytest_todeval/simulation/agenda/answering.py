"""Answers to questions that no slot of the goal settles: who the user is, which option."""

from collections import Counter
from collections.abc import Iterator

from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.nlu.values.normalise import normalise_name, same_value
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.facts import Facts
from pytest_todeval.simulation.agenda.memory import DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction

MOST_ASKED = 3
"""Times the bot may ask the same, nothing else having moved, before it is nobody's to answer."""
SETTLED = frozenset({Ask.FACT, Ask.SECRET, Ask.CHOICE})
"""Questions that the user answers as it likes."""
REASON = "I've changed my mind"
"""Why the user wants a step, if the goal does not say."""
CHOSEN = frozenset({"payment", "purpose", "title", "card type", "nationality", "phone"})
"""Topics in whose questions options count: "now or later?"."""


class Answering:
    """Answers by the user's facts; counts what is asked again and again."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._asked: Counter[str] = Counter()
        self._business: object = None

    def note(self, part: DomainPart, reaction: Reaction, business: object) -> str:
        """Takes note of a turn's questions; returns one that was asked too often, or nothing.

        `business` is what counts as progress: if it moves, the counting begins anew.
        """
        if business != self._business:
            self._asked.clear()
            self._business = business
        counted = SETTLED | {Ask.UNKNOWN} if reaction.baffling else SETTLED
        asked = {_key(q): q.sentence or q.topic for q in reaction.questions if q.ask in counted}
        asked |= {slot: slot for slot in reaction.asked if slot in part.indifferent}
        self._asked.update(asked.keys())
        part.settled.update(_key(q) for q in reaction.questions if q.ask in SETTLED | {Ask.CONFIRM})
        return next((asked[key] for key in asked if self._asked[key] >= MOST_ASKED), "")

    def word(self, part: DomainPart, reaction: Reaction) -> Say | None:
        """Returns the word or number alone, if the bot asks for one and the user can give it."""
        label = _label(reaction, reaction.taken) if reaction.taken else ""
        if not label and not reaction.taken and not reaction.refused:
            label = self._number(part, reaction)
        if label:
            return Say(ActKind.REPLY, part.domain, {"reply": label})
        if reaction.reply is None:
            return None
        yes, no = reaction.reply
        settled = not (part.untold or part.untold_booking)
        if reaction.confirms or (reaction.offers_booking and part.needs_booking and settled):
            return Say(ActKind.REPLY, part.domain, {"reply": yes})
        if reaction.offers_booking and no and not part.wants_booking:
            return Say(ActKind.REPLY, part.domain, {"reply": no})
        return None

    def _number(self, part: DomainPart, reaction: Reaction) -> str:
        """Returns the number of an option that is no venue."""
        options = [told for _, told in reaction.numbered]
        if not options or part.needs_venue:
            return ""
        wanted = next((o for o in options if _slot_of(part, o)), "")
        return _label(reaction, wanted or self.facts.choice("", options))

    def answers(self, part: DomainPart, reaction: Reaction) -> Iterator[Say]:
        """Returns what to say to the turn's questions, one act for each kind of answer."""
        told: dict[ActKind, dict[str, str]] = {ActKind.FACT: {}, ActKind.FACT_AGAIN: {}}
        for question in reaction.questions:
            if question.ask is Ask.FACT:
                again = self._asked[_key(question)] > 1
                told[ActKind.FACT_AGAIN if again else ActKind.FACT] |= self._fact(part, question)
        for kind, facts in told.items():
            if facts:
                yield Say(kind, part.domain, facts)
        if any(question.ask is Ask.SECRET for question in reaction.questions):
            yield Say(ActKind.SECRET, part.domain, step=part.step)
        for question in reaction.questions:
            if question.ask is Ask.CHOICE and not reaction.asked:
                yield self._choice(part, question)

    def _fact(self, part: DomainPart, question: UserQuestion) -> dict[str, str]:
        topic = question.topic
        known = part.book if topic == "name" else part.slots  # a venue's name is nobody's own
        if topic in known:
            return {topic: known[topic]}
        if question.options and topic in CHOSEN and topic not in self.facts.own:
            return {topic: self.facts.choice(topic, question.options)}
        unknown = REASON if topic == "reason" else "none"
        return {topic: self.facts.about(topic) or unknown}

    def _choice(self, part: DomainPart, question: UserQuestion) -> Say:
        for option in question.options:
            slot = _slot_of(part, option)
            if slot:
                return Say(ActKind.ANSWER, part.domain, {slot: part.slots[slot]})
        option = self.facts.choice("", question.options)
        return Say(ActKind.CHOICE, part.domain, {"choice": option})


def is_open(part: DomainPart) -> bool:
    """Says whether the user still wants something in this domain."""
    return bool(part.untold or part.needs_venue or part.pending or part.needs_booking)


def _key(question: UserQuestion) -> str:
    return question.topic or f"{question.ask}: {question.sentence}"


def _slot_of(part: DomainPart, option: str) -> str:
    """Returns the slot whose value an option is, or holds; empty if it is none of the goal's."""
    named = f" {normalise_name(option)} "
    for slot, value in part.slots.items():
        if same_value(slot, value, option) or f" {normalise_name(value)} " in named:
            return slot
    return ""


def _label(reaction: Reaction, wanted: str) -> str:
    """Returns the number or letter of the option that is, or names, what is wanted."""
    name = f" {normalise_name(wanted)} "
    for label, option in reaction.numbered:
        if option == wanted or name in f" {normalise_name(option)} ":
            return label
    return ""
