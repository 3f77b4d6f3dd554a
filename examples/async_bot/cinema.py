"""A cinema's bot that waits for several services at once; it knows nothing of pytest-todeval."""

import asyncio
import re
from dataclasses import dataclass, field

FILMS = {"the lighthouse": ("18:00", "20:30"), "paper moon": ("17:15", "21:00")}


class Cinema:
    """The cinema's services, as a network client would offer them."""

    def __init__(self) -> None:
        self.tickets: dict[str, list[dict[str, str]]] = {}

    async def times(self, film: str) -> tuple[str, ...]:
        await asyncio.sleep(0)
        return FILMS[film]

    async def price(self, film: str) -> str:
        await asyncio.sleep(0)
        return "9 pounds"

    async def book(self, customer: str, **wanted: str) -> str:
        await asyncio.sleep(0)
        number = f"CT{100 + sum(map(len, self.tickets.values()))}"
        self.tickets[customer].append({"reference": number, **wanted})
        return number


@dataclass
class CinemaBot:
    """One for all customers: what each has said is kept by its session."""

    cinema: Cinema
    talks: dict[str, dict[str, str]] = field(default_factory=dict)

    async def open_session(self, session: str) -> str:
        self.talks[session] = {}
        self.cinema.tickets[session] = []
        return session

    async def close_session(self, session: str) -> None:
        del self.talks[session], self.cinema.tickets[session]

    async def respond(self, text: str, session: str) -> str:
        known = self.talks[session]
        self.listen(known, text.lower())
        if self.cinema.tickets[session]:
            number = self.cinema.tickets[session][0]["reference"]
            return f"Your reference number is {number}. Is there anything else I can do for you?"
        if "film" not in known:
            return f"Which film would you like to see: {' or '.join(FILMS)}?"
        if "time" not in known:
            times, price = await asyncio.gather(
                self.cinema.times(known["film"]), self.cinema.price(known["film"])
            )
            return f"It is shown at {' and '.join(times)}, for {price}. What time would you like?"
        if "people" not in known:
            return "How many people will there be?"
        number = await self.cinema.book(session, **known)
        return (
            f"Your tickets are booked: {known['film']} at {known['time']} for {known['people']} "
            f"people. The reference number is {number}."
        )

    def listen(self, known: dict[str, str], text: str) -> None:
        heard = {
            "film": re.search("|".join(FILMS), text),
            "time": re.search(r"\b\d{1,2}:\d{2}\b", text),
            "people": re.search(r"\b\d+(?= (?:people|person|guests|of us))", text),
        }
        known |= {slot: found.group() for slot, found in heard.items() if found}
