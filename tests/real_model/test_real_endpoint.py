"""Whether a real model is in order, and what `todeval models check` finds out of its endpoint."""

import subprocess
import sys
from collections.abc import Callable

from pytest_todeval.models.abilities import AT_ONCE


def test_the_model_is_in_order(sane: str, model: str, tell: Callable[[str], None]) -> None:
    tell(f"{model}, asked what can be found in a kitchen: {sane!r:.120}")


def test_what_the_endpoint_can_do_is_told(
    address: str, model: str, tell: Callable[[str], None]
) -> None:
    command = (sys.executable, "-m", "pytest_todeval.cli", "models", "check", "--base-url", address)
    ran = subprocess.run((*command, "--model", model), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = dict(line.split(maxsplit=1) for line in ran.stdout.splitlines() if line.startswith("  "))
    assert rows["streaming"] == "yes"
    assert rows["at"] == f"once                {AT_ONCE} of {AT_ONCE}"
    for line in ran.stdout.splitlines():
        tell(line[:110])
