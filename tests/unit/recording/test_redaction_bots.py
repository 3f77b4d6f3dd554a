"""Planted secrets: none is in a file, each bot is recorded, and replayed without its secret."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.redaction.memory import LEAST_LENGTH
from pytest_todeval.recording.redaction.placeholder import without_tokens
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import Playing
from tests.support.secret_bots import BOTS, SecretBot, traces


class Line:
    """Between a bot and its service, as the adapters of clients are."""

    def __init__(self, tape: Tape, bot: SecretBot, right: str | None) -> None:
        """`right`: the secret that the service knows; None if it is gone."""
        self.tape, self.bot, self.right = tape, bot, right
        self.hits = 0

    def __call__(self, method: str, path: str, query: str, kind: str, body: bytes) -> Response:
        request = Request(Lane.SYSTEM, method, path, query, kind, body)
        exchange = self.tape.begin(request, 1)
        if isinstance(exchange, Playing):
            assert isinstance(exchange.outcome, Response)
            return exchange.outcome
        assert self.right is not None
        self.hits += 1
        response = self.bot.answers(request, self.right)
        exchange.answered(response)
        if journal_path(self.tape.path).exists():
            assert_clean(journal_path(self.tape.path), self.right)
        return response


def assert_clean(path: Path, secret: str) -> None:
    data = path.read_bytes()
    assert [trace for trace in traces(secret) if trace in data] == []


def tape_at(path: Path, mode: str, environ: Mapping[str, str]) -> Tape:
    return Tape(
        path,
        test="t",
        dialogue="d",
        modes=modes_from(mode),
        redactor=Redactor(environ=environ),
        scanner=Scanner(environ),
    )


def environment(bot: SecretBot, secret: str) -> Mapping[str, str]:
    return {bot.environment: secret} if bot.environment else {}


@pytest.mark.parametrize("name", BOTS)
def test_is_recorded_and_replayed_without_its_secret(tmp_path: Path, name: str) -> None:
    bot, path = BOTS[name], tmp_path / "a.todeval.jsonl"
    right = bot.secret(f"{name} 1")
    tape = tape_at(path, "rewrite", environment(bot, right))
    line = Line(tape, bot, right)
    answer = bot.asks(line, right)
    if len(right) >= LEAST_LENGTH:  # a shorter one may be a word
        tape.said(1, f"I have {right}", str(answer))
    tape.finish(keep=True)
    assert line.hits == len(read_cassette(path).calls) > 0
    assert tape.refusals == []
    assert_clean(path, right)

    other = bot.dummy or bot.secret(f"{name} 2")
    replay = tape_at(path, "replay", {} if bot.dummy else environment(bot, other))
    replayed = bot.asks(Line(replay, bot, None), other)
    assert replay.misses == []
    assert replay.unused() == ()
    assert without_tokens(str(replayed)) == str(answer).replace(right, "todeval-redacted")


def test_at_least_sixty_are_planted() -> None:
    assert len(BOTS) >= 60
