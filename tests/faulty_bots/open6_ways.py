"""Right bots with ways of their own to put things: each finding is a false alarm."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pytest_todeval.core.dialogue import Reply
from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=6)
variant = CATALOGUE.variant


@variant
class AsksForAPen(Mannered):
    """Tells that it is booked, and the number in the next turn, when there is a pen."""

    OFFERS: ClassVar = {
        "restaurant": "You may want to jot this name down: {name}. It's {a_price} place in the "
        "{area} with {food} food.",
        "hotel": "You may want to jot this name down: {name}. It's {a_price} {stars}-star "
        "{type} in the {area}, with {perks}.",
        "attraction": "You may want to jot this name down: {name}. It's {a_type} in the {area}.",
        "train": "You may want to jot this down: {trainID}, {day}, {leaveAt} from "
        "{departure}, {arriveBy} in {destination}.",
    }
    REFUSED = (
        "You can cross that one out, I'm afraid, they've no room for it. Might a "
        "different {other} work?"
    )
    NONE = (
        "Nothing to write down yet, I'm afraid: there's no {what}. Might a different {other} work?"
    )
    NONE_ELSE = "Nothing to write down yet, I'm afraid: there's no {what}."
    BOOKED: ClassVar = {
        "restaurant": (
            "Wonderful, {name} has you down for {day} at {time}, {party}.",
            "That's {party} at {name}, {day}, {time}, and it's in their book now.",
        ),
        "hotel": (
            "Wonderful, {name} has you down from {day} for {nights}, {party}.",
            "That's {nights} at {name} from {day}, {party}, and it's in their book now.",
        ),
        "train": (
            "Wonderful, {tickets} on {trainID} for {day} are yours.",
            "That's {tickets} for {trainID} on {day}, all issued.",
        ),
        "taxi": "{driver}, in {a_type}. It takes you from {departure} to {destination}; "
        "if need be, call {phone}.",
    }
    ANSWERS: ClassVar = {
        "reference": "Ready? The reference is {value}. Have you got that down?",
        "phone": "Ready to write? The number of {of} is {value}.",
        "address": "This one to write down as well: {of} is at {value}.",
        "postcode": "And the postcode, as you've still got the pen: {value}.",
    }
    SHALL_I = ("Shall I ring them and take it for you?", "Shall I take it for you?")
    MORE = ("What else can I look up for you?", "Is there something else on your list?")
    owes = ""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        told = super().say_booked(domain, result)
        if self.owes:
            told = f"{self.read_out()} {told}"
        self.owes, self.waits = str(result["reference"]), True
        return f"{told} I have a reference number for you. Have you got a pen to hand?"

    def read_out(self) -> str:
        """The number that it owes."""
        code, self.owes = self.owes, ""
        return f"Here comes the reference number: {code}. Once more, {code}."

    def respond(self, text: str) -> Reply:
        owed = self.owes
        reply = super().respond(text)
        if not owed or owed in reply.text:
            self.owes = "" if self.owes == owed else self.owes
            return reply
        if self.owes != owed:
            return reply
        return replace(reply, text=f"{self.read_out()} {reply.text}")


@variant
class KeepsADiary(Mannered):
    """Speaks of everything as of a diary with pencil and pages."""

    OFFERS: ClassVar = {
        "restaurant": (
            "Flicking through my pages: {name}, {food} food, {area}, {pricerange}.",
            "I've a page on {name}. They do {food} food, they're in the {area}, and "
            "they're {pricerange}.",
        ),
        "hotel": (
            "Flicking through my pages: {name}, {a_price} {stars}-star {type} in the "
            "{area}, {perks}.",
        ),
        "attraction": (
            "Flicking through my pages: {name}, {a_type} in the {area}.",
            "I've a page on {name}. It's {a_type}, over in the {area}.",
        ),
        "train": (
            "Timetable's at the back of the diary: {trainID} on {day}, off from "
            "{departure} at {leaveAt}, there at {arriveBy} in {destination}.",
        ),
    }
    SEVERAL = ("There's {what} in here.", "My pages list {what}.")
    ASK = ("{question} I've my pencil ready.", "{question}")
    SHALL_I = ("Shall I pencil you in, or ink it?", "Shall I write you in?")
    BOOKED: ClassVar = {
        "restaurant": "I've popped you in the diary at {name}: {day}, {time}, {people} of you. "
        "The entry's {ref}.",
        "hotel": "I've popped you in the diary at {name}: from {day}, {nights}, {party}. "
        "The entry's {ref}.",
        "train": "I've popped your {tickets} in the diary, {trainID} on {day}. The entry's {ref}.",
        "taxi": "I've popped a car in the diary: {departure} to {destination}, {when}. "
        "It's {a_type}, and the driver answers on {phone}.",
    }
    REFUSED = (
        "The diary won't let me, that page is full. Could you do a different {other}?",
        "There's no line left on that page. Might a different {other} be any good?",
    )
    NONE = "There's not a page in here for {what}. Could we go by another {other}?"
    NONE_ELSE = "There's not a page in here for {what}."
    ANSWERS: ClassVar = {
        "": ("I've noted the {slot} here as {value}.", "{value}, it says here under {slot}."),
        "reference": "The entry's {value}.",
    }
    MORE = ("Anything else for the diary?", "Shall I turn to another page?")
    BYE = "I'll close the diary then. Bye-bye!"
    AGAIN = "That's in the diary already."


@variant
class SpeaksOfItsSystem(Mannered):
    """An agent for whom the system does it all: it kicks back, accepts, spits out."""

    OFFERS: ClassVar = {
        "restaurant": "The system is throwing up {name}. It's tagged {food}, {area}, {pricerange}.",
        "hotel": "The system is throwing up {name}. It's tagged {type}, {stars} stars, "
        "{area}, {pricerange}, {perks}.",
        "attraction": "The system is throwing up {name}. It's tagged {type}, {area}.",
        "train": "The system is throwing up {trainID} for {day}, {departure} {leaveAt}, "
        "{destination} {arriveBy}.",
    }
    SEVERAL = "It's giving me {what}."
    ASK = ("The system wants to know: {question}", "It won't let me past this box. {question}")
    SHALL_I = ("Do you want me to submit it?", "Shall I hit submit on that?")
    BOOKED: ClassVar = {
        "restaurant": (
            "That's gone through. {name}, {day}, {time}, {party}. It spat out {ref}, "
            "that's your reference.",
            "It accepted it! {name}, {day} at {time} for {people}. It's come back "
            "with {ref} for you.",
        ),
        "hotel": (
            "That's gone through. {name}, {day}, {nights}, {party}. It spat out "
            "{ref}, that's your reference.",
            "It accepted it! {name} from {day}, {nights} for {people}. It's come "
            "back with {ref} for you.",
        ),
        "train": (
            "That's gone through. {tickets}, {trainID}, {day}. It spat out {ref}, "
            "that's your reference.",
            "It accepted it! {trainID} on {day}, {tickets}. It's come back with {ref} for you.",
        ),
        "taxi": "That's gone through. {departure} to {destination}, {when}. It's sending "
        "{a_type}, the phone on that is {phone}.",
    }
    REFUSED = (
        "It kicked it back: no space on those details. Can I put a different {other} in?",
        "Computer says no, I'm afraid, it's got nothing left for that. What other "
        "{other} shall I key in?",
    )
    NONE = "It comes up blank for {what}. Can I put a different {other} in?"
    NONE_ELSE = "It comes up blank for {what}."
    ANSWERS: ClassVar = {
        "": ("It's showing me {value} for the {slot}.", "In the {slot} field it says {value}."),
        "reference": "It's got you under {value}.",
    }
    HAS = "There's a tick against {what} for {of}, so yes."
    HASNT = "There's no tick against {what} for {of}, so no."
    MORE = ("Anything else I can key in?", "What else shall I look up?")
    BYE = "I'll log you out then. Bye!"
    AGAIN = "It's in there already."


@variant
class QuotesTheHouseRules(Mannered):
    """Quotes a rule of its house for whatever it does."""

    OFFERS: ClassVar = {
        "restaurant": "Rule 1 says that we name a place only if it fits. {name} does: {food} "
        "food, {area}, {pricerange}.",
        "hotel": "Rule 1 says that we name a place only if it fits. {name} does: {type}, "
        "{stars} stars, {area}, {pricerange}, {perks}.",
        "attraction": "Rule 1 says that we name a place only if it fits. {name} does: {type}, "
        "{area}.",
        "train": "Rule 1 says that we name a train only if it fits. {trainID} does: "
        "{day}, {departure} {leaveAt}, {destination} {arriveBy}.",
    }
    ASK = (
        "Rule 2 of our charter says that we ask before we guess. {question}",
        "Our guidelines want me to check one thing. {question}",
    )
    SHALL_I = (
        "Rule 4 says that no booking is made without the guest's consent. Do I have yours?",
        "Under our policy I may not book anything unless you tell me to. Do you want me to?",
    )
    SEVERAL = "There are {what}."
    BOOKED: ClassVar = {
        "restaurant": "With your consent, I have now booked {name} for {day} at {time}, {party}. "
        "Rule 5 says that every guest gets a reference: yours is {ref}.",
        "hotel": "With your consent, I have now booked {name} from {day} for {nights}, {party}. "
        "Rule 5 says that every guest gets a reference: yours is {ref}.",
        "train": "With your consent, I have now booked {tickets} on {trainID} on {day}. "
        "Rule 5 says "
        "that every guest gets a reference: yours is {ref}.",
        "taxi": "With your consent, I have now ordered a car from {departure} to {destination}, "
        "{when}. Rule 6 says that guests are told what comes: {a_type}, phone {phone}.",
    }
    REFUSED = (
        "Rule 7 says that we tell bad news at once: they have no room for that. "
        "The rule lets me try another {other}. Which shall I try?"
    )
    NONE = (
        "Rule 1 says that we never make a place up, and there is no {what}. Would "
        "another {other} do?"
    )
    NONE_ELSE = "Rule 1 says that we never make a place up, and there is no {what}."
    ANSWERS: ClassVar = {
        "": (
            "Rule 3 lets me tell you what is on file. The {slot} is {value}.",
            "I am allowed to share this: the {slot} of {of} is {value}.",
        )
    }
    MORE = (
        "Rule 8: before we part I have to ask whether there is anything else.",
        "As rule 8 has it, may I do anything else for you?",
    )
    BYE = "Rule 9: always wish the guest a good day. A good day to you!"
