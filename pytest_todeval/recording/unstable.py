"""What makes a request differ from one day, or one run, to the next."""

import re
from collections.abc import Sequence
from datetime import date

from pytest_todeval.recording.matching import EXACT, UUID, Matching


def unstable_parts(
    body: bytes, today: date, known: Sequence[str] = (), matching: Matching = EXACT
) -> list[str]:
    """Today's date and UUIDs in a body, as they stand there.

    UUIDs in `known`, what a model answered earlier, come out of the cassette and don't change;
    what a mask covers does not count.
    """
    text = body.decode("utf-8", "replace")
    for mask in (*matching.masks, *matching.ids):
        text = mask.sub("", text)
    found = [form for form in _forms(today) if form in text]
    uuids = dict.fromkeys(re.findall(UUID, text))
    return found + [uuid for uuid in uuids if not any(uuid in each for each in known)]


def _forms(day: date) -> list[str]:
    month, short = f"{day:%B}", f"{day:%b}"
    return [
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day:%m/%d/%Y}",
        f"{day:%d.%m.%Y}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{short} {day.day}, {day.year}",
        f"{day.day} {short} {day.year}",
    ]
