"""The tasks of the service desk, written for this project."""

from pytest_todeval.goals.service_desk.tasks import load_service_desk

__all__ = ["load_service_desk"]
