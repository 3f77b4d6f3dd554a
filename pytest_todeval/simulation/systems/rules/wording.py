"""How the bot says things: plain English, a few ways each, chosen by the turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.models.goal_text import joined

QUESTIONS = {
    "area": ("What part of town would you like it in?", "Is there an area you prefer?"),
    "pricerange": ("What price range do you have in mind?", "Which price range would suit you?"),
    "food": ("What kind of food would you like?", "What type of food are you in the mood for?"),
    "type": ("What type of attraction are you interested in?",
        "What type of place would you like?"),
    "hotel.type": ("Would you like a hotel or a guesthouse?",),
    "stars": ("How many stars should it have?",),
    "departure": ("Where will you be leaving from?", "Where would you like to depart from?"),
    "destination": ("Where would you like to go?", "What is your destination?"),
    "day": ("What day would you like it for?", "On which day is it?"),
    "hotel.day": ("What day will your stay start?", "On which day will you arrive?"),
    "train.day": ("What day will you be travelling?", "On which day would you like to travel?"),
    "time": ("What time would you like the table?", "At what time?"),
    "people": ("How many people will there be?", "How many people is it for?"),
    "train.people": ("How many tickets would you like?", "For how many people?"),
    "stay": ("How many nights will you stay?", "For how many nights?"),
    "leaveAt": ("What time would you like to leave, or when do you need to arrive?",),
    "department": ("Which department are you looking for?",),
    "name": ("Which one would you like?",),
}  # fmt: skip
TELL = {
    "phone": "The phone number of {of} is {value}.",
    "address": "The address of {of} is {value}.",
    "postcode": "The postcode of {of} is {value}.",
    "area": "It is in the {value} of town.",
    "pricerange": "It is in the {value} price range.",
    "food": "It serves {value} food.",
    "stars": "It has {value} stars.",
    "entrance fee": "The entrance fee of {of} is {value}.",
    "duration": "The journey takes {value}.",
    "price": "A ticket costs {value}.",
    "trainID": "The train ID is {value}.",
    "leaveAt": "It leaves at {value}.",
    "arriveBy": "It arrives at {value}.",
    "reference": "The reference number is {value}.",
    "name": "It is called {value}.",
    "department": "It is the {value} department.",
}
WORDS = {
    "pricerange": "price range", "leaveAt": "departure time", "arriveBy": "arrival time",
    "trainID": "train ID", "phone": "phone number", "stay": "number of nights",
        "people": "number of people",
}  # fmt: skip
NOUNS = {"restaurant": "restaurant", "hotel": "place to stay", "attraction": "attraction"}


def _one_of(choices: Sequence[str], turn: int) -> str:
    return choices[turn % len(choices)]


def ask(domain: str, slot: str, turn: int) -> str:
    """Returns a question for one slot."""
    questions = QUESTIONS.get(f"{domain}.{slot}") or QUESTIONS.get(slot)
    return _one_of(questions, turn) if questions else f"What {words(slot)} would you like?"


def words(slot: str) -> str:
    """Returns a slot's name in words."""
    return WORDS.get(slot, slot)


def several(domain: str, count: int, wanted: Mapping[str, str]) -> str:
    """Returns how many there are, if more has to be known to offer one."""
    plural = "places to stay" if domain == "hotel" else f"{domain}s"
    return f"I have {count} {plural}{_that(wanted)}."


def offer(domain: str, row: Row, count: int, turn: int) -> str:
    """Returns one venue or train, by name, with its facts."""
    if domain == "train":
        return (
            f"Train {row['trainID']} leaves {_title(row['departure'])} at {row['leaveAt']} on "
            f"{_title(row['day'])} and arrives in {_title(row['destination'])} at "
            f"{row['arriveBy']}."
        )
    name = title(row)
    lead = ("I would suggest {}.", "How about {}?", "I recommend {}.")
    start = f"I found {name}." if count == 1 else _one_of(lead, turn).format(name)
    return f"{start} {_facts(domain, row)}".strip()


def _facts(domain: str, row: Row) -> str:
    area, price = row.get("area", "?"), row.get("pricerange", "?")
    where = f" in the {area} of town" if area != "?" else ""
    if domain == "restaurant":
        return f"It is {_a(price)} restaurant{where} that serves {row.get('food', 'varied')} food."
    if domain == "hotel":
        kind = f"{row.get('stars', '?')} star {row.get('type', 'hotel')}"
        return f"It is {_a(price)} {kind}{where}{_amenities(row)}."
    kind = row.get("type", "?")
    return f"It is {_a(kind)}{where}." if kind != "?" else f"It is{where}." if where else ""


def _amenities(row: Row) -> str:
    there = [slot for slot in ("internet", "parking") if row.get(slot) == "yes"]
    lacking = [slot for slot in ("internet", "parking") if row.get(slot) == "no"]
    having = f" with {' and '.join(there)}" if there else ""
    return having + (
        f"{', but' if there else ''} without {' and '.join(lacking)}" if lacking else ""
    )


def _a(word: str) -> str:
    if word == "?":
        return "a"
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def tell(slot: str, value: str, of: str) -> str:
    """Returns the answer to a request."""
    if slot in ("internet", "parking"):
        return f"Yes, it has free {slot}." if value == "yes" else f"No, it has no {slot}."
    if slot == "entrance fee" and value == "free":
        return f"The entrance fee of {of}: it is free."
    if slot in ("type", "car type"):
        return f"It is {_a(value)}." if slot == "type" else f"The car type is {_a(value)}."
    return TELL.get(slot, f"The {words(slot)} is {{value}}.").format(of=of, value=value)


def unknown_value(slot: str, of: str) -> str:
    """An honest "I do not know"."""
    return f"I am sorry, I do not have the {words(slot)} of {of}."


def no_match(domain: str, wanted: Mapping[str, str], relaxing: Sequence[str], turn: int) -> str:
    """Returns that nothing meets the constraints, and which of them could be given up."""
    lead = _one_of(("I am sorry, there is no", "Unfortunately there is no"), turn)
    if "name" in wanted:
        name = _title(wanted["name"])
        return f"{lead} {NOUNS.get(domain, domain)} called {name}. Would you like another?"
    text = f"{lead} {NOUNS.get(domain, domain)}{_that(wanted)}."
    if relaxing:
        other = joined([words(slot) for slot in relaxing], "or")
        text += f" Would you like to try another {other}?"
    return text


def _that(wanted: Mapping[str, str]) -> str:
    phrases = [_phrase(slot, value) for slot, value in wanted.items()]
    return (" " + " ".join(phrases)) if phrases else ""


def _phrase(slot: str, value: str) -> str:
    if (slot, value) in AMENITY:
        return AMENITY[slot, value]
    said = _title(value) if slot in PROPER else value
    return PHRASES.get(slot, "with {slot} {value}").format(slot=words(slot), value=said)


AMENITY = {
    ("internet", "yes"): "with internet", ("internet", "no"): "without internet",
    ("parking", "yes"): "with parking", ("parking", "no"): "without parking",
}  # fmt: skip
PROPER = ("departure", "destination", "day")
"""Slots with names as values, which are written with capitals."""
PHRASES = {
    "area": "in the {value}", "pricerange": "in the {value} price range",
        "food": "serving {value} food",
    "type": "of the type {value}", "stars": "with {value} stars", "departure": "from {value}",
    "destination": "to {value}", "day": "on {value}", "leaveAt": "leaving after {value}",
    "arriveBy": "arriving by {value}", "department": "with the department {value}",
}  # fmt: skip


def ask_to_book(domain: str, turn: int) -> str:
    """Returns the question whether to book."""
    if domain == "train":
        return _one_of(("Would you like me to book it?", "Shall I book tickets for you?"), turn)
    return _one_of(("Would you like me to book it for you?", "Shall I make a booking?"), turn)


def booked(domain: str, result: Mapping[str, Any], reference: str, turn: int) -> str:
    """That a booking was made, with everything in it."""
    if domain == "train":
        what = f"{_number(result['people'], 'ticket')} on train {result['trainID']}"
    else:
        what = f"{title(result)} for {_number(result['people'], 'person', 'people')}"
    when = f" on {_title(result['day'])}" if domain != "hotel" else f" from {_title(result['day'])}"
    at = f" at {result['time']}" if domain == "restaurant" else ""
    stay = f" for {_number(result['stay'], 'night')}" if domain == "hotel" else ""
    lead = _one_of(("I have booked {}.", "Your booking was successful: {}."), turn)
    return f"{lead.format(what + when + at + stay)} The reference number is {reference}."


def taxi_booked(result: Mapping[str, Any], phone: str) -> str:
    """That a taxi is booked: which car, and whom to call."""
    times = (("leaving at", "leaveAt"), ("arriving by", "arriveBy"))
    when = ", ".join(f"{word} {result[slot]}" for word, slot in times if slot in result)
    return (
        f"I have booked your taxi from {_title(result['departure'])} to "
        f"{_title(result['destination'])}, {when}. The car type is {_a(result['type'])} and the "
        f"contact number is {phone}."
    )


def refused(domain: str, reason: str, changing: Sequence[str]) -> str:
    """Returns that a booking failed, and why."""
    other = joined([words(slot) for slot in changing], "or") or "value"
    why = reason.partition(";")[0]
    return f"I am sorry, the booking failed: {why}. Would you like to try another {other}?"


def not_understood(turn: int) -> str:
    """Said if nothing could be made of the user's words."""
    did_not = "I am sorry, I did not understand. Could you say that differently?"
    return _one_of((did_not, "Sorry, I am not sure what you mean. What can I help you with?"), turn)


def closing(turn: int) -> str:
    """Returns the offer of more help."""
    asks = ("Is there anything else I can help you with?", "Can I help you with anything else?")
    return _one_of(asks, turn)


def goodbye() -> str:
    """Returns the end."""
    return "You are welcome. Have a nice day, goodbye!"


def title(row: Mapping[str, Any]) -> str:
    """Returns what a row is called, as said in a sentence."""
    if "name" in row:
        return _title(str(row["name"]))
    return f"train {row['trainID']}" if "trainID" in row else "it"


def _title(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split())


def _number(count: str, one: str, many: str = "") -> str:
    return f"{count} {one if count == '1' else many or one + 's'}"
