"""A shop's own bot with its own order book; it knows nothing of pytest-todeval."""

import re
from dataclasses import dataclass, field

SIZES = ("small", "medium", "large")
TOPPINGS = ("margherita", "mushroom", "pepperoni", "spinach")


@dataclass
class OrderBook:
    """Where the shop keeps its orders."""

    orders: list[dict[str, str]] = field(default_factory=list)

    def place(self, **order: str) -> str:
        number = f"PZ{100 + len(self.orders)}"
        self.orders.append({"number": number, **order})
        return number


class PizzaBot:
    """Asks for size, topping and time, then places the order."""

    def __init__(self, order_book: OrderBook) -> None:
        self.order_book = order_book
        self.order: dict[str, str] = {}
        self.number = ""

    def respond(self, text: str) -> str:
        self.listen(text.lower())
        if self.number:
            return f"Your order number is {self.number}. Is there anything else I can do for you?"
        for slot, question in (
            ("size", f"What size would you like: {', '.join(SIZES)}?"),
            ("topping", f"Which topping would you like: {', '.join(TOPPINGS)}?"),
            ("time", "What time would you like to pick it up?"),
        ):
            if slot not in self.order:
                return question
        self.number = self.order_book.place(**self.order)
        return (
            f"Your order is booked: a {self.order['size']} {self.order['topping']} pizza at "
            f"{self.order['time']}. The reference number is {self.number}."
        )

    def listen(self, text: str) -> None:
        for slot, values in (("size", SIZES), ("topping", TOPPINGS)):
            for value in values:
                if value in text:
                    self.order[slot] = value
        if time := re.search(r"\b\d{1,2}:\d{2}\b", text):
            self.order["time"] = time.group()
