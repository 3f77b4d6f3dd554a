"""The reference bot over a backend that it cannot serve."""

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.systems import RuleSystem


def test_a_backend_without_a_database_of_venues_is_refused() -> None:
    with pytest.raises(UsageError, match=r"a database of venues .*; got object"):
        RuleSystem(object())  # type: ignore[arg-type]
