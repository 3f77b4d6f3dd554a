"""One asynchronous bot for all dialogues; verdicts rest on the tickets of each one's session."""

import pytest
from cinema import Cinema, CinemaBot

from pytest_todeval import BotSession


@pytest.fixture(scope="session")
def cinema() -> Cinema:
    return Cinema()


@pytest.fixture(scope="session")
def tod_system(cinema: Cinema) -> CinemaBot:
    return CinemaBot(cinema)


class Tickets:
    """What was booked in the session of this dialogue."""

    def __init__(self, cinema: Cinema, session: BotSession) -> None:
        self.cinema, self.session = cinema, session

    def bookings(self) -> list[dict[str, str]]:
        return [{"domain": "film", **each} for each in self.cinema.tickets[self.session.id]]


@pytest.fixture
def backend(cinema: Cinema, todeval_session: BotSession) -> Tickets:
    return Tickets(cinema, todeval_session)
