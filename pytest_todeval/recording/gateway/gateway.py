"""The gateway, as a conftest uses it: addresses for a bot's clients, and for what a bot starts."""

import functools
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from pytest_todeval.core.lane import Lane, here
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.gateway.asked import prefix_of
from pytest_todeval.recording.gateway.handler import GatewayHandler
from pytest_todeval.recording.gateway.listener import GatewayListener
from pytest_todeval.recording.gateway.meeting import VARIABLE, announced
from pytest_todeval.recording.gateway.upstreams import BACKEND, Upstream
from pytest_todeval.recording.router import Router

PLACE_OF_ENV = 10
"""Of `env` among the arguments of `subprocess.Popen`."""


class Gateway:
    """Takes the place of model providers for bots in other processes.

    What comes to it is recorded and replayed with the dialogue it belongs to, as the calls of this
    process are.
    """

    def __init__(self, listener: GatewayListener) -> None:
        """Uses `Gateway.open`."""
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
            with (
                router.own(Address("localhost", listener.port)),
                Children(gateway.environment),
                announced(gateway.url),
            ):
                yield gateway
        finally:
            listener.close()

    @property
    def url(self) -> str:
        """Its address; `/NAME` behind it stands for the provider's scheme, host and port."""
        return f"http://{self._listener.address}/{self._listener.key}"

    @property
    def outside(self) -> Sequence[str]:
        """Returns what was asked for while no dialogue was open: it is in no cassette."""
        return tuple(self._listener.outside)

    def base_url(self, name: str, dialogue_id: str | None = None) -> str:
        """Returns what a client takes as the base URL of an upstream, e.g. `http://.../openai/v1`.

        With `dialogue_id`, that of calls in this dialogue. Raises KeyError for an unknown name.
        """
        return f"{self.url}{prefix_of(dialogue_id)}/{name}{self._listener.upstreams[name].path}"

    def environment(self, dialogue_id: str | None = None) -> dict[str, str]:
        """Returns the variables that clients read, e.g. OPENAI_BASE_URL, each with its base URL.

        And TODEVAL_GATEWAY, for `todeval mcp`.
        """
        found = {
            upstream.variable: self.base_url(name, dialogue_id)
            for name, upstream in self._listener.upstreams.items()
        }
        return {**found, VARIABLE: self.url + prefix_of(dialogue_id)}

    def backend_url(self, dialogue_id: str | None = None) -> str:
        """Returns where the backend of the dialogue's goal is a server of MCP (streamable HTTP)."""
        return f"{self.url}{prefix_of(dialogue_id)}/{BACKEND}/mcp"


class Children:
    """Inside `with`: what `subprocess` starts in a dialogue gets the gateway's variables.

    Not those that the caller set to a value of its own. `variables` gives them for a dialogue.
    """

    _installed: ClassVar[bool] = False
    _open: ClassVar["list[Children]"] = []

    def __init__(self, variables: Callable[[str], Mapping[str, str]]) -> None:
        self._variables = variables

    def __enter__(self) -> Self:
        if not Children._installed:
            Children._installed = True
            _wrap(subprocess.Popen)
        self._open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.remove(self)

    @classmethod
    def given(cls, env: Mapping[str, str] | None) -> Mapping[str, str] | None:
        """Returns the environment of a process that the code now running starts with `env`."""
        place = here()
        if not cls._open or place is None or place.lane is not Lane.SYSTEM:
            return env
        own = dict(os.environ if env is None else env)
        for name, value in cls._open[-1]._variables(place.dialogue).items():
            if name not in own or own[name] == os.environ.get(name):
                own[name] = value
        return own


def _wrap(popen: Any) -> None:
    real = popen.__init__

    @functools.wraps(real)
    def start(self: Any, *arguments: Any, **options: Any) -> None:
        if len(arguments) <= PLACE_OF_ENV:
            options["env"] = Children.given(options.get("env"))
        real(self, *arguments, **options)

    popen.__init__ = start
