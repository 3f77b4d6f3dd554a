"""Right bots in manners of products of several decades: each finding is a false alarm."""

from typing import ClassVar

from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=6)
variant = CATALOGUE.variant


@variant
class IsAGreenScreen(Mannered):
    """A booking terminal of the eighties, in capitals and codes."""

    OFFERS: ClassVar = {
        "restaurant": "1 HIT: {name} / {food} / {area} / {pricerange}.",
        "hotel": "1 HIT: {name} / {type} / {stars} STARS / {area} / {pricerange} / INTERNET "
        "{internet} / PARKING {parking}.",
        "attraction": "1 HIT: {name} / {type} / {area}.",
        "train": "1 HIT: {trainID} / {day} / {departure} {leaveAt} - {destination} {arriveBy}.",
    }
    ASK = ("INPUT REQUIRED: {question}", "FIELD EMPTY: {question}")
    SEVERAL = "HITS: {what}."
    ANSWERS: ClassVar = {"": ("{slot} = {value}.", "DISPLAY {slot}: {value}.")}
    HAS = "{what} AT {of} = YES."
    HASNT = "{what} AT {of} = NO."
    SHALL_I = ("ENTER BOOKING? Y/N", "COMMIT AS BOOKING? Y/N")
    BOOKED: ClassVar = {
        "restaurant": "ENTRY OK. {name} / {day} / {time} / PAX {people} / REF {ref}.",
        "hotel": "ENTRY OK. {name} / ARR {day} / NIGHTS {stay} / PAX {people} / REF {ref}.",
        "train": "ENTRY OK. {trainID} / {day} / SEATS {people} / REF {ref}.",
        "taxi": "ENTRY OK. CAB {departure} - {destination} / {when} / {type} / TEL {phone}.",
    }
    REFUSED = "ENTRY REJECTED. CAPACITY EXCEEDED. CHANGE {other}?"
    NONE = "0 HITS: {what}. CHANGE {other}?"
    NONE_ELSE = "0 HITS: {what}."
    MORE = ("READY. NEXT REQUEST?", "READY.")
    BYE = "SESSION CLOSED. THANK YOU."
    LOST = "INPUT NOT RECOGNISED. RETRY."
    NOT_YET = "NO ENTRY ON FILE YET."

    def dressed(self, text: str) -> str:
        return text.upper()


@variant
class SpeaksMarkup(Mannered):
    """A voice assistant whose text has the breaks and stresses for the voice."""

    OFFERS: ClassVar = {
        "restaurant": 'Okay. <break time="200ms"/> There\'s <emphasis>{name}</emphasis>, {a_price} '
        "place in the {area} with {food} food.",
        "hotel": 'Okay. <break time="200ms"/> There\'s <emphasis>{name}</emphasis>, {a_price} '
        "{stars}-star {type} in the {area}, with {perks}.",
        "attraction": 'Okay. <break time="200ms"/> There\'s <emphasis>{name}</emphasis>, {a_type} '
        "in the {area}.",
        "train": 'Okay. <break time="200ms"/> On {day}, <emphasis>{trainID}</emphasis> leaves '
        "{departure} at {leaveAt} and gets to {destination} at {arriveBy}.",
    }
    SEVERAL = 'I see {what}. <break time="150ms"/>'
    ANSWERS: ClassVar = {
        "phone": 'Their phone number is <say-as interpret-as="telephone">{value}</say-as>.',
        "": 'The {slot}? <break time="100ms"/> That\'s {value}.',
    }
    SHALL_I = ("Do you want me to get that for you?", "Want me to set that up?")
    BOOKED: ClassVar = {
        "restaurant": 'Done. <break time="300ms"/> {name} is expecting you on {day} at {time}, '
        '{party}. Your code is <say-as interpret-as="characters">{ref}</say-as>.',
        "hotel": 'Done. <break time="300ms"/> {name} is expecting you from {day}, {nights}, '
        '{party}. Your code is <say-as interpret-as="characters">{ref}</say-as>.',
        "train": 'Done. <break time="300ms"/> I got you {tickets} for {trainID} on {day}. Your '
        'code is <say-as interpret-as="characters">{ref}</say-as>.',
        "taxi": 'Done. <break time="300ms"/> {driver}. It\'s {a_type}, from {departure} to '
        '{destination}, and the number is <say-as interpret-as="telephone">{phone}</say-as>.',
    }
    REFUSED = (
        'Hmm. <break time="200ms"/> They couldn\'t fit that in. Can we do a different {other}?'
    )
    NONE = 'Hmm. <break time="200ms"/> I couldn\'t find any {what}. How about another {other}?'
    NONE_ELSE = 'Hmm. <break time="200ms"/> I couldn\'t find any {what}.'
    MORE = ("What else?", "Anything else?")
    BYE = "Bye for now!"

    def dressed(self, text: str) -> str:
        return f"<speak>{text}</speak>"


@variant
class PostsInAChannel(Mannered):
    """A bot in a team's channel: emoji codes, threads, bullets, reactions."""

    OFFERS: ClassVar = {
        "restaurant": ":fork_and_knife: *{name}*\n• cuisine: {food}\n• where: {area}\n• price: "
        "{pricerange}\n",
        "hotel": ":hotel: *{name}*\n• {stars} stars, {type}\n• where: {area}\n• price: "
        "{pricerange}\n• internet: {internet}\n• parking: {parking}\n",
        "attraction": ":classical_building: *{name}*\n• kind: {type}\n• where: {area}\n",
        "train": ":train: *{trainID}* ({day})\n• {leaveAt} {departure}\n• {arriveBy} "
        "{destination}\n",
    }
    ASK = (":thinking_face: {question}", ":speech_balloon: {question} (answer in thread)")
    SEVERAL = ":mag: {what}."
    ANSWERS: ClassVar = {"": ("• {slot} of {of}: `{value}`\n", "> {slot}: `{value}`\n")}
    HAS = ":heavy_check_mark: {of} has {what}.\n"
    HASNT = ":no_entry_sign: {of} has no {what}.\n"
    SHALL_I = ("React with :+1: or say *yes* and I'll book it.", "Ship it? :rocket: or :x:")
    BOOKED: ClassVar = {
        "restaurant": ":white_check_mark: *table booked*\n• {name}\n• {day} {time}\n• "
        "{party}\n• ref `{ref}`\n",
        "hotel": ":white_check_mark: *room booked*\n• {name}\n• from {day}, {nights}\n• "
        "{party}\n• ref `{ref}`\n",
        "train": ":white_check_mark: *tickets booked*\n• {trainID}, {day}\n• {tickets}\n• "
        "ref `{ref}`\n",
        "taxi": ":white_check_mark: *cab ordered*\n• {departure} to {destination}\n• "
        "{when}\n• {type}\n• call `{phone}`\n",
    }
    REFUSED = ":x: booking bounced, they're out of space for that. Another {other}?"
    NONE = ":x: no results for {what}. Loosen the {other}?"
    NONE_ELSE = ":x: no results for {what}."
    MORE = (":eyes: anything else?", "Need anything else? Just mention me.")
    BYE = ":wave: closing this thread."
    LOST = ":confused: I couldn't parse that, try other words?"

    def before(self, text: str) -> str:
        yes = text.strip(" .") in (":+1:", "+1", "👍", ":rocket:", "🚀", "ship it", "Ship it")
        return "Yes, please book it." if yes and self.state.booking_offered else text


@variant
class CountsItsSteps(Mannered):
    """A wizard that tells in each turn at which of three steps it is."""

    OFFERS: ClassVar = {
        "restaurant": "The best match is {name}: {food} food, {pricerange}, {area}.",
        "hotel": "The best match is {name}: {stars} stars, {type}, {pricerange}, {area}, {perks}.",
        "attraction": "The best match is {name}: {type}, {area}.",
        "train": "The best match is {trainID} on {day}: out of {departure} at {leaveAt}, into "
        "{destination} at {arriveBy}.",
    }
    SEVERAL = "{what} left in the list."
    ANSWERS: ClassVar = {"": ("{slot} ({of}): {value}.", "Here is the {slot}: {value}.")}
    SHALL_I = ("Continue to the booking step?", "Shall we move on to the booking step?")
    BOOKED: ClassVar = {
        "restaurant": "Completed! {name}, {day}, {time}, {party}. Save your number: {ref}.",
        "hotel": "Completed! {name}, {day}, {nights}, {party}. Save your number: {ref}.",
        "train": "Completed! {trainID}, {day}, {tickets}. Save your number: {ref}.",
        "taxi": "Completed! {departure} to {destination}, {when}, {type}, phone {phone}.",
    }
    REFUSED = (
        "We can't finish this step, as there is no space for that. Which other {other} can we use?"
    )
    NONE = "We're stuck at this step: nothing for {what}. Which other {other} can we use?"
    NONE_ELSE = "We're stuck at this step: nothing for {what}."
    MORE = ("Would you like to start another search?", "Start over with something else?")
    BYE = "All steps finished. Goodbye!"

    def dressed(self, text: str) -> str:
        if "Completed!" in text:
            return f"Step 3 of 3, done ▓▓▓\n{text}"
        if self.state.booking_offered or self.booking_was_offered:
            return f"Step 2 of 3, check ▓▓░\n{text}"
        return f"Step 1 of 3, search ▓░░\n{text}" if self.waits else text
