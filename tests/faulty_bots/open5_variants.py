"""Right bots in manners of real assistants: each finding is a false alarm."""

from typing import ClassVar

from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.voiced import (
    ASK_TO_BOOK,
    CLOSING,
    GOODBYE,
    NONE,
    NONE_ELSE,
    REFUSED,
    SEVERAL,
    Voiced,
)

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=5)
variant = CATALOGUE.variant


@variant
class WritesMarkdownTables(Voiced):
    """An assistant that answers in headings and tables."""

    OFFERS: ClassVar = {
        "restaurant": "### 🍽️ {name}\n\n| Detail | |\n| --- | --- |\n| **Cuisine** | {food} |\n"
        "| **Area** | {area} |\n| **Price range** | {pricerange} |\n\n",
        "hotel": "### 🏨 {name}\n\n| Detail | |\n| --- | --- |\n| **Kind** | {type} |\n"
        "| **Stars** | {stars} |\n| **Area** | {area} |\n| **Price range** | {pricerange} |\n"
        "| **Wi-Fi** | {internet} |\n| **Parking** | {parking} |\n\n",
        "attraction": "### 🎡 {name}\n\n| Detail | |\n| --- | --- |\n| **Kind** | {type} |\n"
        "| **Area** | {area} |\n\n",
        "train": "### 🚆 {departure} → {destination}\n\n| Train | Day | Departs | Arrives |\n"
        "| --- | --- | --- | --- |\n| {trainID} | {day} | {leaveAt} | {arriveBy} |\n\n",
    }
    ANSWERS: ClassVar = {"": "**{of}**, {slot}: {value}.\n"}
    BOOKED: ClassVar = {
        "restaurant": "## Reservation confirmed\n\n| | |\n| --- | --- |\n| Venue | {name} |\n"
        "| Day | {day} |\n| Time | {time} |\n| Guests | {people} |\n| Reference | **{ref}** |\n\n",
        "hotel": "## Reservation confirmed\n\n| | |\n| --- | --- |\n| Hotel | {name} |\n"
        "| Check-in | {day} |\n| Nights | {stay} |\n| Guests | {people} |\n"
        "| Reference | **{ref}** |\n\n",
        "train": "## Tickets confirmed\n\n| | |\n| --- | --- |\n| Train | {trainID} |\n"
        "| Day | {day} |\n| Tickets | {people} |\n| Reference | **{ref}** |\n\n",
        "taxi": "## Taxi confirmed\n\n| | |\n| --- | --- |\n| From | {departure} |\n"
        "| To | {destination} |\n| When | {when} |\n| Car | {type} |\n| Phone | {phone} |\n\n",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Would you like me to **reserve** this one for you?"),
        (CLOSING, "Is there anything else you'd like to know or arrange?"),
        (NONE, r"### No results\n\nThere is no \1. You could **change the \2**. "
         r"What do you think?"),
        (REFUSED, r"### Not available\n\nThe reservation didn't go through: *\1*. "
         r"Would a different **\2** work?"),
    )  # fmt: skip


@variant
class NamesItselfAndChats(Voiced):
    """A concierge with a name, who says at first what it can do and chats on the way."""

    OFFERS: ClassVar = {
        "restaurant": "Might I point you towards {name}? They cook {food} food, it's {pricerange}, "
        "and you'll find them in the {area} of town.",
        "hotel": "Might I point you towards {name}? It's a {pricerange} {type} with {stars} stars "
        "in the {area} of town, and it comes with {has}.",
        "attraction": "Might I point you towards {name}? It's a {type} in the {area} of town.",
        "train": "I'd put you on the {leaveAt} from {departure} on {day}. That's the {trainID}, "
        "and it rolls into {destination} at {arriveBy}.",
    }
    ANSWERS: ClassVar = {
        "phone": "Ring them on {value}, and tell them Pip says hello!",
        "address": "Pop over to {value}.",
        "postcode": "And for the map: {value}.",
        "price": "It'll set you back {value} per ticket.",
        "duration": "You'll be on board for {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "Marvellous! {name} will have a table for {party} ready on {day} at {time}. "
        "Just give them {ref} when you walk in.",
        "hotel": "Marvellous! {name} will have a room ready for {party} from {day}, for {nights}. "
        "Just give them {ref} when you check in.",
        "train": "Marvellous! That's {tickets} on the {trainID} on {day}. Your code for "
        "collecting them is {ref}.",
        "taxi": "Marvellous! A {type} will take you from {departure} to {destination}, {when}. "
        "The driver's number is {phone}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Shall Pip arrange it for you?"),
        (CLOSING, "Now, what else can Pip do to make your stay a happy one?"),
        (GOODBYE, "It's been a pleasure looking after you. Toodle-pip!"),
        (NONE, r"Oh dear, I've been through all my cards and there's no \1. Might we change the "
         r"\2?"),
        (REFUSED, r"Oh dear, they couldn't take it: \1. Might another \2 do?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if self.state.turn > 1:
            return said
        return (
            "Hello and welcome to Marlwick! I'm Pip, your digital concierge. I can find places to "
            "eat, to sleep and to see, look up trains, make bookings and order taxis. " + said
        )


@variant
class TextsTersely(Voiced):
    """Answers as one answers an SMS with one thumb."""

    OFFERS: ClassVar = {
        "restaurant": "{name}. {food}, {pricerange}, {area}.",
        "hotel": "{name}. {stars}* {type}, {pricerange}, {area}. wifi {internet}, parking "
        "{parking}.",
        "attraction": "{name}. {type}, {area}.",
        "train": "{trainID} {day}: {departure} {leaveAt} - {destination} {arriveBy}.",
    }
    ANSWERS: ClassVar = {
        "phone": "ph {value}.",
        "address": "addr {value}.",
        "postcode": "pc {value}.",
        "price": "{value} each.",
        "": "{slot} {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "Bkd. {name}, {day} {time}, {people}p. Ref {ref}",
        "hotel": "Bkd. {name}, {day}, {stay}n, {people}p. Ref {ref}",
        "train": "Bkd. {trainID}, {day}, x{people}. Ref {ref}",
        "taxi": "Taxi bkd. {departure} to {destination}, {when}. {type}, tel {phone}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Book?"),
        (CLOSING, "Else?"),
        (GOODBYE, "Thx bye"),
        (NONE, r"No \1. Other \2?"),
        (NONE_ELSE, r"No \1."),
        (REFUSED, r"Sry, \1. Other \2?"),
        (SEVERAL, r"\1 \2."),
        (r"What day (?:would|will)[^?]*\?|On which day[^?]*\?", "Day?"),
        (r"What time would you like the table\?|At what time\?", "Time?"),
        (r"How many people[^?]*\?|For how many people\?|How many tickets[^?]*\?", "How many?"),
        (r"How many nights[^?]*\?|For how many nights\?", "Nights?"),
        (r"What part of town[^?]*\?|Is there an area[^?]*\?", "Area?"),
        (r"What price range[^?]*\?|Which price range[^?]*\?", "Price?"),
    )


@variant
class UsesSlangAndTypos(Voiced):
    """A bot for young people, with slang and typing mistakes."""

    OFFERS: ClassVar = {
        "restaurant": "k so theres {name}, its {pricerange} and they do {food} food, over in the "
        "{area}. defo worth a look",
        "hotel": "k so theres {name}, {stars} star {type} in the {area}, its {pricerange}. "
        "wifi: {internet}, parking: {parking}.",
        "attraction": "k so theres {name}, its a {type} over in the {area}.",
        "train": "u can hop on {trainID} at {leaveAt} from {departure}, gets to {destination} at "
        "{arriveBy} on {day}.",
    }
    ANSWERS: ClassVar = {
        "phone": "their nr is {value} if u wanna call em.",
        "address": "its at {value}.",
        "postcode": "postcode's {value}.",
        "price": "thats {value} a pop.",
        "duration": "takes {value} btw.",
        "entrance fee": "gettin in is {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "sweeeet, ur booked in at {name} for {people} on {day} at {time}. ur ref's "
        "{ref}, dont loose it lol.",
        "hotel": "sweeeet, ur stayin at {name} from {day}, {nights}, {party}. ur ref's {ref}, dont "
        "loose it lol.",
        "train": "sweeeet, got u {tickets} for {trainID} on {day}. ur ref's {ref}, dont loose it "
        "lol.",
        "taxi": "sweeeet, ur cab from {departure} to {destination} is sorted, {when}. look out for "
        "a {type}, nr is {phone}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "want me to grab it 4 ya?"),
        (CLOSING, "anythin else ya need?"),
        (GOODBYE, "np, laters! ✌️"),
        (NONE, r"argh soz, there aint no \1. wanna try a diffrent \2?"),
        (REFUSED, r"argh soz, no luck: \1. got anuther \2?"),
        (SEVERAL, r"ooh theres \1 \2."),
    )


@variant
class ThinksAloudAndAnnounces(Voiced):
    """Says that it is looking before it tells what it has found, and how it comes to a choice."""

    OFFERS: ClassVar = {
        "restaurant": "Okay, going by what you've told me so far, {name} looks like a fit: {food} "
        "food, {area} part of town, {pricerange} prices.",
        "hotel": "Okay, going by what you've told me so far, {name} looks like a fit: {type}, "
        "{stars} stars, {area} part of town, {pricerange} prices, {has} included.",
        "attraction": "Okay, going by what you've told me so far, {name} looks like a fit: it's a "
        "{type}, and it's in the {area}.",
        "train": "Okay, scanning the timetable for {day}... {trainID} out of {departure} at "
        "{leaveAt} seems the best match, since it gets to {destination} at {arriveBy}.",
    }
    ANSWERS: ClassVar = {
        "": "Let me check... yes, here it is: the {slot} for {of} is {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "Putting that through now... one second... and it's done. {name}, {day} at "
        "{time}, {party}, reference {ref}.",
        "hotel": "Putting that through now... one second... and it's done. {name}, arriving {day}, "
        "{nights}, {party}, reference {ref}.",
        "train": "Putting that through now... one second... and it's done. {trainID} on {day}, "
        "{tickets}, reference {ref}.",
        "taxi": "Calling up a car now... one second... and it's done. {departure} to "
        "{destination}, {when}, in a {type}; the number to call is {phone}.",
    }
    TEMPLATES = (
        (NONE, r"Hmm, let me see... no, I can't see any \1. We could loosen the \2, what do you "
         r"think?"),
        (REFUSED, r"Hmm, I've just tried, and it came back with a no: \1. Should I try another "
         r"\2?"),
        (SEVERAL, r"Let me look... I can see \1 \2, so I need to narrow it down a bit."),
        (CLOSING, "Right, is there something else I should look into?"),
        (ASK_TO_BOOK, "Should I go ahead and put it through?"),
    )  # fmt: skip
