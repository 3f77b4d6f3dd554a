"""pytest-xdist's workers: what the controller tells them, and which of them cannot take part."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.integration.option_values import SAID, START, said_words
from pytest_todeval.integration.settings import Settings

NUMBER = "todeval_number"
"""Which of the workers one is, from 0. A worker that replaces one that crashed comes after all."""
ASKED = """
import sys
from importlib.metadata import PackageNotFoundError, version
try:
    found = version("pytest-todeval")
except PackageNotFoundError:
    found = ""
channel.send((sys.version_info[:2], found))
"""


def prepare(node: Any) -> None:
    """Tells a worker what it cannot know, before it starts.

    Raises pytest.UsageError for one that cannot take part in a run that makes use of us: of another
    version of Python or of this package, or on a machine where its cassettes would be lost.
    """
    spec, config = node.gateway.spec, node.config
    ids = [each.id for each in node.nodemanager.specs]
    node.workerinput[NUMBER] = ids.index(spec.id) if spec.id in ids else len(ids)
    node.workerinput[SAID] = said_words(config)
    elsewhere = not spec.popen or bool(spec.chdir)
    if elsewhere:
        start = os.path.relpath(config.invocation_params.dir, config.rootpath)
        node.workerinput[START] = Path(start).as_posix()
    if (elsewhere or spec.python) and (wrong := _wrong(node, elsewhere)):
        raise pytest.UsageError(wrong)


def _wrong(node: Any, elsewhere: bool) -> str:
    settings = Settings.of(node.config)
    if not settings.given():
        return ""
    who = f"worker {node.gateway.spec.id} ({_shown(node.gateway.spec)})"
    if elsewhere and settings.record not in ("replay", "live"):
        return (
            f"--todeval-record={settings.record}: {who} would leave its cassettes in its own copy "
            "of the tests; record here (-n 4), and replay on other machines"
        )
    python, package = node.gateway.remote_exec(ASKED).receive()
    if not elsewhere and tuple(python) != sys.version_info[:2]:
        return _other_python(who, python)
    from importlib.metadata import version

    ours = version("pytest-todeval")
    if package == ours:
        return ""
    there = f"pytest-todeval {package}, here it is {ours}" if package else "no pytest-todeval"
    return f"{who}: {there} (`pip install pytest-todeval=={ours}` there)"


def _other_python(who: str, python: Sequence[int]) -> str:
    """Returns a popen worker imports from where this process does."""
    there, here = (".".join(map(str, each)) for each in (python, sys.version_info[:2]))
    return (
        f"{who}: Python {there}, here it is {here}, whose packages a popen worker imports; start "
        "it by ssh=, or give each version a share of the tests: --todeval-shard=1/2"
    )


def _shown(spec: Any) -> str:
    """Returns what the user wrote, without what pytest-xdist adds."""
    return str(spec).removeprefix("execmodel=main_thread_only//")
