"""The gateway, as a conftest uses it: addresses for a bot's clients."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

from pytest_todeval.recording.address import Address
from pytest_todeval.recording.gateway.asked import prefix_of
from pytest_todeval.recording.gateway.children import Children
from pytest_todeval.recording.gateway.handler import GatewayHandler
from pytest_todeval.recording.gateway.listener import GatewayListener
from pytest_todeval.recording.gateway.upstreams import Upstream
from pytest_todeval.recording.router import Router


class Gateway:
    """Takes the place of model providers for bots in other processes.

    What comes to it is recorded and replayed with the dialogue it belongs to, as the calls of this
    process are.
    """

    def __init__(self, listener: GatewayListener) -> None:
        """Use `Gateway.open`."""
        self._listener = listener

    @classmethod
    @contextmanager
    def open(cls, upstreams: Mapping[str, Upstream], *, replays: bool) -> Iterator[Self]:
        """A gateway on a free port. `replays`: whether calls outside all dialogues are refused.

        Processes that the bot of a dialogue starts find it in their environment.
        """
        router = Router.of_process()
        listener = GatewayListener(GatewayHandler, router, upstreams, replays)
        gateway = cls(listener)
        listener.start()
        try:
            with router.own(Address("localhost", listener.port)), Children(gateway.environment):
                yield gateway
        finally:
            listener.close()

    @property
    def url(self) -> str:
        """Its address; `/NAME` behind it stands for the provider's scheme, host and port."""
        return f"http://{self._listener.address}"

    @property
    def outside(self) -> Sequence[str]:
        """What was asked for while no dialogue was open: it is in no cassette."""
        return tuple(self._listener.outside)

    def base_url(self, name: str, dialogue_id: str | None = None) -> str:
        """What a client takes as the base URL of an upstream, e.g. `http://.../openai/v1`.

        With `dialogue_id`, that of calls in this dialogue. Raises KeyError for an unknown name.
        """
        return f"{self.url}{prefix_of(dialogue_id)}/{name}{self._listener.upstreams[name].path}"

    def environment(self, dialogue_id: str | None = None) -> dict[str, str]:
        """The variables that clients read, e.g. OPENAI_BASE_URL, each with its base URL."""
        return {
            upstream.variable: self.base_url(name, dialogue_id)
            for name, upstream in self._listener.upstreams.items()
        }
