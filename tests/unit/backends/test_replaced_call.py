"""A backend gets its own `call` back, whether it is a method or the object's own."""

from types import SimpleNamespace

import pytest

from pytest_todeval.backends.replaced_call import calls_through
from pytest_todeval.simulation.backend_faults import BackendFault, faulty


class ByMethod:
    def call(self, tool: str) -> str:
        return f"{tool} by the method"


@pytest.mark.parametrize(
    ("backend", "own"),
    [
        (ByMethod(), "find by the method"),
        (SimpleNamespace(call=lambda tool: f"{tool} by the object"), "find by the object"),
    ],
)
def test_a_backend_is_as_it_was(backend: ByMethod, own: str) -> None:
    with calls_through(backend, lambda tool: f"{tool} by another"):
        assert backend.call("find") == "find by another"
    assert backend.call("find") == own


def test_faults_leave_the_call_of_an_object_in_place() -> None:
    backend = SimpleNamespace(call=lambda tool: ["a row"])
    with faulty(backend, [BackendFault("empty")]):
        assert backend.call("find") == []
        assert backend.call("find") == ["a row"]
    assert backend.call("find") == ["a row"]
