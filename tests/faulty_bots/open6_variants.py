"""Right bots in other people's English: each finding is a false alarm."""

from typing import ClassVar

from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=6)
variant = CATALOGUE.variant


@variant
class OrdersWordsAsGermansDo(Mannered):
    """English with the words in German order."""

    OFFERS: ClassVar = {
        "restaurant": "I have for you {name} found. It serves {food} food and lies in the "
        "{area}; the prices are {pricerange}.",
        "hotel": "I have for you {name} found. That is {a_price} {type} with {stars} "
        "stars, it lies in the {area} and has {perks}.",
        "attraction": "I have for you {name} found. That is {a_type} and lies in the {area}.",
        "train": "On {day} drives {trainID} at {leaveAt} from {departure} off and comes "
        "at {arriveBy} in {destination} on.",
    }
    SEVERAL = "There gives it {what}."
    SHALL_I = ("Should I that for you reserve?", "Want you, that I it for you book?")
    BOOKED: ClassVar = {
        "restaurant": "So, I have for you a table by {name} reserved, on {day} at {time} for "
        "{party}. Your booking number reads {ref}.",
        "hotel": "So, I have for you a room by {name} reserved, from {day} for {nights} "
        "and {party}. Your booking number reads {ref}.",
        "train": "So, I have for you {tickets} for {trainID} on {day} bought. Your "
        "booking number reads {ref}.",
        "taxi": "So, I have for you a taxi from {departure} to {destination} ordered, "
        "{when}. It comes {a_type}, the telephone number reads {phone}.",
    }
    REFUSED = (
        "That goes unfortunately not, there is everything occupied. Goes it with another {other}?"
    )
    NONE = "It gives unfortunately no {what}. Goes it with another {other}?"
    NONE_ELSE = "It gives unfortunately no {what}."
    ANSWERS: ClassVar = {
        "phone": "The telephone number from {of} reads {value}.",
        "address": "{of} finds itself in {value}.",
        "": ("The {slot} from {of} is {value}.", "As {slot} have I here {value}."),
        "reference": "Your booking number reads {value}.",
    }
    HAS = "Yes, {what} is by {of} with there."
    HASNT = "No, {what} gives it by {of} not."
    MORE = ("Have you yet a wish?", "Can I you else still help?")
    BYE = "I thank me by you. Until soon!"
    NOT_YET = "I have it yet not booked."


@variant
class RelaysByTypewriter(Mannered):
    """A relay service for the deaf: capitals, GA for go ahead, SK at the end."""

    OFFERS: ClassVar = {
        "restaurant": "desk rdg from list {name} xx {food} food, {area}, {pricerange}",
        "hotel": "desk rdg from list {name} xx {stars} star {type}, {area}, {pricerange}, {perks}",
        "attraction": "desk rdg from list {name} xx {type}, {area}",
        "train": "desk rdg from list {trainID} {day} xx {departure} {leaveAt}, "
        "{destination} {arriveBy}",
    }
    SEVERAL = "desk says they hv {what} xx"
    ASK = "desk asks {question}"
    SHALL_I = ("desk asks shd i book it for u q", "desk asks do u want to book it q")
    BOOKED: ClassVar = {
        "restaurant": "desk says ok tht is booked for u xx {name} {day} {time} for {people} xx "
        "ur ref nbr is {ref}",
        "hotel": "desk says ok tht is booked for u xx {name} from {day} for {nights} "
        "{party} xx ur ref nbr is {ref}",
        "train": "desk says ok ur {tickets} r booked xx {trainID} {day} xx ur ref nbr is {ref}",
        "taxi": "desk says ok ur cab is ordered xx {departure} to {destination} {when} "
        "xx {type} xx nbr to call is {phone}",
    }
    REFUSED = "desk says sorry tht is full xx can u do another {other} q"
    NONE = "desk says sorry thr is no {what} xx cd u do another {other} q"
    NONE_ELSE = "desk says sorry thr is no {what} xx"
    ANSWERS: ClassVar = {
        "": ("desk says {slot} of {of} is {value} xx", "desk says {slot} {value} xx")
    }
    HAS = "desk says yes {of} has {what} xx"
    HASNT = "desk says no {of} has no {what} xx"
    MORE = ("desk asks anything else q", "desk says cn i help w anything else q")
    BYE = "desk says tnx for calling bye"
    LOST = "desk says sorry cd u rpt pls"
    NOT_YET = "desk says not booked yet xx"
    AGAIN = "desk says tht is done alrdy xx"

    def dressed(self, text: str) -> str:
        end = "SK" if text.endswith("bye") else "GA"
        return f"{text} {end}".replace("?", " Q").upper()


@variant
class SpeaksAsAContract(Mannered):
    """Terms of a contract: the Guest, the Venue, deemed and hereby."""

    OFFERS: ClassVar = {
        "restaurant": 'The Guest may contract with {name} (the "Venue"), being {a_price} '
        "restaurant of {food} cuisine situated in the {area}.",
        "hotel": 'The Guest may contract with {name} (the "Venue"), being {a_price} '
        "{type} of {stars} stars situated in the {area}, with {perks}.",
        "attraction": 'The Guest may visit {name} (the "Venue"), being {a_type} situated in '
        "the {area}.",
        "train": 'Carriage may be had on {trainID} (the "Service") on {day}, departing '
        "{departure} at {leaveAt} and arriving {destination} at {arriveBy}.",
    }
    SEVERAL = "The schedule lists {what}."
    ASK = (
        "The following term remains open. {question}",
        "The Guest shall state as follows. {question}",
    )
    SHALL_I = (
        "Does the Guest accept, so that a reservation may be effected?",
        "No reservation shall be deemed made until the Guest consents. Does the Guest consent?",
    )
    BOOKED: ClassVar = {
        "restaurant": "A reservation is hereby effected between the Guest and {name} for "
        "{party} on {day} at {time}, evidenced by reference {ref}. Should the "
        "party not attend, the table may be given away.",
        "hotel": "A reservation is hereby effected between the Guest and {name} for "
        "{party} and {nights} commencing on {day}, evidenced by reference {ref}. "
        "Should the party not attend, the room may be given away.",
        "train": "Carriage is hereby contracted for {tickets} on {trainID} on {day}, "
        "evidenced by reference {ref}. Should a train fail to run, the carrier's "
        "terms govern.",
        "taxi": "Carriage is hereby contracted from {departure} to {destination}, "
        "{when}, by {a_type}. Notices to the driver shall be given on {phone}.",
    }
    REFUSED = (
        "The reservation could not be effected, the Venue having no capacity for "
        "the terms stated. Does the Guest wish to amend the {other}?"
    )
    NONE = "The schedule lists no {what}. Does the Guest wish to amend the {other}?"
    NONE_ELSE = "The schedule lists no {what}."
    ANSWERS: ClassVar = {
        "reference": "The reservation is evidenced by reference {value}.",
        "phone": "Notices to {of} shall be given by telephone on {value}.",
        "address": "{of} has its seat at {value}.",
        "": (
            "For the purposes hereof, the {slot} of {of} is {value}.",
            "The {slot} shall be read as {value}.",
        ),
    }
    HAS = "The Venue provides {what} without further charge."
    HASNT = "The Venue does not undertake to provide {what}; it has none."
    MORE = (
        "Does the Guest require any further service?",
        "Are there further instructions from the Guest?",
    )
    BYE = "These presents are concluded. The Guest is wished a good day."
    NOT_YET = "No reservation has been effected to date."
    AGAIN = "The said reservation stands already."
