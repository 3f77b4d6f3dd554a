"""More right bots in manners of real assistants: each finding is a false alarm."""

import re
from collections.abc import Sequence
from typing import ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.policy import HELPFUL
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import AddsToOffers, clock_words, number_words, pounds_words
from tests.faulty_bots.voiced import ASK_TO_BOOK, CLOSING, GOODBYE, NONE, REFUSED, Voiced

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=5)
variant = CATALOGUE.variant


@variant
class SaysNumbersInWords(Rewords):
    """Says amounts, counts and times of day in words, as to somebody on the telephone."""

    def reword(self, text: str) -> str:
        text = re.sub(r"\b\d\d:\d\d\b", lambda found: clock_words(found[0]), text)
        text = re.sub(r"(\d+(?:\.\d\d)?) pounds", lambda found: pounds_words(float(found[1])), text)
        return re.sub(
            r"\b(\d{1,3}) (?=person|people|night|star|ticket|minutes|places|restaurants|trains)",
            lambda found: f"{number_words(int(found[1]))} ",
            text,
        )


@variant
class GivesTipsFromTheRow(AddsToOffers):
    """Adds a tip to each offer, out of the row; address and phone number unasked."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain == "train":
            return f"Good to know: the ride takes {row['duration']}, at {row['price']} a ticket."
        where = f"You'll find them at {row['address']}, and they pick up on {row['phone']}."
        if row.get("signature"):
            return f"Insider tip: don't miss the {row['signature']}! {where}"
        if row.get("openhours"):
            return f"Insider tip: doors are open {row['openhours']}. {where}"
        rooms = {str(kind): str(price) for kind, price in dict(row.get("price") or {}).items()}
        told = ", ".join(f"£{price} for a {kind}" for kind, price in rooms.items())
        return f"Insider tip: a night costs {told}. {where}" if told else where


@variant
class SumsUpTheWholeTalk(Rewords):
    """Sums up all that was found and booked whenever that has grown."""

    told: tuple[str, ...] = ()

    def reword(self, text: str) -> str:
        lines = [line for state in self.state.domains.values() for line in self.lines(state)]
        if tuple(lines) == self.told or not re.search(CLOSING, text):
            return text
        self.told = tuple(lines)
        told = "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1))
        return f"{text}\n\nLet me recap what we did so far:\n{told}"

    def lines(self, state: DomainState) -> list[str]:
        """What came of one domain."""
        if not state.booked:
            row = state.row
            if row is None:
                return []
            about = f" ({row['area']})" if "area" in row else ""
            return [f"You asked me about {wording.title(row)}{about}; we left that unbooked."]
        booked = state.booked[-1]
        if state.domain == "taxi":
            return [
                f"Your {booked['type']} takes you from {booked['departure'].title()} to "
                f"{booked['destination'].title()}."
            ]
        day = booked["day"].title()
        at = f", {booked['time']}" if "time" in booked else ""
        return [
            f"{wording.title(booked)}, {day}{at}, for {booked['people']}: {booked['reference']}."
        ]


@variant
class WritesEMails(Voiced):
    """Answers as by e-mail: subject, greeting, body, signature."""

    OFFERS: ClassVar = {
        "restaurant": "further to your enquiry, we are pleased to suggest {name}, a {pricerange} "
        "{food} restaurant in the {area}.",
        "hotel": "further to your enquiry, we are pleased to suggest {name}, a {pricerange} "
        "{stars}-star {type} in the {area}. Internet: {internet}. Parking: {parking}.",
        "attraction": "further to your enquiry, we are pleased to suggest {name}, a {type} in the "
        "{area}.",
        "train": "further to your enquiry, the {trainID} departs from {departure} on {day} at "
        "{leaveAt} and is due in {destination} at {arriveBy}.",
    }
    BOOKED: ClassVar = {
        "restaurant": "we are delighted to confirm your reservation as follows.\n\nRestaurant: "
        "{name}\nDate: {day}\nTime: {time}\nCovers: {people}\nOur ref.: {ref}\n\n",
        "hotel": "we are delighted to confirm your reservation as follows.\n\nHotel: {name}\n"
        "Arrival: {day}\nNights: {stay}\nGuests: {people}\nOur ref.: {ref}\n\n",
        "train": "we are delighted to confirm your tickets as follows.\n\nTrain: {trainID}\n"
        "Date: {day}\nPassengers: {people}\nOur ref.: {ref}\n\n",
        "taxi": "we are delighted to confirm your car as follows.\n\nFrom: {departure}\n"
        "To: {destination}\nTime: {when}\nVehicle: {type}\nContact: {phone}\n\n",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Kindly let us know whether you would like us to reserve it."),
        (CLOSING, "Please do not hesitate to contact us should you have any further questions."),
        (NONE, r"we regret that we have no \1 in our directory. Might we propose another \2?"),
        (REFUSED, r"we regret to say that the reservation was declined: \1. May we try another "
         r"\2?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        subject = "Re: your enquiry" if self.state.turn > 1 else "Your enquiry"
        return (
            f"Subject: {subject}\n\nDear guest,\n\n{super().reword(text)}\n\nKind regards,\n"
            f"Marlow\nMarlwick Visitor Desk"
        )


@variant
class LocksInAndAsksTwo(Voiced):
    """Speaks of bookings as locked in, sorted or snagged, and asks two questions at once."""

    BOOKED: ClassVar = {
        "restaurant": "You're locked in at {name}: {day}, {time}, table of {people}. Keep {ref} "
        "to hand.",
        "hotel": "Snagged you a room at {name}! {nights} from {day}, {party}. Keep {ref} to hand.",
        "train": "Your seats are secured: {people} on {trainID}, {day}. Keep {ref} to hand.",
        "taxi": "Your ride's sorted: {departure} to {destination}, {when}. A {type} will come; "
        "ring {phone} if you can't see it.",
    }
    TEMPLATES = (
        (ASK_TO_BOOK, "Want me to lock it in?"),
        (CLOSING, "Anything else I can sort out?"),
        (GOODBYE, "You're all sorted then. Take care!"),
    )

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        also = HELPFUL.get(state.domain, ())
        if len(slots) == 1 and slots[0] in also:
            left = (s for s in also if not (state.constraints.get(s) or state.asked[s]))
            slots = [*slots, *[slot for slot in left if slot not in slots][:1]]
        return super().ask(state, slots)
