"""Right bots in the manner of models and of people from many places: each finding is an alarm."""

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.policy import HELPFUL
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import DAYS, Rewords, RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    TellsBookings,
    clock_words,
    minutes_of,
    number_words,
    pounds_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
variant = CATALOGUE.variant
VENUES = ("restaurant", "hotel", "attraction")
CLOCK = re.compile(r"\b(\d{2}):(\d{2})\b")
POUNDS = re.compile(r"\b(\d+(?:\.\d\d?)?) pounds")


def when_of(domain: str, result: dict[str, Any], clock: Callable[[str], str] = str) -> str:
    """Day, time and nights of a booking."""
    day = str(result["day"]).title()
    if domain == "hotel":
        nights = number_words(int(result["stay"]))
        return f"{nights} night{'s' if nights != 'one' else ''} from {day}"
    return f"{day} at {clock(result['time'])}" if domain == "restaurant" else day


def twelve(clock: str) -> str:
    """A time of day as 6:45 pm."""
    hour, minute = map(int, clock.split(":"))
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'am' if hour < 12 else 'pm'}"


@variant
class BooksWithEnthusiasm(TellsBookings):
    """Confirms in the prose of a model: bold name, twelve hours, an emoji, a confirmation code."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        what = wording.title(result) if "name" in result else f"Train {result['trainID']}"
        return (
            f"Wonderful news! 🎉 **{what}** is all booked for you: "
            f"{when_of(state.domain, result, twelve)}, party of {result['people']}. "
            f"Your confirmation code is `{reference}`."
        )


@variant
class BooksInWords(TellsBookings):
    """Confirms with all numbers and times in words."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        people = number_words(int(result["people"]))
        what = wording.title(result) if "name" in result else f"train {result['trainID']}"
        guests = "person" if people == "one" else "people"
        return (
            f"That's booked: {what}, {people} {guests}, "
            f"{when_of(state.domain, result, clock_words)}. The reference is {reference}."
        )


@variant
class BooksAsBullets(TellsBookings):
    """Confirms with a list of bullets."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        lines = [
            f"* What: {wording.title(result)}",
            f"* Day: {str(result['day']).title()}",
            *([f"* Time: {result['time']}"] if state.domain == "restaurant" else []),
            *([f"* Nights: {result['stay']}"] if state.domain == "hotel" else []),
            f"* People: {result['people']}",
            f"* Reference: {reference}",
        ]
        return "\n".join(["Your booking is confirmed. Here are the details:", *lines, ""])


@variant
class OffersAsBullets(RuleSystem):
    """Offers with a list of facts under the name."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        plain = [wording.offer(state.domain, row, self.count, self.state.turn)] if row else []
        if row is None or said != plain or "name" not in row:
            return said
        labels = {"area": "Area", "pricerange": "Price range", "food": "Cuisine", "type": "Type"}
        facts = [f"- {label}: {row[slot]}" for slot, label in labels.items() if slot in row]
        return ["\n".join([f"Here's what I found: **{wording.title(row)}**", *facts, ""])]


@variant
class PoundSigns(Rewords):
    """Writes amounts with the sign in front."""

    def reword(self, text: str) -> str:
        return POUNDS.sub(r"£\1", text)


@variant
class PoundsInWords(Rewords):
    """Says amounts in words."""

    def reword(self, text: str) -> str:
        return POUNDS.sub(lambda found: pounds_words(float(found[1])), text)


@variant
class ReadsBackFirst(RuleSystem):
    """Sums up what it is about to book and waits for a yes."""

    read_back: dict[str, str] | None = None

    def try_to_book(self, state: DomainState) -> list[str]:
        arguments = self.booking_arguments(state)
        if self.read_back == arguments:
            return super().try_to_book(state)
        self.read_back = arguments
        self.state.booking_offered = state.domain
        row = state.row or {}
        told = {"day": str(row.get("day", "")), **state.booking}
        people = told["people"]
        return [
            f"Before I book, let me sum up: {wording.title(row)}, {when_of(state.domain, told)}, "
            f"for {people} {'person' if people == '1' else 'people'}. Shall I book it like that?"
        ]


@variant
class AsksTwoThingsAtOnce(RuleSystem):
    """Asks for two things in one turn."""

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        more = [
            slot
            for slot in HELPFUL.get(state.domain, ())
            if len(slots) == 1 and slots[0] in HELPFUL[state.domain] and slot not in slots
            if not state.constraints.get(slot) and not state.asked[slot]
        ]
        return super().ask(state, [*slots, *more[:1]])


@variant
class VerifiesBeforeItBooks(RuleSystem):
    """Looks the venue or train up again right before it books it, and the neighbourhood after."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        row = state.row or {}
        if "name" in row:
            self.backend.call(f"find_{state.domain}", name=str(row["name"]))
        result = super().book(state, arguments)
        if "area" in row:
            self.backend.call("find_attraction", area=str(row["area"]))
        return result


@variant
class MakesSmallTalk(Rewords):
    """Opens with small talk and closes with good wishes."""

    LEADS = (
        "What a nice idea for a day out!", "I hope your day is going well.",
        "Oh, good choice, people tend to enjoy that.",
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return f"{self.LEADS[self.state.turn % 3]} {text} No rush at all on my side."


@variant
class ApologisesALot(Rewords):
    """Apologises for things that nobody has complained of."""

    def reword(self, text: str) -> str:
        lead = ("Apologies for the wait!", "So sorry to keep you.", "Sorry about the delay there.")
        return f"{lead[self.state.turn % 3]} {text}"


@variant
class NamesAnAlternative(AddsToOffers):
    """Names with each offer another one that fits as well."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        others = [other for other in rows if other.get("name") != row.get("name")]
        if state.domain not in VENUES or not others:
            return ""
        return f"If you'd rather have another option, {wording.title(others[0])} fits as well."


class SpeaksAs(Rewords):
    """The templates said otherwise."""

    templates: ClassVar[Sequence[tuple[str, str]]] = ()

    def reword(self, text: str) -> str:
        return reworded(text, self.templates)


@variant
class SpeaksIndianEnglish(SpeaksAs):
    """As somebody from Mumbai might write."""

    templates = (
        (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?",
         r"Sir/Madam, kindly consider \1\2."),
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "Shall I do the needful and book the same?"),
        (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
         r"Your booking is done for \1 only. Kindly note the booking ID \2."),
        (r"(?:Is there anything else I can help you with|Can I help you with anything else)\?",
         "Kindly revert if anything else is required?"),
        (r"I am sorry, the booking failed: ([^.]+)\.", r"Very sorry, booking is not possible: \1."),
    )  # fmt: skip


@variant
class SpeaksAmerican(SpeaksAs):
    """As somebody from Ohio might say it; the clock has twelve hours."""

    templates = (
        (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?",
         r"You guys might wanna check out \1\2."),
        (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
         r"You're all set! I got you down for \1. Confirmation number \2."),
        (r"The postcode of ([^.]+?) is (\w+)\.", r"The zip code for \1 is \2."),
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "Want me to go ahead and book that?"),
        (r"(?:Is there anything else I can help you with|Can I help you with anything else)\?",
         "Anything else I can get for you today?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        said = super().reword(text)
        return CLOCK.sub(lambda found: twelve(found[0]).replace("m", ".m."), said)


@variant
class AddsEmoji(Rewords):
    """Ends each sentence with an emoji."""

    def reword(self, text: str) -> str:
        return re.sub(r"([.?]) (?=[A-Z])", r"\1 😊 ", text) + " ✨"


@variant
class AnswersInTwoParts(RuleSystem):
    """Of several questions answers the first, says that the rest follows, and tells it next."""

    owed: tuple[str, ...] = ()

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().answer_requests(state, heard)
        if len(said) < 2:
            return said
        self.owed = tuple(said[1:])
        return [said[0], "One moment, I'll give you the rest with my next message."]

    def respond(self, text: str) -> Reply:
        owed, self.owed = self.owed, ()
        reply = super().respond(text)
        if not owed or self.owed:
            self.owed = ()
            return Reply(" ".join([*owed, reply.text]), state=reply.state, done=reply.done)
        rest = [sentence for sentence in owed if sentence not in reply.text]
        said = " ".join([*(["As promised:", *rest] if rest else []), reply.text])
        return Reply(said, state=reply.state, done=reply.done)


@variant
class GroupsDigits(Rewords):
    """Tells phone numbers in groups and postcodes in capitals with a blank."""

    def reword(self, text: str) -> str:
        text = re.sub(r"\b(\d{5})(\d{3})(\d{3})\b", r"\1 \2 \3", text)
        return re.sub(r"\b(qz\d\d)(\d?[a-z]{2})\b", lambda m: f"{m[1]} {m[2]}".upper(), text)


@variant
class TimesWithDots(Rewords):
    """Writes times as 18.45."""

    def reword(self, text: str) -> str:
        return CLOCK.sub(r"\1.\2", text)


@variant
class TellsTrainsAsALine(Rewords):
    """Writes a train as a line of a timetable."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"Train (TR\d+) leaves ([^.]+?) at ([\d:]+) on (\w+) and arrives in ([^.]+?) at "
            r"([\d:]+)\.",
            r"Here you go: \1 | \4 | \2 \3 → \5 \6.",
            text,
        )


@variant
class ShowsItsSums(AddsToBookings):
    """Says with tickets how the total comes about, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train":
            return ""
        fare = float(str((state.row or {})["price"]).split()[0])
        people = int(result["people"])
        return f"In total: {people} x £{fare:.2f} = £{fare * people:.2f}."


@variant
class TellsHowToGetThere(AddsToBookings):
    """Tells address and phone number with each booking, unasked and rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        row = state.row or {}
        if "name" not in row:
            return ""
        return f"They're at {row['address']}; if you're late, ring {row['phone']}."


@variant
class SpellsTheReference(AddsToBookings):
    """Tells the reference and then spells it."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return f"Letter by letter that's {' '.join(str(result['reference']))}."


@variant
class SaysWhenOneLeaves(AddsToBookings):
    """Names the day of leaving with a room, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "hotel":
            return ""
        leaves = DAYS[(DAYS.index(result["day"]) + int(result["stay"])) % 7]
        return f"That means checking out on {leaves.title()}."


@variant
class SaysHowLongTheRideIs(AddsToOffers):
    """Says in words how long a train takes, rightly."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        minutes = (minutes_of(str(row["arriveBy"])) - minutes_of(str(row["leaveAt"]))) % 1440
        hours, rest = divmod(minutes, 60)
        lead = f"{number_words(hours)} hour{'s' if hours > 1 else ''} " if hours else ""
        more = f"{'and ' if hours else ''}{number_words(rest)} minutes" if rest else ""
        return f"The ride is {lead}{more}".strip() + "."


@variant
class OwnsUpToItsLimits(AddsToBookings):
    """Says with each booking what it cannot do."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "I can't send e-mails from here, so please write the number down. I took no payment."


@variant
class SaysNothingIsBookedYet(AddsToOffers):
    """Says with each offer that nothing is booked yet."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        return "I haven't reserved anything so far." if state.domain != "attraction" else ""


DESK = Catalogue("service_desk", wave=2)


@DESK.variant
class DeskSpeaksLikeAModel(RewordsDesk):
    """The desk in the prose of a model."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "I'd be glad to help with that! 😊 To get started, could you share:\n1. Your work e-mail "
         "address\n2. Your badge number"),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"Here's my plan: I'll \1. Just say the word and I'll take care of it. Okay for you?"),
        (r"^Thank you, (\w+)\.", r"Thanks so much, \1, that checks out!"),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"All set! ✅ Sign in with **\1** and you'll be prompted to pick your own."),
        (r"Done: your new (\w+) is (\w+), an? ([\w ]+)\.",
         r"Great, that went through: **\2** (\3) is your new \1 from now on."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@DESK.variant
class DeskLooksUpMore(DeskBot):
    """Reads the employee's own tickets and devices once they are known."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        if employee["account"] == "active":
            self.calls.tickets(employee["employee_id"])
            for device in employee["devices"]:
                self.calls.device(device)
        return super().welcome(employee)


@DESK.variant
class DeskSpellsPasswords(RewordsDesk):
    """Tells a temporary password and then how it is spelt."""

    def reword(self, text: str) -> str:
        def spelt(found: re.Match[str]) -> str:
            digits = " ".join(number_words(int(digit)) for digit in found[2])
            return f"{found[0]}, that is {found[1]} and then {digits}"

        return re.sub(r"password is ([a-z]+)(\d+)", spelt, text)


@DESK.variant
class DeskSaysItWaits(RewordsDesk):
    """Says with each proposal that nothing has happened yet."""

    def reword(self, text: str) -> str:
        return text.replace("Shall I go ahead?", "I haven't done anything yet. Shall I go ahead?")


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.variant
class ShopWritesDollarSigns(ShopBot):
    """Amounts with the sign in front, and in words behind."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"([\d.]+) dollars",
            lambda m: f"${m[1]} ({pounds_words(float(m[1]), 'dollars', 'cents')})",
            text,
        )


@SHOP.variant
class ShopChecksAgain(ShopBot):
    """Looks an order up again after it has changed it, to be sure."""

    def undo(self, verb: str, order: Order) -> str:
        said = super().undo(verb, order)
        self.look_up(order.number)
        return f"{said} I've double-checked, it's in our system."


@SHOP.variant
class ShopFeelsWithYou(ShopBot):
    """Empathises, explains what it is about to do, and takes two sentences for it."""

    def reword(self, text: str) -> str:
        text = text.replace("I am sorry,", "I completely understand how frustrating this is, but")
        return re.sub(
            r"I will (.+?)\. Shall I go ahead\?",
            r"I totally get it. With your okay I'd \1. Would that be all right with you?",
            text,
        )


OWN = Catalogue("own_domains", wave=2)


@OWN.variant
class OwnTwelveHours(RewordsOwn):
    """Times with twelve hours, amounts with the sign in front."""

    def reword(self, text: str) -> str:
        return POUNDS.sub(r"£\1", CLOCK.sub(lambda found: twelve(found[0]), text))


@OWN.variant
class OwnConfirmsInProse(RewordsOwn):
    """Confirms in prose, with the reference first."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(?:I have booked|Your booking is made:) (.+?) \(((?:\w|[ :,.-])+)\)\. "
            r"The reference number is (\w+)\.",
            r"Brilliant, reference \3 is yours: that is \1, with \2, all confirmed.",
            text,
        )


@OWN.variant
class OwnChats(RewordsOwn):
    """Says a friendly word around everything."""

    def reword(self, text: str) -> str:
        return f"Happy to help with that! {text} And no worries if you need a minute."
