"""How acts are put into words: what is said, how often, in which order. No phrase is fixed."""

import random

import pytest

from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.wording import DRAWS, Wording

SEEDS = range(30)
OPEN = Say(ActKind.OPEN, "hotel", {"area": "north", "stars": "4"})
REQUEST = Say(ActKind.REQUEST, "hotel", {"phone": ""}, "Sea View")


def wording(seed: int = 0, *, short: bool = False) -> Wording:
    return Wording(random.Random(seed), short=short)


def texts(*acts: Say, first: bool = False, short: bool = False) -> list[str]:
    return [wording(seed, short=short).utterance(acts, first=first) for seed in SEEDS]


def shares(said: list[str], word: str) -> float:
    return sum(word in text for text in said) / len(said)


# Greeting, order, capitals


def test_the_first_words_are_a_greeting_unless_the_user_is_short() -> None:
    greetings = ("Hi", "Hey", "Hello", "Good day")
    assert all(text.startswith(greetings) for text in texts(OPEN, first=True))
    assert not any(text.startswith(greetings) for text in texts(OPEN))
    assert not any(text.startswith(greetings) for text in texts(OPEN, first=True, short=True))


def test_acts_are_said_in_their_order_each_with_a_capital() -> None:
    for text in texts(Say(ActKind.YES, "hotel"), Say(ActKind.ANSWER, "hotel", {"people": "3"})):
        assert text.startswith(("Yes", "Sure"))
        assert text.index("3 people") > 3
    for text in texts(Say(ActKind.CHOICE, "hotel", {"choice": "window"})):
        assert text[0].isupper()
    for text in texts(Say(ActKind.CHOICE, "hotel", {"choice": "window"}), short=True):
        assert text[1].islower() or text[1] in " '", text


def test_a_mail_address_keeps_its_small_letters() -> None:
    bare = Say(ActKind.FACT_AGAIN, "hotel", {"email": "ada.marsh@example.org"})
    assert set(texts(bare)) == {"ada.marsh@example.org"}


def test_slots_behind_a_noun_stand_in_the_order_of_speech() -> None:
    slots = {"time": "18:00", "day": "friday", "people": "3", "food": "british"}
    for text in texts(Say(ActKind.OPEN, "restaurant", slots)):
        places = [text.index(word) for word in ("British", "3 people", "Friday", "18:00")]
        assert places == sorted(places), text


def test_what_a_place_has_is_said_once_with_with() -> None:
    for text in texts(
        Say(ActKind.OPEN, "hotel", {"stars": "4", "parking": "yes", "area": "north"})
    ):
        assert text.count(" with ") == 1, text
        assert " and " in text
        assert "in the north" in text
    for text in texts(Say(ActKind.OPEN, "hotel", {"area": "north"})):
        assert " with " not in text


def test_slots_that_no_noun_takes_get_a_sentence_of_their_own() -> None:
    for text in texts(Say(ActKind.OPEN, "hotel", {"type": "hotel", "area": "north"})):
        assert text.count(".") + text.count("?") >= 2, text
    for text in texts(Say(ActKind.BOOK, "pizza", {"address": "1 Mill Road", "time": "18:00"})):
        assert "1 Mill Road" in text
        assert "18:00" in text
    for kind in (ActKind.BOOK_AGAIN, ActKind.BOOK):
        assert all(
            "1 Mill Road" in t for t in texts(Say(kind, "pizza", {"address": "1 Mill Road"}))
        )


# Names


def test_a_named_venue_opens_by_its_name_with_the_rest_in_sentences() -> None:
    act = Say(ActKind.OPEN, "hotel", {"name": "sea view", "area": "north"})
    for text in texts(act):
        assert text.count("Sea View") == 1
        assert text.index("Sea View") < text.index("north")


def test_slots_of_a_name_are_said_with_capitals_and_others_as_they_stand() -> None:
    act = Say(ActKind.INFORM, "restaurant", {"food": "modern european", "topping": "ham"})
    for text in texts(act):
        assert "Modern European" in text
        assert "ham" in text
    mixed = Say(ActKind.INFORM, "restaurant", {"name": "McDoe's diner"})
    assert all("McDoe's diner" in text for text in texts(mixed))


def test_words_written_together_are_said_apart() -> None:
    act = Say(ActKind.INFORM, "attraction", {"type": "swimmingpool"})
    assert all("swimming pool" in text for text in texts(act))
    slot = Say(ActKind.INFORM, "car_hire", {"car_size": "small  one"})
    assert all("car size" in text and "small one" in text for text in texts(slot))
    assert all("car hire" in text for text in texts(Say(ActKind.OPEN, "car_hire", {})))


def test_a_venue_turned_down_for_its_name_another_for_its_slots_or_just_another() -> None:
    name = Say(ActKind.ANOTHER, "hotel", {"name": "sea view"})
    assert all("Sea View" in text for text in texts(name))
    slots = Say(ActKind.ANOTHER, "hotel", {"area": "north"})
    assert shares(texts(slots), "north") > 0.4
    for text in texts(Say(ActKind.ANOTHER, "hotel", {})):
        assert "different" in text or "another" in text


def test_a_venue_may_be_asked_for_by_name() -> None:
    named = Say(ActKind.RECOMMEND, "hotel", {"name": "sea view"})
    assert all("Sea View" in text for text in texts(named))
    assert not any("Sea View" in text for text in texts(Say(ActKind.RECOMMEND, "hotel")))
    assert all("train" in t or "suggest" in t for t in texts(Say(ActKind.RECOMMEND, "train")))


def test_one_that_returns_names_what_it_returns_to() -> None:
    act = Say(ActKind.RETURN, "hotel", {"phone": ""}, "sea view")
    for text in texts(act):
        assert "the hotel Sea View" in text
        assert "phone number" in text
    for text in texts(Say(ActKind.RETURN, "hotel", {"phone": ""})):
        assert "the hotel" in text
        assert "hotel " not in text.replace("hotel can", "").replace("hotel could", "")


def test_a_venue_without_a_name_is_called_by_its_kind() -> None:
    assert all("Sea View" in t for t in texts(Say(ActKind.PICK, "hotel", venue="Sea View")))
    again = texts(Say(ActKind.REQUEST_AGAIN, "hotel", {"phone": ""}))
    assert shares(again, "the hotel") > 0


# Slots asked for


def test_one_slot_is_asked_for_in_a_question_of_its_own_or_in_a_list() -> None:
    said = texts(Say(ActKind.REQUEST, "hotel", {"address": ""}))
    lists = ("tell me the address", "know the address")
    listed = sum(any(words in text for words in lists) for text in said)
    assert 0 < listed < len(said) / 2


def test_several_slots_are_asked_for_in_one_list() -> None:
    act = Say(ActKind.REQUEST, "hotel", {"phone": "", "address": "", "trainID": ""})
    for text in texts(act):
        assert "the phone number, the address and the train ID" in text


def test_two_and_more_slots_of_no_matter_are_listed_with_or() -> None:
    act = Say(ActKind.NO_PREFERENCE, "hotel", {"stars": "", "pricerange": ""})
    assert all("star rating or price range" in text for text in texts(act))


def test_one_answer_is_a_sentence_or_a_fragment_and_several_are_one_list() -> None:
    one = texts(Say(ActKind.ANSWER, "hotel", {"area": "north"}))
    fragments = sum(text.startswith("The north") for text in one)
    assert 0 < fragments < len(one)
    for text in texts(Say(ActKind.ANSWER, "hotel", {"area": "north", "people": "3"})):
        assert text.startswith("The north and ")
    for text in texts(Say(ActKind.ANSWER, "hotel", {"area": "north"}), short=True):
        assert text.startswith("The north")


def test_a_short_user_speaks_in_fragments() -> None:
    act = Say(ActKind.INFORM, "hotel", {"area": "north", "pricerange": "cheap"})
    assert set(texts(act, short=True)) == {"The north. The cheap price range."}
    assert set(texts(Say(ActKind.FACT, "hotel", {"name": "Ada Marsh"}), short=True)) == {
        "Ada Marsh."
    }
    assert not any(
        t == "Ada Marsh." for t in texts(Say(ActKind.FACT, "hotel", {"name": "Ada Marsh"}))
    )


def test_what_one_has_none_of_is_denied() -> None:
    assert set(texts(Say(ActKind.FACT_AGAIN, "hotel", {"shoe size": "none"}))) == {"No, none."}


def test_all_is_said_again_after_a_word_of_apology() -> None:
    for text in texts(Say(ActKind.RESTATE, "hotel", {"area": "north", "stars": "4"})):
        assert text.index("north") > 10
        assert "4 stars" in text


# Variety


def test_a_word_asked_for_is_said_alone_and_as_often_as_it_is_asked_for() -> None:
    speaker = wording()
    reply = (Say(ActKind.REPLY, "hotel", {"reply": "YES"}), REQUEST)
    assert [speaker.utterance(reply) for _ in range(5)] == ["YES"] * 5
    assert not speaker.said


def test_the_same_act_is_worded_otherwise_until_no_other_words_are_left() -> None:
    speaker = wording()
    said = [speaker.utterance((Say(ActKind.NO_BOOKING, "hotel"),)) for _ in range(6)]
    assert len(set(said[:4])) == 4
    repeated = [text for text in said if text.startswith(("As I said", "Again", "I repeat", "To "))]
    assert repeated == said[4:]
    assert sum(speaker.said.values()) == 6
    assert DRAWS == 8


@pytest.mark.parametrize("kind", [ActKind.SECRET, ActKind.CONFIRM])
def test_answers_may_be_given_again_in_the_same_words(kind: ActKind) -> None:
    speaker = wording()
    said = [speaker.utterance((Say(kind, "hotel"),)) for _ in range(12)]
    assert not any(text.startswith(("As I said", "Again", "I repeat", "To say")) for text in said)
    assert not speaker.said
    with_more = (Say(kind, "hotel"), REQUEST)
    speaker.utterance(with_more)
    assert sum(speaker.said.values()) == 1


def test_a_voice_is_casual_or_formal_and_stays() -> None:
    voices = {wording(seed).voice for seed in SEEDS}
    assert voices == {"casual", "formal"}
    casual = next(wording(seed) for seed in SEEDS if wording(seed).voice == "casual")
    assert all("Hello" not in casual.line("greeting") for _ in range(20))
