"""A sports hall's booking bot behind HTTP, with a session per customer; knows nothing of tests."""

import os
import re
import secrets
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, HTTPException

SPORTS = ("badminton", "squash", "tennis", "volleyball")
QUESTIONS = {
    "sport": f"Which sport would you like to play: {', '.join(SPORTS)}?",
    "day": "Which day would you like to come?",
    "time": "What time would you like to start?",
    "people": "How many people will there be?",
}


@dataclass
class Session:
    """What one customer has asked for and booked so far."""

    wanted: dict[str, str] = field(default_factory=dict)
    bookings: list[dict[str, str]] = field(default_factory=list)

    def answer(self, text: str) -> str:
        self.listen(text.lower())
        if self.bookings:
            return (
                f"Your reference number is {self.bookings[0]['reference']}. Is there anything else "
                "I can do for you?"
            )
        for slot, question in QUESTIONS.items():
            if slot not in self.wanted:
                return question
        wanted = self.wanted
        reference = f"SH{secrets.randbelow(9000) + 1000}"
        self.bookings.append({"domain": "court", "reference": reference, **wanted})
        return (
            f"Your court is booked: {wanted['sport']} on {wanted['day']} at {wanted['time']} for "
            f"{wanted['people']} people. The reference number is {reference}."
        )

    def listen(self, text: str) -> None:
        heard = {
            "sport": re.search("|".join(SPORTS), text),
            "day": re.search(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", text),
            "time": re.search(r"\b\d{1,2}:\d{2}\b", text),
            "people": re.search(r"\b\d+(?= (?:people|person|guests|of us))", text),
        }
        self.wanted |= {slot: found.group() for slot, found in heard.items() if found}


def known(authorization: Annotated[str, Header()] = "") -> None:
    if authorization != f"Bearer {os.environ['HALL_TOKEN']}":
        raise HTTPException(401, "who are you?")


app = FastAPI()
guarded = [Depends(known)]
sessions: dict[str, Session] = {}


def session(id: str) -> Session:
    if id not in sessions:
        raise HTTPException(404, f"there is no session {id}")
    return sessions[id]


@app.get("/health")
def health() -> dict[str, bool]:
    return {"ok": True}


@app.post("/sessions", status_code=201, dependencies=guarded)
def open_session() -> dict[str, str]:
    id = secrets.token_hex(8)
    sessions[id] = Session()
    return {"id": id}


@app.post("/sessions/{id}/chat", dependencies=guarded)
def chat(id: str, turn: dict[str, Any]) -> dict[str, Any]:
    talk = session(id)
    return {"text": talk.answer(turn["text"]), "state": {"court": talk.wanted}}


@app.get("/sessions/{id}/bookings", dependencies=guarded)
def bookings(id: str) -> list[dict[str, str]]:
    return session(id).bookings


@app.delete("/sessions/{id}", status_code=204, dependencies=guarded)
def close_session(id: str) -> None:
    del sessions[id]
