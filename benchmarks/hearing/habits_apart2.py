"""Habits of correct bots that are held out: whoever works on the ear knows their totals only.

Their other half, parted from them by a seeded coin, is `habits_open2.py`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.hearing.habits_open import (
    VENUES,
    ConfirmsValues,
    Lists,
    TakesAnything,
    Worded,
    agrees,
    called,
    capital,
    line_of,
    what_of,
)
from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

__all__ = ["HABITS"]


class AllSet(Worded):
    """A chat model's "all set", with the details in bold."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"All set! 🎉 You're confirmed for **{what_of(domain, result)}**. Your confirmation "
            f"code is {result['reference']}.",
            f"You're all booked! I've secured **{what_of(domain, result)}** for you. Confirmation "
            f"code: {result['reference']}.",
        )

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"All set! 🎉 A {result['type']} will pick you up: **{what_of('taxi', result)}**. You "
            f"can reach the driver on {result['phone']}."
        )


class GoAhead(Worded):
    """Asks for the go-ahead in the words of a chat model."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Would you like me to go ahead with the booking?",
            "Should I get this booked for you?",
            "If you're happy with that, shall I proceed with the reservation?",
        )


class Recap(Worded):
    """Gives a booking as a list of its details."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        heads = {"name": "Venue", "trainID": "Train", "day": "Day", "time": "Time",
                 "stay": "Nights", "people": "Guests"}  # fmt: skip
        lines = [f"- **{h}:** {capital(str(result[s]))}" for s, h in heads.items() if s in result]
        told = "\n".join(lines)
        return (
            f"Your booking is complete! Here's a quick recap:\n\n{told}\n- **Confirmation "
            f"number:** {result['reference']}\n"
        )


class StatusLine(Worded):
    """A rule bot that answers a booking with a status line."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"✅ Confirmed | {what_of(domain, result)} | ref {result['reference']}"

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"✅ Confirmed | {what_of('taxi', result)} | {result['type']} | tel {result['phone']}"
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"❌ Not available | please choose another {other}"


class Kindly(Worded):
    """English of an Indian service desk."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"Sir/Madam, the needful is done and {what_of(domain, result)} is booked. Kindly note "
            f"down your reference number, it is {result['reference']}."
        )

    def say_shall_i(self, domain: str) -> str:
        return "Kindly tell, shall I do the booking?"

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"Sorry, booking is not possible as it is full. Kindly suggest another {other}."


class CallCentre(Worded):
    """Fills each turn with what is said on the telephone while one types."""

    def dressed(self, text: str) -> str:
        lead = self.one_of(
            "Thank you for holding.",
            "Bear with me a second while I bring that up on my screen... There we go.",
            "Thanks for your patience, I do appreciate it.",
        )
        return f"{lead} {text}"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"Right, that's all gone through for you now. You've got {what_of(domain, result)}, "
            f"and your booking reference is {result['reference']}."
        )


class Disclaims(Worded):
    """Says with an offer that nothing is held, and with a booking that terms apply."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return (
            f"{super().say_offer(state, row)} Please note that availability isn't guaranteed until "
            f"a booking has been confirmed."
        )

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} All bookings are subject to our terms, and "
            f"cannot be transferred to another person."
        )


class PraisesByDenial(Worded):
    """Recommends by saying what will not happen."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain not in VENUES:
            return super().say_offer(state, row)
        lead = self.one_of(
            f"You can't go wrong with {called(row)}.",
            f"I've never had a complaint about {called(row)}.",
            f"You won't regret {called(row)}.",
        )
        return f"{lead} {capital(line_of(state.domain, row))}."


class Compares(Worded):
    """Compares what it offers with a venue of another kind that nobody asked for."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, near = super().say_offer(state, row), self.neighbour(state, row)
        if near is None:
            return told
        link = self.one_of(
            f"It belongs to the same family as {near}.",
            f"Its chef used to work at {near}, so the address may be familiar.",
            f"The bus that stops in front of {near} takes you there.",
        )
        return f"{told} {link}"


class RangThem(Worded):
    """Says that it has rung the venue, and what they said."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"I've just rung them and they said yes: {what_of(domain, result)}. The reference they "
            f"gave me is {result['reference']}.",
            f"They were able to fit you in! They've written down {what_of(domain, result)}, "
            f"reference {result['reference']}.",
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"I've just rung them and they had to say no, they're full. Maybe another {other}?"


class LastOneGone(Worded):
    """Refuses because somebody else was quicker."""

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return self.one_of(
            f"Unfortunately they've just given the last one away. Would another {other} suit you?",
            f"It looks like that's already been taken by somebody else. Shall I try a different "
            f"{other}?",
        )


class NotAble(Worded):
    """Refuses in the words of a chat model."""

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return self.one_of(
            f"I was not able to complete that reservation, as there's no availability. If you'd "
            f"like, we can try a different {other}.",
            f"Unfortunately, my attempt to book was unsuccessful because everything is taken. "
            f"Could you be flexible on the {other}?",
        )

    def say_none(self, state: DomainState, text: str) -> str:
        return f"I've searched through everything we have. {text}"


class NothingInTheWay(Worded):
    """Says with a booking what did not happen."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"There were no problems at all: {what_of(domain, result)} is booked. Your reference "
            f"is {result['reference']}.",
            f"No need to worry any more, I've booked {what_of(domain, result)} for you. Don't lose "
            f"the reference, {result['reference']}.",
        )


class AsFor(Worded):
    """Puts what was asked for before its value, in the words of a chat model."""

    def say_value(self, slot: str, value: str, of: str) -> str:
        if slot in ("internet", "parking"):
            return super().say_value(slot, value, of)
        return self.one_of(
            f"As for the {wording.words(slot)} of {of}, it's **{value}**.",
            f"The {wording.words(slot)} you're looking for is {value}.",
        )


class NoShow(Worded):
    """Warns with a booking of what happens to those who do not come."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} If you don't show up, the booking lapses, and "
            f"we may not be able to find you another one."
        )


class Sir(Worded):
    """Calls the user sir, and madam."""

    def dressed(self, text: str) -> str:
        return f"Certainly, sir or madam. {text.replace('. ', ', sir. ', 1)}"


class MakesSure(ConfirmsValues):
    """Reads everything back as a list, and says that it will book if that is right."""

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.read_back[state.domain] = dict(arguments)
        return (
            f"Let me make sure I have everything right:\n\n- {what_of(state.domain, arguments)}\n\n"
            f"If all of that is correct, just say so and I'll go ahead and book it."
        )


class LockItIn(ConfirmsValues):
    """Says that nothing is booked until the user agrees, and asks."""

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.read_back[state.domain] = dict(arguments)
        return (
            f"I haven't booked anything so far. This is what I'd reserve: "
            f"{what_of(state.domain, arguments)}. Ready for me to lock it in?"
        )


class Occasion(TakesAnything):
    """Asks for the occasion, and takes any answer."""

    ABOUT = re.compile(
        r"\b(?:occasion|birthday|anniversar\w+|celebrat\w+|business|pleasure|special|holiday"
        r"|leisure|work|just (?:a|for)|matter|mind)\b",
        re.IGNORECASE,
    )

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return "Before I book: is it a special occasion, or is there anything they should know?"


class OthersReviews(Worded):
    """Quotes what guests have written."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        review = self.one_of(
            'One guest wrote: "Booked it on a whim, will come again!"',
            'A recent review says: "We couldn\'t get in the first time, and now we know why."',
        )
        return f"{super().say_offer(state, row)} {review}"


class PromisesMail(Worded):
    """Says with a booking what will happen next."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} You'll get a message as soon as they've "
            f"confirmed receipt, and another the day before."
        )


class OnHold(Worded):
    """Says first that it could not book yet while the user was away, then that it did."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"I couldn't book it earlier, since I was missing a detail. Now I have: "
            f"{what_of(domain, result)}. Your reference number is {result['reference']}."
        )


class Menu(Worded):
    """A rule bot with a menu under each offer; takes the number, or any words."""

    shown = False

    def before(self, text: str) -> str:
        shown, self.shown = self.shown, False
        number = re.fullmatch(r"\W*(?:number |option )?([123])\b\W*(?:please)?\W*", text.lower())
        if not shown or number is None:
            return text
        return ("Yes, please book it.", "Is there another one?", "Okay.")[int(number[1]) - 1]

    def say_shall_i(self, domain: str) -> str:
        self.shown = True
        return "Reply 1 to book it, 2 to see another one, 3 to change your search."


class KeepLooking(Worded):
    """Asks whether to book or to go on."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Shall I book it, or would you rather I kept looking?",
            "Do you want this one booked, or shall I see what else there is?",
        )


class ClockWords(Worded):
    """Tells full, half and quarter hours as people do."""

    def dressed(self, text: str) -> str:
        def said(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), match[2]
            then = {"00": f"{hour % 12 or 12}", "15": f"quarter past {hour % 12 or 12}",
                    "30": f"half past {hour % 12 or 12}",
                    "45": f"quarter to {(hour + 1) % 12 or 12}"}.get(minute)  # fmt: skip
            half = "in the morning" if hour < 12 else "in the afternoon"
            half = "in the evening" if hour >= 18 else half
            return (
                f"{then} {half}"
                if then and not (hour in (11, 17, 23) and minute == "45")
                else (match[0])
            )

        return re.sub(r"\b([01]\d|2[0-3]):([0-5]\d)\b", said, text)


class ShortDays(Worded):
    """Writes days in three letters."""

    def dressed(self, text: str) -> str:
        return re.sub(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
                      lambda match: f"{match[1][:3]}.", text)  # fmt: skip


class Sorted(Worded):
    """Says that it is sorted, and no more."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"Sorted! {result['reference']} is what you quote when you get there.",
            f"That's that taken care of. Ref {result['reference']}.",
        )


class CannotUntil(Worded):
    """Asks for what a booking needs by saying that it cannot book without."""

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        told = super().say_questions(domain, slots)
        needed = set(slots) & set(BOOKING_SLOTS.get(domain, ()))
        lead = self.one_of(
            "I can't book anything until I know this:",
            "I wasn't able to make the booking yet, because some details are missing.",
        )
        return f"{lead} {told}" if needed else told


class CountsBookings(Worded):
    """Counts the bookings made today."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} You're the ninth person to book through me "
            f"today, and nobody has been turned away so far!"
        )


class Transfers(Worded):
    """Puts the user through from desk to desk."""

    desk: str | None = None

    def dressed(self, text: str) -> str:
        desk, self.desk = self.desk, self.state.current
        if desk in (None, self.state.current):
            return text
        return f"I'll put you through to my colleague. ... Hello, {self.desk} desk speaking. {text}"


class Children(TakesAnything):
    """Asks whether there are children, and takes any answer."""

    ABOUT = re.compile(
        r"\b(?:child\w*|kids?|adults?|grown-?ups?|just us|toddlers?|bab(?:y|ies)|mind|matter)\b",
        re.IGNORECASE,
    )

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return "Will there be any children in your party?"


class Reminds(Worded):
    """Reminds the user in each later turn of what is booked."""

    def dressed(self, text: str) -> str:
        codes = [b["reference"] for s in self.state.domains.values() for b in s.booked
                 if "reference" in b]  # fmt: skip
        told = f" (Reminder: your booking {codes[-1]} is confirmed.)" if codes else ""
        return f"{text}{told}"


class MindOrNot(Worded):
    """Asks whether the user minds at all."""

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        if len(slots) != 1 or slots[0] not in ("area", "pricerange", "food"):
            return super().say_questions(domain, slots)
        return f"Do you have a particular {wording.words(slots[0])} in mind, or are you flexible?"


class LetGo(Worded):
    """Tells with a booking what it let go for it."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} I've let go of the other one that I was "
            f"holding for you, so that one isn't reserved any longer."
        )


class Forgets(TakesAnything):
    """Asks once more for something that it was told."""

    QUESTIONS: Mapping[str, str] = {
        "restaurant": "Sorry, I've lost my notes: for how many people was that again?",
        "hotel": "Sorry, I've lost my notes: how many nights did you say?",
        "train": "Sorry, I've lost my notes: how many tickets did you say?",
        "taxi": "Sorry, I've lost my notes: where was it that you're going?",
    }

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return self.QUESTIONS[state.domain]


class DeniesTwo(Worded):
    """Rules out two venues before it names the one that suits."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, one, two = super().say_offer(state, row), self.unfit(state), self.unfit(state)
        if one is None or two is None or one == two:
            return told
        return f"Neither {one} nor {two} meets all of your wishes. {told}"


class BookedOpposite(Worded):
    """Describes with a booking how to get there."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        told, state = super().say_booked(domain, result), self.state.of(domain)
        near = self.neighbour(state, state.row) if state.row is not None else None
        way = f" Look for the sign of {near}, it's on the other side of the road." if near else ""
        return f"{told}{way}"


class GuessWhat(Worded):
    """Tells of a booking in a question."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"Guess what? You're booked! {capital(what_of(domain, result))}, reference "
            f"{result['reference']}.",
            f"Is it booked? It is! {capital(what_of(domain, result))}, and the reference is "
            f"{result['reference']}.",
        )


class CancelUntil(Worded):
    """Tells with a booking until when it can be cancelled, and when to be there."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} You can cancel free of charge until 18:00 on "
            f"the day before. Please be there 10 minutes early."
        )


class Hotline(Worded):
    """Gives the number of its own hotline in each turn."""

    def dressed(self, text: str) -> str:
        return f"{text} (If you'd rather speak to a person, our hotline is 01632 960999.)"


class FormerLatter(Lists):
    """Offers two, and tells them apart as the former and the latter."""

    def put_forward(self, state: DomainState, heard: Understood, left: Sequence[Row]) -> list[str]:
        return super().put_forward(state, heard, left[:2])

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        one, two = rows
        return (
            f"{called(one)} and {called(two)} would both suit you. The former is as follows: "
            f"{line_of(domain, one)}. The latter: {line_of(domain, two)}. Which of the two is it "
            f"to be?"
        )


class FirstOfAll(Lists):
    """Offers a choice, and asks whether it shall be the first."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        told = [f"{called(row)} ({line_of(domain, row)})" for row in rows]
        return f"There are {', '.join(told[:-1])} and {told[-1]}. Shall we go with the first one?"

    def picked(self, rows: Sequence[Row], *, leave: bool) -> Row | None:
        row = super().picked(rows, leave=leave)
        return rows[0] if row is None and agrees(self.user_text) else row


class EarlyGoodbye(Worded):
    """Says goodbye after each booking, and stays all the same."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"{super().say_booked(domain, result)} Enjoy, and have a wonderful day!"


class LongWinded(Worded):
    """Tells much about booking in general before it comes to the point."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return (
            f"Finding the right place is never easy. Some are booked out for weeks, others can't "
            f"be reserved at all, and there are those that confirm a booking and then call to say "
            f"that it failed. That won't happen to you with me. I've been through the whole list, "
            f"from the most expensive to the cheapest. {super().say_offer(state, row)}"
        )


class ForExample(Worded):
    """Gives an example with each question."""

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        examples = {
            "people": "2 people", "day": "Tuesday", "time": "18:45", "stay": "3 nights",
            "area": "the west", "food": "thai", "pricerange": "moderate",
        }  # fmt: skip
        told = super().say_questions(domain, slots)
        named = [examples[slot] for slot in slots if slot in examples]
        return f"{told} (For example: {', '.join(named)}.)" if named else told


class NumbersLines(Worded):
    """Numbers its sentences."""

    def dressed(self, text: str) -> str:
        parts = re.split(r"(?<=[a-z][.!?]) +(?=[A-Z])", text)
        return "\n".join(f"{n}) {part}" for n, part in enumerate(parts, 1))


class AfterWaiting(Worded):
    """Tells of a booking that came off against the odds."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return self.one_of(
            f"They first said they were full, then somebody cancelled, and now you have "
            f"{what_of(domain, result)}. Reference: {result['reference']}.",
            f"I thought it would be impossible, but no: {what_of(domain, result)} is reserved for "
            f"you. Reference: {result['reference']}.",
        )


HABITS: dict[str, Callable[[MultiwozBackend], RuleSystem]] = {
    "all_set": AllSet,
    "go_ahead": GoAhead,
    "recap": Recap,
    "status_line": StatusLine,
    "kindly": Kindly,
    "call_centre": CallCentre,
    "disclaims": Disclaims,
    "praises_by_denial": PraisesByDenial,
    "compares": Compares,
    "rang_them": RangThem,
    "last_one_gone": LastOneGone,
    "not_able": NotAble,
    "nothing_in_the_way": NothingInTheWay,
    "as_for": AsFor,
    "no_show": NoShow,
    "sir": Sir,
    "makes_sure": MakesSure,
    "lock_it_in": LockItIn,
    "occasion": Occasion,
    "others_reviews": OthersReviews,
    "promises_mail": PromisesMail,
    "on_hold": OnHold,
    "menu": Menu,
    "keep_looking": KeepLooking,
    "clock_words": ClockWords,
    "short_days": ShortDays,
    "sorted": Sorted,
    "cannot_until": CannotUntil,
    "counts_bookings": CountsBookings,
    "transfers": Transfers,
    "children": Children,
    "reminds": Reminds,
    "mind_or_not": MindOrNot,
    "let_go": LetGo,
    "forgets": Forgets,
    "denies_two": DeniesTwo,
    "booked_opposite": BookedOpposite,
    "guess_what": GuessWhat,
    "cancel_until": CancelUntil,
    "hotline": Hotline,
    "former_latter": FormerLatter,
    "first_of_all": FirstOfAll,
    "early_goodbye": EarlyGoodbye,
    "long_winded": LongWinded,
    "for_example": ForExample,
    "numbers_lines": NumbersLines,
    "after_waiting": AfterWaiting,
}
"""Name -> factory of the bot with that habit."""
