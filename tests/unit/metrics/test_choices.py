"""What the bot came to in a domain, heard word by word: offers, bookings, calls, journeys."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.booking import booked, unwanted
from pytest_todeval.evaluate.metrics.choices import Choice, choices, same_item
from pytest_todeval.evaluate.metrics.inform import end_of, informed, said_to_be_booked
from pytest_todeval.evaluate.metrics.task_success import evaluate_evidence
from pytest_todeval.facts.dialogue import Evidence, gather
from tests.support.dialogue_world import (
    BOOK,
    EARLY,
    KETTLE,
    TABLE,
    backend,
    booking,
    dialogue,
    found,
    goal,
    restaurant_goal,
)
from tests.support.dialogue_world import booked as call_of

(RESTAURANT,) = restaurant_goal(book=BOOK).domains
TRAIN = DomainGoal("train", {"day": "monday"})
PIZZA = DomainGoal("pizza", {"size": "large"})
RIDE = DomainGoal("taxi", {"leaveAt": "17:00"}, wants_booking=True)


def offer(name: str, domain: str = "restaurant", slot: str = "name") -> DialogueAct:
    return DialogueAct(Act.OFFER, domain, slot, name)


COPPER, GARDEN = offer("the copper kettle"), offer("saffron garden")
DRAGON, LODGE = offer("the golden dragon"), offer("willow lodge", "hotel")
SAYS_BOOKED = DialogueAct(Act.BOOKED, "restaurant")


def heard(*claims: DialogueAct, user: str = "Yes.", text: str = "Well.", call: Any = None) -> Turn:
    """A turn of which only the claims were understood."""
    calls = () if call is None else (call,)
    return Turn(0, user, text, calls, claims=claims, claims_by="bot")


def evidence(
    part: DomainGoal,
    *turns: Turn,
    known: Any = None,
    bookings: Sequence[Booking] | None = None,
    last_words: str = "",
) -> Evidence:
    played = dialogue(goal(part), *turns, bookings=bookings, last_words=last_words)
    return gather(played, known)


# what was offered or booked


def test_an_offer_has_its_row_and_what_is_missing_is_told() -> None:
    known = choices(evidence(RESTAURANT, heard(COPPER), known=backend()), RESTAURANT)
    assert known == [Choice("the copper kettle", "offered", KETTLE, (1,))]
    looked_up = heard(COPPER, call=found("restaurant", KETTLE))
    (claimed,) = choices(evidence(RESTAURANT, looked_up), RESTAURANT)
    assert (dict(claimed.values), claimed.verified, claimed.exists) == (KETTLE, False, True)
    (invented,) = choices(evidence(RESTAURANT, heard(DRAGON), known=backend()), RESTAURANT)
    assert (invented.verified, invented.exists) == (True, False)
    (unknown,) = choices(evidence(RESTAURANT, heard(DRAGON)), RESTAURANT)
    assert (unknown.verified, unknown.exists) == (False, True)
    address = heard(offer("12 Mill Lane"))
    assert choices(evidence(RESTAURANT, address, known=backend()), RESTAURANT) == []
    told = heard(
        offer("TR1010", "train", "trainID"), DialogueAct(Act.INFORM, "train", "leaveAt", "9:00")
    )
    assert choices(evidence(TRAIN, told), TRAIN) == [
        Choice("TR1010", "offered", {"trainID": "TR1010", "leaveAt": "9:00"}, (1,), verified=False)
    ]
    assert choices(evidence(RESTAURANT, heard()), RESTAURANT) == []


@pytest.mark.parametrize(
    ("turns", "last_words", "expected"),
    [
        ([(COPPER,), (GARDEN,)], "", {"saffron garden": 2}),
        ([(COPPER, GARDEN)], "", {"the copper kettle": 1, "saffron garden": 1}),
        ([(COPPER, GARDEN)], "The Copper Kettle, then.", {"the copper kettle": 1}),
        # in the talk of another domain, what was chosen is not put beside others anew
        ([(COPPER,), (COPPER, GARDEN, LODGE)], "", {"the copper kettle": 1}),
        ([(COPPER,), (COPPER, LODGE)], "", {"the copper kettle": 2}),
        ([(COPPER,), (GARDEN, LODGE)], "", {"saffron garden": 2}),
        ([(COPPER,), (COPPER, GARDEN)], "", {"the copper kettle": 2, "saffron garden": 2}),
        (
            [(COPPER, GARDEN), (COPPER, GARDEN, DRAGON, LODGE)],
            "",
            {"the copper kettle": 2, "saffron garden": 2, "the golden dragon": 2},
        ),
    ],
)
def test_what_is_offered_last_counts(
    turns: list[tuple[DialogueAct, ...]], last_words: str, expected: Mapping[str, int]
) -> None:
    talk = [heard(*claims) for claims in turns]
    seen = evidence(RESTAURANT, *talk, known=backend(), last_words=last_words)
    assert {c.what: c.turns for c in choices(seen, RESTAURANT)} == {
        name: (turn,) for name, turn in expected.items()
    }


def test_a_booking_counts_more_than_an_offer_unless_it_is_a_claim_without_a_name() -> None:
    vague = choices(evidence(RESTAURANT, heard(COPPER), heard(SAYS_BOOKED)), RESTAURANT)
    assert [(c.what, c.verb) for c in vague] == [("the copper kettle", "offered")]
    odd = (
        DialogueAct(Act.INFORM, "restaurant", "day"),
        DialogueAct(Act.INFORM, "restaurant", None, "x"),
    )
    (named,) = choices(evidence(RESTAURANT, heard(COPPER, SAYS_BOOKED, *odd)), RESTAURANT)
    assert (named.what, named.verb, named.verified) == ("the copper kettle", "booked", False)
    assert dict(named.values) == {"name": "the copper kettle", "reference": ""}
    (alone,) = choices(evidence(RESTAURANT, heard(SAYS_BOOKED)), RESTAURANT)
    assert (alone.what, alone.verb) == ("the restaurant", "booked")
    held = [booking("restaurant", "R1", day="friday")]
    made = heard(call=call_of("restaurant", "R1", day="friday"))
    other = heard(call=call_of("restaurant", "R2", day="friday"))
    seen = evidence(RESTAURANT, heard(GARDEN), made, other, known=backend(), bookings=held)
    assert choices(seen, RESTAURANT) == [
        Choice("the restaurant", "booked", {"day": "friday", "reference": "R1"}, (2,))
    ]


def test_of_a_domain_without_names_the_last_call_tells() -> None:
    def reported(part: DomainGoal, *calls: ToolCall, known: Any = None) -> list[Choice]:
        return choices(evidence(part, *(heard(call=call) for call in calls), known=known), part)

    find = ToolCall("find_pizza", {"size": "large"}, {"total": "9", "size": "small"})
    again = ToolCall("find_pizza", {"size": "medium"}, {"total": "8"})
    other = ToolCall("find_taxi", {"size": "large"}, {"total": "9"})
    assert reported(PIZZA, find, other) == [
        Choice("the pizza", "reported", {"size": "large"}, (1,), verified=False)
    ]
    assert [c.turns for c in reported(PIZZA, find, again)] == [(2,)]
    for call in (
        other,
        replace(find, error="no"),
        ToolCall("order_pizza", {"size": "large"}, {"success": False}),
        ToolCall("find_pizza", {"colour": "red"}, {"total": "9"}),
    ):
        assert reported(PIZZA, call) == []
    assert reported(TRAIN, ToolCall("find_train", {"day": "monday"}, {})) == []
    looked = ToolCall("find_restaurant", {"food": "italian"}, {})
    assert reported(RESTAURANT, looked, known=backend()) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("TR1010", "tr1010 ", True),
        ("TR1010", "TR101", False),
        ("TR1010", "TR1011", False),
        ("Trinity Street Inn", "the trinity street inn", True),
        ("Room 12", "the room 12", True),
    ],
)
def test_ids_of_trains_are_the_same_to_the_letter_and_names_nearly(
    one: str, other: str, same: bool
) -> None:
    assert same_item(one, other) is same


# bookings that are only said, or hinted at


def test_who_says_it_is_booked_names_the_domain_or_talks_of_it() -> None:
    untold = evidence(RESTAURANT, heard(COPPER, DialogueAct(Act.BOOKED)), bookings=[])
    finding = said_to_be_booked(untold, "restaurant")
    assert finding is not None
    assert finding.turns == (1,)
    hotel = evidence(RESTAURANT, heard(DialogueAct(Act.BOOKED, "hotel"), COPPER), bookings=[])
    assert hotel.turns[0].domain == "restaurant"
    assert said_to_be_booked(hotel, "restaurant") is None
    assert said_to_be_booked(hotel, "hotel") is not None


def test_what_must_be_refused_is_not_told_twice() -> None:
    refusal = DomainGoal("restaurant", {"food": "thai"}, refusal=True)
    seen = evidence(refusal, heard(), bookings=[booking("restaurant", **TABLE)])
    assert list(unwanted(seen)) == []
    seen = evidence(TRAIN, heard(), bookings=[booking("restaurant", **TABLE)])
    assert [finding.ok for finding in unwanted(seen)] == [False]


FOR_FOUR = DialogueAct(Act.INFORM, "restaurant", "people", "4")


@pytest.mark.parametrize(
    ("user", "claims", "text", "doubtful"),
    [
        ("Please book it for 4 people.", (FOR_FOUR,), "Lovely, 4 people.", True),
        ("Please book it for 4 people.", (FOR_FOUR,), "4 people? ", False),
        ("It is for 4.", (FOR_FOUR,), "Lovely, 4 people.", False),
        (
            "Please book it for 4 people.",
            (FOR_FOUR, DialogueAct(Act.BOOKING_FAILED, "restaurant")),
            "Sorry, not for 4 people.",
            False,
        ),
        ("Please book it for 4 people.", (replace(FOR_FOUR, value="5"),), "5 people.", False),
        ("Please book it for 4 people.", (replace(FOR_FOUR, slot="phone"),), "4.", False),
        ("Please book it for 4 people.", (replace(FOR_FOUR, value=None),), "People.", False),
        ("Please book it for 4 people.", (FOR_FOUR, LODGE), "4 people.", False),
        ("Please book it for 4 people.", (), "Please book it for 4 people.", False),
    ],
)
def test_an_answer_that_repeats_what_to_book_may_mean_that_it_is_done(
    user: str, claims: tuple[DialogueAct, ...], text: str, doubtful: bool
) -> None:
    finding = booked(evidence(RESTAURANT, heard(*claims, user=user, text=text)), RESTAURANT)
    assert not finding.ok
    assert (bool(finding.doubt), finding.turns) == (doubtful, (1,) if doubtful else ())


def test_a_claimed_booking_of_the_wrong_venue_has_the_turn_of_the_claim() -> None:
    wrong = heard(replace(SAYS_BOOKED, of="saffron garden"), call=found("restaurant", KETTLE))
    wanted = replace(RESTAURANT, inform={"name": "the copper kettle"})
    finding = booked(evidence(wanted, heard(), wrong), wanted)
    assert (finding.ok, finding.turns, finding.verified) == (False, (2,), False)
    assert finding.reason.endswith("booked saffron garden, but the goal wants the copper kettle")


# journeys


JOURNEY = {"departure": "willow lodge", "destination": "harbour museum", "leaveAt": "17:00"}
BOTH_KNOWN = heard(LODGE, offer("harbour museum", "attraction"))


def ride(
    words: str, *held: Booking, part: DomainGoal = RIDE, call: Any = None
) -> tuple[bool, str, tuple[int, ...]]:
    turns = BOTH_KNOWN, heard(user=words, text="Done.", call=call)
    finding = informed(evidence(part, *turns, known=backend(), bookings=held), part)
    return finding.ok, finding.reason, finding.turns


BACKWARDS = "A taxi from Harbour Museum to Willow Lodge."
WRONG_WAY = "taxi: booked one from willow lodge to harbour museum; in turn 2 the user said the "


def test_a_taxi_is_booked_or_not() -> None:
    taxi = booking("taxi", "T1", **JOURNEY)
    assert ride("A taxi.") == (False, "taxi: none was booked", ())
    call = ToolCall("book_taxi", JOURNEY, {"reference": "T1"})
    assert ride("A taxi.", taxi, call=call) == (True, "taxi: booked as the goal wants", (2,))
    late = {**JOURNEY, "leaveAt": "18:00"}
    seen = evidence(RIDE, BOTH_KNOWN, known=backend(), bookings=[booking("taxi", "T1", **late)])
    assert booked(seen, RIDE).reason == (
        "taxi: booked a taxi (reference T1), whose leaveAt is '18:00'; the goal wants '17:00'"
    )


def test_the_way_is_the_users_in_talk_of_a_taxi() -> None:
    taxi = booking("taxi", **JOURNEY)
    assert ride(BACKWARDS, taxi)[1].startswith(WRONG_WAY)
    assert ride("A train from Harbour Museum to Willow Lodge.", taxi)[0]
    call = ToolCall("book_taxi", JOURNEY, {"reference": "T1"})
    assert ride("From Harbour Museum to Willow Lodge.", taxi, call=call)[1].startswith(WRONG_WAY)
    half = {slot: JOURNEY[slot] for slot in ("departure", "leaveAt")}
    assert ride(BACKWARDS, booking("taxi", **half))[0]
    one = replace(RIDE, inform={"departure": "willow lodge", "leaveAt": "17:00"})
    assert ride(BACKWARDS, taxi, part=one)[1].startswith(WRONG_WAY)
    assert ride(BACKWARDS, taxi, part=replace(RIDE, inform=JOURNEY))[0]


def test_the_place_of_another_booking_is_known() -> None:
    taxi = booking("taxi", **{**JOURNEY, "destination": "the copper kettle"})
    parts = RESTAURANT, RIDE
    for held, ok in (([taxi, booking("restaurant", "R1", **TABLE)], True), ([taxi], False)):
        played = dialogue(goal(*parts), heard(LODGE), bookings=held)
        finding = informed(gather(played, backend()), RIDE)
        assert finding.ok is ok
        assert ok or finding.reason.endswith("'the copper kettle' nobody has mentioned")


# domains of information, and ends


class Station:
    def query(self, domain: str, constraints: Mapping[str, str]) -> list[dict[str, str]]:
        return [{"name": "Station", "phone": "01999000111"}] if domain == "police" else []

    def bookings(self) -> list[Booking]:
        return []


@pytest.mark.parametrize(
    ("text", "claims", "known", "ok"),
    [
        ("01999000111", (), Station(), True),
        ("01999000111", (), None, False),
        ("Hello.", (DialogueAct(Act.INFORM, "police", "address", "x"),), None, True),
        ("Hello.", (DialogueAct(Act.INFORM, "hotel", "address", "x"),), None, False),
        ("Hello.", (DialogueAct(Act.REQUEST, "police", "day"),), None, False),
    ],
)
def test_some_answer_about_the_police_is_enough(
    text: str, claims: tuple[DialogueAct, ...], known: Any, ok: bool
) -> None:
    police = DomainGoal("police", request=("phone",))
    finding = informed(evidence(police, heard(*claims, text=text), known=known), police)
    assert (finding.ok, finding.turns) == (ok, (1,) if ok else ())
    assert not ok or finding.verified is (known is not None)


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("it broke", "; it broke"),
        ("", "; bad_reply"),
        ("x" * 200, f"; {'x' * 200}"),
        ("x" * 201, f"; {'x' * 200} ..."),
    ],
)
def test_how_a_bot_broke_off_is_shown(detail: str, shown: str) -> None:
    broke = {"fault": Outcome.FAILED, "stop_reason": StopReason.BAD_REPLY, "detail": detail}
    played = dialogue(goal(TRAIN), heard(call=found("train", EARLY)))
    assert end_of(gather(replace(played, **broke))) == (shown, (1,))  # type: ignore[arg-type]
    assert end_of(gather(replace(dialogue(goal(TRAIN)), **broke))) == (shown, ())  # type: ignore[arg-type]


# what was asked for


PHONE = DomainGoal("restaurant", {"food": "italian", "area": "centre"}, request=("phone",))


class Unknowing:
    """A catalogue that does not tell everything."""

    def query(self, domain: str, constraints: Mapping[str, str]) -> list[dict[str, str]]:
        return [{**KETTLE, "phone": "?", "parking": "?"}] if domain == "restaurant" else []

    def bookings(self) -> list[Booking]:
        return []


def success(part: DomainGoal, *turns: Turn, known: Any, held: Any = None) -> Verdict:
    return evaluate_evidence(evidence(part, *turns, known=known, bookings=held))["success"]


@pytest.mark.parametrize(
    ("text", "user", "told"),
    [
        ("I do not have their phone here.", "And?", True),
        ("Their phone.", "Their phone.", False),
        ("Which phone?", "Their phone, please.", False),
        ("Nothing.", "Their phone, please.", False),
    ],
)
def test_what_no_row_tells_is_a_claim_whatever_is_said(text: str, user: str, told: bool) -> None:
    turns = heard(COPPER), heard(user=user, text=text)
    verdict = success(PHONE, *turns, known=Unknowing())
    assert (verdict.passed, verdict.basis) == (told, "claimed, not verified")
    if not told:
        assert verdict.reason == "restaurant: the phone of the copper kettle was never told"
        assert verdict.turns == (2,)


def test_whether_there_is_parking_may_be_said_in_other_words() -> None:
    wanted = replace(PHONE, request=("parking",))
    for text, told in (("You can park your car for free.", True), ("No car park.", True),
                       ("It is nice.", False)):  # fmt: skip
        verdict = success(wanted, heard(COPPER), heard(text=text), known=Unknowing())
        assert verdict.passed is told


def test_what_was_never_told_has_the_turn_that_asked_first() -> None:
    asks = heard(user="Its phone?"), heard(user="The phone!")
    verdict = success(PHONE, heard(COPPER), *asks, known=backend())
    assert (verdict.passed, verdict.turns) == (False, (2,))


def test_a_wrong_value_is_not_laid_to_another_venue_that_is_talked_of() -> None:
    told = (
        DialogueAct(Act.INFORM, "restaurant", "phone", "01999333444"),
        DialogueAct(Act.INFORM, "restaurant", "area", "north", "saffron garden"),
    )
    verdict = success(PHONE, heard(COPPER), heard(*told), known=backend())
    assert verdict.reason == (
        "restaurant: the phone of the copper kettle: told 01999333444, "
        "the database says 01999111222"
    )


def test_without_a_choice_the_first_row_tells_what_is_right() -> None:
    police = DomainGoal("police", request=("phone",))
    verdict = success(police, heard(text="01999000111"), known=Station())
    assert (verdict.passed, verdict.basis) == (True, "verified")


def test_a_slot_is_told_by_either_of_its_names() -> None:
    wanted = replace(RIDE, request=("car type",))
    held = [booking("taxi", leaveAt="17:00", type="white honda")]
    for slot in ("type", "car type"):
        told = heard(DialogueAct(Act.INFORM, "taxi", slot, "white honda"))
        assert success(wanted, told, known=backend(), held=held)
    assert not success(wanted, heard(), known=backend(), held=held)


def test_a_price_that_is_no_number_has_no_total() -> None:
    wanted = DomainGoal("train", {"day": "monday"}, {}, {"people": "2"}, {}, ("price",), True)
    held = [booking("train", people="2", trainID="TR1010", day="monday", price="on request")]
    verdict = success(wanted, heard(text="It is nice."), known=backend(), held=held)
    assert verdict.reason == "train: the price of TR1010 was never told"


# refusals


THAI = DomainGoal("restaurant", {"food": "thai"}, refusal=True)
HOTEL = DomainGoal("hotel", {"stars": "4"})


def verdicts(*turns: Turn, parts: Sequence[DomainGoal] = (THAI,)) -> dict[str, Verdict]:
    return evaluate_evidence(gather(dialogue(goal(*parts), *turns, bookings=[]), backend()))


@pytest.mark.parametrize(
    ("claims", "user", "text", "refused", "doubtful"),
    [
        ((COPPER, DialogueAct(Act.NO_OFFER)), "Yes.", "Well.", True, False),
        ((DialogueAct(Act.NO_OFFER, "hotel"),), "A restaurant, please.", "Well.", True, False),
        ((DialogueAct(Act.NO_OFFER, "hotel"),), "A hotel, please.", "Well.", False, False),
        ((DialogueAct(Act.NO_OFFER, "restaurant"),), "A hotel, please.", "Well.", True, False),
        ((), "Yes.", "We had thai food once.", False, True),
        (
            (DialogueAct(Act.INFORM, "restaurant", "food", "thai"),),
            "Yes.",
            "Thai food?",
            False,
            True,
        ),
        ((DialogueAct(Act.REQUEST, "restaurant", "food"),), "Yes.", "Thai food?", False, False),
        ((), "Yes.", "We had some food.", False, False),
        ((), "Thai food.", "Thai food.", False, False),
    ],
)
def test_who_says_that_nothing_meets_the_wish_refuses(
    claims: tuple[DialogueAct, ...], user: str, text: str, refused: bool, doubtful: bool
) -> None:
    found = verdicts(heard(*claims, user=user, text=text), parts=(THAI, HOTEL))["refusal"]
    assert (found.passed, bool(found.doubt)) == (refused, doubtful)
    assert found.turns == ((1,) if refused or doubtful else ())


def test_of_goals_that_nothing_meets_inform_and_booking_say_nothing() -> None:
    found = verdicts(heard(DialogueAct(Act.NO_OFFER, "restaurant")))
    assert {name: verdict.metric for name, verdict in found.items()} == {
        "inform": None, "success": True, "booking": None, "refusal": True,
    }  # fmt: skip
    assert found["inform"].passed
    assert found["booking"].reason == (
        "nothing can be booked as the goal wants it, and nothing was"
    )
    nothing = verdicts(heard(), parts=())
    assert all(verdict.passed and not verdict.applicable for verdict in nothing.values())
    assert nothing["booking"].reason == "the goal asks for no booking, and none was made"
