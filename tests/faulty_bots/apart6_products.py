"""Right bots in manners of products of several decades: each finding is a false alarm."""

import re
from typing import ClassVar

from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True, wave=6)
variant = CATALOGUE.variant


@variant
class RunsAPhoneMenu(Mannered):
    """A telephone menu read out: press or say; takes words as well as digits."""

    OFFERS: ClassVar = {
        "restaurant": "You have reached the listing for {name}. Cuisine, {food}. Area, {area}. "
        "Price band, {pricerange}.",
        "hotel": "You have reached the listing for {name}. Category, {type}. Stars, {stars}. Area, "
        "{area}. Price band, {pricerange}. Internet, {internet}. Parking, {parking}.",
        "attraction": "You have reached the listing for {name}. Category, {type}. Area, {area}.",
        "train": "Service {trainID}, {day}. Departing {departure}, {leaveAt}. Arriving "
        "{destination}, {arriveBy}.",
    }
    ASK = ("{question} Please speak after the tone.", "{question} Please say your answer now.")
    SEVERAL = ("Our records show {what}.", "There are currently {what} on our list.")
    ANSWERS: ClassVar = {
        "reference": "Your confirmation number is {value}. That was: {value}.",
        "rates": "Room rates at {of}. {value}. End of rates.",
        "": ("You have asked for: {slot}. {value}.", "{slot}. {value}. End of message."),
    }
    SHALL_I = (
        "To book, press or say one. To hear another listing, press or say two.",
        "For a booking, say yes, or press one. For a different listing, press two.",
    )
    BOOKED: ClassVar = {
        "restaurant": "Thank you. Your selection has been accepted. {name}, {day}, {time}, "
        "{party}. Your confirmation number is {ref}.",
        "hotel": "Thank you. Your selection has been accepted. {name}, from {day}, {nights}, "
        "{party}. Your confirmation number is {ref}.",
        "train": "Thank you. Your selection has been accepted. {trainID}, {day}, {tickets}. Your "
        "confirmation number is {ref}.",
        "taxi": "Thank you. A car has been assigned to you. {departure} to {destination}, {when}. "
        "Vehicle, {type}. To reach the driver, dial {phone}.",
    }
    REFUSED = (
        "We were unable to complete your selection. All places are taken. Please "
        "say another {other}."
    )
    NONE = "Your search for {what} has returned zero listings. Please say another {other}."
    NONE_ELSE = "Your search for {what} has returned zero listings."
    MORE = (
        "To return to the main menu, stay on the line.",
        "For other services, please stay on the line.",
    )
    BYE = "Thank you for calling the Marlwick line. Goodbye."
    LOST = "We did not catch that. Please say it again."

    def before(self, text: str) -> str:
        keys = {
            "1": "Yes, please book it.",
            "one": "Yes, please book it.",
            "2": "Do you have another one?",
            "two": "Do you have another one?",
        }
        return keys.get(text.strip(" .!").lower(), text) if self.state.booking_offered else text


@variant
class ShowsButtons(Mannered):
    """A shop on a messenger, its buttons written out in brackets."""

    OFFERS: ClassVar = {
        "restaurant": "*{name}* 🍴\n{food} · {area} · {pricerange}\n",
        "hotel": "*{name}* 🛏️\n{type}, {stars}⭐ · {area} · {pricerange}\nWi-Fi: {internet} · "
        "Parking: {parking}\n",
        "attraction": "*{name}* 🎟️\n{type} · {area}\n",
        "train": "*{trainID}* 🚆 {day}\n{departure} {leaveAt} ➡️ {destination} {arriveBy}\n",
    }
    ASK = ("{question}\n[Type your answer ⌨️]", "{question}\n[✏️ Reply below]")
    SEVERAL = "{what} 📋\n"
    ANSWERS: ClassVar = {
        "phone": "📞 {of}: {value}\n",
        "address": "📍 {of}: {value}\n",
        "postcode": "📮 {of}: {value}\n",
        "rates": "💷 {of}: {value}\n",
        "": "ℹ️ {slot}: {value}\n",
    }
    HAS = "✅ {what} at {of}\n"
    HASNT = "❌ {what} at {of}\n"
    SHALL_I = (
        "[✅ Book now] [🔁 Show another] [❌ No booking]",
        "Tap to choose 👇\n[✅ Book now] [🔁 Show another] [❌ Just looking]",
    )
    BOOKED: ClassVar = {
        "restaurant": "✅ *Order placed!*\n{name}\n📅 {day} 🕒 {time} 👥 {people}\nOrder no. "
        "{ref}\n",
        "hotel": "✅ *Order placed!*\n{name}\n📅 {day} 🌙 {stay} 👥 {people}\nOrder no. {ref}\n",
        "train": "✅ *Order placed!*\n{trainID}\n📅 {day} 🎫 {people}\nOrder no. {ref}\n",
        "taxi": "✅ *Order placed!*\n🚕 {departure} ➡️ {destination}\n🕒 {when}\n🚗 "
        "{type}\n📞 {phone}\n",
    }
    REFUSED = "😕 No space there for that.\nWant a different {other}?\n[✏️ Reply below]"
    NONE = "😕 Nothing in stock: {what}.\nTry another {other}?\n[✏️ Reply below]"
    NONE_ELSE = "😕 Nothing in stock: {what}.\n"
    MORE = ("[🏠 Main menu] [👋 Done]", "What next? 👇\n[🏠 Main menu] [👋 Done]")
    BYE = "Thanks for shopping with us 💚\n[🏠 Main menu]"
    LOST = "🤖 Didn't get that. Try again?"

    def before(self, text: str) -> str:
        taps = {"book now": "Yes, please book it.", "show another": "Do you have another one?"}
        said = text.strip(" .!✅🔁[]").lower()
        return taps.get(said, text) if self.state.booking_offered else text


@variant
class SpeaksLikeAnAirline(Mannered):
    """An airline's assistant: record locators, availability, terms."""

    OFFERS: ClassVar = {
        "restaurant": "Availability found: {name}, {food} cuisine, {area}, {pricerange} category.",
        "hotel": "Availability found: {name}, {stars}-star {type}, {area}, {pricerange} category, "
        "{perks}.",
        "attraction": "Information found: {name}, {type}, {area}.",
        "train": "Itinerary found: {trainID}, {day}, {departure} {leaveAt} to {destination} "
        "{arriveBy}.",
    }
    ASK = (
        "In order to proceed, we require one further item. {question}",
        "{question} This information is needed to display options.",
    )
    SEVERAL = "We are showing {what}."
    ANSWERS: ClassVar = {
        "reference": "Your record locator is {value}.",
        "rates": "Published rates for {of}: {value}.",
        "": (
            "For your information: {slot}, {value}.",
            "Our records for {of} show {slot}: {value}.",
        ),
    }
    SHALL_I = (
        "Do you wish to proceed to reservation? Conditions of carriage and house rules apply.",
        "Would you like us to issue this reservation? Terms and conditions apply.",
    )
    BOOKED: ClassVar = {
        "restaurant": "Reservation status: HK (confirmed). {name}, {day}, {time}, {party}. Record "
        "locator {ref}. Please arrive in good time.",
        "hotel": "Reservation status: HK (confirmed). {name}, check-in {day}, {nights}, {party}. "
        "Record locator {ref}. Please have it ready at check-in.",
        "train": "Your e-tickets have been issued. {trainID}, {day}, {departure} to {destination}, "
        "{tickets}. Record locator {ref}. Please be on the platform in good time.",
        "taxi": "Ground transfer status: HK (confirmed). {departure} to {destination}, {when}. "
        "Vehicle: {type}. Contact: {phone}.",
    }
    REFUSED = (
        "Reservation status: UC (unable to confirm). There is no availability on "
        "those details. Would an alternative {other} be acceptable?"
    )
    NONE = "There is nil availability for {what}. Would you accept an alternative {other}?"
    NONE_ELSE = "There is nil availability for {what}."
    MORE = (
        "May we assist you with any other sector of your journey?",
        "Do you require any further services today?",
    )
    BYE = "Thank you for choosing us. We look forward to welcoming you again soon. Goodbye."
    LOST = "We were unable to process your message. Kindly rephrase it."


@variant
class DispatchesByRadio(Mannered):
    """A dispatcher on the radio."""

    OFFERS: ClassVar = {
        "restaurant": "Copy. I've got eyes on {name}, {food} grub, {area} sector, "
        "{pricerange}, over.",
        "hotel": "Copy. I've got eyes on {name}, {stars}-star {type}, {area} sector, {pricerange}, "
        "{perks}, over.",
        "attraction": "Copy. I've got eyes on {name}, {a_type}, {area} sector, over.",
        "train": "Copy. {trainID} rolls out of {departure} at {leaveAt} {day}, into {destination} "
        "{arriveBy}, over.",
    }
    ASK = ("Say again your details: {question} Over.", "Need one more from you. {question} Over.")
    SEVERAL = "Roger, showing {what}."
    ANSWERS: ClassVar = {
        "phone": "Number for {of}, stand by to copy: {value}, over.",
        "address": "Location of {of}: {value}, over.",
        "": ("{slot} reads {value}, over.", "Be advised, {slot} {value}, over."),
    }
    HAS = "Affirmative on {what} at {of}, over."
    HASNT = "Negative on {what} at {of}, over."
    SHALL_I = ("Want me to call it in? Over.", "Do I have your go to call that one in? Over.")
    BOOKED: ClassVar = {
        "restaurant": "That's a go. {name} confirms {party}, {day}, {time}. Your call sign is "
        "{ref}, over.",
        "hotel": "That's a go. {name} confirms {party}, {nights} from {day}. Your call sign is "
        "{ref}, over.",
        "train": "That's a go. {tickets} on {trainID}, {day}. Your call sign is {ref}, over.",
        "taxi": "Unit rolling: {a_type}, {departure} to {destination}, {when}. Raise the driver on "
        "{phone}, over.",
    }
    REFUSED = (
        "Negative, negative. They're at capacity on that one. Got another {other} for me? Over."
    )
    NONE = "Negative contact on {what}. Can you switch to another {other}? Over."
    NONE_ELSE = "Negative contact on {what}, over."
    MORE = ("Standing by for your next, over.", "Any further traffic for me? Over.")
    BYE = "Safe travels. Base out."
    LOST = "You're coming in broken. Say again, over."
    NOT_YET = "Haven't called it in yet, over."


@variant
class PrintsReceipts(Mannered):
    """A till that prints a slip for everything."""

    OFFERS: ClassVar = {
        "restaurant": "------ OFFER ------\n{name}\nKitchen ....... {food}\nQuarter ....... "
        "{area}\n"
        "Price ......... {pricerange}\n-------------------\n",
        "hotel": "------ OFFER ------\n{name}\nHouse ......... {type}\nStars ......... {stars}\n"
        "Quarter ....... {area}\nPrice ......... {pricerange}\nInternet ...... {internet}\n"
        "Parking ....... {parking}\n-------------------\n",
        "attraction": "------ OFFER ------\n{name}\nKind .......... {type}\nQuarter ....... "
        "{area}\n"
        "-------------------\n",
        "train": "------ OFFER ------\nTrain {trainID}\nDay ........... {day}\nFrom .......... "
        "{departure} {leaveAt}\nTo ............ {destination} {arriveBy}\n-------------------\n",
    }
    ASK = "{question}"
    SEVERAL = "ITEMS FOUND: {what}.\n"
    ANSWERS: ClassVar = {"": ("{of}\n{slot} ... {value}\n", "{slot} ... {value}\n")}
    HAS = "{of}\n{what} ... yes\n"
    HASNT = "{of}\n{what} ... no\n"
    SHALL_I = ("Ring it up? (y/n)", "Add to the slip? (y/n)")
    BOOKED: ClassVar = {
        "restaurant": "====== TABLE SLIP ======\n{name}\n{day} {time}\nCovers ........ {people}\n"
        "Slip no. ...... {ref}\n====== SEE YOU THERE ======\n",
        "hotel": "====== ROOM SLIP ======\n{name}\nFrom .......... {day}\nNights ........ {stay}\n"
        "Guests ........ {people}\nSlip no. ...... {ref}\n====== SEE YOU THERE ======\n",
        "train": "====== TICKET SLIP ======\nTrain {trainID}\nDay ........... {day}\nFrom "
        ".......... {departure}\n"
        "To ............ {destination}\nSeats ......... {people}\nSlip no. "
        "...... {ref}\n====== SAFE TRIP ======\n",
        "taxi": "====== CAB SLIP ======\nFrom .......... {departure}\nTo ............ "
        "{destination}\n"
        "{when}\nCar ........... {type}\nTel. .......... {phone}\n====== SAFE TRIP ======\n",
    }
    REFUSED = "*** VOID ***\nno seats left for that\nDifferent {other}?"
    NONE = "*** NO ITEM ***\n{what}\nDifferent {other}?"
    NONE_ELSE = "*** NO ITEM ***\n{what}\n"
    MORE = ("Next item?", "Anything else for the slip?")
    BYE = "*** THANK YOU, CALL AGAIN ***"


@variant
class SendsTelegrams(Mannered):
    """Writes as in a telegram, with STOP between."""

    OFFERS: ClassVar = {
        "restaurant": "SUGGEST {name} STOP SERVES {food} STOP {area} OF TOWN STOP {pricerange} "
        "STOP",
        "hotel": "SUGGEST {name} STOP {stars} STAR {type} STOP {area} OF TOWN STOP {pricerange} "
        "STOP INTERNET {internet} PARKING {parking} STOP",
        "attraction": "SUGGEST {name} STOP {type} STOP {area} OF TOWN STOP",
        "train": "TRAIN {trainID} {day} STOP LEAVES {departure} {leaveAt} STOP REACHES "
        "{destination} {arriveBy} STOP",
    }
    ASK = ("{question} STOP", "PLEASE ADVISE STOP {question}")
    SEVERAL = "FOUND {what} STOP"
    ANSWERS: ClassVar = {"": ("{slot} {value} STOP", "{slot} OF {of} IS {value} STOP")}
    HAS = "{of} HAS {what} STOP"
    HASNT = "{of} WITHOUT {what} STOP"
    SHALL_I = ("SHALL I SECURE IT STOP REPLY AWAITED", "WIRE YES AND I SECURE IT STOP")
    BOOKED: ClassVar = {
        "restaurant": "TABLE SECURED {name} STOP {day} {time} STOP {party} STOP REFERENCE "
        "{ref} STOP",
        "hotel": "ROOM SECURED {name} STOP FROM {day} {nights} STOP {party} STOP "
        "REFERENCE {ref} STOP",
        "train": "SEATS SECURED {trainID} {day} STOP {tickets} STOP REFERENCE {ref} STOP",
        "taxi": "CAR ENGAGED {departure} TO {destination} STOP {when} STOP {type} STOP "
        "TELEPHONE {phone} STOP",
    }
    REFUSED = "REGRET HOUSE FULL FOR THAT STOP OTHER {other} POSSIBLE STOP PLEASE ADVISE"
    NONE = "REGRET NO {what} STOP OTHER {other} POSSIBLE STOP PLEASE ADVISE"
    NONE_ELSE = "REGRET NO {what} STOP"
    MORE = ("AWAIT FURTHER INSTRUCTIONS STOP", "ANYTHING FURTHER STOP")
    BYE = "BON VOYAGE STOP END"
    LOST = "MESSAGE GARBLED STOP KINDLY REPEAT"
    NOT_YET = "NOTHING SECURED YET STOP"

    def dressed(self, text: str) -> str:
        text = re.sub(r"\? STOP", " STOP", text)
        return re.sub(r"\?(?= \w)", " STOP", text).replace("?", "").upper()
