"""What frameworks tell their makers would make each replay stale: left out, and named."""

import uuid
from pathlib import Path

import httpx
import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import process_rules_from
from pytest_todeval.recording.tape import Tape

URL = "https://os-api.agno.com/telemetry/runs"


@pytest.mark.parametrize("mode", ["rewrite", "replay"])
def test_telemetry_is_neither_sent_nor_missed(tmp_path: Path, mode: str) -> None:
    modes = modes_from(mode)
    process = ProcessCassette(tmp_path / "p", modes=modes, rules=process_rules_from((), ()))
    with Tape(tmp_path / "t", test="t", dialogue="d", modes=modes, process=process) as tape:
        with in_lane("d", Lane.SYSTEM, 1):
            for _ in range(2):
                answer = httpx.post(URL, json={"run_id": str(uuid.uuid4())})
                assert answer.json() == {}
        tape.finish(keep=True)
    assert not tape.misses
    assert not tape.refusals
    assert not (tmp_path / "t").exists()
    told = "neither sent nor recorded: POST os-api.agno.com/telemetry/runs, telemetry"
    assert list(tape.notices) == [told]


def test_no_other_call_is_taken_for_telemetry() -> None:
    rules = process_rules_from((), ())
    for host in ("api.openai.com", "agno.com", "sentry.io.example.com", "127.0.0.1"):
        assert not rules.ignores("POST", host, "/telemetry/runs")
