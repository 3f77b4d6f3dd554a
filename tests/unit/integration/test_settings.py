import pytest

from pytest_todeval.integration.settings import Settings


def test_the_settings_of_a_run_are_read_once(pytestconfig: pytest.Config) -> None:
    assert Settings.of(pytestconfig) is Settings.of(pytestconfig)
