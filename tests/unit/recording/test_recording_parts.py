"""Small parts of recording, each by itself: who calls, who waits, what a text and a course hold."""

import os
import runpy
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, Place, here, in_lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording import callers, cassette_text, retries
from pytest_todeval.recording import elsewhere as where
from pytest_todeval.recording.accepting import in_its_place, proposal_path, proposals
from pytest_todeval.recording.bots_asked import BotsAsked
from pytest_todeval.recording.call import CUT, Call, Header, RaisedError, Request, Response
from pytest_todeval.recording.cassette_text import next_step, read_lines, read_text
from pytest_todeval.recording.course import Course, at_fault, left_unanswered
from pytest_todeval.recording.elsewhere import Elsewhere, elsewhere
from pytest_todeval.recording.forks import Forks
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import EXACT, Matching, matching_from, unstable_parts
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.process_rules import process_rules_from
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER
from pytest_todeval.recording.redaction.spans import (
    json_text,
    merged,
    spans_of_value,
    without,
)
from pytest_todeval.recording.sharing import Shared, Sharing
from pytest_todeval.recording.shelf import Shelf, got_over, has_failed
from pytest_todeval.recording.store import write_cassette
from pytest_todeval.recording.transport import STOPPED, response_of, without_waiting
from pytest_todeval.recording.words import in_shell, word_difference
from tests.support.recorded_calls import ask, chat

JSON = (("content-type", "application/json"),)
FAILED = RaisedError("read", "ReadError: gone")


def call(
    key: str,
    outcome: Response | RaisedError | int = 200,
    *,
    lane: Lane = Lane.SYSTEM,
    turn: int = 1,
    path: str = "/v1",
) -> Call:
    """A call; of an answer its status may be given alone."""
    if isinstance(outcome, int):
        outcome = Response(outcome, (), b"{}")
    return Call(key, Request(lane, "POST", path, "", "", b""), outcome, turn, "d")


def test_a_bot_is_asked_as_long_as_anyone_waits_for_it() -> None:
    asked, one, two = BotsAsked(), Place("a", Lane.SYSTEM, 1), Place("b", Lane.SYSTEM, 2)
    with asked.asking(one):
        with asked.asking(one), asked.asking(two):
            assert asked.places() == [one, two]
        assert asked.places() == [one]
        with asked.asking(two):
            asked.forget("a")
            assert asked.places() == [two]
    assert asked.places() == []
    with asked.asking(one):
        assert asked.places() == [one]


def test_a_caller_is_told_by_its_client_and_the_line_of_the_project(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def respond(ask):\n    return ask()\n")
    respond = runpy.run_path(str(bot))["respond"]
    at_bot = "bot.py:2 in respond"

    def by(*names: tuple[str, str]) -> Any:
        """Functions in files of others, the outermost last, which call `caller`."""
        ask = callers.caller
        for file, module in names:
            space: dict[str, Any] = {"__name__": module, "inner": ask}
            exec(compile("def ask(): return inner()", file, "exec"), space)
            ask = space["ask"]
        return ask

    library, standard = callers.LIBRARIES[0], f"{callers.STANDARD}/json.py"
    assert respond(by()) == at_bot
    assert respond(by((f"{library}/a.py", "httpx._client"))) == f"httpx, at {at_bot}"
    both = by((f"{library}/a.py", "httpx._client"), (f"{library}/b.py", "openai.x"))
    assert respond(both) == f"openai, at {at_bot}"
    assert respond(by((standard, "urllib.request"))) == f"urllib, at {at_bot}"
    assert respond(by((f"{library}/a.py", "httpx"), (standard, "json"))) == f"httpx, at {at_bot}"
    assert respond(by(("<string>", "made"))) == at_bot
    assert respond(by((f"{callers.OURS}/x.py", "pytest_todeval.x"))) == at_bot


def test_a_caller_in_a_thread_of_nobody_cannot_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "STANDARD", "")  # whatever calls is of the standard library
    monkeypatch.setattr(callers, "LIBRARIES", ("nowhere",))
    assert callers.caller() == __name__.partition(".")[0]
    monkeypatch.setattr(callers, "OURS", "")
    assert callers.caller() == "code that cannot be seen"


def test_text_of_a_cassette_is_read_without_what_editors_add(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbf{}\nend\r\n \t\n")
    assert read_text(path) == "{}\nend"
    path.write_bytes("whole\nhalf ü".encode()[:-1])
    assert read_text(path, cut_off=True) == "whole\n"
    assert read_lines(path, cut_off=True) == ["whole"]
    with pytest.raises(InvalidFile, match=r"a:2: not UTF-8; restore the file"):
        read_text(path)
    path.write_bytes(b"half")
    assert read_lines(path, cut_off=True) == []
    path.write_bytes(b"")
    assert read_lines(path) == [""]
    with pytest.raises(InvalidFile, match="is a folder, expected a cassette"):
        read_text(tmp_path)
    with pytest.raises(InvalidFile, match="no such file"):
        read_text(tmp_path / "b")


def test_the_bounds_of_a_cassette(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    lines = ['{"m1":"abc"}', '{"t2":"de"}', '{"call":{"x":{"$":"m1 t2"}}}', '{"call":{"$": "m1"}}']
    path.write_text("\n".join(lines))
    used = 2 * len(lines[0]) + len(lines[1])
    monkeypatch.setattr(cassette_text, "MAX_EXPANDED", used)
    monkeypatch.setattr(cassette_text, "MAX_BYTES", path.stat().st_size)
    assert read_lines(path) == lines
    monkeypatch.setattr(cassette_text, "MAX_EXPANDED", used - 1)
    with pytest.raises(InvalidFile, match=r"a:4: the bodies add up to more than 512 MiB"):
        read_lines(path)
    monkeypatch.setattr(cassette_text, "MAX_BYTES", path.stat().st_size - 1)
    with pytest.raises(InvalidFile, match=r"a: larger than 0 MiB, the most for a cassette"):
        read_lines(path)


def test_a_broken_file_is_told_with_the_test_that_records_it_again(tmp_path: Path) -> None:
    def step(place: str, test: str = "") -> str:
        return next_step(tmp_path / place, test).partition(": ")[2]

    deep = tmp_path / "cassettes" / "tests"
    deep.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    for file in (tmp_path / "tests/test_a.py", deep / "test_a.py", tmp_path / "cassettes.py"):
        file.touch()
    again = "--todeval-record=rewrite"
    kept = "cassettes/tests/test_a/test_x.todeval.jsonl"
    assert step(kept) == f'pytest "{tmp_path}/tests/test_a.py" {again}'
    assert step(f"cassettes/{kept}") == f'pytest "{deep}/test_a.py" {again}'
    for place in ("cassettes/x.jsonl", "elsewhere/test_a/x.jsonl", "cassettes/tests/no/x.jsonl"):
        assert step(place) == f'pytest "TEST" {again}'
    assert step("x", "t" * 201) == f'pytest "{"t" * 200}" {again}'


def test_what_hangs_on_a_fault_is_dropped_and_what_judges_ask_is_not() -> None:
    failed, user = call("b", FAILED), call("u", lane=Lane.USER)
    judged = call("j", 500, lane=Lane.JUDGE)
    assert at_fault([call("a"), failed, call("c"), judged], None) == {1, 2, 3}
    assert at_fault([call("a"), judged, call("c")], None) == {1}
    assert at_fault([failed, call("b")], None) == set()
    assert at_fault([user, call("a"), call("v", lane=Lane.USER, turn=2)], Lane.USER) == {2}
    assert at_fault([user, call("a", turn=2)], Lane.USER) == {0, 1}


def test_a_request_put_otherwise_makes_up_for_one_that_failed() -> None:
    failed = call("b", 400)
    assert not left_unanswered([failed, call("c")])
    assert left_unanswered([failed])
    assert left_unanswered([call("c"), failed])
    assert left_unanswered([failed, call("c", turn=2)])
    assert left_unanswered([failed, call("c", lane=Lane.USER)])
    assert left_unanswered([failed, call("c", 500)])
    assert left_unanswered(
        [call(key, status, lane=Lane.JUDGE) for key, status in (("a", 400), ("b", 200))]
    )


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (FAILED, "POST /v1 in turn 2: ReadError: gone"),
        (429, "POST /v1 in turn 2: status 429"),
        (408, "POST /v1 in turn 2: status 408"),
        (500, "POST /v1 in turn 2: status 500"),
        (499, ""),
        (200, ""),
    ],
)
def test_what_the_last_call_of_a_lane_ended_in(outcome: Any, told: str) -> None:
    course = Course()
    assert course.unanswered(Lane.SYSTEM) == ""
    places = [course.start() for _ in range(3)]
    assert places == [0, 1, 2]
    course.add(1, call("b", outcome, turn=2))
    course.add(0, call("a", 500), of_cassette=True)
    course.add(2, call("u", lane=Lane.USER))
    assert course.unanswered(Lane.SYSTEM) == told
    assert [each.key for each in course.in_order()] == ["a", "b", "u"]
    assert [each.key for each in course.in_journal()] == ["b", "u"]


def test_only_what_no_cassette_holds_is_dropped() -> None:
    course = Course()
    course.add(0, call("a", 500), of_cassette=True)
    course.add(2, call("b"))
    course.add(5, call("c"))
    assert course.drop(None) is True
    assert ([each.key for each in course.in_order()], course.dropped) == (["a"], 2)
    assert course.drop(None) is False


def test_forked_processes_tell_their_parent_in_whole_messages() -> None:
    forks = Forks()
    assert forks.told() == []
    forks.tell("one")
    forks.tell("ü" * 3000)
    assert not forks.here
    assert forks.told() == ["one", "ü" * 2000]
    child = os.fork()
    if not child:
        forks.tell(f"from the child: {forks.here}")
        forks.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert forks.told() == ["from the child: True"]
    forks.close()
    forks.close()
    assert forks.told() == []
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(forks._read)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(forks._write)


def test_calls_are_taken_once_each_those_left_in_a_journal_first() -> None:
    old, left = [call("a", 201), call("b", 202), call("a", 203)], [call("a", 204)]
    shelf = Shelf(old, left)

    def take(key: str, **how: bool) -> tuple[int, bool] | None:
        found = shelf.take(key, **{"old": True, "left": True, **how})
        if found is None:
            return None
        assert isinstance(found.call.outcome, Response)
        return found.call.outcome.status, found.from_journal

    assert take("a", left=False) == (201, False)
    assert take("a") == (204, True)
    assert take("a", old=False) is None
    assert take("c") is None
    assert shelf.take_at(1) is old[1]
    assert take("b") is None
    assert shelf.unplayed() == [old[2]]
    assert shelf.played() == {0, 1}
    assert take("a") == (203, False)
    assert take("a") is None


@pytest.mark.parametrize(
    ("outcome", "failed"),
    [
        (FAILED, True),
        (Response(399, (), b""), False),
        (Response(400, (), b""), True),
        (Response(200, ((CUT, "ReadError: x"),), b""), True),
        (Response(200, ((CUT, STOPPED),), b""), False),
        (Response(200, JSON, b"{"), True),
        (Response(200, (("Content-Type", "application/json"),), b"{"), True),
        (Response(200, JSON, b"{}"), False),
        (Response(200, JSON, b"{", (b"{",)), False),
        (Response(200, (("content-type", "text/html"),), b"{"), False),
        (Response(200, (("x-kind", "application/json"),), b"{"), False),
    ],
)
def test_what_counts_as_failed(outcome: Response | RaisedError, failed: bool) -> None:
    assert has_failed(call("a", outcome)) is failed


def test_a_failure_is_got_over_once_an_equal_request_was_answered() -> None:
    calls = [call("a", 500), call("b", 500), call("a", 200), call("a", 500), call("c")]
    assert got_over(calls) == (calls[0], calls[2], calls[4])


@pytest.mark.parametrize(
    ("outcome", "waits"),
    [
        (408, False),
        (409, False),
        (425, False),
        (429, False),
        (500, False),
        (499, True),
        (404, True),
    ],
)
def test_who_tries_again_in_replay_does_so_at_once(outcome: int, waits: bool) -> None:
    headers = (("retry-after", "9"), ("retry-after-ms", "9"), ("x", "y"))
    found = without_waiting(Response(outcome, headers, b"a", (b"a",)))
    at_once = (("x", "y"), ("retry-after-ms", "1"))
    assert found == Response(outcome, headers if waits else at_once, b"a", (b"a",))
    assert without_waiting(FAILED) is FAILED


def test_a_response_is_kept_without_what_its_transport_added() -> None:
    headers = [("Content-Length", "3"), ("Transfer-Encoding", "x"), ("X-A", "b")]
    assert response_of(200, headers, b"abc") == Response(200, (("x-a", "b"),), b"abc")
    cut = response_of(200, [], b"abc", cut=ValueError("x"))
    assert cut.headers == ((CUT, "ValueError: x"),)
    assert response_of(200, [], b"abc", cut=STOPPED).headers == ((CUT, STOPPED),)
    kind = ("Content-Type", "Text/Event-Stream; charset=utf-8")
    assert response_of(200, [kind], b"data: 1\n\n").events == (b"data: 1\n\n",)
    assert response_of(200, [("x-type", kind[1])], b"data: 1\n\n").events is None
    gzipped = ("content-encoding", "gzip")
    assert response_of(200, [gzipped], b"plain", encoded=False).body == b"plain"
    assert response_of(200, [gzipped], b"plain").body == b""


def test_spans_that_overlap_are_one_and_those_that_touch_are_two() -> None:
    assert merged([(4, 6), (0, 2), (1, 3), (3, 4), (5, 5)]) == [(0, 3), (3, 4), (4, 6)]
    assert without("a secret, b", [(2, 8)], tokens=False) == f"a {PLACEHOLDER}, b"
    token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.abc"
    assert without(token, [(0, len(token))], tokens=False) == PLACEHOLDER
    assert without(token, [(0, len(token))], tokens=True).count(".") == 2
    assert without("eyJhbGciOiJub25lIn0.x", [(0, 21)], tokens=True) == PLACEHOLDER


def test_a_value_is_found_however_it_is_escaped() -> None:
    text = r'["ü", "\u00fc", "x", "ü"]'
    found = [text[start:end] for start, end in spans_of_value(text, "ü")]
    assert sorted(found) == ["\\u00fc", "ü", "ü"]
    assert list(spans_of_value('"ab" "ab"', "ab")) == [(1, 3), (6, 8)]
    assert list(spans_of_value('"b"', "ab")) == []
    assert json_text(' {"a": 1}') == {"a": 1}
    assert json_text("[1]") == [1]
    assert json_text('"a"') is json_text("") is json_text("{a")


def test_the_call_in_whose_place_a_request_is_made() -> None:
    def place(turn: int, calls: Sequence[Call], played: frozenset[int] = frozenset()) -> int | None:
        return in_its_place(call("x").request, turn, calls, played, EXACT)

    calls = [call("a", turn=1), call("b", turn=2), call("c", turn=2, path="/other")]
    assert place(1, calls) == 0
    assert place(2, calls) == 1
    assert place(2, calls, frozenset({1})) == 0
    assert place(3, calls[2:]) is None
    assert place(1, [call("a", lane=Lane.USER)]) is None


def test_proposals_stand_beside_their_cassettes(tmp_path: Path) -> None:
    one, two = tmp_path / "a.todeval.jsonl", tmp_path / "b.todeval.jsonl"
    for path in (one, proposal_path(one), two):
        path.touch()
    assert proposal_path(one).name == ".a.todeval.jsonl.accept"
    assert proposals(tmp_path) == proposals(one) == [(one, proposal_path(one))]
    assert proposals(two) == []


def test_threads_act_for_the_dialogue_that_starts_them() -> None:
    """As long as one is open: the router is idle else."""
    from pytest_todeval.recording import threads

    real = threading.Thread.start, ThreadPoolExecutor.submit
    router: Any = SimpleNamespace(idle=False)
    seen: list[Place | None] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", real[0])
        patch.setattr(ThreadPoolExecutor, "submit", real[1])
        threads.install(router)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(int).result()  # its thread is nobody's
            for router.idle in (False, True):
                with in_lane("d", Lane.SYSTEM, 1):
                    thread = threading.Thread(target=lambda: seen.append(here()))
                    thread.start()
                    thread.join()
                    seen.append(pool.submit(here).result())
    assert seen[:2] == [Place("d", Lane.SYSTEM, 1)] * 2


def test_a_call_is_looked_for_in_the_cassettes_of_other_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(name: str, *calls: Call, goal: str = "g") -> Path:
        path = tmp_path / f"{name}.todeval.jsonl"
        write_cassette(path, Header(name, "2026-01-01T00:00:00+00:00", 0, goal=goal), calls)
        return path

    def find(request: Request, goal: str = "g") -> Elsewhere | None:
        return elsewhere(request, call_key(request), folder=tmp_path, own=own, goal=goal)

    model, tool = chat("Hello.").request, ask({"a": 1}, path="/tool")
    answers = [
        Call(call_key(each), each, Response(200, (), b"{}"), 1, "d") for each in (model, tool)
    ]
    own = keep("a", *answers)
    assert find(tool) is None
    other = keep("b", *answers, goal="other")
    assert find(tool) == Elsewhere(other, "b", same_goal=False)
    assert find(tool, goal="") == Elsewhere(other, "b", same_goal=False)
    assert find(model) is None
    same = keep("c", *answers)
    assert find(model) == Elsewhere(same, "c", same_goal=True)
    assert find(model, goal="") is None
    assert find(ask({"a": 2}, path="/tool")) is None
    other.write_bytes(other.read_bytes() + b"no cassette any more")
    assert find(tool) == Elsewhere(same, "c", same_goal=True)
    other.write_text("[]\n")
    assert find(model) == Elsewhere(same, "c", same_goal=True)
    keep("b", goal="g")
    monkeypatch.setattr(where, "MOST_READ", 1)
    assert find(model) == Elsewhere(same, "c", same_goal=True), "b has nothing to that address"
    keep("b", Call("k", model, Response(200, (), b"{}"), 1, "d"))
    moved = ask({"messages": []}, path=model.path)
    keep("b", Call(call_key(moved), moved, Response(200, (), b"{}"), 1, "d"))
    assert find(model) is None, "b was the one cassette that is read"
    monkeypatch.setattr(where, "MOST_FILES", 2)
    assert find(tool) is None


def test_a_difference_is_shown_with_six_words_on_each_side() -> None:
    def words(first: int, last: int) -> str:
        return " ".join(f"w{n}" for n in range(first, last + 1))

    six, seven = words(1, 6), words(1, 7)
    assert word_difference(f"{six} a {six}", f"{six} b {six}") == f"{six} [-a-]{{+b+}} {six}"
    assert word_difference(f"{seven} a {seven}", f"{seven} b {seven}") == (
        f"... {words(2, 7)} [-a-]{{+b+}} {six} ..."
    )
    assert word_difference("a", "") == "[-a-]"
    assert word_difference("", " ") == "{+ +}"
    between = f"a {words(1, 12)} c", f"b {words(1, 12)} d"
    assert word_difference(*between) == f"[-a-]{{+b+}} {words(1, 12)} [-c-]{{+d+}}"
    between = f"a {words(1, 13)} c", f"b {words(1, 13)} d"
    assert word_difference(*between) == (f"[-a-]{{+b+}} {six} ... {words(8, 13)} [-c-]{{+d+}}")


def test_texts_that_differ_in_many_words_are_shown_one_after_the_other() -> None:
    def words(letter: str) -> str:
        return " ".join((same if n == 999 else f"{letter}{n}") for n in range(2000))

    same = "same"
    old, new = words("a"), words("b")
    assert word_difference(old, new).count("{+") == 2
    assert word_difference(f"{old} a", new) == f"[-{old} a-]{{+{new}+}}"


def test_what_a_shell_would_obey_is_quoted() -> None:
    assert in_shell('a"b$c`d\\') == '"a\\"b\\$c\\`d\\\\"'


def test_what_will_differ_in_the_next_run() -> None:
    day, uuid = date(2026, 3, 9), "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"

    def parts(text: str, *known: str, masks: Matching = EXACT) -> list[str]:
        return unstable_parts(text.encode(), day, known, masks)

    forms = ["2026-03-09", "09/03/2026", "03/09/2026", "09.03.2026", "March 9, 2026"]
    forms += ["9 March 2026", "Mar 9, 2026", "9 Mar 2026"]
    assert parts(" ".join(forms)) == forms
    assert parts("2026-03-08, 9 April 2026") == []
    assert parts(f"{uuid} {uuid} {uuid.upper()}") == [uuid, uuid.upper()]
    assert parts(uuid, "x", f"id {uuid}") == []
    assert parts(f"{uuid} 2026-03-09", masks=matching_from([uuid], [])) == ["2026-03-09"]
    assert parts(uuid, masks=matching_from([], ["id: uuid"])) == []


def test_pauses_of_clients_are_left_out_in_replay_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Retry:
        def sleep(self, seconds: float) -> str:
            return f"slept {seconds}"

    named = "late_client"
    pauses = ((named, "Retry", "sleep", "soon"), (named + ".none", "Retry", "sleep", None))
    monkeypatch.setattr(retries, "PAUSES", pauses)
    replaying = [True]
    pause = retries.NoPauses(lambda: replaying[0])
    pause.install()
    module: Any = SimpleNamespace()
    monkeypatch.setitem(sys.modules, named, module)
    pause.install()  # its import is under way
    assert Retry().sleep(1) == "slept 1"
    module.Retry = Retry
    pause.install()
    replaced = Retry.sleep
    pause.install()
    assert Retry.sleep is replaced
    assert Retry().sleep(1) == "soon"
    replaying[0] = False
    assert Retry().sleep(2) == "slept 2"
    without: Any = SimpleNamespace(Retry=type("Retry", (), {}))
    monkeypatch.setitem(sys.modules, named + ".none", without)
    pause.install()
    assert not hasattr(without.Retry, "sleep")


def test_which_calls_of_a_dialogue_are_the_processes() -> None:
    class Process:
        """The cassette of a process, which has an answer to one path."""

        rules = process_rules_from(["/token"], [])

        def __init__(self) -> None:
            self.kept: list[Any] = []

        def __contains__(self, request: Request) -> bool:
            return request.path == "/held"

        def take(self, request: Request, mode: object) -> Response | None:
            return Response(200, (), b"") if request in self else None

        def keep(self, request: Request, outcome: object) -> None:
            self.kept.append(outcome)

    def get(path: str, lane: Lane = Lane.SYSTEM) -> Request:
        return Request(lane, "GET", path, "", "", b"")

    process: Any = Process()
    sharing, alone = Sharing(process), Sharing(None)
    assert sharing.begins(get("/hours"), "h") is Shared.ALSO
    assert sharing.begins(get("/token"), "h") is Shared.WHOLE
    assert sharing.begins(ask({}, path="/chat"), "h") is Shared.NOT
    assert sharing.begins(get("/hours"), "h") is Shared.NOT
    assert sharing.begins(get("/hours", Lane.USER), "h") is Shared.ALSO
    assert alone.begins(get("/token"), "h") is Shared.NOT
    assert [each.holds(get("/held")) for each in (sharing, alone)] == [True, False]
    assert not sharing.holds(get("/x"))
    assert sharing.take(get("/held"), Mode.REPLAY) == Response(200, (), b"")
    assert alone.take(get("/held"), Mode.REPLAY) is None
    for each in (sharing, alone):
        each.keep(get("/held"), FAILED)
    assert process.kept == [FAILED]
    assert (Shared.NOT, Shared.ALSO, Shared.WHOLE) == (0, 1, 2)
