"""Held out: right bots kept from those who write rules. Only totals of it are told."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.prose import twelve_hours
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.voiced import ASK_TO_BOOK, CLOSING, GOODBYE, NONE, REFUSED, SEVERAL, Voiced

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True, wave=5)
variant = CATALOGUE.variant


@variant
class SpeaksForLearners(Voiced):
    """Speaks in short easy sentences and explains a word now and then."""

    OFFERS: ClassVar = {
        "restaurant": "I know a good restaurant. The name is {name}. You can eat {food} food "
        "there. It is in the {area}. The prices are {pricerange}.",
        "hotel": "I know a good place to sleep. The name is {name}. It is a {type}. It has {stars} "
        "stars: more stars mean more comfort. It is in the {area}. The price is {pricerange}.",
        "attraction": "I know a nice place to visit. The name is {name}. It is a {type}. It is in "
        "the {area}.",
        "train": "You can take this train: {trainID}. It goes on {day}. It starts in {departure} "
        "at {leaveAt}. It stops in {destination} at {arriveBy}.",
    }
    ANSWERS: ClassVar = {
        "phone": "You can call {value}.",
        "address": "It is here: {value}.",
        "postcode": "The postcode is {value}. A postcode is a short code for a street.",
        "price": "One ticket costs {value}.",
        "duration": "You sit in the train for {value}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "Good news! You have a table at {name}. The day is {day}. The time is "
        "{time}. It is for {party}. This is your number: {ref}. Show it to the waiter.",
        "hotel": "Good news! You have a room at {name}. You come on {day}. You sleep there for "
        "{nights}. It is for {party}. This is your number: {ref}.",
        "train": "Good news! You have {tickets} for train {trainID}. The day is {day}. This is "
        "your number: {ref}.",
        "taxi": "Good news! You have a taxi, {when}. It goes from {departure} to {destination}. "
        "The car is a {type}. You can call the driver: {phone}.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Do you want it? I can reserve it. To reserve means: to keep it for you."),
        (CLOSING, "Do you need more help?"),
        (NONE, r"I looked. There is no \1. Do you want a different \2?"),
        (REFUSED, r"I tried. It did not work. The reason: \1. Do you want a different \2?"),
        (SEVERAL, r"There are many: \1 \2."),
    )


@variant
class TellsTheDetailsLater(Voiced):
    """Books first and says no more than that; tells what it has booked in its next reply.

    It asks in ten ways whether there is more to do, and thanks for each answer.
    """

    MORE = (
        "What's next?", "Anything else?", "Can I do more for you?", "Is that all for now?",
        "Something else on your list?", "Are you all set?", "Do you need a hand with more?",
        "Where else can I be of use?", "Shall we carry on?", "What more can I do?",
    )  # fmt: skip
    BOOKED: ClassVar = {
        "restaurant": "The table is booked, reference {ref}.",
        "hotel": "The room is booked, reference {ref}.",
        "train": "The tickets are booked, reference {ref}.",
    }
    TEMPLATES = (
        (REFUSED, r"Thanks for waiting. They turned us down: \1. Which other \2 could you do?"),
        (ASK_TO_BOOK, "May I book it?"),
    )
    owed: tuple[dict[str, Any], ...] = ()
    """Bookings of the last turn."""
    seen: frozenset[str] = frozenset()
    """References of all bookings up to the last turn."""

    def reword(self, text: str) -> str:
        more = self.MORE[self.state.turn % len(self.MORE)]
        said = re.sub(CLOSING, more, super().reword(text))
        owed, booked = self.owed, [b for b in self.booked_now if "day" in b]
        self.owed = tuple(b for b in booked if b["reference"] not in self.seen)
        self.seen = frozenset(b["reference"] for b in booked)
        return " ".join([*(["Thanks for that!"] if owed else []), *map(self.details, owed), said])

    def details(self, booked: dict[str, Any]) -> str:
        """What a booking is for."""
        at = f" at {booked['time']}" if "time" in booked else ""
        stay = f", nights: {booked['stay']}" if "stay" in booked else ""
        return (
            f"By the way, that booking is for {booked['people']}: {wording.title(booked)}, "
            f"{booked['day'].title()}{at}{stay}."
        )


@variant
class PrintsConfirmationCards(Voiced):
    """Prints offers and bookings as cards of one line."""

    OFFERS: ClassVar = {
        "restaurant": "[RESTAURANT] {name} | {food} | {area} | {pricerange}\n",
        "hotel": "[HOTEL] {name} | {type} | {stars} stars | {area} | {pricerange}\n",
        "attraction": "[SIGHT] {name} | {type} | {area}\n",
        "train": "[TRAIN] {trainID} | {day} | {departure} {leaveAt} > {destination} {arriveBy}\n",
    }
    ANSWERS: ClassVar = {"": "[INFO] {of} | {slot} | {value}\n"}
    BOOKED: ClassVar = {
        "restaurant": "Booking confirmed | Ref {ref} | {name} | {day} | {time} | {party}\n",
        "hotel": "Booking confirmed | Ref {ref} | {name} | in: {day} | {nights} | {party}\n",
        "train": "Booking confirmed | Ref {ref} | {trainID} | {day} | {tickets}\n",
        "taxi": "Taxi confirmed | {departure} > {destination} | {when} | {type} | Tel. {phone}\n",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Reserve? [YES] [NO]"),
        (CLOSING, "Anything else? [YES] [NO]"),
        (GOODBYE, "Session closed."),
        (NONE, r"No match | \1 | Change \2?"),
        (REFUSED, r"Booking declined | \1 | Try another \2?"),
    )


@variant
class SpeaksOfTheGuestInThePast(Voiced):
    """Reports in the past what it went ahead and did, and says "the guests" for who comes."""

    OFFERS: ClassVar = {
        "restaurant": "I went through the list and picked out {name}. It's a {food} place in the "
        "{area}, and its prices are {pricerange}.",
        "hotel": "I went through the list and picked out {name}. It's a {pricerange} {type} in the "
        "{area} with {stars} stars.",
        "attraction": "I went through the list and picked out {name}. It's a {type} in the {area}.",
        "train": "I went through the timetable and picked out the {trainID}. On {day} it leaves "
        "{departure} at {leaveAt} and is in {destination} by {arriveBy}.",
    }
    ANSWERS: ClassVar = {"": "I looked that up. For {of}, the {slot} was given as {value}."}
    BOOKED: ClassVar = {
        "restaurant": "I went ahead and reserved a table at {name}. The party of {people} was put "
        "down for {day}, {clock}. They gave me {ref} as a reference.",
        "hotel": "I went ahead and reserved a room at {name}. The guests ({people}) were put down "
        "for {nights} from {day}. They gave me {ref} as a reference.",
        "train": "I went ahead and got the travellers {tickets} for the {trainID} on {day}. They "
        "gave me {ref} as a reference.",
        "taxi": "I went ahead and ordered the car from {departure} to {destination}, {when}. They "
        "said it would be a {type}, and gave me {phone} to call.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Would the guests like me to reserve it?"),
        (CLOSING, "Was there anything else?"),
        (REFUSED, r"I asked, but they said no: \1. Would another \2 suit the guests?"),
    )

    def shown(self, row: Row) -> dict[str, str]:
        shown = super().shown(row)
        return {**shown, "clock": twelve_hours(shown["time"])} if "time" in shown else shown


@variant
class LooksTwiceAndTakesTheLast(Voiced):
    """Looks twice to be sure, offers the last that fits, and tells address and phone unasked."""

    def search(self, state: DomainState) -> Sequence[Row]:
        super().search(state)
        return super().search(state)

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        chosen = super().choose_venue(state, rows)
        kept = state.row is not None and wording.title(chosen) == wording.title(state.row)
        return chosen if kept or state.domain == "train" else rows[-1]

    def present(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        said = super().present(state, row, rows)
        if "phone" not in row:
            return f"I double-checked the timetable. {said}"
        return f"I double-checked. {said} (Address: {row['address']}; phone: {row['phone']}.)"
