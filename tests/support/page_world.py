"""Runs to be shown: dialogues that passed and failed, with replies of one's choice."""

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results


def entry_of(
    goal: str,
    *,
    wrong: str = "",
    replies: Sequence[str] = ("Which day?", "It is booked for friday. Your reference is X1."),
    bot: str = "OurBot",
    trial: int = 0,
    outcome: Outcome | None = None,
    detail: str = "",
    rules: Mapping[str, object] | None = None,
    raised: str = "",
) -> DialogueEntry:
    """One dialogue about a hotel; `wrong`: why its booking failed, in its last turn."""
    call = ToolCall("book_hotel", {"name": "Rose House", "day": "friday"}, {"reference": "X1"})
    turns = tuple(
        Turn(number, f"user says {number}", text, (call,) * (number == len(replies)), latency=0.25)
        for number, text in enumerate(replies, 1)
    )
    domain = DomainGoal("hotel", {"name": "Rose House"}, book={"day": "monday"}, wants_booking=True)
    told = wrong or "the backend holds what the goal wants"
    dialogue = Dialogue(
        Goal(goal, "demo", (domain,)),
        turns,
        StopReason.USER_DONE,
        detail=detail,
        trial=trial,
        final_bookings=(Booking("hotel", "X1", {"name": "Rose House", "day": "friday"}),),
        backend_known=True,
        verdicts={"booking": Verdict("booking", not wrong, told, (len(turns),))},
    )
    scores = [
        Score("policy_compliance", 2 if wrong else 5, "as told", turn.index) for turn in turns
    ]
    return dialogue_entry(
        dialogue,
        test=f"test_hotel.py::test_books[demo/{goal}]",
        outcome=outcome or (Outcome.FAILED if wrong else Outcome.PASSED),
        scores={"policy_compliance": scores},
        rules=rules,
        bot=bot,
        user="AgendaUser",
        raised=raised or ("AssertionError: assert <booking FAILED>" if wrong else ""),
    )


def block(page: str, name: str) -> Any:
    """The data that stand in a page under that name."""
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def run_of(*entries: DialogueEntry, **about: Any) -> Results:
    return results(entries, environment(metrics={"booking": "online 3"}, **about))


def mixed_run(size: int = 12) -> Results:
    """Of each four dialogues: a wrong day, no booking, and two that passed."""
    wrongs = (
        "hotel: booked Rose House (reference X1), whose day is 'friday'; the goal wants 'monday'",
        "hotel: the bot says it is booked, but the backend holds no such booking",
        "",
        "",
    )
    return run_of(
        *(entry_of(f"D{place:03}", wrong=wrongs[place % len(wrongs)]) for place in range(size))
    )
