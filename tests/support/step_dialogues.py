"""Dialogues over goals of steps, turn by turn with what each changed in the records."""

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.records import RecordChange
from pytest_todeval.core.steps import Step

VISITS = ({"id": "A17", "day": "tuesday"}, {"id": "A18", "day": "friday", "fee": "20"})
MOVE = Step("change", "visit", {"id": "A17"}, {"day": "wednesday"})
CANCEL = Step("cancel", "visit", {"id": "A18"})
LATE = Step("cancel", "visit", {"id": "A17"}, refusal="it is tomorrow")
ADD = Step("book", "visit", {"day": "monday"})
MOVED = RecordChange("visit", VISITS[0], {"id": "A17", "day": "wednesday"})
BACK = RecordChange("visit", MOVED.after, VISITS[0])
GONE = RecordChange("visit", VISITS[1], None)
OTHER = RecordChange("card", {"id": "C1"}, None)
NEW = RecordChange("visit", None, {"id": "A19", "day": "monday"})
NEWER = RecordChange("visit", None, {"id": "A20", "day": "monday"})
Said = tuple[str, str, tuple[RecordChange, ...]]
ASK_MOVE: Said = ("Please move A17 to Wednesday.", "Shall I move it?", ())
YES_MOVED: Said = ("Yes, please.", "A17 has been moved to Wednesday.", (MOVED,))


def stepped(steps: tuple[Step, ...], *turns: Said) -> Dialogue:
    """A dialogue over a goal of these steps."""
    goal = Goal("g", "desk", (), steps=steps, given={"visit": VISITS})
    played = tuple(
        Turn(at, user, bot, changed=changed) for at, (user, bot, changed) in enumerate(turns, 1)
    )
    return Dialogue(goal, played)
