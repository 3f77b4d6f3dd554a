"""Who the user is, for questions that no slot of the goal answers."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents import read_document
from pytest_todeval.nlu.questions.options import suits_anybody

SHEET = Path(__file__).parent / "facts.yaml"
SPELLINGS = {
    "e-mail": "email",
    "mail": "email",
    "telephone": "phone",
    "phone number": "phone",
    "last name": "surname",
    "birthday": "date of birth",
    "full name": "name",
}
"""Other names of facts, as a goal may give them."""


@cache
def _sheet() -> Mapping[str, Sequence[Any]]:
    sheet: Mapping[str, Sequence[Any]] = read_document(SHEET).value
    return sheet


class Facts:
    """One user's facts: the goal's own, else invented ones, the same for the same `seed`."""

    def __init__(self, given: Mapping[str, str], seed: str) -> None:
        self.given = {_folded(name): value for name, value in given.items()}
        self._rng = random.Random(seed)
        self._chosen: dict[tuple[str, ...], str] = {}
        self._facts = {**_invented(self._rng), **self.given}
        self._complete()

    @property
    def own(self) -> tuple[str, ...]:
        """Returns the names of the facts that the goal gives."""
        return tuple(self.given)

    def about(self, topic: str) -> str:
        """Returns the fact of a topic, e.g. `email`; empty if there is none."""
        return self._facts.get(_folded(topic), "")

    def choice(self, topic: str, options: Sequence[str]) -> str:
        """One of the options, always the same: the fact, else what suits anybody, else any."""
        key = (topic, *options)
        if key not in self._chosen:
            fact = self.about(topic).lower()
            said = [option for option in options if fact and (option in fact or fact in option)]
            liked = said or [option for option in options if suits_anybody(option)]
            self._chosen[key] = self._rng.choice(liked or list(options))
        return self._chosen[key]

    def _complete(self) -> None:
        """What follows from a name that the goal gives."""
        if "name" in self.given:
            first, _, last = self.given["name"].rpartition(" ")
            self._facts.update({"first name": first or last, "surname": last} | self.given)
        elif {"first name", "surname"} & self.given.keys():
            self._facts["name"] = f"{self._facts['first name']} {self._facts['surname']}"
        if "email" not in self.given:
            local = re.sub(r"[^a-z]+", ".", self._facts["name"].lower()).strip(".") or "guest"
            self._facts["email"] = f"{local}@{self._facts.pop('mail domain')}"


def _folded(name: str) -> str:
    plain = " ".join(name.lower().replace("_", " ").split())
    return SPELLINGS.get(plain, plain)


def _invented(rng: random.Random) -> dict[str, str]:
    sheet = _sheet()
    first, last = rng.choice(sheet["first_names"]), rng.choice(sheet["surnames"])
    number, street = rng.randint(1, 90), rng.choice(sheet["streets"])
    town = rng.choice(sheet["towns"])
    postcode = (
        f"QX{rng.randint(1, 9)} {rng.randint(1, 9)}{rng.choice('ABDEFGH')}{rng.choice('JLNPQRS')}"
    )
    born = f"{rng.randint(1, 28)} {rng.choice(sheet['months'])} {rng.randint(1958, 2000)}"
    drawn = {topic: str(rng.choice(values)) for topic, values in sheet.items()}
    return {
        **drawn,
        "first name": first,
        "surname": last,
        "name": f"{first} {last}",
        "mail domain": drawn["mail_domains"],
        "phone": f"{drawn['phones']}{rng.randint(0, 999):03}",
        "address": f"{number} {street}, {town}, {postcode}",
        "postcode": postcode,
        "date of birth": born,
    }
