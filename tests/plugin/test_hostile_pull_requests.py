"""A pull request that may change data alone: no key, no file and no call leaves for its sake.

The server that would get them listens on this machine; it has to hear nothing.
"""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_todeval import trust
from tests.conftest import Todeval
from tests.plugin.conftest import RULE_SYSTEM, asking

SECRETS = {
    "GITHUB_TOKEN": "ghs-planted-secret-1",
    "AWS_SECRET_ACCESS_KEY": "aws-planted-secret-2",
    "OPENAI_API_KEY": "sk-planted-secret-3",
}
TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 1
"""
MODELS = "judge: {{model: m, base_url: {sink}{key}}}\n"
RECORD = "--todeval-record=live"


class Sink(ThreadingHTTPServer):
    """Keeps what it is sent."""

    daemon_threads = True

    def __init__(self) -> None:
        self.heard: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Sink

    def _keep(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        self.server.heard.append(f"{self.path} {self.headers} {body}")
        self.send_response(404)
        self.end_headers()

    do_GET = do_POST = _keep

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    for name in ("CI", trust.VARIABLE, "OPENAI_BASE_URL", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(RULE_SYSTEM)
    pytester.makepyfile(test_it=TEST)
    (pytester.path / ".git").mkdir()
    return pytester


def play(suite: pytest.Pytester, ini: str, *options: str) -> pytest.RunResult:
    """Run it with this ini file."""
    suite.makeini(f"[pytest]\n{ini}")
    return asking(suite, *options)


def told(result: pytest.RunResult) -> str:
    text = f"{result.stdout}\n{result.stderr}"
    assert not any(secret in text for secret in SECRETS.values())
    return text


@pytest.mark.parametrize("key", ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY"])
@pytest.mark.parametrize("ci", [False, True])
def test_a_models_file_sends_no_key_to_a_host_of_its_own(
    suite: pytest.Pytester, sink: Sink, key: str, ci: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ci:
        monkeypatch.setenv("CI", "true")
    Path("models.yaml").write_text(MODELS.format(sink=sink.url, key=f", key: {key}"))
    text = told(play(suite, "todeval_models = models.yaml\n", RECORD))
    assert f"export TODEVAL_TRUSTED_HOSTS={key}@{sink.place}" in text
    assert sink.heard == []


def test_a_command_sends_no_key_for_a_file_either(
    sink: Sink, todeval: Todeval, tmp_path: Path
) -> None:
    file = tmp_path / "m2.yaml"
    file.write_text(MODELS.format(sink=sink.url, key=", key: AWS_SECRET_ACCESS_KEY"))
    printed = todeval("models", "check", "--models", file, code=2)
    assert f"TODEVAL_TRUSTED_HOSTS=AWS_SECRET_ACCESS_KEY@{sink.place}" in printed.err
    assert sink.heard == []


def test_a_key_that_the_file_does_not_name_stays_here_and_the_header_says_so(
    suite: pytest.Pytester, sink: Sink
) -> None:
    ini = f"todeval_model = judge:m\ntodeval_base_url = judge:{sink.url}\n"
    result = play(suite, ini, RECORD)
    line = f"TODEVAL_TRUSTED_HOSTS=OPENAI_API_KEY@{sink.place}"
    assert f"without a key: a file names the address; {line}" in told(result)
    assert sink.heard  # on a developer's machine it may be asked, as the header says
    assert not any(secret in heard for heard in sink.heard for secret in SECRETS.values())


@pytest.mark.parametrize(
    ("ini", "options", "expected"),
    [
        (
            "todeval_model = judge:m\ntodeval_base_url = judge:{url}\n",
            (RECORD,),
            "set in the job's environment: TODEVAL_TRUSTED_HOSTS={place}",
        ),
        (
            "todeval_models = models.yaml\n",
            (RECORD,),
            "set in the job's environment: TODEVAL_TRUSTED_HOSTS={place}",
        ),
        ("todeval_record = live\n", (), "say it on the command line: --todeval-record=live"),
        ("addopts = --todeval-record=live\n", (), "say it on the command line"),
        ("todeval_policy = /etc/passwd\n", (), "--todeval-policy=/etc/passwd"),
        ("addopts = --todeval-policy=/etc/passwd\n", (), "--todeval-policy=/etc/passwd"),
        ("todeval_policy = linked.txt\n", (), "lies outside the project"),
        ("todeval_json = ../../results.json\n", (), "lies outside the project"),
        ("todeval_cassettes = /tmp/cassettes\n", (), "lies outside the project"),
        ("todeval_allow = evil.example:443\n", (), "TODEVAL_TRUSTED_HOSTS=evil.example:443"),
    ],
)
def test_in_ci_a_file_alone_calls_nobody_and_reads_nothing_outside(
    suite: pytest.Pytester,
    sink: Sink,
    monkeypatch: pytest.MonkeyPatch,
    ini: str,
    options: tuple[str, ...],
    expected: str,
) -> None:
    monkeypatch.setenv("CI", "true")
    Path("models.yaml").write_text(MODELS.format(sink=sink.url, key=""))
    Path("linked.txt").symlink_to("/etc/passwd")
    text = told(play(suite, ini.format(url=sink.url, place=sink.place), *options))
    assert expected.format(place=sink.place) in text
    assert "root:" not in text
    assert sink.heard == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("goals.yaml", "database: ../outside\ngoals: [{id: a, message: m, solution: s}]\n"),
        ("goals.yaml", None),
        ("rules.yaml", "includes: [../outside/rules.yaml]\nrules: []\n"),
        ("rules.yaml", "includes: [linked.yaml]\nrules: []\n"),
        ("rules.yaml", None),
    ],
)
def test_in_ci_files_lead_to_nothing_outside_either(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, name: str, text: str | None
) -> None:
    """By a path in a goal or rule file, or by a link in its place."""
    outside = suite.path.parent / "outside"
    (outside / "db").mkdir(parents=True, exist_ok=True)
    (outside / "rules.yaml").write_text("rules: [{id: a, planted-outside: 1}]")
    (outside / "db" / "hotel_db.json").write_text('["planted-outside"]')
    Path("linked.yaml").symlink_to(outside / "rules.yaml")
    Path(name).symlink_to(outside / "rules.yaml") if text is None else Path(name).write_text(text)
    use = 'goals("goals.yaml")' if name == "goals.yaml" else 'goals("demo", limit=1)'
    rules = "" if name == "goals.yaml" else ', "rules.yaml"'
    suite.makepyfile(
        test_it="import pytest\n"
        f"@pytest.mark.{use}\ndef test_it(dialogue, judge): judge.rules(dialogue{rules})"
    )
    assert " the project, w" not in told(play(suite, ""))
    monkeypatch.setenv("CI", "true")
    text = told(play(suite, ""))
    assert "outside the project, w" in text or "leads out of the project, which CI" in text
    assert "planted-outside" not in text


def test_what_models_are_told_is_of_the_project_on_a_developers_machine_too(
    suite: pytest.Pytester, sink: Sink
) -> None:
    ini = f"todeval_policy = /etc/passwd\ntodeval_model = m\ntodeval_base_url = {sink.url}\n"
    text = told(play(suite, f"{ini}todeval_record = live\n"))
    assert "/etc/passwd lies outside the project" in text
    assert sink.heard == []


def test_what_the_person_says_is_done(
    suite: pytest.Pytester, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    Path("models.yaml").write_text(MODELS.format(sink=sink.url, key=", key: GITHUB_TOKEN"))
    monkeypatch.setenv(trust.VARIABLE, f"GITHUB_TOKEN@{sink.place}")
    play(suite, "todeval_models = models.yaml\n", RECORD)
    assert SECRETS["GITHUB_TOKEN"] in sink.heard[0]
    sink.heard.clear()
    play(suite, "", RECORD, "--todeval-model=judge:m", f"--todeval-base-url={sink.url}")
    assert SECRETS["OPENAI_API_KEY"] in sink.heard[0]


def test_the_header_names_hosts_and_variables_before_anything_is_asked(
    suite: pytest.Pytester, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(trust.VARIABLE, f"GITHUB_TOKEN@{sink.place}")
    Path("models.yaml").write_text(MODELS.format(sink=sink.url, key=", key: GITHUB_TOKEN"))
    ini = f"todeval_models = models.yaml\ntodeval_gateway =\n  openai = {sink.url}\n"
    for options in (("--collect-only", RECORD), (RECORD, "-p", "xdist", "-n1")):
        text = told(play(suite, ini, *options))
        head = text.partition("collected" if "--collect-only" in options else "created: ")[0]
        assert f"judge: model m at {sink.url} (models file), key from GITHUB_TOKEN" in head
        origin = f"http://{sink.place}"
        assert f"gateway: openai at {origin} (todeval_gateway), key from the bot" in head
    assert "GITHUB_TOKEN" not in told(play(suite, ini, "--collect-only"))


def test_replay_asks_for_nothing(
    suite: pytest.Pytester, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project that records with a key of its own replays anywhere without a word of this."""
    monkeypatch.setenv("CI", "true")
    Path("models.yaml").write_text(MODELS.format(sink=sink.url, key=", key: GITHUB_TOKEN"))
    text = told(play(suite, "todeval_models = models.yaml\n"))
    assert "TRUSTED_HOSTS" not in text
    assert sink.heard == []
