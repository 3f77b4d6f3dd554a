"""Right bots by tables of sentences: several for each act, which take turns."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from benchmarks.hearing.habits_open import Worded
from benchmarks.hearing.own_domains import Desk, OwnBot, Wording
from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.policy import identity
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood

__all__ = ["Mannered", "OwnMannered", "Said", "Varies"]

Said = str | Sequence[str]
"""One sentence, or several that take turns."""
NONE = re.compile(r"there is no ([^.]+)\.(?: Would you like to try another ([^?]+)\?)?")
NAMED = re.compile(r"there is no (.+) called (.+)\. Would you like another\?")
CASED = ("departure", "destination", "day")


class Mannered(Worded):
    """Says each act by a table of its own. It decides as the reference bot does: all is right."""

    OFFERS: ClassVar[Mapping[str, Said]] = {}
    """Domain -> over the row, with `perks`, `a_type`, `a_price`."""
    QUESTIONS: ClassVar[Mapping[str, Said]] = {}
    """Slot, or `domain.slot` -> the question."""
    ASK: Said = "{question}"
    """Around the questions of a turn."""
    SEVERAL: Said = "I have {what}."
    NONE: Said = "I am sorry, there is no {what}. Would you like to try another {other}?"
    NONE_ELSE: Said = "I am sorry, there is no {what}."
    """Where nothing could be given up, or a venue of that name is not known."""
    NO_OTHER: Said = "I am sorry, {name} is the only one that fits."
    ANSWERS: ClassVar[Mapping[str, Said]] = {}
    """Slot -> over `of`, `slot` and `value`; `""` for all other slots, `rates` for rooms."""
    HAS: Said = "Yes, {of} has {what}, free of charge."
    HASNT: Said = "No, {of} has no {what}."
    UNKNOWN: Said = "I am sorry, I do not have the {slot} of {of}."
    SHALL_I: Said = "Would you like me to book it?"
    BOOKED: ClassVar[Mapping[str, Said]] = {}
    """Domain -> over the booking, with `party`, `tickets`, `nights`, `ref`; of a taxi, `when`."""
    AGAIN: Said = "That is already done."
    """Before a booking that is told once more."""
    NOT_YET: Said = "I have not booked it yet."
    AS_WELL: Said = "Your booking of {name} stands as it is. Would you like this one as well?"
    STANDS: Said = "Your earlier booking, {ref}, stands too; I can't cancel it from here."
    REFUSED: Said = "I am sorry, that failed: {reason}. Would you like to try another {other}?"
    MORE: Said = "Is there anything else?"
    BYE: Said = "You are welcome. Goodbye!"
    LOST: Said = "I am sorry, I did not understand. Could you say that differently?"

    waits = False
    """Whether this turn has asked for an answer."""
    user = ""
    """What the user has just said."""
    told: Counter[str]

    def respond(self, text: str) -> Reply:
        self.waits, self.user = False, text
        reply = super().respond(text)
        return replace(reply, text=re.sub(r" *\n *", "\n", reply.text).strip())

    def pick(self, act: str, said: Said, **values: str) -> str:
        """The next sentence of an act, filled."""
        if not hasattr(self, "told"):
            self.told = Counter()
        choices = [said] if isinstance(said, str) else said
        at = (len(type(self).__name__) + self.told[act]) % len(choices)
        self.told[act] += 1
        return re.sub(
            r"\b1 (star)s\b", r"1 \1", choices[at].format_map(values), flags=re.IGNORECASE
        )

    # The acts

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain not in self.OFFERS:
            return super().say_offer(state, row)
        return self.pick("offer", self.OFFERS[state.domain], **shown(row))

    def say_several(self, state: DomainState) -> str:
        what = super().say_several(state).removeprefix("I have ").removesuffix(".")
        return self.pick("several", self.SEVERAL, what=what)

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        self.waits = True
        asked = [self.question(domain, slot) for slot in slots]
        return self.pick("ask", self.ask_with(domain, slots), question=" ".join(asked))

    def ask_with(self, domain: str, slots: Sequence[str]) -> Said:
        """What stands around the questions."""
        return self.ASK

    def question(self, domain: str, slot: str) -> str:
        """The question for a slot."""
        own = self.QUESTIONS.get(f"{domain}.{slot}") or self.QUESTIONS.get(slot)
        if own and (domain, slot) != ("hotel", "type"):
            return self.pick(slot, own)
        return wording.ask(domain, slot, self.state.turn)

    def say_none(self, state: DomainState, text: str) -> str:
        if " no other " in text:
            return self.pick("no other", self.NO_OTHER, name=wording.title(state.row or {}))
        self.waits = True
        if (named := NAMED.search(text)) is not None:
            said = self.pick("none else", self.NONE_ELSE, what=f"{named[1]} called {named[2]}")
            return f"{said} Would you like another?"
        found = NONE.search(text)
        assert found is not None, text
        if found[2] is None:
            self.waits = False
            return self.pick("none else", self.NONE_ELSE, what=found[1])
        return self.pick("none", self.NONE, what=found[1], other=found[2])

    def say_value(self, slot: str, value: str, of: str) -> str:
        if slot in ("internet", "parking"):
            has = self.HAS if value == "yes" else self.HASNT
            return self.pick(value, has, what=slot, of=of)
        key = "rates" if slot == "price" and "room" in value else slot
        said = self.ANSWERS.get(key, self.ANSWERS.get("", ""))
        if not said:
            return super().say_value(slot, value, of)
        return self.pick(key, said, of=of, slot=wording.words(slot), value=value)

    def tell_reference(self, state: DomainState) -> str:
        if not state.booked:
            return "" if state.wants_booking else self.pick("not yet", self.NOT_YET)
        result = state.booked[-1]
        of = wording.title(result if "name" in result else state.row or result)
        return self.say_value("reference", str(result["reference"]), of)

    def say_unknown(self, slot: str, of: str) -> str:
        return self.pick("unknown", self.UNKNOWN, slot=wording.words(slot), of=of)

    def say_shall_i(self, domain: str) -> str:
        self.waits = True
        return self.pick("shall I", self.SHALL_I)

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        if domain not in self.BOOKED:
            return super().say_booked(domain, result)
        state = self.state.of(domain)
        told = self.pick("booked", self.BOOKED[domain], **stands(state.row or {}, result))
        earlier = [str(made["reference"]) for made in state.booked if made is not result]
        if not earlier:
            return told
        return f"{told} {self.pick('stands', self.STANDS, ref=' and '.join(earlier))}"

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        if "taxi" not in self.BOOKED:
            return super().say_taxi(result)
        return self.pick("booked", self.BOOKED["taxi"], **ride(result))

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        self.waits = True
        other = " or ".join(wording.words(slot) for slot in changing)
        why = reason.partition(";")[0]
        return self.pick("refused", self.REFUSED, reason=why, other=other)

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        """Asked to book once more what stands booked, it says once more that it does.

        A yes to other days or times than those refused gives none: it asks for them.
        """
        others = self.others_wanted(state, heard)
        if others:
            return [self.ask(state, others)]
        said = super().booking(state, heard, just_offered=just_offered)
        if said or not state.booked:
            return said
        if just_offered and identity(state.row or {}) != identity(state.booked[-1]):
            self.state.booking_offered, self.waits = state.domain, True
            return [self.pick("as well", self.AS_WELL, name=wording.title(state.booked[-1]))]
        if not heard.books:
            return []
        told = self.say_booked(state.domain, state.booked[-1])
        return [self.pick("again", self.AGAIN), told]

    def others_wanted(self, state: DomainState, heard: Understood) -> list[str]:
        """What to ask for after a bare yes to the question that a refusal has ended in."""
        gave = any(said.domain == state.domain for said in heard.informs)
        refused = state.tried is not None and state.tried == self.booking_arguments(state)
        if not heard.yes or gave or state.booked or not refused:
            return []
        return [slot for slot in BOOKING_SLOTS.get(state.domain, ()) if slot != "people"]

    def answer_about_taxi(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().answer_about_taxi(state, heard)
        if said or not heard.books:
            return said
        return [self.pick("again", self.AGAIN), self.say_taxi(state.booked[-1])]

    def say_more(self) -> str:
        return self.pick("more", self.MORE)

    def say_goodbye(self) -> str:
        return self.pick("bye", self.BYE)

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        if said and self.waits:
            return []
        lost = wording.not_understood(self.state.turn)
        told = super().after(heard, said)
        return [self.pick("lost", self.LOST) if text == lost else text for text in told]


class Varies:
    """Says the sentences of a bot by templates; several for one pattern take turns."""

    TEMPLATES: ClassVar[Sequence[tuple[str, Said]]] = ()
    times: Counter[str]

    def reword(self, text: str) -> str:
        """The reply as it is said."""
        if not hasattr(self, "times"):
            self.times = Counter()
        for pattern, said in self.TEMPLATES:
            choices = [said] if isinstance(said, str) else said
            template = choices[self.times[pattern] % len(choices)]
            text, count = re.subn(pattern, template, text)
            self.times[pattern] += count
        return self.dressed(text)

    def dressed(self, text: str) -> str:
        """The whole turn as it is said in the end."""
        return text


class OwnMannered(OwnBot):
    """The bot of own domains in a wording of its own."""

    VOICE: ClassVar[Wording]

    def __init__(self, desk: Desk, wording: Wording) -> None:
        super().__init__(desk, self.VOICE)

    def respond(self, text: str) -> str:
        return self.dressed(super().respond(text.replace("one more thing", "something more")))

    def dressed(self, text: str) -> str:
        """The whole turn as it is said in the end."""
        return text


def shown(row: Mapping[str, Any]) -> dict[str, str]:
    """The values of a row or a booking, as they are said."""
    told = {
        slot: wording.title({"name": value}) if slot in CASED else str(value)
        for slot, value in row.items()
    }
    has = [slot for slot in ("internet", "parking") if row.get(slot) == "yes"]
    lacks = [slot for slot in ("internet", "parking") if row.get(slot) == "no"]
    perks = [" and ".join(has)] if has else []
    perks += [f"no {' and no '.join(lacks)}"] if lacks else []
    return {
        **told,
        "name": wording.title(row),
        "perks": ", but ".join(perks) or "no word on internet and parking",
        "a_type": article(told.get("type", "")),
        "a_price": article(told.get("pricerange", "")),
    }


def stands(row: Row, result: Mapping[str, Any]) -> dict[str, str]:
    """The values of a booking, as they are said."""
    people, nights = str(result["people"]), str(result.get("stay", ""))
    return {
        **shown({**row, **result}),
        "party": f"{people} {'person' if people == '1' else 'people'}",
        "tickets": f"{people} {'ticket' if people == '1' else 'tickets'}",
        "nights": f"{nights} {'night' if nights == '1' else 'nights'}",
        "ref": str(result["reference"]),
    }


def ride(result: Mapping[str, Any]) -> dict[str, str]:
    """The values of a taxi, as they are said; `driver` is when it comes, as a sentence."""
    told = shown(result)
    if "leaveAt" in result:
        when = f"leaving at {told['leaveAt']}"
        driver = f"Your driver will be at {told['departure']} at {told['leaveAt']}"
    else:
        when = f"arriving by {told['arriveBy']}"
        driver = f"Your driver will have you at {told['destination']} by {told['arriveBy']}"
    return {**told, "when": when, "driver": driver, "phone": str(result["phone"])}


def article(word: str) -> str:
    """A noun or adjective with its article."""
    return f"{'an' if word[:1] in tuple('aeiou') else 'a'} {word}"
