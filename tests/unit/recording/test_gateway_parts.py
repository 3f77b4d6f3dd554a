"""What stands between others: requests to the gateway, child processes, intake, journal."""

import json
import subprocess
import sys
from contextlib import closing
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording import journal as journals
from pytest_todeval.recording.call import CUT, Header
from pytest_todeval.recording.gateway.asked import (
    DIALOGUE_HEADER,
    GatewayRefused,
    GatewayRequest,
    prefix_of,
)
from pytest_todeval.recording.gateway.gateway import Children
from pytest_todeval.recording.gateway.upstreams import upstreams_from
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.transport import CANCELLED, STOPPED
from tests.support.recorded_calls import Told, chat

UPSTREAMS = upstreams_from(["shop = https://shop.example/v1", "other = http://other.example"], {})


def asked(target: str, named: str | None = None) -> GatewayRequest:
    headers = Message()
    if named is not None:
        headers[DIALOGUE_HEADER] = named
    return GatewayRequest.of("GET", target, headers)


@pytest.mark.parametrize(
    ("target", "named", "found"),
    [
        ("/shop/a/b?c=d", None, (None, "shop", "/a/b?c=d")),
        ("/shop", None, (None, "shop", "/")),
        ("/shop?c=d", None, (None, "shop", "/?c=d")),
        ("/shop/a", "x%2F1", ("x/1", "shop", "/a")),
        ("/dialogue/x%2F1/shop/a", None, ("x/1", "shop", "/a")),
        ("/dialogue/x/shop?c", "y", ("x", "shop", "/?c")),
    ],
)
def test_what_a_request_to_the_gateway_asks_for(
    target: str, named: str | None, found: tuple[str | None, str, str]
) -> None:
    request = asked(target, named)
    assert (request.dialogue, request.name, request.target) == found
    assert str(request) == f"GET /shop{found[2].partition('?')[0]}"
    assert request.upstream(UPSTREAMS) is UPSTREAMS["shop"]


def test_who_is_no_upstream_is_told_with_those_there_are() -> None:
    with pytest.raises(GatewayRefused, match=r"asked for GET /shp/a, but .* did you mean 'shop'"):
        asked("/shp/a").upstream(UPSTREAMS)


def test_a_redirect_leads_to_the_gateway_again() -> None:
    shop = UPSTREAMS["shop"]
    request = asked("/dialogue/x%2F1/shop/a/b")
    assert request.moved("c?d", shop, UPSTREAMS) == "/dialogue/x%2F1/shop/a/c?d"
    assert request.moved("HTTP://OTHER.example/e", shop, UPSTREAMS).endswith("/other/e")
    with pytest.raises(GatewayRefused, match=r"shop redirects GET /shop/a/b to http://x\.test, "):
        request.moved("http://x.test/e", shop, UPSTREAMS)
    assert prefix_of(None) == ""


def test_what_a_dialogue_starts_finds_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TODEVAL_A", "usual")
    given: dict[str, str] = {"TODEVAL_A": "own", "TODEVAL_B": "own"}
    with Children(lambda dialogue: {"TODEVAL_A": f"at {dialogue}"}) as children:
        assert isinstance(children, Children)
        assert Children.given(None) is None, "nobody's"
        with in_lane("d", Lane.USER, 1):
            assert Children.given(None) is None
        with in_lane("d", Lane.SYSTEM, 1):
            found = Children.given(None)
            assert found is not None
            assert found["TODEVAL_A"] == "at d"
            assert found["PATH"]
            assert Children.given(given) == given, "the caller's own value"
            assert Children.given({"TODEVAL_A": "usual"}) == {"TODEVAL_A": "at d"}
            assert Children.given({}) == {"TODEVAL_A": "at d"}
            with Children(lambda _: {"TODEVAL_A": "later"}):
                assert Children.given({}) == {"TODEVAL_A": "later"}
            code = "import os; print(os.environ['TODEVAL_A'], end='')"
            command = [sys.executable, "-S", "-c", code]
            assert subprocess.run(command, capture_output=True, check=True).stdout == b"at d"
    with in_lane("d", Lane.SYSTEM, 1):
        assert Children.given(given) is given


@pytest.mark.parametrize(
    ("end", "headers", "body", "cut"),
    [
        (Intake.ended, {}, b"ab", None),
        (Intake.stopped, {}, b"ab", STOPPED),
        (Intake.stopped, {"Content-Length": " 2 "}, b"ab", None),
        (Intake.stopped, {"Content-Length": "3"}, b"ab", STOPPED),
        (Intake.stopped, {"X-Length": "2"}, b"ab", STOPPED),
        (Intake.stopped, {}, b"data: [DONE]\n\n", None),
        (Intake.stopped, {}, b"data: [DONE]\n\nmore", STOPPED),
        (Intake.cancelled, {"Content-Length": "2"}, b"ab", CANCELLED),
        (lambda intake: intake.broke(ValueError("x")), {"Content-Length": "2"}, b"ab",
         "ValueError: x"),
    ],
)  # fmt: skip
def test_how_an_answer_ended_is_told_once(
    end: Any, headers: dict[str, str], body: bytes, cut: str | None
) -> None:
    told = Told()
    intake = Intake(told, 200, headers.items())
    assert told.intake is intake
    intake.reading = True
    intake.add(body[:1])
    intake.add(body[1:])
    assert intake.read() == body
    end(intake)
    intake.ended()
    intake.stopped()
    (found,) = told.answers
    assert (found.status, found.body) == (200, body)
    assert dict(found.headers).get(CUT) == cut
    assert not intake.reading


def test_a_journal_grows_until_its_bound_and_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette = tmp_path / "deep" / "c.todeval.jsonl"
    header = Header("t", "2026-01-01T00:00:00+00:00", 0)
    one, two = chat("Hello."), chat("And now?")
    with closing(journals.Journal(cassette, header)) as journal:
        empty = journal.path.stat().st_size
        journal.append(one, 0)
        size = journal.path.stat().st_size
        with pytest.raises(UsageError, match=r"another run is recording this test"):
            journals.Journal(cassette, header)
        sizes: list[int] = []
        monkeypatch.setattr(journals, "too_large", lambda _, size: sizes.append(size))
        journal.append(two, 1)
        assert sizes[-1] == journal.path.stat().st_size > size > empty
        monkeypatch.setattr(journals, "write_all", broken_after_half)
        with pytest.raises(UsageError, match=r"cannot write the journal .*: no space"):
            journal.append(chat("Lost."), 2)
        monkeypatch.undo()
        assert journal.path.stat().st_size == sizes[0]
        whole = journal.path.read_bytes()
    assert whole.endswith(b"\n")
    journal.path.write_bytes(whole + b'{"call"')
    with closing(journals.Journal(cassette, header)) as again:
        left = journals.Journal.recover(cassette)
        found = [json.loads(each.request.body) for each in (left.calls if left else ())]
        assert found == [json.loads(each.request.body) for each in (one, two)]
        assert again.path.read_bytes() == whole
        again.discard()
        assert not again.path.exists()


def broken_after_half(file: Any, data: bytes) -> None:
    """As a full disk does."""
    file.write(data[: len(data) // 2])
    raise OSError("no space")
