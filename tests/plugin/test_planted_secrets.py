"""Planted secrets reach no file, wherever they travel; innocent texts are the same when replayed.

What is planted stands in tests/support/planted.yaml; secrets are drawn when the tests run.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml

from tests.conftest import PROJECT
from tests.plugin.conftest import apart
from tests.support.secret_bots import SHAPES, drawn, traces

pytestmark = pytest.mark.thorough  # three runs of some hundred calls

TABLE = yaml.safe_load((PROJECT / "tests/support/planted.yaml").read_text(encoding="utf-8"))
NAMES = list(chain(*TABLE["names"]))

SUITE = """
import json
import os
import urllib.request

import pytest
from pytest_todeval import Reply, ScriptedUser, ToolCall

URL = os.environ["SERVICE"]
ROWS = json.loads(open(os.environ["ROWS"]).read())


def ask(number, row):
    url, body, headers = f"{URL}/{number}", None, {}
    if row["channel"] == "query":
        url += "?" + row["text"]
    elif row["channel"] == "header":
        headers[row["name"]] = row["text"]
    elif row["channel"] in ("form", "body"):
        body = row["text"].encode()
        headers["content-type"] = row.get("kind", "application/x-www-form-urlencoded")
    request = urllib.request.Request(url, body, headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def respond(text):
    made = []
    for number, row in enumerate(ROWS):
        answer = ask(number, row)
        print(answer)
        made.append(ToolCall("look_up", {"row": number, "text": answer}, {"text": answer}))
    if os.environ.get("BREAKS"):
        urllib.request.urlopen("http://127.0.0.1:9/")
    said = " ".join(call.result["text"] for call in made)
    return Reply(f"Found: {said}", tuple(made))


@pytest.fixture
def tod_system():
    return respond


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["What is there?"])


@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(unserved="allowed", turn_timeout=120)
def test_it(dialogue):
    with open("told.jsonl", "a") as file:
        told = [call.result["text"] for call in dialogue.turns[0].tool_calls]
        file.write(json.dumps([told, dialogue.turns[0].system]) + "\\n")
    assert not os.environ.get("FAILS"), dialogue.turns
"""


def planted() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each secret with the row that has it."""
    for row, (name, shape) in product(TABLE["shapes_in"], SHAPES.items()):
        yield from _filled(row, shape(f"{name}{row['channel']}"))
    for row, name in product(TABLE["named_in"], NAMES):
        yield from _filled(row, drawn(f"{name}{row}", 20), name)
    for row in TABLE["others"]:
        yield from _filled(row, drawn(f"{row}", 20))


def _filled(row: Mapping[str, Any], secret: str, name: str = "") -> Iterator[tuple[str, Any]]:
    quoted = quote(secret) if row["channel"] in ("query", "form") else secret
    yield secret, {**row, "text": row["text"].replace("NAME", name).replace("SECRET", quoted)}


def innocent() -> list[dict[str, Any]]:
    texts = [
        json.dumps({"note": text}, separators=(",", ":"), ensure_ascii=False)
        for text in TABLE["innocent_texts"]
    ]
    pairs = product(chain(*TABLE["innocent_names"]), TABLE["innocent_values"])
    texts += [
        json.dumps({name: value}, separators=(",", ":"), ensure_ascii=False)
        for name, value in pairs
    ]
    return [{"channel": "answer", "kind": "application/json", "text": text} for text in texts]


class Rows(BaseHTTPRequestHandler):
    """Answers the request for a row with its text, if it is one of answers."""

    rows: list[dict[str, Any]]

    def do_GET(self) -> None:
        row = self.rows[int(self.path.partition("?")[0].removeprefix("/"))]
        own = row["channel"] == "answer"
        body = row["text"].encode() if own else b'{"found":0}'
        self.send_response(200)
        self.send_header("content-type", row["kind"] if own else "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def suite(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Any]:
    def write(rows: list[dict[str, Any]]) -> pytest.Pytester:
        Rows.rows = rows
        place = tmp_path_factory.mktemp("rows") / "rows.json"
        place.write_text(json.dumps(rows))
        monkeypatch.setenv("ROWS", str(place))
        pytester.makepyfile(test_bot=SUITE)
        return pytester

    with ThreadingHTTPServer(("127.0.0.1", 0), Rows) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setenv("SERVICE", f"http://127.0.0.1:{server.server_address[1]}")
        yield write
        server.shutdown()


def leaks(folder: Path, secrets: Mapping[str, dict[str, Any]]) -> list[str]:
    """Each secret that stands in a file below, with the file and how it was planted."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    contents = {path: path.read_bytes() for path in files}
    return [
        f"{path.name}: {row['channel']} {row['text'].replace(secret, 'SECRET')[:80]}"
        for secret, row in secrets.items()
        for path, content in contents.items()
        if any(trace in content for trace in traces(secret))
    ]


REPORTS = (
    *("--todeval-json=r.json", "--todeval-report=r.html", "--junitxml=junit.xml"),
    *("-o", "junit_logging=all", "-rA", "-vv"),
)


def test_no_planted_secret_reaches_a_file_or_the_terminal(
    suite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = dict(planted())
    assert len(secrets) >= 120
    pytester = suite(list(secrets.values()))
    monkeypatch.setenv("FAILS", "1")
    apart(pytester, "--todeval-record=rewrite", *REPORTS).assert_outcomes(failed=1)
    assert list(pytester.path.rglob("test_it*.todeval.jsonl"))
    assert (pytester.path / "stdout").stat().st_size > 1000  # the terminal is a file here
    assert leaks(pytester.path, secrets) == []

    apart(pytester, *REPORTS).assert_outcomes(failed=1)
    assert leaks(pytester.path, secrets) == []

    monkeypatch.setenv("BREAKS", "1")
    apart(pytester, "--todeval-record=rewrite", *REPORTS)
    (journal,) = pytester.path.rglob(".*.journal")
    assert journal.stat().st_size > 1000
    assert leaks(pytester.path, secrets) == []


def test_innocent_texts_are_the_same_live_and_replayed(suite: Any) -> None:
    rows = innocent()
    assert len(rows) >= 200
    pytester = suite(rows)
    apart(pytester, "--todeval-record=rewrite").assert_outcomes(passed=1)
    apart(pytester).assert_outcomes(passed=1)
    told = (pytester.path / "told.jsonl").read_text(encoding="utf-8").splitlines()
    (live, live_said), (replayed, replayed_said) = map(json.loads, told)
    differ = [(one, other) for one, other in zip(live, replayed, strict=True) if one != other]
    assert differ == []
    assert live_said == replayed_said
    given = [json.loads(row["text"]) for row in rows]
    changed = [text for text, row in zip(live, given, strict=True) if json.loads(text) != row]
    assert changed == []
