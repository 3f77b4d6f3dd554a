"""More habits of correct bots: chat models, call centres, terse bots, other people's English.

Written apart from whoever works on the ear, who may look here; its other half, parted from it by a
seeded coin, is `habits_apart2.py`. See `habits_open.py` for what a habit is.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.hearing.habits_open import (
    VENUES,
    AsksName,
    ConfirmsValues,
    Lists,
    TakesAnything,
    Worded,
    called,
    line_of,
    what_of,
    without,
)
from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.systems import RuleSystem

__all__ = ["HABITS"]


class OnceYouConfirm(Worded):
    """Tells, in place of asking, what it will do once the user agrees."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "If this works for you, just let me know and I'll make the booking right away.",
            "Once you confirm, I'll go ahead and reserve it for you.",
        )


class RomanceEnglish(Worded):
    """English of somebody who thinks in French or Spanish."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain == "train":
            return super().say_offer(state, row)
        return f"I propose you {called(row)}, it is like this: {line_of(state.domain, row)}."

    def say_shall_i(self, domain: str) -> str:
        return self.one_of("You want that I make the reservation?", "Do I make you the booking?")

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"I have made for you the reservation of {what_of(domain, result)}. The number of "
            f"confirmation it is {result['reference']}."
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"I regret, it is complete, I can not to book. You want another {other}?"


class Narrates(Worded):
    """Tells what it does, step by step."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return f"🔎 Searching... ✅ Found a match! {super().say_offer(state, row)}"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"Checking availability... ✔️ Sending your details... ✔️ Waiting for an answer... ✔️ "
            f"{super().say_booked(domain, result)}"
        )


class Praises(Worded):
    """Praises whatever the user says."""

    def dressed(self, text: str) -> str:
        lead = self.one_of("Excellent choice!", "Great question!", "Perfect, thank you!")
        return f"{lead} {text}"


class Empathises(Worded):
    """Understands completely."""

    def dressed(self, text: str) -> str:
        lead = self.one_of(
            "I completely understand how important it is to get this right.",
            "I know that planning a trip can be stressful, and I'm here for you.",
            "I hear you, and I appreciate that you told me.",
        )
        return f"{lead} {text}"


class PastBookings(Worded):
    """Speaks of the user's earlier bookings."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        past = self.one_of(
            "Thank you for coming back to us, I can see that you had a booking in March.",
            "Your previous reservation with us was cancelled in time, so nothing is owed.",
        )
        return f"{past} {super().say_offer(state, row)}"


class NotFull(Worded):
    """Says with an offer that it is not full."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        left = self.one_of(
            "It isn't fully booked yet.", "They haven't sold out, as far as I can see."
        )
        return f"{super().say_offer(state, row)} {left}"


class SaysWhatItCan(Worded):
    """Says in every turn what it could do."""

    def dressed(self, text: str) -> str:
        able = self.one_of(
            "By the way, I can book tables, rooms, trains and taxis for you at any time.",
            "Remember that I'm able to have things reserved for you within seconds.",
        )
        return f"{able} {text}"


class Passive(Worded):
    """Speaks of bookings in the passive voice."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"A reservation has been created for {what_of(domain, result)}. The following "
            f"reference has been assigned: {result['reference']}.",
            f"The requested booking ({what_of(domain, result)}) has been processed successfully "
            f"under reference {result['reference']}.",
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return (
            f"The requested booking could not be processed, as no capacity was found. Would "
            f"another {other} be acceptable?"
        )


class TextMessage(Worded):
    """Writes text messages."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"done! ur booked 😊 {what_of(domain, result)}, ref {result['reference']}"

    def say_shall_i(self, domain: str) -> str:
        return "want me 2 book it 4 u?"

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"aw no they're full 😕 sorry! diff {other} maybe?"

    def say_more(self) -> str:
        return "anything else i can help w/?"


class EchoesQuestion(Worded):
    """Repeats the question before it answers it."""

    def say_value(self, slot: str, value: str, of: str) -> str:
        if slot in ("internet", "parking"):
            return super().say_value(slot, value, of)
        return f"You asked for the {wording.words(slot)} of {of}? That would be {value}."


class BookingDesk(Worded):
    """Signs each turn."""

    def dressed(self, text: str) -> str:
        return f"{text}\n\n-- Your Marlwick reservations team: easily booked, gladly cancelled"


class Calendar(Worded):
    """Asks with each booking whether to note it elsewhere; either answer will do."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"{super().say_booked(domain, result)} Would you like me to add it to your calendar?"


class Hesitates(Worded):
    """Thinks aloud."""

    def dressed(self, text: str) -> str:
        lead = self.one_of("Hmm, let me see... ah, yes.", "Uh, one second... okay.", "Well, now...")
        return f"{lead} {text}"


class HowHeard(TakesAnything):
    """Asks how the user has heard of the service, and takes any answer."""

    ABOUT = re.compile(
        r"\b(?:heard|hear|friend|online|internet|website|search|advert\w*|newspaper|remember"
        r"|recommend\w*|mind|matter)\b",
        re.IGNORECASE,
    )

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return "One quick question before I make the booking: how did you hear about us?"


class Options(Lists):
    """Offers a choice as a chat model does, with headings in bold."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        lines = [
            f"{n}. **{called(row)}** – {line_of(domain, row)}" for n, row in enumerate(rows, 1)
        ]
        told = "\n".join(lines)
        return (
            f"I found a few options that match what you're looking for:\n\n{told}\n\nLet me know "
            f"which one you'd prefer, and I'll take care of the rest!"
        )


class Favourite(Lists):
    """Offers a choice, and says which one it likes best."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        first, *others = (f"{called(row)} ({line_of(domain, row)})" for row in rows)
        return (
            f"My favourite is {first}. There's also {', and '.join(others)}. Which one would you "
            f"like to go with?"
        )


class Weighs(Worded):
    """Says with an offer what others would have thought of it."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        other = self.one_of(
            "I would have suggested something else to a party of ten, but for you it's ideal.",
            "If you'd asked me last year I'd have said no, but it has been done up since.",
        )
        return f"{super().say_offer(state, row)} {other}"


class ReplyYes(Worded):
    """Asks for YES or NO."""

    def say_shall_i(self, domain: str) -> str:
        return "Reply YES to book, NO to keep looking."


class NameAndPhone(AsksName):
    """Needs a name and a phone number, asked for in one question."""

    FIRST = "To book I'll need two things: your full name and a phone number, please."
    AGAIN = "I'm sorry, I need both a name and a phone number to book. Could you give me those?"
    number = False
    named = False

    def answered(self, text: str) -> str | None:
        phone = re.search(r"\+?\d(?:[\s()./-]*\d){6,}", text)
        if phone is not None:
            self.number = True
            text = text.replace(phone[0], "")
        rest = None if self.named else super().answered(text)
        self.named = self.named or rest is not None
        return (text if rest is None else rest) if self.number and self.named else None


class SpeltReference(Worded):
    """Spells the reference number."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = " ".join(str(result["reference"]))
        return f"I have booked {what_of(domain, result)}. Your reference number is {code}."


class FrenchTimes(Worded):
    """Writes times as 19h30."""

    def dressed(self, text: str) -> str:
        return re.sub(r"\b([01]\d|2[0-3]):([0-5]\d)\b", r"\1h\2", text)


class ReferenceOnly(Worded):
    """Says only the reference number when a booking is made."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"Here you go: {result['reference']} is your reference number.",
            f"Your booking reference is {result['reference']}.",
        )


class OnlyOthersLeft(Worded):
    """Refuses by saying what there still is."""

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return self.one_of(
            f"I tried, but there's only space left at a different {other}. Could you manage that?",
            f"That one's gone, sorry. Could you do another {other}?",
        )


class NameLast(Worded):
    """Names a venue after its facts."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain not in VENUES:
            return super().say_offer(state, row)
        return f"I've got one that should suit you ({line_of(state.domain, row)}): {called(row)}."


class QuotedNames(Worded):
    """Puts names in quotation marks."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return super().say_offer(state, row).replace(called(row), f"“{called(row)}”")


class NotThere(Worded):
    """Says where a venue is not before it says where it is."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, area = super().say_offer(state, row), str(row.get("area", "?"))
        if state.domain not in VENUES or area == "?":
            return told
        other = "south" if area != "south" else "north"
        return f"{told} So it isn't in the {other} but in the {area}, just so you know."


class ThereToo(Worded):
    """Speaks of other parts of town and other prices in passing."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain not in VENUES:
            return super().say_offer(state, row)
        other = "south" if row.get("area") != "south" else "north"
        return (
            f"There's a lot going on in the {other} of town as well, some of it expensive, but "
            f"this is what I'd choose for you. {super().say_offer(state, row)}"
        )


class StayOrSwitch(TakesAnything):
    """Asks once more whether the user would not rather have another one, and takes any answer."""

    ABOUT = re.compile(
        r"\b(?:stay|stick|switch|cheaper|keep|rather|prefer\w*|this one|mind|matter)\b",
        re.IGNORECASE,
    )

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return "Would you like to stick with this one, or shall I see if there's a cheaper one?"


class PutsOnHold(ConfirmsValues):
    """Holds it for ten minutes, and books it when the user confirms."""

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.read_back[state.domain] = dict(arguments)
        return (
            "I've put that on hold for ten minutes, which isn't a booking yet. Do you confirm "
            "that you'd like it?"
        )


class SystemWasDown(Worded):
    """Speaks in each turn of what could not be done this morning."""

    def dressed(self, text: str) -> str:
        return f"We couldn't take any bookings this morning, but our system is up again now. {text}"


class ClosedQuestions(Worded):
    """Names with a question what there is to choose from."""

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        choices = {
            "area": "the north, south, east, west or centre",
            "pricerange": "cheap, moderate or expensive",
            "food": "italian, indian, chinese, british or something else",
        }
        told = super().say_questions(domain, slots)
        named = [f"We have {choices[slot]}." for slot in slots if slot in choices]
        return " ".join([told, *named])


class StillLooking(Worded):
    """Asks at first whether the user has booked somewhere else already."""

    first: str | None = None
    welcomed = False
    ABOUT = re.compile(
        r"\b(?:still|already|nope?|yes|yeah|not yet|somewhere else|looking|booked)\b", re.IGNORECASE
    )

    def respond(self, text: str) -> Reply:
        if not self.welcomed:
            self.welcomed, self.first = True, text
            return Reply("Hi! Are you still looking, or have you already booked somewhere else?")
        if self.first is not None:
            first, self.first = self.first, None
            text = f"{first} {without(text, self.ABOUT)}"
        return super().respond(text)


class ThreeAnswers(Worded):
    """Answers each question with what else is known besides."""

    def say_value(self, slot: str, value: str, of: str) -> str:
        return (
            f"{super().say_value(slot, value, of)} I couldn't find out whether they have a garden, "
            f"I'm afraid, or if they take cheques."
        )


class Stalls(Worded):
    """Says first that it is looking, and tells what it has found only in the next turn."""

    first: str | None = None
    begun = False

    def respond(self, text: str) -> Reply:
        if not self.begun:
            self.begun, self.first = True, text
            return Reply("Sure, let me look into that for you. One moment, please...")
        if self.first is not None:
            first, self.first = self.first, None
            text = f"{first} {without(text, re.compile('(?i)thank|wait|fine|okay|sure'))}"
        return super().respond(text)


class AnHourLater(Worded):
    """Refuses with a proposal of its own, as a question with two choices."""

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        first, last = wording.words(changing[0]), wording.words(changing[-1])
        other = f"a different {first}" if first == last else f"another {first} or another {last}"
        return f"No luck there, I'm sorry, they have nothing free. Would {other} work for you?"


class CannotCall(Worded):
    """Says in each turn what it cannot do."""

    def dressed(self, text: str) -> str:
        limit = self.one_of(
            "As an AI, I can't make phone calls, but I can do everything else online.",
            "I'm not able to take payments or to book flights.",
        )
        return f"{text}\n\n_{limit}_"


class TimeStamps(Worded):
    """Notes with a booking when it was made."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"{super().say_booked(domain, result)} (Booking made on Tuesday at 09:02, agent 7.)"


class SisterPlace(Worded):
    """Tells with an offer of a nameless place elsewhere that has other values."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told = super().say_offer(state, row)
        if state.domain not in VENUES or row.get("area", "?") == "?":
            return told
        other = "south" if row["area"] != "south" else "north"
        return f"{told} They have a second place in the {other}, which is expensive by comparison."


class Letters(Lists):
    """Offers a choice with letters."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        lines = [f"{chr(65 + n)}) {called(r)}: {line_of(domain, r)}" for n, r in enumerate(rows)]
        last = chr(64 + len(rows))
        return "\n".join(["Here are your options:", *lines, f"Please reply with A to {last}."])

    def picked(self, rows: Sequence[Row], *, leave: bool) -> Row | None:
        alone = r"\W*(?:(?:option|letter) )?([a-e])\b\W*(?:please)?\W*"
        letter = re.fullmatch(alone, self.user_text)
        if letter and ord(letter[1]) - 97 < len(rows):
            return rows[ord(letter[1]) - 97]
        return super().picked(rows, leave=leave)


class DontYouWant(Worded):
    """Asks whether to book in the negative."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Wouldn't you like me to book it for you?",
            "You'd like me to book that, wouldn't you?",
            "Why don't I book it for you?",
        )


class HappyToBook(Worded):
    """Says that it would book, and asks nothing."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "I'd be happy to book it for you.",
            "I can reserve that for you now if you like.",
            "Just tell me if you want it booked.",
        )


class OnlyNeeds(Worded):
    """Says what it needs for a booking in place of asking."""

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        if not set(slots) & set(BOOKING_SLOTS.get(domain, ())):
            return super().say_questions(domain, slots)
        names = [f"the {wording.words(slot)}" for slot in slots]
        return f"To make the booking I just need {' and '.join(names)}."


class ThinkAboutIt(Worded):
    """Asks whether the user wants to think about it."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Would you like to sleep on it, or shall I book it now?",
            "It's not urgent, so we could leave it for now. Or do you want me to book it?",
        )


class WasItRight(Worded):
    """Asks after each answer whether that was what the user wanted to know."""

    def say_value(self, slot: str, value: str, of: str) -> str:
        return f"{super().say_value(slot, value, of)} Does that answer your question?"


class SpeaksOfItself(Worded):
    """Speaks of itself by name, and of the user as the guest."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"Robo has booked {what_of(domain, result)} on the guest's behalf. Robo was given this "
            f"reference: {result['reference']}."
        )

    def say_shall_i(self, domain: str) -> str:
        return "Would the guest like Robo to book it?"


class PartlyKnown(Worded):
    """Says with an offer what it does not know of it."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return (
            f"{super().say_offer(state, row)} I couldn't find any reviews of it, and I don't know "
            f"whether it has a lift."
        )


HABITS: dict[str, Callable[[MultiwozBackend], RuleSystem]] = {
    "once_you_confirm": OnceYouConfirm,
    "romance_english": RomanceEnglish,
    "narrates": Narrates,
    "praises": Praises,
    "empathises": Empathises,
    "past_bookings": PastBookings,
    "not_full": NotFull,
    "says_what_it_can": SaysWhatItCan,
    "passive": Passive,
    "text_message": TextMessage,
    "echoes_question": EchoesQuestion,
    "booking_desk": BookingDesk,
    "calendar": Calendar,
    "hesitates": Hesitates,
    "how_heard": HowHeard,
    "options": Options,
    "favourite": Favourite,
    "weighs": Weighs,
    "reply_yes": ReplyYes,
    "name_and_phone": NameAndPhone,
    "spelt_reference": SpeltReference,
    "french_times": FrenchTimes,
    "reference_only": ReferenceOnly,
    "only_others_left": OnlyOthersLeft,
    "name_last": NameLast,
    "quoted_names": QuotedNames,
    "not_there": NotThere,
    "there_too": ThereToo,
    "stay_or_switch": StayOrSwitch,
    "puts_on_hold": PutsOnHold,
    "system_was_down": SystemWasDown,
    "closed_questions": ClosedQuestions,
    "still_looking": StillLooking,
    "three_answers": ThreeAnswers,
    "stalls": Stalls,
    "an_hour_later": AnHourLater,
    "cannot_call": CannotCall,
    "time_stamps": TimeStamps,
    "sister_place": SisterPlace,
    "letters": Letters,
    "dont_you_want": DontYouWant,
    "happy_to_book": HappyToBook,
    "only_needs": OnlyNeeds,
    "think_about_it": ThinkAboutIt,
    "was_it_right": WasItRight,
    "speaks_of_itself": SpeaksOfItself,
    "partly_known": PartlyKnown,
}
"""Name -> factory of the bot with that habit."""
