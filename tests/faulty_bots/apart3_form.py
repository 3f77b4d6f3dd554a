"""Replies with traces of what has made them, and what is for nobody's eyes.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from pytest_todeval.simulation.systems.desk.hearing import Wish
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.seeded import Catalogue

__all__ = ["DESK"]


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("leaks", "response")
class TellsTheSeatsAndNumbers(DeskBot):
    """Tells the internal number of a licence, and how many seats there are, with a proposal."""

    def serve_licence(self, wish: Wish) -> str:
        said = super().serve_licence(wish)
        product = self.product_of(wish)
        found = next((p for p in self.products if p["product"] == product), None)
        if found is None:
            return said
        return f"{said} (licence_id={found['licence_id']}, free_seats={found['free_seats']})"
