"""Right bots that turn things round: each finding is a false alarm."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tests.faulty_bots.mannered import Mannered, Said
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True, wave=6)
variant = CATALOGUE.variant


@variant
class SpeaksOfOtherGuests(Mannered):
    """Chats about the guests before, whose bookings went otherwise."""

    OFFERS: ClassVar = {
        "restaurant": (
            "The lady before you cancelled her table, she had a cold. For you I'd "
            "say {name}: {food} food, {area}, {pricerange}.",
            "A couple this morning wanted sushi at midnight, and I had to say no "
            "to them. Yours is easier: {name}, {food} food, {area}, {pricerange}.",
        ),
        "hotel": (
            "The family before you lost their booking elsewhere, poor things. For "
            "you I'd say {name}: {a_price} {stars}-star {type}, {area}, {perks}.",
            "Somebody just rang to complain of a noisy room across the river. For "
            "you I'd say {name}: {a_price} {stars}-star {type}, {area}, {perks}.",
        ),
        "attraction": (
            "A school class before you wanted a zoo, which we haven't got. For you "
            "I'd say {name}, {a_type} in the {area}.",
            "The gentleman before you was after somewhere to swim in the sea in "
            "winter! For you I'd say {name}, {a_type} in the {area}.",
        ),
        "train": "A student just missed his train and had to buy a new ticket. Don't be "
        "him: {trainID} on {day} leaves {departure} at {leaveAt} and is in "
        "{destination} at {arriveBy}.",
    }
    SHALL_I = (
        "The last guest told me to book at once. How about you, shall I book it?",
        "Others sleep on it first. Would you like it booked?",
    )
    BOOKED: ClassVar = {
        "restaurant": "You had more luck than the party of twelve before you, whom I couldn't "
        "seat: {name} is booked for {party} on {day} at {time}. Your number's "
        "{ref}.",
        "hotel": "You had more luck than the man before you, who got no room: {name} is "
        "booked for {party}, {nights} from {day}. Your number's {ref}.",
        "train": "You had more luck than the lady before you, whose train was cancelled: "
        "{tickets} on {trainID} on {day}, booked. Your number's {ref}.",
        "taxi": "You had more luck than the guest before you, who had to walk: {a_type} "
        "takes you from {departure} to {destination}, {when}. The driver's on "
        "{phone}.",
    }
    REFUSED = (
        "It was the same for the guest before you, I'm sorry: no room there for "
        "that. She took a different {other} in the end. Would you?"
    )
    NONE = (
        "You're not the first to ask today, but there's no {what}. The others "
        "changed the {other}. Would you?"
    )
    NONE_ELSE = "You're not the first to ask today, but there's no {what}."
    ANSWERS: ClassVar = {
        "": (
            "Everybody asks me that: the {slot} is {value}.",
            "The {slot} of {of} is {value}. I tell ten people a day!",
        )
    }
    MORE = (
        "Most people want something else as well. Do you?",
        "Anything else? Nobody's behind you in the queue.",
    )
    BYE = "You've been nicer than most today. Bye!"


@variant
class AsksEitherOr(Mannered):
    """Asks in alternatives: this or something else, now or later."""

    OFFERS: ClassVar = {
        "restaurant": "I'd say {name} rather than any other: {food} food, {area}, {pricerange}.",
        "hotel": "I'd say {name} rather than any other: {a_price} {stars}-star {type}, "
        "{area}, {perks}.",
        "attraction": "I'd say {name} rather than any other: {a_type} in the {area}.",
        "train": "I'd say {trainID} rather than a later one: {day}, {departure} "
        "{leaveAt}, {destination} {arriveBy}.",
    }
    SHALL_I = (
        "Shall I book it, or would you rather hear about another one?",
        "Do you want it booked, or are you only looking around?",
        "Book it now, or leave it for the moment?",
    )
    ASK = ("{question} Or doesn't it matter?", "{question} Or shall I leave that open?")
    BOOKED: ClassVar = {
        "restaurant": "It's booked rather than just held: {name}, {day}, {time}, {party}. "
        "Reference {ref}. Shall we go on, or was that all?",
        "hotel": "It's booked rather than just held: {name}, from {day}, {nights}, "
        "{party}. Reference {ref}. Shall we go on, or was that all?",
        "train": "They're booked rather than just held: {tickets}, {trainID}, {day}. "
        "Reference {ref}. Shall we go on, or was that all?",
        "taxi": "It's ordered rather than just priced: {departure} to {destination}, "
        "{when}. Look for {a_type}, or ring {phone}. Shall we go on, or was that "
        "all?",
    }
    REFUSED = "That's taken. Shall I try another {other}, or drop it?"
    NONE = (
        "There's no {what}. Shall I try another {other}, or would you like "
        "something else altogether?"
    )
    NONE_ELSE = "There's no {what}."
    MORE = ("Is there more, or are we done?", "Anything else, or shall we leave it there?")

    def before(self, text: str) -> str:
        """Takes an answer in the question's own words."""
        if not self.state.booking_offered:
            return text
        if re.search(r"\b(?:leave it|looking around)\b", text, re.IGNORECASE):
            return "No booking, thanks."
        return (
            "Yes, please book it."
            if re.fullmatch(
                r"(?:\W|i'd|take|book|it|is|fine|please|now)*\bnow\b(?:\W|is|fine|please|then)*",
                text,
                re.IGNORECASE,
            )
            else text
        )

    def ask_with(self, domain: str, slots: Sequence[str]) -> Said:
        matters = set(slots) & {"food", "area", "pricerange", "type"}
        return self.ASK if matters else "{question}"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        self.waits = True
        return super().say_booked(domain, result)

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        self.waits = True
        return super().say_taxi(result)


@variant
class SaysWhoExpectsYou(Mannered):
    """Tells bookings from the other side: who expects whom, and what lies ready."""

    OFFERS: ClassVar = {
        "restaurant": "{name} would be glad to have you, {a_price} place in the {area} that "
        "does {food} food.",
        "hotel": "{name} would be glad to have you, {a_price} {stars}-star {type} in the "
        "{area}, {perks}.",
        "attraction": "{name} would be glad to have you, {a_type} in the {area}.",
        "train": "{trainID} waits for you at {departure} on {day} until {leaveAt}, and "
        "they'd see you in {destination} at {arriveBy}.",
    }
    SHALL_I = ("Shall I let them know you're coming?", "Would you like them to expect you?")
    BOOKED: ClassVar = {
        "restaurant": (
            "{name} will be expecting {people} of you on {day} at {time}. Say {ref} at the door.",
            "A table for {people} will be laid at {name} on {day}, {time} sharp. "
            "They know you by {ref}.",
        ),
        "hotel": (
            "{name} will be expecting {people} of you on {day}, for {nights}. Say "
            "{ref} at the door.",
            "From {day} there'll be a key for you at {name}, {nights}, {party}. "
            "They know you by {ref}.",
        ),
        "train": (
            "Your tickets are in your app: {people} on {trainID}, {day}. They're "
            "filed under {ref}.",
            "{trainID} will have {people} of its seats kept for you on {day}. Show {ref} on board.",
        ),
        "taxi": "{driver}. Watch for {a_type}; it runs from {departure} to "
        "{destination}, and {phone} rings in the car.",
    }
    REFUSED = (
        "They'd have to turn you away at that, every place is spoken for. Can you "
        "come at another {other}?",
        "They can't have you then, they're chock-a-block. What other {other} might work?",
    )
    NONE = "Nobody here would be able to offer you {what}. Could it be another {other}?"
    NONE_ELSE = "Nobody here could offer you {what}."
    NOT_YET = "They aren't expecting you yet, as I've not told them."
    MORE = ("Who else shall I talk to for you?", "Is there anything else I should set up?")
    BYE = "They'll be glad to see you. Goodbye!"
    AGAIN = "They've been told."


@variant
class SaysItByNegation(Mannered):
    """Says what is so by denying that it is not."""

    OFFERS: ClassVar = {
        "restaurant": "You won't go wrong with {name}: nothing but {food} food, nowhere but in "
        "the {area}, and {pricerange}, no more and no less.",
        "hotel": "You won't go wrong with {name}: {a_price} {type} with no fewer than "
        "{stars} stars, nowhere but in the {area}, with {perks}.",
        "attraction": "You won't go wrong with {name}: {a_type}, and nowhere but in the {area}.",
        "train": "You won't miss anything with {trainID} on {day}: it doesn't leave "
        "{departure} before {leaveAt}, it doesn't leave later either, and it's "
        "in {destination} at {arriveBy}.",
    }
    SEVERAL = "There are no fewer than {what}."
    SHALL_I = (
        "It would be no trouble at all to book it. Say yes, and I won't hesitate.",
        "Nothing is booked until you say so. Wouldn't you like me to book it?",
    )
    BOOKED: ClassVar = {
        "restaurant": "Nothing stood in the way, so you won't have to worry: {name} is yours "
        "on {day} at {time}, {party}. Don't forget {ref}, the reference.",
        "hotel": "Nothing stood in the way, so you won't have to worry: {name} is yours "
        "from {day}, {nights}, {party}. Don't forget {ref}, the reference.",
        "train": "Nothing stood in the way, so you won't have to stand: {tickets} for "
        "{trainID} on {day} are yours. Don't forget {ref}, the reference.",
        "taxi": "You won't have to walk: a cab comes from {departure} to {destination}, "
        "{when}. You can't miss it, it's {a_type}, and {phone} never goes "
        "unanswered.",
    }
    REFUSED = (
        "That isn't free any more, I can't deny it. You wouldn't have another {other}, would you?"
    )
    NONE = "There isn't a {what}, not one. You wouldn't have another {other}, would you?"
    NONE_ELSE = "There isn't a {what}, not one."
    ANSWERS: ClassVar = {
        "": ("The {slot} is none other than {value}.", "No secret, that: {value} is the {slot}.")
    }
    HAS = "{of} isn't without {what}, so that's a yes."
    HASNT = "{of} isn't blessed with {what}, so that's a no."
    MORE = ("There isn't anything else, is there?", "Nothing else?")
    BYE = "Don't be a stranger! Goodbye!"
    AGAIN = "That's not undone, don't worry."
