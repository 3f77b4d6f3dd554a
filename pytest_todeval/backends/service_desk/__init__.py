"""A small IT service desk in the shape of a tau-bench domain: policy, tables, tools."""

from pytest_todeval.backends.service_desk.domain import service_desk

__all__ = ["service_desk"]
