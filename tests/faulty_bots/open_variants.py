"""Bots that differ from the reference bots and are as right: whatever is found is a false alarm."""

from tests.faulty_bots.reshaped import SpeaksBy
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo")
variant = CATALOGUE.variant
FRIENDLY = (
    (r"What part of town would you like it in\?|Is there an area you prefer\?",
     "Whereabouts in town should it be?"),
    (r"What price range do you have in mind\?|Which price range would suit you\?",
     "And what sort of price were you thinking of?"),
    (r"What (?:kind|type) of food [^?]+\?", "What do you fancy eating?"),
    (r"What type of (?:attraction are you interested in|place would you like)\?",
     "What sort of attraction shall it be?"),
    (r"Where (?:will you be leaving|would you like to depart) from\?", "Setting off from where?"),
    (r"Where would you like to go\?|What is your destination\?", "And where are you heading?"),
    (r"What day (?:would you like it for|will your stay start|will you be travelling)\?|"
     r"On which day (?:is it|will you arrive|would you like to travel)\?", "Which day is that?"),
    (r"What time would you like the table\?|At what time\?", "What time shall the table be for?"),
    (r"How many people (?:will there be|is it for)\?|For how many people\?",
     "And for how many people, please?"),
    (r"How many tickets would you like\?", "How many tickets shall I get?"),
    (r"How many nights will you stay\?|For how many nights\?", "How many nights are you staying?"),
    (r"What time would you like to leave, or when do you need to arrive\?",
     "When do you want to set off, or by when must you be there?"),
    (r"I have (\d+) (places to stay|restaurants|attractions)", r"We've got \1 \2 to choose from"),
    (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?",
     r"You might like \1\2."),
    (r"It is an? (\w+) restaurant in the (\w+) of town that serves ([\w ]+) food\.",
     r"It does \3 food, it's in the \2, and it's \1."),
    (r"Train (TR\d+) leaves ([^.]+?) at ([\d:]+) on (\w+) and arrives in ([^.]+?) at ([\d:]+)\.",
     r"There's train \1 on \4: it goes from \2 at \3 and gets to \5 at \6."),
    (r"The (phone number|address|postcode|entrance fee) of ([^.]+?) is ((?:[^.]|\.(?=\d))+)\.",
     r"\3 is the \1 of \2."),
    (r"The journey takes ([^.]+)\.", r"You'll be \1 on the way."),
    (r"A ticket costs ([\d.]+ pounds)\.", r"It's \1 for a ticket."),
    (r"I am sorry, there is no|Unfortunately there is no", "Oh dear, there's no"),
    (r"Would you like me to book it(?: for you)?\?|"
     r"Shall I (?:book tickets for you|make a booking)\?",
     "Would you like me to book that?"),
    (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
     r"All done, I've booked \1. Your reference is \2."),
    (r"I have booked your taxi", "Your taxi is booked"),
    (r"The car type is an? ([^.]+?) and the contact number is (\d+)\.",
     r"Look out for a \1; you can reach the driver on \2."),
    (r"I am sorry, the booking failed: ", "I'm afraid they couldn't take that booking: "),
    (r"I am sorry, I did not understand\.[^?]*\?|Sorry, I am not sure what you mean\.[^?]*\?",
     "Sorry, could you put that another way?"),
    (r"Is there anything else I can help you with\?|Can I help you with anything else\?",
     "Anything else I can do for you?"),
)  # fmt: skip
"""Templates of the reference bot, and how somebody at a counter would say them."""


@variant
class SpeaksFriendly(SpeaksBy):
    """All templates in other words, those of somebody at a counter."""

    templates = FRIENDLY
    again = "Still the same, I'd say."
