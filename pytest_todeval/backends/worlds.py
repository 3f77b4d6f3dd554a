"""The domains that tasks are played in, by kind; loaded once per process, when a test runs."""

from functools import lru_cache
from pathlib import Path

from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.errors import UsageError, known_names

__all__ = ["KINDS", "domain_of"]

KINDS = ("tau_bench", "service_desk")


@lru_cache(maxsize=8)
def domain_of(kind: str, domain: str, home: Path | None = None) -> ToolDomain:
    """The tools and tables of a world: tau-bench's from the folder `home`, ours as shipped.

    Raises UsageError on an unknown kind or domain, DataMissing where there is no checkout or part
    of it is missing, InvalidFile where one of its files cannot be used.
    """
    if kind == "service_desk":
        from pytest_todeval.backends.service_desk import service_desk

        return service_desk()
    if kind != "tau_bench":
        raise UsageError(f"unknown kind of tool domain {kind!r}: {known_names(kind, KINDS)}")
    from pytest_todeval.backends.tau_checkout import CLONE, load_tau_bench
    from pytest_todeval.errors import DataMissing

    if home is None:
        raise DataMissing(f"tau-bench's tools are not shipped: get them with `{CLONE}`")
    return load_tau_bench(home, domain)
