"""The bot under test: it works from the rider's words and the tools of the backend."""

import json
import re
from typing import Any

from pytest_todeval import ToolRefused

__all__ = ["HireBot"]


class HireBot:
    """One object holds one dialogue. `backend.call(name, **arguments)` calls a tool."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.wish = ""
        self.rider: dict[str, Any] = {}
        self.offer: dict[str, Any] = {}

    def respond(self, text: str) -> str:
        """Answer one turn of the rider."""
        self.wish = self.wish or text
        if phone := re.search(r"\d{4} \d{4}", text):
            self.rider = self._ask("find_rider", phone=phone[0])
        if not self.rider:
            return "What is your phone number?"
        if self.offer:
            return self.hire() if "yes" in text.lower() else "Then I hire nothing out."
        if "return" in self.wish:
            return self.take_back()
        return self.propose()

    def propose(self) -> str:
        """Say what it will cost, unless the rider owes something or there is no such bike."""
        if self.rider["owes"]:
            return f"You owe {self.rider['owes']} euros. Please pay first."
        kind, station, hours = self._wanted()
        found = self._ask("find_bikes", kind=kind)
        here = [bike for bike, place in found["free"].items() if place == station]
        if not here:
            elsewhere = ", ".join(found["free"].values()) or "none"
            return f"No {kind} bike is free at the {station}. Other stations: {elsewhere}."
        self.offer = {"bike_id": here[0], "rider_id": self.rider["rider_id"], "hours": hours}
        return f"That is {found['an_hour'] * hours} euros. Shall I hire it out?"

    def hire(self) -> str:
        """Hire out what the rider said yes to."""
        hired = self._ask("hire_bike", **self.offer)
        return f"Done. The lock code is {hired['lock_code']}."

    def take_back(self) -> str:
        """Take back the bike that the rider has."""
        if not self.rider["hires"]:
            return "You have no bike to return."
        _, station, _ = self._wanted()
        self._ask("return_bike", hire_id=self.rider["hires"][0], station=station)
        return f"Your bike is back at the {station}."

    def _wanted(self) -> tuple[str, str, int]:
        kind = re.search("city|cargo|tandem", self.wish)
        station = re.search("harbour|castle", self.wish)
        hours = re.search(r"(\d+) hour", self.wish)
        return (
            kind[0] if kind else "city",
            station[0] if station else "harbour",
            int(hours[1]) if hours else 1,
        )

    def _ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = json.loads(self.backend.call(tool, **arguments))
        except ToolRefused:
            return {}
        return answer
