"""Faults of bots over goal files with domains of one's own."""

from benchmarks.hearing.own_domains import OwnBot
from tests.faulty_bots.reshaped import Slower
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("own_domains")
fault = CATALOGUE.fault


@fault("latency", "action", stamp=Slower(15.0, turn=1))
class StartsSlowly(OwnBot):
    """Takes 15 seconds for its first answer."""
