"""What is heard in a bot's text, with a vocabulary, and with only a goal's own slots and values."""

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary
from tests.conftest import must_end

TOWN = Vocabulary(
    names={
        "hotel": ("Harbour Lodge", "Copper Kettle Guest House", "Quay Hotel"),
        "restaurant": ("Blue Fig", "The Golden Pear", "Rosa's Kitchen"),
        "attraction": ("Maritime Museum",),
        "train": (),
    },
    values={
        "type": ("guesthouse", "hotel", "museum"),
        "food": ("greek", "modern european"),
        "departure": ("Port Alba", "Westhaven"),
        "destination": ("Port Alba", "Westhaven"),
        "trainID": ("ZQ-0417",),
        "address": ("12 Sailmaker Row, Old Dock",),
    },
)
PIZZA = Vocabulary(
    names={"pizza": ()},
    values={"size": ("small", "large"), "crust": ("thin",), "extraCheese": ("yes",)},
)


def requested(text: str, domain: str | None = None, vocabulary: Vocabulary = TOWN) -> set[str]:
    heard = listen(text, vocabulary, domain=domain)
    return {one.slot or "" for one in heard if one.act is Act.REQUEST}


def told(text: str, domain: str | None = None, vocabulary: Vocabulary = TOWN) -> set[str]:
    heard = listen(text, vocabulary, domain=domain)
    return {f"{one.slot}={one.value}" for one in heard if one.act in (Act.INFORM, Act.OFFER)}


def acts(text: str, domain: str | None = None) -> set[Act]:
    """What the text says is so."""
    return {one.act for one in listen(text, TOWN, domain=domain) if one.holds}


@pytest.mark.parametrize(
    ("text", "domain", "slots"),
    [
        ("What price range did you have in mind?", "hotel", {"pricerange"}),
        ("Is there a part of town you'd prefer?", "restaurant", {"area"}),
        ("Any kind of cuisine you fancy?", "restaurant", {"food"}),
        ("For how many people, and on what day and time?", "restaurant", {"people", "day", "time"}),
        ("How many nights will you be staying?", "hotel", {"stay"}),
        ("What time would you like to leave?", "train", {"leaveAt"}),
        ("What time do you need to arrive by?", "train", {"arriveBy"}),
        ("Would you like to leave or arrive at a certain time?", "taxi", {"leaveAt", "arriveBy"}),
        ("Where are you travelling from?", "train", {"departure"}),
        ("And where are you headed to?", "taxi", {"destination"}),
        ("Please tell me your destination and the day of travel.", "train", {"destination", "day"}),
        ("I need to know the number of people and the day.", "hotel", {"people", "day"}),
        ("Would you prefer something cheap, moderate or expensive?", "hotel", {"pricerange"}),
        ("Does it need parking or internet?", "hotel", {"parking", "internet"}),
        ("Is there anything else I can help with?", "hotel", set()),
        ("Have a great day!", "train", set()),
        ("For how many nights?", "hotel", {"stay"}),
        ("Just give them QX77YZ12 when you walk in.", "restaurant", set()),
    ],
)
def test_slots_asked_for(text: str, domain: str, slots: set[str]) -> None:
    assert requested(text, domain) == slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("What size would you like?", {"size"}),
        ("Small or large?", {"size"}),
        ("Do you want extra cheese?", {"extraCheese"}),
        ("Please choose a crust.", {"crust"}),
        ("Your pizza is on its way.", set()),
    ],
)
def test_slots_of_a_domain_of_ones_own(text: str, slots: set[str]) -> None:
    assert requested(text, "pizza", PIZZA) == slots


def test_values_of_a_domain_of_ones_own() -> None:
    assert told("A large one with thin crust, then.", "pizza", PIZZA) == {
        "size=large",
        "crust=thin",
    }
    assert DialogueAct(Act.BOOKED, "pizza") in listen("Your pizza is booked.", PIZZA)


@pytest.mark.parametrize(
    ("text", "domain", "values"),
    [
        ("How about Harbour Lodge?", "hotel", {"name=Harbour Lodge"}),
        ("**The Blue Fig** serves Greek food.", "restaurant", {"name=Blue Fig", "food=greek"}),
        ("the copper kettle guesthouse is free", "hotel", {"name=Copper Kettle Guest House"}),
        ("Rosas kitchen has a table.", "restaurant", {"name=Rosa's Kitchen"}),
        ("It costs £12.50 and the phone number is 01223 456789.", "restaurant",
         {"price=12.50", "phone=01223 456789"}),
        ("Train ZQ-0417 leaves Port Alba at 5:15 pm and arrives in Westhaven at 18:02.", "train",
         {"trainID=ZQ-0417", "departure=Port Alba", "leaveAt=17:15", "destination=Westhaven",
          "arriveBy=18:02"}),
        ("A table for 4 on Friday at 6 pm.", "restaurant",
         {"people=4", "day=friday", "time=18:00"}),
        ("It has four stars, free wifi but no parking.", "hotel",
         {"stars=4", "internet=yes", "parking=no"}),
        ("It is moderately priced and in the city center.", "restaurant",
         {"pricerange=moderate", "area=centre"}),
        ("The museum's entrance is free, at 12 Sailmaker Row, Old Dock, postcode AB1 2CD.",
         "attraction",
         {"type=museum", "entrance fee=free", "address=12 sailmaker row, old dock",
          "postcode=ab1 2cd"}),
        ("A blue Tesla will pick you up from Blue Fig and take you to Quay Hotel.", None,
         {"car type=blue tesla", "departure=Blue Fig", "destination=Quay Hotel"}),
        ("Thank you for using the Town Info Centre!", "hotel", set()),
        ("The journey takes sixty-seven minutes.", "train", {"duration=67 minutes"}),
        ("It takes one hundred and twenty minutes.", "train", {"duration=120 minutes"}),
        ("wifi no, parking yes.", "hotel", {"internet=no", "parking=yes"}),
        ("Wi-Fi: yes\nParking: none", "hotel", {"internet=yes", "parking=no"}),
    ],
)  # fmt: skip
def test_values_told(text: str, domain: str | None, values: set[str]) -> None:
    assert told(text, domain) == values


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I'm sorry, there are no Greek restaurants in the east.", Act.NO_OFFER),
        ("I couldn’t find anything like that.", Act.NO_OFFER),
        ("Nothing matches your criteria, unfortunately.", Act.NO_OFFER),
        ("Your table has been booked.", Act.BOOKED),
        ("Done! I was able to book the room.", Act.BOOKED),
        ("You're all set.", Act.BOOKED),
        ("Unfortunately the booking was unsuccessful.", Act.BOOKING_FAILED),
        ("I was not able to book that room.", Act.BOOKING_FAILED),
        ("They are fully booked on Friday.", Act.BOOKING_FAILED),
        ("There are no tables at that time.", Act.BOOKING_FAILED),
        ("Shall I book it for you?", Act.OFFER_BOOK),
        ("Anything else I can do?", Act.REQUEST_MORE),
        ("Goodbye, enjoy your stay.", Act.BYE),
    ],
)
def test_what_a_sentence_does(text: str, act: Act) -> None:
    kinds = {Act.NO_OFFER, Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK, Act.BYE}
    heard = acts(text, "restaurant")
    assert act in heard
    assert heard & kinds <= {act}


@pytest.mark.parametrize(
    "text",
    [
        "Would you like me to book a table?",
        "I can book it if you like.",
        "I don't have their entrance fee, sorry.",
        "It has no parking.",
        "There is a table for you in the north.",
        "Once it is booked I will tell you.",
    ],
)
def test_what_is_neither_booked_nor_refused(text: str) -> None:
    assert not acts(text, "hotel") & {Act.BOOKED, Act.BOOKING_FAILED, Act.NO_OFFER}


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("Your reference number is GVC0K9WU.", "GVC0K9WU"),
        ("booking ref: #ABC-123", "ABC-123"),
        ("Reference number : LZLUDTVI .", "LZLUDTVI"),
        ("Confirmation code **abc12xyz**, thanks.", "abc12xyz"),
        ("Your # is NA43RK1N .", "NA43RK1N"),
        ("The order number is 0042871.", "0042871"),
    ],
)
def test_reference_numbers(text: str, reference: str) -> None:
    heard = listen(text, TOWN, domain="hotel")
    assert [one.value for one in heard if one.act is Act.REFERENCE] == [reference]
    assert Act.BOOKED in {one.act for one in heard}


@pytest.mark.parametrize(
    "text",
    [
        "Would you like the reference number?",
        "For your reference, they open at 9:30.",
        "The phone number is 01223456789, postcode CB21AB.",
        "Train TR1234 costs 12.80 GBP.",
    ],
)
def test_what_is_no_reference_number(text: str) -> None:
    assert Act.REFERENCE not in acts(text, "hotel")


def test_a_refusal_tells_no_values() -> None:
    assert told("There are no cheap hotels in the east.", "hotel") == set()


def test_a_refusal_with_an_alternative_offers_it() -> None:
    text = "I have no Greek places, but the Golden Pear is nearby."
    assert "name=The Golden Pear" in told(text, "restaurant")
    assert Act.NO_OFFER in acts(text, "restaurant")


def test_several_sentences_keep_their_meanings() -> None:
    text = "Your table is booked, reference QX81KLM2. Do you also need a taxi? What day?"
    heard = listen(text, TOWN, domain="restaurant")
    assert [one.act for one in heard if one.act is Act.REQUEST] == [Act.REQUEST]
    assert DialogueAct(Act.REFERENCE, "taxi", "reference", "QX81KLM2") not in heard[:1]
    assert {Act.BOOKED, Act.REFERENCE, Act.REQUEST} <= {one.act for one in heard}


def test_domain_comes_from_the_text_then_the_context_then_the_user() -> None:
    assert listen("What time?", TOWN, domain="train")[0] == DialogueAct(
        Act.REQUEST, "train", "leaveAt"
    )
    assert listen("What time?", TOWN, user_said="I need a taxi")[0].domain == "taxi"
    assert listen("Which hotel area?", TOWN, domain="train")[0].domain == "hotel"
    assert listen("How about Blue Fig?", TOWN, domain="hotel")[0].domain == "restaurant"


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "ok", "???", "🙂🙂", "\x00\x01", "{}[]()*+?^$\\"]
)
def test_text_without_meaning_gives_nothing(text: str) -> None:
    assert listen(text, TOWN) == ()


@pytest.mark.parametrize(
    "piece",
    ["a", ".", " ", "1", "'", "#", "-", "\n", "no ", "not ", "book ", "reference ", "what day ",
     "1:", "from the ", "£5 ", "free ", "cheap ", "1 a a a ", "located at ", "where ", "\ufdfa",
     "Blue Fig ", "unable to ", "Port Alba ", "for 2 ", "would you ", "n't "],
)  # fmt: skip
def test_hostile_text_of_100_kilobytes_is_heard_to_the_end(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    with must_end():
        listen(text, TOWN, domain="taxi")


def test_a_venue_whose_name_holds_a_slots_word_asks_for_nothing() -> None:
    town = Vocabulary(names={"restaurant": ("Best Food Corner",)}, values={"food": ("greek",)})
    assert requested("How about Best Food Corner? It serves greek food.", None, town) == set()
    assert requested("How about greek? What food would you like?", None, town) == {"food"}
