"""The model that the tests of this folder ask, and suites that are played with it twice."""

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from tests.real_model.passage import Passage

FIGURES = pytest.StashKey[list[str]]()
Lines = list[str]
Played = tuple[Mapping[str, Any], Mapping[str, Any]]
"""The results of a run that called the model, and of its replay with the server's address shut."""
ASKED = 3
"""Times in a row that a model is asked the same, to see whether it is in order."""
PLAYS_FOR = 3600
"""Seconds for a run at most."""
ANSWERS_WITHIN = 600
"""Seconds for one answer."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = []


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    for line in config.stash.get(FIGURES, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def address() -> str:
    """The base URL of a real model's server."""
    url = os.environ.get("TODEVAL_REAL_MODEL")
    if not url:
        pytest.skip(
            "no real model: run `python benchmarks/real_model.py`, which serves one, or set "
            "TODEVAL_REAL_MODEL to the base URL of an OpenAI-compatible endpoint"
        )
    return url.rstrip("/")


@pytest.fixture(scope="session")
def model(address: str) -> str:
    """The first model that the endpoint lists."""
    try:
        with urllib.request.urlopen(f"{address}/models", timeout=ANSWERS_WITHIN) as answer:
            return str(json.load(answer)["data"][0]["id"])
    except urllib.error.URLError as error:
        pytest.fail(
            f"TODEVAL_REAL_MODEL: {address} is not reached ({error.reason}); start the server with "
            "`python benchmarks/real_model.py --serve`, or unset the variable",
            pytrace=False,
        )


@pytest.fixture(scope="session")
def ask(address: str, model: str) -> Callable[[str], str]:
    """What the model answers to a question at temperature 0."""

    def asked(question: str) -> str:
        body = {
            "model": model,
            "messages": [{"role": "user", "content": question}],
            "temperature": 0,
            "max_tokens": 30,
        }
        request = urllib.request.Request(
            f"{address}/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=ANSWERS_WITHIN) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"])

    return asked


@pytest.fixture(scope="session")
def sane(ask: Callable[[str], str]) -> str:
    """An answer of a model that is in order: words, and the same ones twice at temperature 0."""
    question = "Name three things that can be found in a kitchen."
    # llama.cpp rounds otherwise when it meets a prompt anew, as it does after another client's.
    answers = [ask(question) for _ in range(ASKED)]
    first = answers[-1]
    alike = any(one == other for one, other in pairwise(answers))
    assert alike, f"no two answers in a row are the same at temperature 0: {answers}"
    words = [word for word in first.split() if word.strip(".,:;!?*-").isalpha()]
    assert len(words) >= 3, f"the model does not answer in words: {first!r}"
    return first


@pytest.fixture
def passage(address: str) -> Passage:
    """A way to the model's server of this test's own."""
    return Passage(address)


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Adds a line to what is shown at the end."""
    return request.config.stash[FIGURES].append


@dataclass(frozen=True)
class Suite:
    """A suite in a folder of its own, whose models are the real one behind a passage."""

    pytester: pytest.Pytester
    passage: Passage
    tell: Callable[[str], None]

    def run(self, *options: str) -> Mapping[str, Any]:
        """The results of a run."""
        results = self.pytester.path / "results.json"
        results.unlink(missing_ok=True)
        ran = self.pytester.runpytest_subprocess(
            f"--todeval-json={results}", "-p", "no:cacheprovider", *options, timeout=PLAYS_FOR
        )
        assert results.exists(), ran.outlines[-5:]
        found: Mapping[str, Any] = json.loads(results.read_text())
        return found

    def twice(self, name: str, *options: str) -> Played:
        """Record it with the model, and replay it with the address shut; figures are told."""
        start = time.monotonic()
        with self.passage.open():
            live = self.run("--todeval-record=missing", *options)
        took, calls = time.monotonic() - start, self.passage.calls
        replayed = self.run(*options)
        assert self.passage.calls == calls
        outcomes = ", ".join(f"{n} {what}" for what, n in counted(live).items())
        played = len(live["dialogues"])
        self.tell(f"{name}: {played} dialogues, {calls} calls, {took:.0f} s: {outcomes}")
        return live, replayed


@pytest.fixture
def suite(
    pytester: pytest.Pytester,
    passage: Passage,
    tell: Callable[[str], None],
    model: str,
    sane: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Suite:
    """An empty suite, whose models file names the real model for each lane."""
    with passage.open():
        pass
    settings = {
        "model": model,
        "profile": "llama-cpp-python",
        "base_url": passage.base_url,
        "max_tokens": 150,
        "timeout": ANSWERS_WITHIN,
        "retries": 0,
        "seed": 1,
    }
    models = {
        "user": settings,
        "judge": {**settings, "max_tokens": 40},
        "system": {**settings, "temperature": 0},
    }
    (pytester.path / "models.json").write_text(json.dumps(models))
    pytester.makeini("[pytest]\ntodeval_models = models.json")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:anyio")
    monkeypatch.setenv("LLAMA_API_KEY", "none")
    return Suite(pytester, passage, tell)


def counted(results: Mapping[str, Any]) -> dict[str, int]:
    """How many dialogues ended how."""
    outcomes = sorted(each["outcome"] for each in results["dialogues"])
    return {outcome: outcomes.count(outcome) for outcome in dict.fromkeys(outcomes)}
