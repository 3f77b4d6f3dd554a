"""Names offered, denied and in passing; and whose each value is."""

from collections.abc import Sequence

import pytest

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.facts.hearing import hear, normal_text
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.names.unlisted import offered_names
from pytest_todeval.nlu.vocabulary import Vocabulary
from tests.conftest import must_end

TOWN = Vocabulary(
    names={
        "restaurant": (
            "Blue Fig",
            "The Golden Pear",
            "Rosa's Kitchen",
            "Olive & Vine",
            "Ask Grill",
        ),
        "hotel": ("Harbour Lodge", "Quay Hotel", "The Swan", "Elm Tree B&B"),
        "attraction": ("Maritime Museum", "Orchard Gallery", "The Great Barn"),
    },
    values={
        "food": ("italian", "greek", "thai"),
        "type": ("museum", "gallery"),
        "trainID": ("TR1010", "TR2020"),
        "breakfast": ("yes", "no"),
    },
)
NAMELESS = Vocabulary({"restaurant": (), "hotel": ()}, {"food": ("greek", "thai")})


def names(
    text: str, user: str = "", vocabulary: Vocabulary = TOWN, domain: str = "restaurant"
) -> tuple[list[str], list[str]]:
    """What holds as offered, and as denied."""
    heard = listen(text, vocabulary, domain=domain, user_said=user)
    said = [one for one in heard if one.holds and one.value]
    return (
        [str(one.value) for one in said if one.act is Act.OFFER],
        [str(one.value) for one in said if one.act is Act.NO_OFFER],
    )


def values(text: str, domain: str = "restaurant", user: str = "") -> set[tuple[str, str | None]]:
    """Each value told, as "slot=value", with what it is of."""
    heard = listen(text, TOWN, domain=domain, user_said=user)
    return {(f"{one.slot}={one.value}", one.of) for one in heard if one.act is Act.INFORM}


@pytest.mark.parametrize(
    "text",
    [
        "Might Blue Fig suit you?",
        "What would you say to Blue Fig?",
        "Not only is Blue Fig cheap, it is also central.",
        "You can't go wrong with Blue Fig.",
        "You shouldn't miss Blue Fig.",
        "Why don't you try Blue Fig?",
        "Blue Fig isn't far and has great reviews.",
        "I'm afraid Blue Fig is the only one left.",
        "I couldn't find a Greek place, but Blue Fig is nearby.",
        "Instead of Olive & Vine I'd suggest Blue Fig.",
        "If you liked Olive & Vine, you'll love Blue Fig.",
        "If Olive & Vine is full, Blue Fig is a good alternative.",
        "Blue Fig's phone number is 01223 445566.",
        "We've got you in at Blue Fig.",
        "Blue Fig it is.",
        "I don't have the parking details, but Blue Fig is in the north.",
        "blue fig would be my choice",
        "No worries! Blue Fig has plenty of space.",
    ],
)
def test_one_name_is_offered(text: str) -> None:
    assert names(text) == (["Blue Fig"], [])


@pytest.mark.parametrize(
    "text",
    [
        "Blue Fig shut its doors in the spring.",
        "My database knows no Blue Fig.",
        "There isn't any Blue Fig around here.",
        "Sadly Blue Fig can't seat ten.",
        "I couldn't locate Blue Fig in our directory.",
        "Unfortunately, Blue Fig does not serve Greek food.",
        "We don't work with Blue Fig.",
        "I'm not aware of any place called Blue Fig.",
        "Blue Fig went bust last year.",
        "I recommend Blue Fig. Oh no, I see that Blue Fig is closed.",
        "Blue Fig isn't in this town. Blue Fig is located abroad.",
    ],
)
def test_one_name_is_denied(text: str) -> None:
    assert names(text) == ([], ["Blue Fig"])


@pytest.mark.parametrize(
    ("text", "offered", "denied"),
    [
        ("Neither The Swan nor the Elm Tree B&B has rooms left.", [], ["The Swan", "Elm Tree B&B"]),
        ("Harbour Lodge is full, but the Quay Hotel has a room.", ["Quay Hotel"],
         ["Harbour Lodge"]),
        ("TR1010 has been cancelled; TR2020 runs at 10:15.", ["TR2020"], ["TR1010"]),
        ("Too dear:\n- Blue Fig\n- Olive & Vine\nFitting:\n- Rosa's Kitchen",
         ["Blue Fig", "Olive & Vine", "Rosa's Kitchen"], []),
        ("Not available:\n- Blue Fig\n- Olive & Vine\nAvailable:\n- Rosa's Kitchen",
         ["Rosa's Kitchen"], ["Blue Fig", "Olive & Vine"]),
        ("Checked:\n❌ Blue Fig\n✅ Olive & Vine", ["Olive & Vine"], ["Blue Fig"]),
    ],
)  # fmt: skip
def test_offered_and_denied_together(text: str, offered: list[str], denied: list[str]) -> None:
    assert names(text) == (offered, denied)


@pytest.mark.parametrize(
    "text",
    [
        "It's a stone's throw from the Maritime Museum.",
        "You'll find it between Blue Fig and the Quay Hotel.",
        "It is as good as Blue Fig, only cheaper.",
        "Go past the Quay Hotel and turn right.",
        "Is it near the Quay Hotel that you'd like to eat?",
        "Would you like something similar to Blue Fig?",
        "A taxi from Harbour Lodge to Blue Fig takes a while.",
        "Do you mean the Quay Hotel?",
        "Are you asking about Blue Fig or Olive & Vine?",
        "What a great barn that was!",
        "Please ask for the grill menu.",
        "I don't have the phone number of Blue Fig.",
    ],
)
def test_names_in_passing(text: str) -> None:
    assert names(text) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "I'd plump for Blue Fig.",
        "Locals swear by Blue Fig.",
        "It's a close call between Blue Fig and Olive & Vine. I'd say Blue Fig.",
        "May I point you towards Blue Fig?",
        "Have a look at Blue Fig.",
        "Blue Fig never closes before midnight.",
        "Your request for a table at Blue Fig was successful.",
        "There's one Thai place nearby, Blue Fig.",
        "You are down at Blue Fig for nine, not for eight.",
    ],
)
def test_names_put_forward(text: str) -> None:
    assert "Blue Fig" in names(text)[0]
    assert names(text)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "0 matches for Blue Fig.",
        "I couldn't find any information about Blue Fig.",
        "Blue Fig: full",
        "❌ Blue Fig",
    ],
)
def test_names_refused(text: str) -> None:
    assert names(text) == ([], ["Blue Fig"])


@pytest.mark.parametrize(
    "text",
    [
        "We share a courtyard with Blue Fig.",
        "How was your evening at Blue Fig?",
        "You told me that Blue Fig was too noisy.",
        "The way leads past the Harbour Lodge car park.",
        "Welcome to Harbour Lodge! Which dates?",
        "Thank you for calling Harbour Lodge. Which dates?",
        "How many nights?\n\nKind regards,\nThe Harbour Lodge team",
        "How many nights?\n\nBest wishes\nHarbour Lodge",
    ],
)
def test_names_only_mentioned(text: str) -> None:
    assert names(text) == ([], [])


def test_one_word_of_a_name_is_none_where_it_is_a_word() -> None:
    docks = Vocabulary({"hotel": ("Sunset Suites", "Harbour Lodge")}, {})
    assert names("Have a drink before sunset.", vocabulary=docks) == ([], [])
    assert names("Our sunset cruise is fun.", vocabulary=docks) == ([], [])
    assert names("Sunset has rooms.", vocabulary=docks) == (["Sunset Suites"], [])


def test_a_word_that_is_a_name_counts_only_if_written_or_named_as_one() -> None:
    club = Vocabulary({"attraction": ("the place",), "hotel": ("Harbour Lodge",)}, {})
    for text in ("The place provides free wifi.", "the place has wifi", "I recommend the place."):
        assert names(text, vocabulary=club, domain="attraction") == ([], [])
    for text in ("How about The Place?", "It's called the place.", "Clubs:\n- the place"):
        assert names(text, vocabulary=club, domain="attraction") == (["the place"], [])
    assert names("the place is open", "Is the place open?", club) == (["the place"], [])


def test_outside_venues_a_name_that_nobody_lists_has_several_words() -> None:
    empty = Vocabulary({}, {})
    told = names("We don't know any salon called Curly Sue Studio.", "", empty, "salon")
    assert told == ([], ["Curly Sue Studio"])
    assert names("Bella is on the list for Monday.", "", empty, "vet") == ([], [])


def test_a_name_that_is_not_booked_yet_is_not_denied() -> None:
    assert names("To sum up: Harbour Lodge (not booked).") == (["Harbour Lodge"], [])


def test_a_question_about_a_name_is_heard_as_asked() -> None:
    heard = listen("Do you mean the Quay Hotel?", TOWN, domain="hotel")
    assert [(one.act, one.factuality.value) for one in heard] == [(Act.OFFER, "asked")]


def test_a_name_of_everyday_words_counts_if_written_as_one() -> None:
    assert names("You would love The Great Barn.", domain="attraction")[0] == ["The Great Barn"]
    assert names("It's a great barn of a place.", domain="attraction")[0] == []
    short = Vocabulary({"restaurant": ("Ask Restaurant", "Blue Fig")}, {})
    assert names("Two places:\n1. Ask\n2. Blue Fig", vocabulary=short)[0] == [
        "Ask Restaurant",
        "Blue Fig",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Blue Fig is cheap and in the north, while Olive & Vine is expensive.",
         {("pricerange=cheap", "Blue Fig"), ("area=north", "Blue Fig"),
          ("pricerange=expensive", "Olive & Vine")}),
        ("Blue Fig costs £20 and Olive & Vine 30.",
         {("price=20", "Blue Fig"), ("price=30", "Olive & Vine")}),
        ("Both Blue Fig and Olive & Vine are in the east. The former is cheap.",
         {("area=east", "Blue Fig"), ("area=east", "Olive & Vine"),
          ("pricerange=cheap", "Blue Fig")}),
        ("In the north there's Blue Fig; it is cheap.",
         {("area=north", "Blue Fig"), ("pricerange=cheap", "Blue Fig")}),
        ("Cheap: Blue Fig, Rosa's Kitchen.",
         {("pricerange=cheap", "Blue Fig"), ("pricerange=cheap", "Rosa's Kitchen")}),
        ("It's cheap. It's called Blue Fig.", {("pricerange=cheap", "Blue Fig")}),
        ("1. Blue Fig - cheap, north\n2. Olive & Vine - expensive, west",
         {("pricerange=cheap", "Blue Fig"), ("area=north", "Blue Fig"),
          ("pricerange=expensive", "Olive & Vine"), ("area=west", "Olive & Vine")}),
        ("**Blue Fig**\n- Food: Greek\n- Phone: 01223 445566\n\n**Olive & Vine**\n- Food: Thai",
         {("food=greek", "Blue Fig"), ("phone=01223 445566", "Blue Fig"),
          ("food=thai", "Olive & Vine")}),
        ("| Name | Food | Area |\n|---|---|---|\n| Blue Fig | Greek | east |\n| Rosa's Kitchen | "
         "Thai | west |",
         {("food=greek", "Blue Fig"), ("area=east", "Blue Fig"),
          ("food=thai", "Rosa's Kitchen"), ("area=west", "Rosa's Kitchen")}),
    ],
)  # fmt: skip
def test_whose_values(text: str, told: set[tuple[str, str | None]]) -> None:
    assert values(text) == told


def test_cells_need_no_unit() -> None:
    text = "| Hotel | Stars | WiFi | Price |\n|---|---|---|---|\n| The Swan | 4 | yes | 85 |"
    assert values(text, "hotel") == {
        ("stars=4", "The Swan"),
        ("internet=yes", "The Swan"),
        ("price=85", "The Swan"),
    }


def test_whose_a_value_is_may_be_in_doubt() -> None:
    heard = listen("I have Blue Fig and Olive & Vine. It is cheap.", TOWN, domain="restaurant")
    told = next(one for one in heard if one.act is Act.INFORM)
    assert told.of is None
    assert "several" in told.doubt


@pytest.mark.parametrize(
    ("user", "text", "told"),
    [
        ("Does it have parking?", "Yes, it does!", {"parking=yes"}),
        ("Does it have parking?", "No, I'm afraid not.", {"parking=no"}),
        ("Does it have parking and wifi?", "Yes, both.", {"parking=yes", "internet=yes"}),
        ("Does it have parking and wifi?", "It has neither.", {"parking=no", "internet=no"}),
        ("Is breakfast included?", "It is.", {"breakfast=yes"}),
        ("Does it have parking?", "Yes, let me look that up.", set()),
        ("I'd like parking.", "Yes.", set()),
        ("Does it have parking?", "I do not know.", set()),
    ],
)
def test_answers_that_leave_out_what_they_answer(user: str, text: str, told: set[str]) -> None:
    assert {value for value, _ in values(text, "hotel", user)} == told
    assert names(text, user, domain="hotel") == ([], [])


@pytest.mark.parametrize(
    ("text", "user", "told"),
    [
        ("A table at half past six.", "At 18:30, please.", "time=18:30"),
        ("A table at quarter to nine in the evening.", "", "time=20:45"),
        ("A table at seven thirty pm.", "", "time=19:30"),
        ("It costs twelve pounds fifty.", "", "price=12.50"),
        ("It's eighty-five pounds a head.", "", "price=85"),
        ("Ring 01223.456.789.", "", "phone=01223.456.789"),
    ],
)
def test_values_in_words(text: str, user: str, told: str) -> None:
    assert {value for value, _ in values(text, user=user)} == {told}


@pytest.mark.parametrize(
    ("text", "offered", "denied"),
    [
        ("I'd suggest Trattoria Nina on the square.", ["Trattoria Nina"], []),
        ("I can't find a restaurant called Trattoria Nina.", [], ["Trattoria Nina"]),
        ("It's next to Trattoria Nina.", [], []),
        ("1. Green Heron – Thai\n2. Casa Luz – Greek", ["Green Heron", "Casa Luz"], []),
        ("Two good ones are Green Heron and Casa Luz.", ["Green Heron", "Casa Luz"], []),
        ("Would you like Greek or Thai food on Friday?", [], []),
        ("You're welcome! What else?", [], []),
    ],
)
def test_names_that_no_database_lists(text: str, offered: list[str], denied: list[str]) -> None:
    assert names(text, vocabulary=NAMELESS) == (offered, denied)
    if "Would you" not in text:
        assert offered_names(text, ["greek", "thai"]) == offered


@pytest.mark.parametrize(
    ("text", "offered", "denied"),
    [
        ("The Old Forge has a table.", ["The Old Forge"], []),
        ("Sorry, The Old Forge is closed.", [], ["The Old Forge"]),
        ("It's just behind The Old Forge.", [], []),
    ],
)
def test_names_of_rows_are_heard_as_those_of_the_vocabulary(
    text: str, offered: list[str], denied: list[str]
) -> None:
    found: Sequence[tuple[str, dict[str, str]]] = [("restaurant", {"name": "The Old Forge"})]
    normal = normal_text(text)
    heard = hear(text, normal, TOWN, domain="restaurant", user_said="", found=found)
    assert [one.value for one in heard if one.act is Act.OFFER] == offered
    assert [one.value for one in heard if one.act is Act.NO_OFFER and one.value] == denied


@pytest.mark.parametrize(
    "piece",
    ["Blue Fig, ", "Blue Fig is not ", "- Blue Fig\n", "Name: Blue Fig\n", "| Blue Fig | 4 |\n",
     "you asked for Blue Fig ", "if ", "not ", "Rose And ", "half past ", "five to ", "(", "A B "],
)  # fmt: skip
@pytest.mark.parametrize("vocabulary", [TOWN, pytest.param(NAMELESS, marks=pytest.mark.thorough)])
def test_hostile_names(piece: str, vocabulary: Vocabulary) -> None:
    with must_end():
        listen((piece * 100_000)[:100_000], vocabulary, domain="hotel", user_said="Any parking?")


@pytest.mark.parametrize(
    ("text", "stay"),
    [
        ("I recommend Castle Inn. Sorry, I meant Rose House.", ["rose house"]),
        ("Castle Inn would suit you. Correction: Rose House would suit you.", ["rose house"]),
        ("I have Castle Inn. Sorry, that is wrong: I have Rose House.", ["rose house"]),
        ("Sorry, my mistake. I have Castle Inn, and Rose House.", ["castle inn", "rose house"]),
        ("Try Castle Inn. I meant Rose House. No, sorry, Castle Inn it is.", ["castle inn"]),
    ],
)
def test_a_name_taken_back_in_the_same_breath_is_no_offer(text: str, stay: list[str]) -> None:
    known = Vocabulary({"hotel": ("castle inn", "rose house")})
    heard = listen(text, known, domain="hotel")
    assert [c.value for c in heard if c.act is Act.OFFER and c.holds] == stay


@pytest.mark.parametrize(
    ("text", "booked"),
    [
        ("A green kia will take you from Blue Fig to Quay Hotel. It is on 01632960146.", True),
        ("Blue Fig to Quay Hotel, arriving by 19:45; the driver's number is 01632960146.", True),
        ("Shall I book the taxi to Quay Hotel? Their number is 01632960146.", False),
        ("To book a taxi from Harbour Lodge to Quay Hotel, please call 01632960146.", False),
        ("A taxi from Harbour Lodge to Quay Hotel takes ten minutes.", False),
        ("The taxi rank's number is 01632960146.", False),
    ],
)
def test_a_taxi_is_booked_if_its_number_is_told_with_its_way(text: str, booked: bool) -> None:
    heard = hear(text, normal_text(text), TOWN, domain="taxi", user_said="", found=())
    assert any(claim.act is Act.BOOKED and claim.holds for claim in heard) is booked
