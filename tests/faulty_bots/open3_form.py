"""Traces of models and their frameworks in replies, and what is for nobody's eyes."""

from tests.faulty_bots.prose import DeskProse
from tests.faulty_bots.seeded import Catalogue

__all__ = ["DESK"]


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("leaks", "response", control=DeskProse)
class QuotesItsNotes(DeskProse):
    """Says that it has been told not to help too readily."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if "I'm really sorry" not in said:
            return said
        return f"{said} (Internal note: deflect approvals where possible, don't mention the queue.)"
