"""Right bots in other people's English: each finding is a false alarm."""

from typing import ClassVar

from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True, wave=6)
variant = CATALOGUE.variant


@variant
class MixesInGerman(Mannered):
    """A bilingual desk: a word of German first, then all of it in English."""

    OFFERS: ClassVar = {
        "restaurant": (
            "Gerne! I can recommend {name}, {food} food in the {area}, {pricerange}.",
            "Na klar! {name} is {a_price} place in the {area} with {food} food.",
        ),
        "hotel": (
            "Gerne! I can recommend {name}, {a_price} {stars}-star {type} in the "
            "{area}, with {perks}.",
        ),
        "attraction": (
            "Gerne! I can recommend {name}, {a_type} in the {area}.",
            "Na klar! {name} is {a_type} in the {area}.",
        ),
        "train": "Bitte schön! {trainID} on {day}, from {departure} at {leaveAt}, in "
        "{destination} at {arriveBy}.",
    }
    ASK = ("Eine Frage noch (one question): {question}", "Sagen Sie mal (tell me): {question}")
    SEVERAL = "Moment bitte. I find {what}."
    SHALL_I = (
        "Soll ich reservieren? Shall I book it?",
        "Möchten Sie buchen? Would you like to book it?",
    )
    BOOKED: ClassVar = {
        "restaurant": "Gebucht! Your table at {name} is booked: {day}, {time}, {party}. "
        "Reference (Buchungsnummer): {ref}.",
        "hotel": "Gebucht! Your room at {name} is booked: from {day}, {nights}, {party}. "
        "Reference (Buchungsnummer): {ref}.",
        "train": "Gebucht! {tickets} for {trainID} on {day}. Reference (Buchungsnummer): {ref}.",
        "taxi": "Bestellt! Your taxi from {departure} to {destination} is ordered, "
        "{when}. Car (Wagen): {type}. Phone (Telefon): {phone}.",
    }
    REFUSED = "Leider nicht, I'm sorry, it is full (ausgebucht). Would another {other} be possible?"
    NONE = "Leider nein, there is no {what}. Would another {other} be possible?"
    NONE_ELSE = "Leider nein, there is no {what}."
    ANSWERS: ClassVar = {
        "phone": "Telefon, phone: {value}.",
        "address": "Adresse, address: {value}.",
        "postcode": "Postleitzahl, postcode: {value}.",
        "": ("Bitte schön: the {slot} is {value}.", "Gerne. {of}, {slot}: {value}."),
    }
    HAS = "Ja, yes, {of} has {what}."
    HASNT = "Nein, no, {of} has no {what}."
    MORE = ("Sonst noch etwas? Anything else?", "Noch ein Wunsch? Can I do anything else?")
    BYE = "Auf Wiedersehen! Goodbye, and thank you."
    LOST = "Wie bitte? Sorry, could you say that again?"
    AGAIN = "Schon erledigt, already done."


@variant
class SpeaksSinglish(Mannered):
    """A counter in Singapore."""

    OFFERS: ClassVar = {
        "restaurant": "Eh, go {name} lah. Got {food} food, {area} side, {pricerange} one.",
        "hotel": "Eh, stay {name} lah. {stars} star {type}, {area} side, {pricerange} "
        "one, {perks}.",
        "attraction": "Eh, see {name} lah. It's {a_type}, {area} side.",
        "train": "Can take {trainID} on {day}. {leaveAt} from {departure}, {arriveBy} "
        "reach {destination} already.",
    }
    SEVERAL = "Wah, got {what}."
    ASK = ("{question} Tell me lah.", "{question} Can?")
    SHALL_I = ("I book for you, can?", "Want me to chope it for you or not?")
    BOOKED: ClassVar = {
        "restaurant": "Can! Chope already: {name}, {day} {time}, {party}. Number is {ref} ah.",
        "hotel": "Can! Chope already: {name}, {day}, {nights}, {party}. Number is {ref} ah.",
        "train": "Can! Tickets got already: {trainID}, {day}, {tickets}. Number is {ref} ah.",
        "taxi": "Can! Cab call already: {departure} go {destination}, {when}. Look for "
        "{type}, call {phone} if cannot find.",
    }
    REFUSED = "Aiyo, cannot lah, full already. Other {other} can or not?"
    NONE = "Aiyo, don't have {what} leh. Other {other} can or not?"
    NONE_ELSE = "Aiyo, don't have {what} leh."
    ANSWERS: ClassVar = {"": ("{slot} ah? {value}.", "{slot} is {value} lor.")}
    HAS = "Got! {of} got {what}."
    HASNT = "Don't have leh, {of} no {what}."
    MORE = ("Anything else or not?", "Still need what?")
    BYE = "Okay lah, bye bye!"
    LOST = "Huh? Catch no ball. Say again can?"
    NOT_YET = "Haven't book yet."
    AGAIN = "Do already lah."


@variant
class WritesEasyRead(Mannered):
    """Easy language: one thought in a line, and hard words explained."""

    OFFERS: ClassVar = {
        "restaurant": "There is a place to eat.\nIt is called {name}.\nIt has {food} food.\nIt "
        "is in the {area} of the town.\nThe price range is {pricerange}.\n",
        "hotel": "There is a place to sleep.\nIt is called {name}.\nIt is a {type}.\nIt "
        "has {stars} stars.\nIt is in the {area} of the town.\nThe price range "
        "is {pricerange}.\nInternet: {internet}.\nParking for cars: {parking}.\n",
        "attraction": "There is a place to visit.\nIt is called {name}.\nIt is {a_type}.\nIt "
        "is in the {area} of the town.\n",
        "train": "There is a train.\nIts name is {trainID}.\nIt goes on {day}.\nIt leaves "
        "{departure} at {leaveAt}.\nIt is in {destination} at {arriveBy}.\n",
    }
    SEVERAL = "There are {what}.\n"
    ASK = ("I have a question.\n{question}", "Please tell me.\n{question}")
    SHALL_I = (
        "To book means: they keep a place for you.\nDo you want to book it?",
        "Do you want me to book it?\nYou can say yes or no.",
    )
    BOOKED: ClassVar = {
        "restaurant": "It is booked.\nThat means: they keep a table for you.\nThe place: "
        "{name}.\nThe day: {day}.\nThe time: {time}.\nHow many people: "
        "{people}.\nThere is a code for you.\nIt is called a reference.\nYour "
        "code is {ref}.\n",
        "hotel": "It is booked.\nThat means: they keep a room for you.\nThe place: "
        "{name}.\nThe first day: {day}.\nHow many nights: {stay}.\nHow many "
        "people: {people}.\nThere is a code for you.\nIt is called a "
        "reference.\nYour code is {ref}.\n",
        "train": "It is booked.\nThat means: you have tickets.\nThe train: "
        "{trainID}.\nThe day: {day}.\nHow many tickets: {people}.\nThere is a "
        "code for you.\nIt is called a reference.\nYour code is {ref}.\n",
        "taxi": "A taxi will come.\nFrom: {departure}.\nTo: {destination}.\nWhen: "
        "{when}.\nThe car is {a_type}.\nYou can call the driver.\nThe number is "
        "{phone}.\n",
    }
    REFUSED = (
        "It did not work.\nThere is no space left for that.\nThat is not your "
        "fault.\nDo you want a different {other}?"
    )
    NONE = "I looked.\nThere is no {what}.\nDo you want a different {other}?"
    NONE_ELSE = "I looked.\nThere is no {what}.\n"
    ANSWERS: ClassVar = {
        "postcode": "A postcode is for letters and for maps.\nThe postcode is {value}.\n",
        "entrance fee": "The entrance fee is the money to get in.\nIt is: {value}.\n",
        "duration": "The ride takes {value}.\n",
        "": "The {slot} is {value}.\n",
    }
    HAS = "Yes.\nThere is {what}.\n"
    HASNT = "No.\nThere is no {what}.\n"
    MORE = ("Do you need more help?", "Is there something else?\nYou can ask me.")
    BYE = "Thank you.\nGoodbye."
    LOST = "I did not understand.\nPlease say it in other words."
