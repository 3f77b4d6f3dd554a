"""A suite that records with vcrpy, by the layouts of its pytest plugins, moves by one command."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import apart
from tests.support.recording_server import Server, serving

CONFTEST = """
import pytest


@pytest.fixture(scope="module")
def vcr_config():
    return {"filter_headers": ["authorization"], "match_on": ["method", "path"],
            "filter_query_parameters": ["guest"], "before_record_response": print}
"""
TESTS = """
import os
import httpx
import pytest
import vcr

URL = os.environ["API_URL"]


def ask(path, **body):
    answer = httpx.post(URL + path, json=body) if body else httpx.get(URL + path)
    return answer.json()["choices"][0]["message"]["content"]


@pytest.mark.vcr
def test_plain():
    assert ask("/one?page=1") == "answer 1 to "


@pytest.mark.vcr
class TestInClass:
    @pytest.mark.parametrize("city", ["Bergen/Nord", "Oslo"])
    def test_of_city(self, city):
        assert ask("/weather", messages=[{"content": city}]).endswith(city)


@pytest.mark.default_cassette("shared.yaml")
@pytest.mark.vcr("more.yaml")
def test_named():
    assert ask("/named") and ask("/more")


@vcr.use_cassette("tapes/used.yaml")
def test_used():
    assert ask("/used")


def test_without():
    assert URL
"""
RECORDED = "tests/cassettes/test_api"
PLAYED: tuple[tuple[str, str, list[object]], ...] = (
    ("test_plain", "tests/cassettes/test_api/test_plain.yaml", ["/one?page=1"]),
    (
        "TestInClass",
        f"{RECORDED}/TestInClass.test_of_city[Bergen-Nord].yaml",
        [["Bergen/Nord"]],
    ),
    (
        "TestInClass",
        "tests/cassettes/TestInClass.test_of_city[Oslo].yaml",
        [["Oslo"]],
    ),  # pytest-vcr
    ("test_named", "tests/cassettes/test_api/shared.yaml", ["/named"]),
    ("test_named", "tests/cassettes/test_api/more.yaml", ["/more"]),
    ("test_used", "tapes/used.yaml", ["/used"]),
    ("gone", "tests/cassettes/test_api/test_gone.yaml", ["/gone"]),
)
RECORDER = """
import json, sys
import httpx, vcr
url, rows = sys.argv[1], json.loads(sys.argv[2])
for path, asked in rows:
    with vcr.use_cassette(path):
        for each in asked:
            if isinstance(each, str):
                httpx.get(url + each)
            else:
                httpx.post(url + "/weather", json={"messages": [{"content": each[0]}]})
"""


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as server:
        monkeypatch.setenv("API_URL", server.url)
        yield server


def recorded_by_vcrpy(pytester: pytest.Pytester, api: Server) -> Path:
    rows = json.dumps([(path, asked) for _, path, asked in PLAYED])
    script = pytester.makepyfile(recorder=RECORDER)
    assert pytester.run(sys.executable, script, api.url, rows).ret == 0
    script.unlink()
    folder = pytester.path / "tests"
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_api.py").write_text(TESTS)
    pytester.makeini("[pytest]\nmarkers = vcr\n default_cassette\n")
    return folder


def converted(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> list[str]:
    listing = pytester.runpytest_inprocess("--collect-only", "-q")
    (pytester.path / "tests.txt").write_text("\n".join(listing.outlines))
    capsys.readouterr()
    assert main(["cassettes", "convert", "--tests", "tests.txt", *arguments]) == status
    out, err = capsys.readouterr()
    return (out + err).splitlines()


def test_a_suite_moves_and_plays_offline(
    pytester: pytest.Pytester, api: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded_by_vcrpy(pytester, api)
    lines = converted(pytester, capsys)
    told = "\n".join(lines)
    for name, path, _ in PLAYED[:-1]:
        assert any(name in line and path in line for line in lines), path
    assert "tests/cassettes/test_api/test_gone.yaml: no test of the list plays it" in told
    assert "5 tests have a cassette, of 7 YAML files" in told
    for file, text, name, advice in (
        ("test_api.py", TESTS, "vcr", "@pytest.mark.todeval_cassette"),
        ("test_api.py", TESTS, "default_cassette", "each test has its own"),
        ("test_api.py", TESTS, "use_cassette", "@pytest.mark.todeval_cassette"),
        ("conftest.py", CONFTEST, "filter_headers", "no header of a request is kept"),
        ("conftest.py", CONFTEST, "match_on", "todeval_match"),
        ("conftest.py", CONFTEST, "filter_query_parameters", "todeval_redact = query: NAME"),
        ("conftest.py", CONFTEST, "before_record_response", "todeval_redact"),
    ):
        marks = (f"mark.{name}", f".{name}(", f'"{name}"')
        row = next(n for n, t in enumerate(text.split("\n"), 1) if any(m in t for m in marks))
        place = f"tests/{file}:{row}: `{name}`"
        assert any(place in line and advice in line for line in lines), (place, lines)
    assert "headers of answers" not in told

    moved = TESTS.replace("@pytest.mark.default_cassette", "# ").replace("import vcr\n", "")
    moved = moved.replace("@pytest.mark.vcr", "@pytest.mark.todeval_cassette")
    moved = moved.replace('("more.yaml")', "").replace("@vcr.use_cassette", MARK + "  # ")
    (folder / "test_api.py").write_text(moved)
    hits = api.hits
    apart(pytester).assert_outcomes(passed=6)
    assert api.hits == hits


MARK = "@pytest.mark.todeval_cassette"


def test_what_is_there_is_left_alone(
    pytester: pytest.Pytester, api: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded_by_vcrpy(pytester, api)
    converted(pytester, capsys)
    before = {path: path.read_bytes() for path in pytester.path.rglob("*.todeval.jsonl")}
    assert sum("already exists" in line for line in converted(pytester, capsys)) == 5
    assert before == {path: path.read_bytes() for path in pytester.path.rglob("*.todeval.jsonl")}


ONE = """interactions:
- request:
    body: '{"password": "zebra-7Quartz99"}'
    headers: {content-type: [application/json]}
    method: POST
    uri: https://one.example.com/login
  response:
    body: {string: '{"access_token": "ab12cd34ef56gh78ij90", "session": "ok"}'}
    headers: {content-type: [application/json], x-total: ['3']}
    status: {code: 200, message: OK}
- request:
    body: '{"password": "zebra-7Quartz99"}'
    headers: {content-type: [application/json]}
    method: POST
    uri: https://two.example.com/login
  response:
    body: {string: '{}'}
    headers: {content-type: [application/json]}
    status: {code: 200, message: OK}
version: 1
"""


def test_what_differs_is_named_and_secrets_stay_out(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    pytester.makepyfile(test_one="def test_login(): pass\ndef test_broken(): pass")
    folder = pytester.path / "cassettes" / "test_one"
    folder.mkdir(parents=True)
    (folder / "test_login.yaml").write_text(ONE)
    (folder / "test_broken.yaml").write_text("interactions:\n- request: 3\n")
    lines = converted(pytester, capsys, status=2)
    told = "\n".join(lines)
    assert "redacted in answers: access_token" in told
    assert "one.example.com, two.example.com" in told
    assert "x-total" in told
    assert "test_broken.yaml: interaction 1: no mapping `request`" in told
    assert "1 YAML file was not converted" in told
    (cassette,) = pytester.path.rglob("*.todeval.jsonl")
    assert b"7Quartz99" not in cassette.read_bytes()
    assert b"ab12cd34" not in cassette.read_bytes()
