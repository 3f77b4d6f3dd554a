"""The gateway of a run: opened with its settings, and what it could not record told."""

import os
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.settings import Settings

if TYPE_CHECKING:
    from pytest_todeval.recording.gateway.gateway import Gateway


@contextmanager
def open_gateway(config: pytest.Config) -> Iterator["Gateway"]:
    """The gateway of this process; warns of calls that were made while no dialogue was open.

    The network is looked after from here on: also that of the servers which are started now.
    """
    import pytest_todeval.integration.servers  # noqa: F401  (shows what servers printed)
    from pytest_todeval.recording.gateway.gateway import Gateway
    from pytest_todeval.recording.gateway.upstreams import upstreams_from
    from pytest_todeval.recording.jail import hold_back
    from pytest_todeval.recording.mode import Mode, modes_from

    with plain_errors():
        upstreams = upstreams_from(config.getini("todeval_gateway"), os.environ)
        settings = Settings.of(config)
        modes = modes_from(settings.record)
        if set(modes.values()) != {Mode.LIVE}:
            hold_back(by_kernel=settings.jail != "python")
    replays = modes[Lane.SYSTEM] is Mode.REPLAY
    with Gateway.open(upstreams, replays=replays) as gateway:
        yield gateway
    for call, times in Counter(gateway.outside).items():
        became = "was refused" if replays else "is in no cassette; replay will refuse it"
        warnings.warn(
            f"{call} was asked of the gateway {times} x while no dialogue was open, and {became}: "
            "have the bot ask for it when the first dialogue does",
            stacklevel=2,
        )
