"""Answers to questions that no slot of the goal settles, and the facts they come from."""

import re

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.answering import MOST_ASKED, Answering, is_open
from pytest_todeval.simulation.agenda.facts import Facts
from pytest_todeval.simulation.agenda.memory import DomainPart
from pytest_todeval.simulation.agenda.reaction import Reaction
from tests.agenda.world import HOTEL, PHONE, ROOM, told

NAME = UserQuestion(Ask.FACT, "name", sentence="your name?")
SECRET = UserQuestion(Ask.SECRET, sentence="your card number?")
CHOICE = UserQuestion(Ask.CHOICE, options=("window", "aisle"), sentence="window or aisle?")
UNKNOWN = UserQuestion(Ask.UNKNOWN, sentence="your favourite colour?")
CONFIRM = UserQuestion(Ask.CONFIRM, sentence="is that right?")


def answering(**given: str) -> Answering:
    return Answering(Facts({k.replace("_", " "): v for k, v in given.items()}, "1"))


def answers(
    part: DomainPart, *questions: UserQuestion, asked: tuple[str, ...] = (), **given: str
) -> list[Say]:
    reaction = Reaction(questions=questions, asked=asked)
    ear = answering(**given)
    ear.note(part, reaction, "business")
    return list(ear.answers(part, reaction))


# How often


@pytest.mark.parametrize("question", [NAME, SECRET, CHOICE])
def test_the_third_time_the_same_is_asked_is_too_often(question: UserQuestion) -> None:
    ear, part = answering(), told(ROOM)
    heard = [ear.note(part, Reaction(questions=(question,)), "same") for _ in range(3)]
    assert heard == ["", "", question.sentence]
    assert MOST_ASKED == 3


def test_other_questions_in_between_do_not_matter_and_progress_does() -> None:
    ear, part = answering(), told(ROOM)
    for question in (NAME, SECRET, NAME, SECRET):
        assert not ear.note(part, Reaction(questions=(question,)), "same")
    assert not ear.note(part, Reaction(questions=(NAME,)), "moved")
    assert not ear.note(part, Reaction(questions=(NAME,)), "moved")
    assert ear.note(part, Reaction(questions=(NAME,)), "moved")


def test_what_is_not_understood_counts_only_where_nothing_else_was_asked() -> None:
    ear, part = answering(), told(ROOM)
    for _ in range(4):
        assert not ear.note(part, Reaction(questions=(UNKNOWN,)), "same")
    baffled = [ear.note(part, Reaction(questions=(UNKNOWN,), baffling=True), "x") for _ in range(3)]
    assert baffled == ["", "", UNKNOWN.sentence]
    assert not any(ear.note(part, Reaction(questions=(CONFIRM,)), "y") for _ in range(4))


def test_a_slot_of_no_matter_counts_as_well_and_one_of_the_goal_does_not() -> None:
    ear, part = answering(), told(ROOM)
    part.indifferent.add("stars")
    reaction = Reaction(asked=("people", "stars"))
    assert [ear.note(part, reaction, "same") for _ in range(3)] == ["", "", "stars"]


def test_a_question_without_words_is_told_by_its_topic() -> None:
    ear, part = answering(), told(ROOM)
    plain = Reaction(questions=(UserQuestion(Ask.FACT, "phone"),))
    assert [ear.note(part, plain, "same") for _ in range(3)][-1] == "phone"


def test_a_question_answered_is_settled_by_its_topic_or_its_words() -> None:
    ear, part = answering(), told(ROOM)
    ear.note(part, Reaction(questions=(NAME, CONFIRM, UNKNOWN)), "same")
    assert part.settled == {"name", "confirm: is that right?"}
    ear.note(part, Reaction(questions=(NAME, CHOICE)), "same")
    assert len(part.settled) == 3


# Which answer


def test_a_fact_is_told_in_a_sentence_first_and_bare_the_second_time() -> None:
    ear, part = answering(name="Zed Nought"), told(ROOM)
    kinds = []
    for _ in range(2):
        ear.note(part, Reaction(questions=(NAME,)), "same")
        (act,) = ear.answers(part, Reaction(questions=(NAME,)))
        kinds.append(act.kind)
        assert act.slots == {"name": "Zed Nought"}
    assert kinds == [ActKind.FACT, ActKind.FACT_AGAIN]


def test_several_facts_are_told_at_once() -> None:
    mail = UserQuestion(Ask.FACT, "email", sentence="your e-mail?")
    (act,) = answers(told(ROOM), NAME, mail, name="Zed Nought")
    assert act.slots.keys() == {"name", "email"}


def test_what_the_goal_holds_is_told_before_what_is_invented() -> None:
    pizza = DomainGoal("pizza", inform={"address": "1 Mill Road"}, book={"name": "Ada Marsh"})
    where = UserQuestion(Ask.FACT, "address", sentence="your address?")
    (act,) = answers(DomainPart.of(pizza), where, NAME, name="Zed Nought")
    assert act.slots == {"address": "1 Mill Road", "name": "Ada Marsh"}
    venue = DomainPart.of(DomainGoal("hotel", inform={"name": "Sea View"}))
    (act,) = answers(venue, NAME, name="Zed Nought")
    assert act.slots == {"name": "Zed Nought"}, "the venue's name is nobody's own"


def test_what_nobody_has_is_none() -> None:
    (act,) = answers(told(ROOM), UserQuestion(Ask.FACT, "shoe size", sentence="your shoe size?"))
    assert act.slots == {"shoe size": "none"}


def test_options_count_where_people_choose_and_the_goal_gives_nothing() -> None:
    pay = UserQuestion(Ask.FACT, "payment", ("now", "later"), sentence="pay now or later?")
    assert answers(told(ROOM), pay)[0].slots == {"payment": "later"}
    assert answers(told(ROOM), pay, payment="in cash")[0].slots == {"payment": "in cash"}
    allergy = UserQuestion(Ask.FACT, "allergies", ("nuts", "milk"), sentence="nuts or milk?")
    assert answers(told(ROOM), allergy)[0].slots == {"allergies": "none"}
    no_options = UserQuestion(Ask.FACT, "payment", sentence="how will you pay?")
    assert answers(told(ROOM), no_options)[0].slots["payment"] not in ("now", "later")


def test_a_secret_is_declined_once_however_often_it_is_asked_for() -> None:
    assert answers(told(ROOM), SECRET, SECRET) == [Say(ActKind.SECRET, "hotel")]
    assert answers(told(ROOM)) == []


def test_of_options_the_goals_own_is_taken_as_an_answer() -> None:
    part = told(ROOM)
    area = UserQuestion(Ask.CHOICE, options=("south", "the north side"), sentence="south or north?")
    assert answers(part, area) == [Say(ActKind.ANSWER, "hotel", {"area": "north"})]
    (act,) = answers(part, CHOICE)
    assert act.kind is ActKind.CHOICE
    assert act.slots["choice"] in CHOICE.options


def test_options_of_slots_that_are_asked_for_are_answered_as_slots() -> None:
    assert answers(told(ROOM), CHOICE, asked=("area",)) == []


# The word or number alone


@pytest.mark.parametrize(
    ("reaction", "word"),
    [
        (Reaction(), None),
        (Reaction(reply=("1", "2")), None),
        (Reaction(reply=("1", "2"), confirms=True), "1"),
        (Reaction(reply=("1", "2"), offers_booking=True), "1"),
        (Reaction(taken="Sea View", numbered=(("1", "Old Mill"), ("2", "Sea View, north"))), "2"),
        (Reaction(taken="Sea View", numbered=(("1", "Old Mill"), ("2", "Quay"))), None),
        (Reaction(numbered=(("1", "Sunday"), ("2", "Friday"))), "2"),
        (Reaction(refused=True, numbered=(("1", "Sunday"), ("2", "Friday"))), None),
    ],
)
def test_the_word_that_the_bot_asks_for(reaction: Reaction, word: str | None) -> None:
    part = told(ROOM, *ROOM.book, venue="Sea View")
    act = answering().word(part, reaction)
    assert (act and act.slots["reply"]) == word
    assert act is None or act.kind is ActKind.REPLY


def test_a_yes_waits_until_all_that_is_wanted_was_said() -> None:
    offered = Reaction(reply=("1", "2"), offers_booking=True)
    for part in (told(ROOM, "people", venue="x"), told(ROOM, *ROOM.book, domain_told=False)):
        assert answering().word(part, offered) is None
    booked = told(ROOM, *ROOM.book, venue="x")
    booked.booked = True
    assert answering().word(booked, offered) is None


def test_a_booking_that_the_goal_does_not_want_is_declined_by_the_word_for_it() -> None:
    part = told(PHONE, venue="Sea View")
    act = answering().word(part, Reaction(reply=("1", "2"), offers_booking=True))
    assert act is not None
    assert act.slots == {"reply": "2"}
    assert answering().word(part, Reaction(reply=("1", ""), offers_booking=True)) is None
    assert answering().word(part, Reaction(reply=("1", "2"))) is None


def test_a_number_of_no_matter_is_the_same_each_time_and_none_while_a_venue_is_sought() -> None:
    options = Reaction(numbered=(("1", "window"), ("2", "aisle"), ("3", "middle")))
    part = told(ROOM, *ROOM.book, venue="Sea View")
    ear = answering()
    said = {act.slots["reply"] for _ in range(9) if (act := ear.word(part, options))}
    assert len(said) == 1
    assert answering().word(told(ROOM), options) is None


def test_a_part_is_open_while_anything_is_wanted_of_it() -> None:
    assert is_open(DomainPart.of(HOTEL))
    assert is_open(told(HOTEL))
    assert not is_open(told(HOTEL, venue="Sea View"))
    assert is_open(told(PHONE, venue="Sea View"))
    assert is_open(told(ROOM, venue="Sea View"))
    police = DomainGoal("police", inform={"area": "north"})
    assert is_open(DomainPart.of(police))
    assert not is_open(told(police))


# Facts


def test_the_facts_of_a_seed_stay_and_those_of_seeds_differ() -> None:
    topics = ("name", "email", "phone", "address", "date of birth")
    people = [tuple(Facts({}, str(seed)).about(topic) for topic in topics) for seed in range(30)]
    assert people == [
        tuple(Facts({}, str(seed)).about(topic) for topic in topics) for seed in range(30)
    ]
    assert len(set(people)) == 30


def test_invented_facts_have_the_form_of_what_they_stand_for() -> None:
    drawn: dict[str, set[int]] = {name: set() for name in ("house", "day", "year", "line")}
    for seed in range(4000):
        facts = Facts({}, str(seed))
        house, _, rest = facts.about("address").partition(" ")
        day, _, year = facts.about("date of birth").split()
        assert rest.endswith(facts.about("postcode"))
        assert re.fullmatch(r"QX[1-9] [1-9][A-Z]{2}", facts.about("postcode"))
        assert re.fullmatch(r"(07700 900|020 7946 0)\d{3}", facts.about("phone"))
        for name, number in (("house", house), ("day", day), ("year", year)):
            drawn[name].add(int(number))
        drawn["line"].add(int(facts.about("phone")[-3:]))
    assert drawn["house"] == set(range(1, 91))
    assert drawn["day"] == set(range(1, 29)), "a day that each month has"
    assert drawn["year"] == set(range(1958, 2001)), "of age"
    assert (min(drawn["line"]), max(drawn["line"])) == (0, 999)


def test_invented_postcodes_have_all_digits_but_zero() -> None:
    codes = [Facts({}, str(seed)).about("postcode") for seed in range(300)]
    assert {code[2] for code in codes} == set("123456789")
    assert {code[4] for code in codes} == set("123456789")


@pytest.mark.parametrize(
    ("given", "topic"),
    [
        ("E-Mail", "email"), ("last_name", "surname"), ("Birthday", "date of birth"),
        ("telephone", "phone"), ("phone number", "phone"), ("Full  Name", "name"),
        ("staff_badge", "staff badge"),
    ],
)  # fmt: skip
def test_a_fact_may_be_given_and_asked_for_under_its_other_names(given: str, topic: str) -> None:
    facts = Facts({given: "Zed"}, "1")
    assert facts.about(topic) == facts.about(given) == "Zed"
    assert facts.own == (topic,)


def test_the_parts_of_a_name_follow_from_it_and_it_from_its_parts() -> None:
    one = Facts({"name": "Zed"}, "1")
    assert (one.about("first name"), one.about("surname")) == ("Zed", "Zed")
    own = Facts({"name": "Zed Nought", "surname": "Noughtington"}, "1")
    assert own.about("surname") == "Noughtington"
    whole = Facts({"first name": "Zed", "surname": "Nought"}, "1")
    assert whole.about("name") == "Zed Nought"
    assert Facts({"first name": "Zed"}, "1").about("name").startswith("Zed ")


def test_the_mail_address_follows_from_the_name_unless_it_is_given() -> None:
    assert Facts({"name": "Žó"}, "1").about("email").startswith("guest@")
    assert Facts({"name": "Zed-van Nought!"}, "1").about("email").startswith("zed.van.nought@")
    assert Facts({"name": "Zed", "email": "z@example.org"}, "1").about("email") == "z@example.org"


def test_of_several_options_the_fact_is_chosen_in_whichever_of_the_two_it_stands() -> None:
    for fact, options, chosen in (
        ("in cash", ("card", "cash"), "cash"),
        ("cash", ("by card", "in cash"), "in cash"),
        ("gold", ("card", "pay later"), "pay later"),
    ):
        assert Facts({"payment": fact}, "1").choice("payment", options) == chosen
    drawn = {Facts({}, str(seed)).choice("", ("red", "green", "blue")) for seed in range(30)}
    assert drawn == {"red", "green", "blue"}
