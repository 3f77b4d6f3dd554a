"""A bicycle workshop: its calendar, and the tools with which a chat model keeps it."""

from collections.abc import Sequence
from typing import Any

INSTRUCTIONS = (
    "You are the desk of a bicycle workshop. Look up the free days before you offer one, book a "
    "job only when the customer has said which job and which day, and tell the reference number."
)

FREE = {"tune-up": ["tuesday", "thursday"], "new tyre": ["friday"]}


class Calendar:
    """What is booked in one dialogue: the test's own backend."""

    def __init__(self) -> None:
        self._jobs: list[dict[str, str]] = []

    def bookings(self) -> Sequence[dict[str, str]]:
        return self._jobs

    def book(self, job: str, day: str) -> str:
        reference = f"BW{len(job) * 100 + len(day)}"
        self._jobs.append({"domain": "workshop", "reference": reference, "job": job, "day": day})
        return reference


def free_days(job: str) -> dict[str, Any]:
    """The days on which there is time for a job."""
    return {"job": job, "days": FREE.get(job, [])}


def book_job(job: str, day: str, backend: Calendar) -> dict[str, str]:
    """Book a job on a day."""
    if day not in FREE.get(job, []):
        return {"error": f"there is no time for a {job} on {day}"}
    return {"reference": backend.book(job, day)}
