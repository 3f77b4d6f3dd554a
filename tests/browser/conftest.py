"""One browser for all tests of pages."""

from collections.abc import Iterator

import pytest

from tests.support.browser import Browser, browser


@pytest.fixture(scope="session")
def window() -> Iterator[Browser]:
    with browser() as found:
        yield found
