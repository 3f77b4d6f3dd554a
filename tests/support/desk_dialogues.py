"""Hand-made dialogues with the service desk, for tests of rules over tasks."""

from dataclasses import replace

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.worlds.service_desk.domain import service_desk
from tests.support.dialogue_world import said

TASK = Goal("T1", "desk", ())
RUBEN, MARA = "ruben.aalto@larkfield.example", "mara.lindqvist@larkfield.example"
RESET = ToolCall("reset_password", {"employee_id": "E102"})
WHO = f"{RUBEN}, badge 7734"
ASKS = said("A new password.", "Who are you?")


def desk(*calls: ToolCall) -> tuple[ToolCall, ...]:
    """The calls, with what the desk answers one after the other."""
    backend = ToolBackend(service_desk())
    answered = []
    for call in calls:
        try:
            result = backend.call(call.name, **call.arguments)
        except ToolRefused as error:
            answered.append(replace(call, error=str(error)))
        else:
            answered.append(replace(call, result=result))
    return tuple(answered)


FIND, DONE = desk(ToolCall("find_employee", {"email": RUBEN}), RESET)
(FIND_MARA,) = desk(ToolCall("find_employee", {"email": MARA}))
PROPOSES = said(WHO, "I will reset your password. Shall I go ahead?", FIND)
