"""What a goal's steps come to in the records, and what stands in their place."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given as each_of
from hypothesis import strategies as st

from pytest_todeval.backends.records import records_of
from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.records import RecordsSeen, changes_between
from pytest_todeval.core.steps import Condition, Effect, Expected, Records, Step, Verb
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.effects.compared import mismatches
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from tests.support.examples import examples

A17 = {"id": "A17", "dentist": "novak", "day": "tuesday", "time": "10:00", "price": 40}
A18 = {"id": "A18", "dentist": "lindgren", "day": "friday", "time": "11:30", "price": 60}
C1 = {"id": "C1", "owner": "ana", "last4": "4711", "status": "active", "balance": 100}
C2 = {"id": "C2", "owner": "ben", "last4": "0815", "status": "active", "balance": 50}
L1 = {"last4": "4711", "locked": False}
BEFORE: Records = {"appointment": (A17, A18), "card": (C1, C2), "lock": (L1,), "payment": ()}

MOVE = Step("change", "appointment", {"id": "A17"}, {"day": "wednesday"})
THURSDAY = Step("change", "appointment", {"id": "A17"}, {"day": "thursday"})
CANCEL = Step("cancel", "appointment", {"dentist": "Lindgren"})
BLOCK = Step("block", "card", {"last4": "4711"})
BOOK = Step(
    "book", "appointment", {"dentist": "novak", "day": "monday"}, details={"reason": "pain"}
)
SEND = Step("transfer", "card", {"id": "C1"}, {"id": "C2"}, {"amount": "25"})
CHEAPEST = Step("cancel", "appointment", choose={"price": "lowest"})
EITHER = Step("cancel", "appointment", count=1)
TWO_DEAREST = Step("cancel", "appointment", count=2, choose={"price": "highest"})
TWO_NEW = Step("order", "appointment", {"dentist": "novak", "day": "monday"}, count=2)
TRADE = Verb("swap lenses", Effect.SETS, sets={"lenses": "new"})

Change = Callable[[dict[str, list[dict[str, Any]]]], object]


def put(kind: str, at: int, **fields: Any) -> Change:
    """A change that gives a record other values."""
    return lambda records: records[kind][at].update(fields)


def drop(kind: str, at: int) -> Change:
    """A change that removes a record."""
    return lambda records: records[kind].pop(at)


def add(kind: str, **fields: Any) -> Change:
    """A change that adds a record."""
    return lambda records: records[kind].append(fields)


def seen(*changes: Change) -> RecordsSeen:
    """The records before, and after these changes."""
    after = {kind: [dict(record) for record in records] for kind, records in BEFORE.items()}
    for change in changes:
        change(after)
    return RecordsSeen(BEFORE, {kind: tuple(records) for kind, records in after.items()})


def told(*steps: Step, of: RecordsSeen, expect: Expected | None = None) -> list[str]:
    """Where the records are not as the steps have them."""
    return list(map(str, mismatches(Goal("g", "f", (), steps=steps, expect=expect), of)))


NEW = {"id": "A19", "dentist": "Novak", "day": "Monday", "reason": "pain"}
new = add("appointment", **NEW)
moved = put("appointment", 0, day="Wednesday")
blocked = put("card", 0, status="blocked")

RIGHT: Mapping[str, tuple[tuple[Step, ...], tuple[Change, ...]]] = {
    "asked only": ((Step("ask", "card", {"id": "C1"}),), ()),
    "changed": ((MOVE,), (moved,)),
    "changed, and it says so": ((MOVE,), (put("appointment", 0, day="wednesday", state="moved"),)),
    "changed, and booked down": (
        (MOVE,),
        (put("appointment", 0, day="wednesday", updated_at="x"),),
    ),
    "changed by ending it and adding another": (
        (MOVE,),
        (drop("appointment", 0), add("appointment", **{**A17, "id": "A20", "day": "Wed"})),
    ),
    "removed": ((CANCEL,), (drop("appointment", 1),)),
    "cancelled, and kept": ((CANCEL,), (put("appointment", 1, status="Cancelled by customer"),)),
    "cancelled at": ((CANCEL,), (put("appointment", 1, cancelled_at="2026-11-23"),)),
    "added": ((BOOK,), (new,)),
    "blocked": ((BLOCK,), (blocked,)),
    "blocked, with a reason": ((BLOCK,), (put("card", 0, status="locked", why="lost"),)),
    "locked by a yes or no": (
        (Step("block", "lock", {"last4": "4711"}),),
        (put("lock", 0, locked=1),),
    ),
    "moved an amount": ((SEND,), (put("card", 0, balance=75), put("card", 1, balance=75.0))),
    "moved an amount, and listed": (
        (SEND,),
        (
            put("card", 0, balance=75),
            put("card", 1, balance=75),
            add("payment", id="P1", amount=-25),
        ),
    ),
    "two steps on one record": (
        (MOVE, Step("change", "appointment", {"id": "A17"}, {"time": "12:00"})),
        (put("appointment", 0, day="wednesday", time="12:00"),),
    ),
    "the second in place of the first": (
        (
            Step(
                "change", "appointment", {"id": "A17"}, {"day": "sunday"}, alternatives=(THURSDAY,)
            ),
        ),
        (put("appointment", 0, day="thursday"),),
    ),
    "rightly refused": ((Step("cancel", "card", {"id": "C1"}, refusal="it has money on it"),), ()),
    "left, by its condition": (
        (
            Step(
                "cancel", "appointment", {"id": "A18"}, condition=Condition.read("price", "over 70")
            ),
        ),
        (),
    ),
    "taken, by its condition": (
        (
            Step(
                "cancel", "appointment", {"id": "A18"}, condition=Condition.read("price", "over 50")
            ),
        ),
        (drop("appointment", 1),),
    ),
    "the cheapest": ((CHEAPEST,), (drop("appointment", 0),)),
    "one of two": ((EITHER,), (drop("appointment", 1),)),
    "the two dearest": ((TWO_DEAREST,), (drop("appointment", 0), drop("appointment", 0))),
    "two ordered": ((TWO_NEW,), (new, new)),
    "two ordered at once": ((TWO_NEW,), (add("appointment", **NEW, quantity=2),)),
    "a verb of one's own": (
        (Step("swap lenses", "lock", {"last4": "4711"}, own=TRADE),),
        (put("lock", 0, lenses="new"),),
    ),
    "booked and cancelled again": (
        (BOOK, Step("cancel", "appointment", {"dentist": "novak", "day": "monday"})),
        (),
    ),
}

WRONG: Mapping[str, tuple[tuple[Step, ...], tuple[Change, ...], str]] = {
    "not done": (
        (MOVE,),
        (),
        "appointment A17: day is 'tuesday', expected 'wednesday'",
    ),
    "another value": (
        (MOVE,),
        (put("appointment", 0, day="friday"),),
        "appointment A17: day is 'friday', expected 'wednesday'",
    ),
    "another record": (
        (MOVE,),
        (put("appointment", 1, day="wednesday"),),
        "appointment A17: day is 'tuesday', expected 'wednesday'",
    ),
    "another field, too": (
        (MOVE,),
        (put("appointment", 0, day="wednesday", time="09:00"),),
        "appointment A17: time is '09:00', expected '10:00', as nothing in the goal touches it",
    ),
    "cancelled in place of changed": (
        (MOVE,),
        (put("appointment", 0, status="cancelled"),),
        "appointment A17: day is 'tuesday', expected 'wednesday'",
    ),
    "lost": (
        (MOVE,),
        (drop("appointment", 0),),
        "appointment A17 is gone, expected day 'wednesday'",
    ),
    "not cancelled": (
        (CANCEL,),
        (),
        "appointment A18 is as it was, expected 'cancelled' or gone",
    ),
    "another cancelled, too": (
        (CANCEL,),
        (drop("appointment", 1), drop("appointment", 0)),
        "appointment A17 is gone, expected still there, as nothing in the goal touches it",
    ),
    "not added": (
        (BOOK,),
        (),
        "a new appointment is not there, expected dentist 'novak', day 'monday'",
    ),
    "added twice": (
        (BOOK,),
        (new, add("appointment", id="A20", dentist="novak", day="monday")),
        "appointment A20 is there (id 'A20', dentist 'novak', day 'monday'), expected not there, "
        "as nothing in the goal touches it",
    ),
    "added otherwise": (
        (BOOK,),
        (add("appointment", id="A19", dentist="novak", day="monday", reason="cleaning"),),
        "appointment A19: reason is 'cleaning', expected 'pain'",
    ),
    "added without": (
        (BOOK,),
        (add("appointment", id="A19", dentist="novak"),),
        "appointment A19: day is nothing, expected 'monday'",
    ),
    "another customer's card": (
        (BLOCK,),
        (put("card", 1, status="blocked"),),
        "card C1: status is 'active', expected 'blocked'",
    ),
    "another customer's card, too": (
        (BLOCK,),
        (blocked, put("card", 1, status="blocked")),
        "card C2: status is 'blocked', expected 'active', as nothing in the goal touches it",
    ),
    "blocked, and emptied": (
        (BLOCK,),
        (put("card", 0, status="blocked", balance=0),),
        "card C1: balance is 0, expected 100, as nothing in the goal touches it",
    ),
    "another amount": (
        (SEND,),
        (put("card", 0, balance=70), put("card", 1, balance=80)),
        "card C1: balance is 70, expected 75.0",
    ),
    "half an amount": (
        (SEND,),
        (put("card", 0, balance=75),),
        "card C2: balance is 50, expected 75.0",
    ),
    "done though it was to be refused": (
        (Step("cancel", "card", {"id": "C1"}, refusal="it has money on it"),),
        (drop("card", 0),),
        "card C1 is gone, expected still there, as nothing in the goal touches it",
    ),
    "taken against its condition": (
        (
            Step(
                "cancel", "appointment", {"id": "A18"}, condition=Condition.read("price", "over 70")
            ),
        ),
        (drop("appointment", 1),),
        "appointment A18 is gone, expected still there, as nothing in the goal touches it",
    ),
    "the dearer one": (
        (CHEAPEST,),
        (drop("appointment", 1),),
        "appointment A17 is as it was, expected 'cancelled' or gone",
    ),
    "one of the two dearest": (
        (TWO_DEAREST,),
        (drop("appointment", 0),),
        "appointment A18 is as it was, expected 'cancelled' or gone",
    ),
    "one of two ordered": (
        (TWO_NEW,),
        (new,),
        "a new appointment is not there, expected dentist 'novak', day 'monday'",
    ),
    "three of one ordered": (
        (TWO_NEW,),
        (add("appointment", **NEW, quantity=3),),
        "a new appointment is not there, expected dentist 'novak', day 'monday'",
    ),
    "both of two": (
        (EITHER,),
        (drop("appointment", 0), drop("appointment", 0)),
        "appointment A18 is gone, expected still there, as nothing in the goal touches it",
    ),
    "undone again": (
        (MOVE, BLOCK),
        (moved, put("card", 0, status="active")),
        "card C1: status is 'active', expected 'blocked'",
    ),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_was_asked_for_stands(case: str) -> None:
    steps, changes = RIGHT[case]
    assert told(*steps, of=seen(*changes)) == []


@pytest.mark.parametrize("case", WRONG)
def test_what_was_not_asked_for_is_named(case: str) -> None:
    steps, changes, expected = WRONG[case]
    assert told(*steps, of=seen(*changes))[0] == expected


def test_a_goal_may_say_itself_what_stands() -> None:
    right = Expected({"appointment": {"A17": {"day": "wednesday"}, "A18": None}})
    assert told(of=seen(moved, drop("appointment", 1)), expect=right) == []
    assert told(of=seen(moved), expect=right) == ["appointment A18 is still there, expected gone"]
    elsewhere = seen(moved, drop("appointment", 1), blocked)
    assert "card C1: status is 'blocked'" in told(of=elsewhere, expect=right)[0]
    loose = Expected(right.records, elsewhere_unchanged=False)
    assert told(of=elsewhere, expect=loose) == []
    more = Expected(added={"appointment": ({"day": "monday"},)})
    assert told(of=seen(new), expect=more) == []
    with pytest.raises(OracleFault, match="`expect` names the appointment A99"):
        told(of=seen(), expect=Expected({"appointment": {"A99": {"day": "monday"}}}))


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (Step("cancel", "appointment", {"id": "A99"}), "appointment A17, appointment A18 did"),
        (Step("cancel", "loan", {"id": "L1"}), "it shows: appointment, card, lock, payment"),
        (
            Step("cancel", "card", choose={"owner": "lowest"}),
            "no card has a owner that is a number",
        ),
    ],
)
def test_a_step_about_nothing_is_the_goals_fault(step: Step, says: str) -> None:
    with pytest.raises(OracleFault, match=says):
        told(step, of=seen())


def written(record: Mapping[str, Any]) -> str:
    """In any order of fields; True is 1."""
    return repr(sorted((f, int(v) if isinstance(v, bool) else v) for f, v in record.items()))


values = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5))
rows = st.lists(st.dictionaries(st.sampled_from(["id", "a", "status"]), values), max_size=4)


@examples(60)
@each_of(before=rows, after=rows)
def test_differences_are_all_and_only_what_differs(before: list[Any], after: list[Any]) -> None:
    """Taking what is said to have changed out of both sides leaves the same records."""
    changes = changes_between({"x": tuple(before)}, {"x": tuple(after)})
    left, now = list(map(written, before)), list(map(written, after))
    for change in changes:
        for record, side in ((change.before, left), (change.after, now)):
            if record is not None:
                side.remove(written(record))
    assert sorted(left) == sorted(now)
    untouched = Goal("g", "f", (), steps=(Step("ask", "x"),))
    found = mismatches(untouched, RecordsSeen({"x": tuple(before)}, {"x": tuple(after)}))
    assert bool(found) <= bool(changes)


def play(goal: Goal, desk: dict[str, Any], *turns: tuple[Change | None, str]) -> Dialogue:
    """A dialogue whose bot makes one change in each turn, by a call."""
    waiting = list(turns)

    def bot(text: str) -> Reply:
        change, said = waiting.pop(0)
        if change is not None:
            change(desk)
        call = ToolCall("do_it", {"text": text}, "ok")
        return Reply(said, (call,) if change else ())

    backend = records_of(desk)
    dialogue = run_dialogue(
        goal, ScriptedUser([f"turn {n}" for n in range(len(turns))]), bot, backend
    )
    return Dialogue(**{
        **{name: getattr(dialogue, name) for name in Dialogue.__dataclass_fields__},
        "verdicts": {} if dialogue.fault else evaluate(dialogue, backend),
    })  # fmt: skip


def desk() -> dict[str, Any]:
    return {kind: [dict(record) for record in records] for kind, records in BEFORE.items()}


def test_a_verdict_names_record_turn_and_call() -> None:
    goal = Goal("g", "f", (), steps=(MOVE, BLOCK), given={"appointment": (A17,)})
    right = play(goal, desk(), (moved, "Moved."), (blocked, "Blocked."))
    assert right.booking
    assert right.success
    assert right.booking.turns == (1, 2)
    wrong = play(goal, desk(), (moved, "Moved."), (put("card", 1, status="blocked"), "Blocked."))
    assert not wrong.success
    assert wrong.booking.reason == (
        "card C1: status is 'active', expected 'blocked' (nothing has changed it)"
    )
    other = play(goal, desk(), (moved, "Moved."), (put("appointment", 0, day="friday"), "Hm."))
    assert other.booking.reason == (
        "appointment A17: day is 'friday', expected 'wednesday' "
        "(changed in turn 1, do_it; turn 2, do_it)"
    )
    assert other.booking.turns == (1, 2)
    assert "changed: appointment A17: day 'tuesday' -> 'Wednesday'" in other.explain()
    added = play(goal, desk(), (new, "Booked."), (drop("appointment", 1), "Gone."))
    assert "changed: appointment A19 is new (id 'A19', dentist 'Novak'" in added.explain()
    assert "changed: appointment A18 is gone" in added.explain()


def test_a_stored_dialogue_is_judged_alike() -> None:
    goal = Goal("g", "f", (), steps=(MOVE, CANCEL, BOOK), given={"appointment": (A17, A18)})
    changes = (moved, drop("appointment", 1), new, put("appointment", 0, time="9"), blocked)
    for count in range(1, len(changes) + 1):
        dialogue = play(goal, desk(), *((change, "Done.") for change in changes[:count]))
        entry = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)
        stored = dialogue_of(json.loads(json.dumps(entry)))
        assert stored.records_seen is None
        assert evaluate(stored)["booking"].reason == dialogue.booking.reason
        assert dialogue.booking.passed is (count == 3)


def test_what_is_asked_for_is_held_against_the_record() -> None:
    goal = Goal("g", "f", (), steps=(Step("ask", "appointment", {"id": "A17"}, asks=("price",)),))
    assert play(goal, desk(), (None, "It costs 40 pounds.")).success
    assert "told 45" in play(goal, desk(), (None, "It costs 45 pounds.")).success.reason
    nothing = play(goal, desk(), (None, "Welcome!"))
    assert "was never told" in nothing.success.reason
    assert not nothing.booking.applicable
    assert not play(goal, desk(), (moved, "It costs 40 pounds.")).booking


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"appointment": ({"id": "A99"},)},
            "the goal gives appointment A99, and the backend does not",
        ),
        ({"appointment": ({"id": "A17", "day": "sunday"},)}, "day is 'tuesday', given 'sunday'"),
        ({"loan": ({"id": "L1"},)}, "the goal gives loan L1"),
    ],
)
def test_what_a_goal_gives_has_to_stand(given: Records, says: str) -> None:
    dialogue = play(Goal("g", "f", (), steps=(MOVE,), given=given), desk(), (None, "Hello."))
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert says in dialogue.detail
    assert "`backend` fixture" in dialogue.detail
    assert dialogue.turns == ()


def test_a_goal_without_steps_looks_at_no_records() -> None:
    looks = []

    def look() -> Records:
        looks.append(1)
        return {}

    backend = records_of(look)
    run_dialogue(Goal("g", "f", ()), ScriptedUser(["Hello"]), lambda text: "Hi", backend)
    assert looks == []
