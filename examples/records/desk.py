"""A dentist's own bot; it knows nothing of pytest-todeval."""

import re
from collections.abc import Callable

MOVE = "update visits set day = ? where id = ?"
CANCEL = "delete from visits where id = ?"
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


class DeskBot:
    """Moves and cancels appointments by what it is given to do so."""

    def __init__(self, move: Callable[[str, str], object], cancel: Callable[[str], object]) -> None:
        self.move, self.cancel = move, cancel
        self.doing = ""

    def respond(self, text: str) -> str:
        said = text.lower()
        found = re.search(r"\bA\d+\b", text)
        day = next((day for day in DAYS if day in said), None)
        self.doing = "cancel" if "cancel" in said else "move" if day else self.doing
        if not self.doing or not found:
            return "Which appointment is it, and what shall I do with it?"
        id = found.group()
        if self.doing == "cancel":
            self.cancel(id)
            return f"I have cancelled your appointment {id}. Anything else?"
        if day is None:
            return "To which day shall I move it?"
        self.move(id, day)
        return f"I have moved your appointment {id} to {day.title()}. Anything else?"
