"""Right deeds told wrongly, in free wording: times and amounts in words, relative days, lists."""

import re

from tests.faulty_bots.reshaped import Rewords
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault


@fault("values", "response", "train", "attraction")
class QuotesInEuros(Rewords):
    """Tells fares and fees with the right figure in the wrong currency."""

    def reword(self, text: str) -> str:
        return re.sub(r"([\d.]+) pounds", r"€\1", text)
