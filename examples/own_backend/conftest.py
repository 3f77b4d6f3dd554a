"""The bot has its own database: `backend` tells the verdicts what stands booked in it."""

from collections.abc import Callable

import pytest
from pizzeria import OrderBook, PizzaBot


class Orders:
    """The order book as pytest-todeval reads it: `bookings()` is all it needs."""

    def __init__(self) -> None:
        self.book = OrderBook()

    def bookings(self) -> list[dict[str, str]]:
        return [
            {"domain": "pizza", "reference": order["number"], **order} for order in self.book.orders
        ]


@pytest.fixture
def backend() -> Orders:
    return Orders()


@pytest.fixture
def tod_system(backend: Orders) -> Callable[[], PizzaBot]:
    return lambda: PizzaBot(backend.book)
