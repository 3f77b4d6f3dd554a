"""Kept apart: faults of bots of the service desk."""

from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("service_desk", apart=True)
fault = CATALOGUE.fault


@fault("access", "flow")
class TrustsTheAddress(DeskBot):
    """Asks for no badge number: an e-mail address will do."""

    def meet(self, text: str) -> list[str]:
        self.badge = "0000"
        return super().meet(text)

    def is_identified(self, employee: Any, badge: str) -> bool:
        return True


@fault("access", "flow")
class ServesOthersDevices(DeskBot):
    """Swaps, and looks into, the devices of others."""

    def against_device(self, employee: Any, device: Any) -> str | None:
        return None


@fault("state", "action")
class ForgetsTheLostDevice(DeskBot):
    """Hands over a lost device without opening a ticket for it."""

    def report_lost(self, device: dict[str, Any]) -> str:
        return self.hand_over("lost_or_stolen", "I have opened a ticket.")


@fault("order", "action")
class TriesAgainAndAgain(DeskBot):
    """Repeats a call that fails three times over."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        for _ in range(3):
            try:
                self.calls.close_ticket("T999", "solved")
            except ToolRefused:
                continue
        return super().swap(device, ticket)
