"""What the jail lets through: by lane and mode, by address, and by who started a process."""

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.jail import kept_by, kernel
from pytest_todeval.recording.jail.jail import Jail, Reach
from pytest_todeval.recording.jail.warden import TICK, Warden, _host_and_port
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.tape import Tape


def tape(folder: Path, modes: str, allowed: tuple[str, ...] = (), name: str = "a") -> Tape:
    return Tape(folder / name, test="t", dialogue=name, modes=modes_from(modes), allowed=allowed)


@pytest.fixture
def obeyed(monkeypatch: pytest.MonkeyPatch) -> list[Reach]:
    """What the kernel's jail is told, newest last."""
    found: list[Reach] = []
    monkeypatch.setattr(Jail, "by_kernel", True)
    monkeypatch.setattr(Router.of_process().watch.jail, "obey", found.append)
    return found


def test_only_while_code_of_a_dialogue_runs_anything_is_held_back(
    tmp_path: Path, obeyed: list[Reach]
) -> None:
    with tape(tmp_path, "replay"):
        assert obeyed[-1] == Reach("pass")
        with in_lane("a", Lane.SYSTEM, 1):
            assert obeyed[-1] == Reach("block", lane=True)
        assert obeyed[-1] == Reach("pass")
        with in_lane("of no tape", Lane.SYSTEM, 1):
            assert obeyed[-1] == Reach("pass")
    assert obeyed[-1] == Reach("pass")


@pytest.mark.parametrize(
    ("modes", "lane", "mode"),
    [
        ("replay", Lane.JUDGE, "block"),
        ("missing", Lane.SYSTEM, "watch"),
        ("rewrite", Lane.USER, "watch"),
        ("live", Lane.SYSTEM, "pass"),
        ("judge:rewrite", Lane.SYSTEM, "block"),
        ("judge:rewrite", Lane.JUDGE, "watch"),
        ("system:live", Lane.SYSTEM, "pass"),
    ],
)
def test_the_lane_that_runs_decides(
    tmp_path: Path, obeyed: list[Reach], modes: str, lane: Lane, mode: str
) -> None:
    with tape(tmp_path, modes), in_lane("a", lane, 1):
        assert obeyed[-1].mode == mode


def test_of_two_dialogues_one_that_records_lets_both_through(
    tmp_path: Path, obeyed: list[Reach]
) -> None:
    with (
        tape(tmp_path, "replay"),
        tape(tmp_path, "rewrite", name="b"),
        in_lane("a", Lane.SYSTEM, 1),
    ):
        assert obeyed[-1].mode == "block"
        with in_lane("b", Lane.SYSTEM, 1):
            assert obeyed[-1].mode == "watch"
        assert obeyed[-1].mode == "block"


def test_allowed_addresses_and_names(tmp_path: Path, obeyed: list[Reach]) -> None:
    allowed = ("localhost:5432", "[0:0::1]:80", "db.test:99")
    with tape(tmp_path, "replay", allowed), in_lane("a", Lane.SYSTEM, 1):
        assert obeyed[-1].allowed == (("localhost", 5432), ("::1", 80), ("db.test", 99))
        assert obeyed[-1].names
    with tape(tmp_path, "replay", allowed[:2]), in_lane("a", Lane.SYSTEM, 1):
        assert not obeyed[-1].names


@pytest.fixture
def warden() -> Iterator[Warden]:
    ours, its = socket.socketpair()
    with ours, its:
        yield Warden(its, -1, 1)


LAST_PID = 1000


def told(warden: Warden, policy: Reach, now: int = 0) -> None:
    message = {**policy._asdict(), "now": now, "last_pid": LAST_PID}
    warden._take(json.loads(json.dumps(message)))


def test_the_warden_knows_this_machine_by_all_its_numbers(warden: Warden) -> None:
    told(warden, Reach("block", (("localhost", 80), ("10.0.0.1", None))))
    passing = [("127.0.0.1", 80), ("127.9.9.9", 80), ("::1", 80), ("0.0.0.0", 80), ("10.0.0.1", 1)]
    assert all(warden._passes(warden._policy, host, port) for host, port in passing)
    held = [("127.0.0.1", 81), ("10.0.0.2", 80), ("", 80), ("10.0.0.2", 53), ("", 53)]
    assert not any(warden._passes(warden._policy, host, port) for host, port in held)


def test_names_are_looked_up_where_one_is_allowed_or_while_recording(warden: Warden) -> None:
    for policy in (Reach("block", names=True), Reach("watch")):
        told(warden, policy)
        assert warden._passes(warden._policy, "10.0.0.2", 53)


def test_a_process_is_the_dialogues_if_it_was_started_while_its_code_ran(warden: Warden) -> None:
    for start in (100, 300):
        told(warden, Reach("block", lane=True), now=start * TICK)
        told(warden, Reach("block", lane=True), now=(start + 50) * TICK)
        told(warden, Reach(), now=(start + 100) * TICK)
    ticks = (99, 100, 150, 199, 201, 250, 299, 300, 399, 401)
    found = [tick for tick in ticks if warden._lane_at(LAST_PID, tick * TICK) is not None]
    assert found == [150, 199, 399]


def test_in_the_tick_in_which_a_lane_begins_the_younger_process_is_the_dialogues(
    warden: Warden,
) -> None:
    told(warden, Reach("block", lane=True), now=100 * TICK + TICK // 2)
    assert warden._lane_at(LAST_PID, 100 * TICK) is None
    assert warden._lane_at(LAST_PID + 1, 100 * TICK) == 0
    assert warden._lane_at(LAST_PID, 101 * TICK) == 0


def test_addresses_as_the_kernel_holds_them() -> None:
    four = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", 443, bytes([1, 2, 3, 4]))
    assert _host_and_port(four) == ("1.2.3.4", 443)
    mapped = bytes(10) + b"\xff\xff" + bytes([1, 2, 3, 4])
    six = struct.pack("=H", socket.AF_INET6) + struct.pack("!HI16sI", 443, 0, mapped, 0)
    assert _host_and_port(six) == ("1.2.3.4", 443)
    assert _host_and_port(struct.pack("=H", socket.AF_UNIX) + b"/run/x") is None
    assert _host_and_port(four[:4]) is None
    assert _host_and_port(b"") is None


def test_without_the_process_that_decides_a_dialogue_is_no_pass(tmp_path: Path) -> None:
    watch = Router.of_process().watch
    with tape(tmp_path, "replay") as opened:
        watch.jail.lost = True
        try:
            watch.settle()
            watch.settle()
        finally:
            watch.jail.lost = False
        assert [str(error).partition(" for")[0] for error in opened.refusals] == [
            "the process that watches the network"
        ]


def test_the_head_of_a_run_says_why_there_is_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "why_not", lambda: "there is none on Plan 9")
    assert "known clients are held back (there is none on Plan 9); " in kept_by(None)
    monkeypatch.setattr(kernel, "why_not", lambda: None)
    assert "the kernel" in kept_by(None)
    assert "(as asked)" in kept_by("python")
