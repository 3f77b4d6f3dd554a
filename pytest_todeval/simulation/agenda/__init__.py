"""The rule-based user simulator, after the agenda idea (Schatzmann et al. 2007)."""

from pytest_todeval.simulation.agenda.user import AgendaUser

__all__ = ["AgendaUser"]
