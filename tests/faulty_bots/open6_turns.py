"""Right bots that turn things round: each finding is a false alarm."""

from typing import ClassVar

from tests.faulty_bots.mannered import Mannered
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=6)
variant = CATALOGUE.variant


@variant
class SetsDeadlines(Mannered):
    """Says until when one ought to decide, and asks nothing else."""

    OFFERS: ClassVar = {
        "restaurant": "Right now I'd go for {name}: {food} food, in the {area}, {pricerange}.",
        "hotel": "Right now I'd go for {name}: {a_price} {stars}-star {type} in the "
        "{area}, {perks}.",
        "attraction": "Right now I'd go for {name}: {a_type} in the {area}.",
        "train": "If you can be there by {leaveAt}, {trainID} leaves {departure} then on "
        "{day}, and by {arriveBy} you're in {destination}.",
    }
    SHALL_I = (
        "I'm at my desk until six tonight. Let me know by then whether you'd like it booked.",
        "Say yes within the next half hour and I'll book it straight away; later "
        "works too, but then it's first come, first served.",
    )
    ASK = ("{question} No rush, I'm here until six.", "{question} Take a minute if you like.")
    SEVERAL = "As of this minute I've got {what}."
    BOOKED: ClassVar = {
        "restaurant": "In the nick of time! Your table at {name} is booked: {day}, {time}, "
        "{party}, {ref} is the reference. If you're running late, ring them "
        "before {time}.",
        "hotel": "In the nick of time! Your room at {name} is booked: from {day}, "
        "{nights}, {party}, {ref} is the reference. If you're arriving late, "
        "ring them beforehand.",
        "train": "In the nick of time! {tickets} on {trainID} on {day}, booked, {ref} is "
        "the reference. Be at the platform before {leaveAt}.",
        "taxi": "In the nick of time! A car is booked from {departure} to {destination}, "
        "{when}: {a_type}, {phone} to call. Be ready five minutes before.",
    }
    REFUSED = (
        "Too late for that one, I'm sorry, somebody was quicker. If you give me "
        "another {other} now, I'll try at once. Which one?"
    )
    NONE = "However long I look, there's no {what}. Would another {other} be all right?"
    NONE_ELSE = "However long I look, there's no {what}."
    MORE = ("If there's anything else, tell me before six.", "Anything else while I'm still here?")
    BYE = "Bye, and set an alarm!"


@variant
class SellsMoreAndTakesNo(Mannered):
    """Mentions what else there is to have, and says that nobody has to."""

    OFFERS: ClassVar = {
        "restaurant": "May I show you {name}? It's {a_price} place in the {area} with {food} "
        "food, and looking costs nothing.",
        "hotel": "May I show you {name}? It's {a_price} {stars}-star {type} in the "
        "{area}, with {perks}, and looking costs nothing.",
        "attraction": "May I show you {name}? It's {a_type} in the {area}, and you needn't "
        "book anything with us to go.",
        "train": "May I show you {trainID}? On {day} it leaves {departure} at {leaveAt} "
        "and is in {destination} at {arriveBy}. No seat upgrades from me.",
    }
    SHALL_I = (
        "I can book it for you if you want it. Do you?",
        "Would you like to have it booked? Entirely up to you.",
    )
    BOOKED: ClassVar = {
        "restaurant": "Booked: {name}, {day}, {time}, {party}, reference {ref}. By the way, we "
        "do taxis and rooms too, should you ever want one; nothing of that sort "
        "has been added.",
        "hotel": "Booked: {name}, from {day}, {nights}, {party}, reference {ref}. By the "
        "way, we do tables and trains too, should you ever want them; nothing of "
        "that sort has been added.",
        "train": "Booked: {tickets}, {trainID}, {day}, reference {ref}. By the way, we do "
        "rooms and taxis too, should you ever want them; nothing of that sort "
        "has been added.",
        "taxi": "Booked: {a_type}, {departure} to {destination}, {when}; the phone "
        "number is {phone}. By the way, we do tables and rooms too, should you "
        "ever want them; nothing of that sort has been added.",
    }
    ANSWERS: ClassVar = {
        "": (
            "The {slot} of {of} is {value}. I could also look for a taxi there, but "
            "only if you'd like one.",
            "That's {value}, the {slot}. If you'd like anything else near there, just mention it.",
        )
    }
    REFUSED = (
        "No space for that, sorry. I won't talk you into anything, but might another {other} do?"
    )
    NONE = "I'd love to sell you one, but there's no {what}. Might another {other} do?"
    NONE_ELSE = "I'd love to sell you one, but there's no {what}."
    MORE = (
        "Could I interest you in anything else? A no is perfectly fine.",
        "We've tables, rooms, sights, trains and taxis. Anything else you fancy? "
        "If not, that's fine as well.",
    )
    BYE = "No more offers from me, I promise. Goodbye!"


@variant
class Hedges(Mannered):
    """A careful soul: as far as it can tell, if it is not mistaken."""

    OFFERS: ClassVar = {
        "restaurant": "If I'm reading this right, {name} would be the one: {food} food, in the "
        "{area}, {pricerange}, as far as the entry goes.",
        "hotel": "If I'm reading this right, {name} would be the one: {a_price} "
        "{stars}-star {type} in the {area}, with {perks}, as far as the entry "
        "goes.",
        "attraction": "If I'm reading this right, {name} would be the one: {a_type}, in the "
        "{area}, as far as the entry goes.",
        "train": "If I'm reading this right, {trainID} should leave {departure} at "
        "{leaveAt} on {day} and ought to be in {destination} by {arriveBy}.",
    }
    SEVERAL = "There seem to be {what}."
    ASK = (
        "I may have missed it, but {question}",
        "Perhaps you've told me already, in which case I'm sorry: {question}",
    )
    SHALL_I = (
        "I suppose you might like it booked, would you?",
        "Would you perhaps like me to try and book it?",
    )
    BOOKED: ClassVar = {
        "restaurant": "As far as I can tell, that has worked: it shows {name} on {day} at "
        "{time} for {people}, and there's a reference, {ref}.",
        "hotel": "As far as I can tell, that has worked: it shows {name} from {day}, "
        "{nights}, {party}, and there's a reference, {ref}.",
        "train": "As far as I can tell, that has worked: it shows {tickets} on {trainID} "
        "on {day}, and there's a reference, {ref}.",
        "taxi": "As far as I can tell, that has worked: it shows {a_type} from "
        "{departure} to {destination}, {when}, and a number to call, {phone}.",
    }
    REFUSED = "It rather looks as if they had no space for that. Possibly with another {other}?"
    NONE = "Unless I'm overlooking something, there's no {what}. Possibly with another {other}?"
    NONE_ELSE = "Unless I'm overlooking something, there's no {what}."
    ANSWERS: ClassVar = {
        "": (
            "I believe the {slot} is {value}.",
            "According to what I have here, and it's usually right, the {slot} of {of} is {value}.",
        ),
        "reference": "I make the reference {value}.",
    }
    HAS = "I believe {of} does have {what}."
    HASNT = "I don't believe {of} has {what}."
    MORE = ("Might there be anything else?", "Perhaps there's something else?")
    BYE = "I hope that was of some help. Goodbye!"
    AGAIN = "I think that one's done already."


@variant
class AddsTags(Mannered):
    """Ends statements in a question tag, as some regions do."""

    OFFERS: ClassVar = {
        "restaurant": "Well, there's {name}, isn't there? It's in the {area}, it does {food} "
        "food, and it's {pricerange}, so it is.",
        "hotel": "Well, there's {name}, isn't there? It's {a_price} {stars}-star {type} "
        "in the {area}, with {perks}, so it is.",
        "attraction": "Well, there's {name}, isn't there? It's {a_type} in the {area}, so it is.",
        "train": "Well, there's {trainID}, isn't there? It's out of {departure} at "
        "{leaveAt} on {day} and into {destination} by {arriveBy}, so it is.",
    }
    SEVERAL = "There's {what}, mind."
    SHALL_I = ("You'll want that booked, won't you?", "I'll book it for you, will I?")
    BOOKED: ClassVar = {
        "restaurant": "That's you booked in at {name}, isn't it? {day}, {time}, {party}, and "
        "the reference is {ref}, so it is.",
        "hotel": "That's you booked in at {name}, isn't it? From {day}, {nights}, "
        "{party}, and the reference is {ref}, so it is.",
        "train": "That's your {tickets} booked on {trainID}, isn't it? {day} it is, and "
        "the reference is {ref}, so it is.",
        "taxi": "That's your taxi ordered, isn't it? {departure} to {destination}, "
        "{when}. It's {a_type}, so it is, and you'd ring {phone}, wouldn't you.",
    }
    REFUSED = "Ach, they've no room for that, have they? You could do another {other}, could you?"
    NONE = "Ach, there's no {what}, is there? You could do another {other}, could you?"
    NONE_ELSE = "Ach, there's no {what}, is there."
    ANSWERS: ClassVar = {"": ("The {slot}'s {value}, isn't it?", "{value}, so it is, the {slot}.")}
    HAS = "It has {what}, {of}, so it does."
    HASNT = "It's no {what}, {of}, so it hasn't."
    MORE = ("You'll be needing something else, will you?", "That's not everything, is it?")
    BYE = "That's you sorted, isn't it? Cheerio now!"
    AGAIN = "Sure, that's done already, isn't it?"
