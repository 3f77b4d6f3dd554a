"""A stranger's pull request that changes data alone, played by the jobs of `examples/ci`.

Secrets are planted in the environment of each step. What listens on this machine in the place of a
stranger's server has to hear nothing, and no job may print or keep a secret, or obey a text.
"""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_todeval import trust
from tests.conftest import PROJECT
from tests.plugin.test_hostile_pull_requests import SECRETS, Sink
from tests.support.hostile_texts import hostile_texts, raw
from tests.support.workflows import GitHubRun, git

pytestmark = pytest.mark.thorough

WORKFLOW = PROJECT / "examples" / "ci" / ".github" / "workflows" / "dialogues.yml"
CONFTEST = """
import json, os, urllib.request
import pytest

BOT = os.environ.get("BOT", "http://bot.example")

def respond(text):
    body = json.dumps({"text": text}).encode()
    with urllib.request.urlopen(BOT + "/chat", body, timeout=5) as answer:
        return json.load(answer)["said"]

@pytest.fixture
def tod_system():
    return respond
"""
TEST = """
import pytest

@pytest.mark.goals("goals.yaml")
def test_it(dialogue, judge):
    assert judge.rules(dialogue, "rules.yaml")
    assert judge.turns(dialogue).policy_compliance >= 4
"""
GOALS = "goals:\n- {id: a, message: %s, domains: {hotel: {inform: {area: north}}}}\n"
RULES = "rules:\n- {id: a, says: %s, never: {pattern: %s}}\n"
FILES: dict[str, dict[str, str]] = {
    "a models file with a key": {
        "pytest.ini": "[pytest]\ntodeval_models = models.yaml\n",
        "models.yaml": "judge: {model: m, base_url: {sink}, key: GITHUB_TOKEN}\n",
    },
    "a models file without": {
        "pytest.ini": "[pytest]\ntodeval_models = models.yaml\ntodeval_record = rewrite\n",
        "models.yaml": "judge: {model: m, base_url: {sink}}\n",
    },
    "an address for the key that is usual": {
        "pytest.ini": "[pytest]\ntodeval_model = m\ntodeval_base_url = {sink}\n",
    },
    "a policy that is a file of the machine": {
        "pytest.ini": "[pytest]\ntodeval_policy = /etc/passwd\ntodeval_model = m\n"
        "todeval_base_url = {sink}\n",
    },
    "prompts that are links": {
        "pytest.ini": "[pytest]\ntodeval_prompts = prompts\ntodeval_model = m\n"
        "todeval_base_url = {sink}\n",
    },
    "a gateway": {"pytest.ini": "[pytest]\ntodeval_gateway = openai = {sink}\n"},
    "an address that is allowed": {"pytest.ini": "[pytest]\ntodeval_allow = {place}\n"},
    "results elsewhere": {
        "pytest.ini": "[pytest]\ntodeval_json = ../../stolen.json\ntodeval_report = /tmp/r.html\n",
    },
    "goals and rules": {
        "goals.yaml": f"database: /etc\n{GOALS % 'x'}",
        "rules.yaml": f"includes: [/etc/passwd]\n{RULES % ('x', 'a')}",
    },
    "texts": {
        "goals.yaml": GOALS % json.dumps("".join(hostile_texts(3, seed=1))),
        "rules.yaml": RULES % (json.dumps("::error::pwn ![i](http://e/i.png) @org"), "'(a*)*b'"),
    },
    "another host in the cassette": {"cassette": "redirect"},
    "texts in the cassette": {"cassette": "texts"},
    "texts in the baseline": {"baseline": "texts"},
}
"""What each pull request changes."""


class Bot(BaseHTTPRequestHandler):
    """What the project's bot asks for its words."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = json.dumps({"said": "Mill House is in the north. Anything else?"}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def listening(server: ThreadingHTTPServer) -> Iterator[None]:
    with server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture
def sink() -> Iterator[Sink]:
    server = Sink()
    with listening(server):
        yield server


@pytest.fixture(scope="module")
def bot() -> Iterator[str]:
    """Where the project's bot asks: there in CI, too, so that live calls would be made."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bot)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, bot: str) -> Path:
    """A project with cassettes and a baseline, recorded in peace."""
    folder = tmp_path_factory.mktemp("project") / "work"
    folder.mkdir()
    for name, text in {
        "conftest.py": CONFTEST,
        "test_it.py": TEST,
        "goals.yaml": GOALS % "You want a hotel in the north.",
        "rules.yaml": RULES % ("no oaths", "damn"),
        "requirements.txt": "",
        "pytest.ini": "[pytest]\n",
    }.items():
        (folder / name).write_text(text)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--todeval-record=rewrite"),
            "--todeval-json=baseline.json",
        ],
        cwd=folder,
        env={"BOT": bot, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert list(folder.rglob("*.todeval.jsonl")), done.stdout + done.stderr
    return folder


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, bot: str) -> None:
    """That of each step: secrets, and nothing that trusts anybody."""
    for variable, value in {**SECRETS, "CI": "true", "BOT": bot}.items():
        monkeypatch.setenv(variable, value)
    for variable in (trust.VARIABLE, "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize("name", FILES)
def test_nothing_leaves(name: str, project: Path, sink: Sink, tmp_path: Path) -> None:
    told = played(name, project, sink, tmp_path)
    assert "todeval" in told
    assert sink.heard == []
    assert not (tmp_path.parent / "stolen.json").exists()
    left = [told, *(path.read_text("utf-8", "replace") for path in tmp_path.rglob("*.*json*"))]
    for secret in (*SECRETS.values(), "root:x:"):
        assert not any(secret in text for text in left)
    assert raw(told.replace("\r", "")) == ""


def test_a_host_that_the_job_trusts_is_asked(
    project: Path, sink: Sink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused above would be heard."""
    trusted = f"{sink.place}, GITHUB_TOKEN@{sink.place}"
    monkeypatch.setitem(
        FILES,
        "trusted",
        {
            "pytest.ini": "[pytest]\ntodeval_models = models.yaml\n",
            "models.yaml": FILES["a models file with a key"]["models.yaml"],
        },
    )
    workflow = tmp_path / "dialogues.yml"
    said = WORKFLOW.read_text().replace("env:\n", f'env:\n  {trust.VARIABLE}: "{trusted}"\n', 1)
    workflow.write_text(said)
    played("trusted", project, sink, tmp_path, workflow)
    assert any(SECRETS["GITHUB_TOKEN"] in heard for heard in sink.heard)


def played(name: str, project: Path, sink: Sink, place: Path, workflow: Path = WORKFLOW) -> str:
    """What the jobs of a pull request print and sum up, and those after its merge: the night's, in
    which calls are made with keys, or if it changes texts, those that show them.
    """
    work = place / "work"
    shutil.copytree(project, work)
    shutil.copytree(WORKFLOW.parents[1] / "actions", work / ".github" / "actions")
    changed(work, FILES[name], sink)
    git(work, "init", "-q", "--initial-branch", "main")
    git(work, "add", "--all", "--force")
    git(work, "commit", "-q", "-m", name)
    git(place, "clone", "-q", "--bare", str(work), "repository.git")
    run = GitHubRun(place, place / "repository.git", "main")
    for event in ("pull_request", "push" if "texts" in name else "schedule"):
        run.play(workflow, event)
    jobs = [each for jobs in run.jobs.values() for each in jobs]
    summary = "\n".join(each.summary for each in jobs)
    assert not [each for each in ("](http", "@org", "<img") if each in summary]
    return summary + "\n".join(each.text for each in jobs)


def changed(work: Path, files: dict[str, str], sink: Sink) -> None:
    """Make the pull request's changes."""
    for name, text in files.items():
        if name == "cassette":
            for path in work.rglob("*.todeval.jsonl"):
                path.write_text(damaged_cassette(path.read_text(), text, sink))
        elif name == "baseline":
            found = json.loads((work / "baseline.json").read_text())
            texts = hostile_texts(9, seed=2)
            for entry in found["dialogues"]:
                entry["detail"] = entry["bot"] = next(texts).encode("utf-8", "replace").decode()
                for turn in entry["turns"]:
                    turn["system"] = next(texts).encode("utf-8", "replace").decode()
            (work / "baseline.json").write_text(json.dumps(found))
        else:
            filled = text.replace("{sink}", sink.url).replace("{place}", sink.place)
            (work / name).write_text(filled)
    (work / "prompts").mkdir()
    (work / "prompts" / "dialogue_policy_compliance.md").symlink_to("/etc/passwd")


def damaged_cassette(text: str, how: str, sink: Sink) -> str:
    """Answers lead elsewhere, or say what does harm."""
    lines = [json.loads(line) for line in text.splitlines()]
    texts = hostile_texts(99, seed=3)
    for line in lines:
        answer = line.get("response")
        if answer and how == "redirect":
            answer["status"] = 302
            answer.setdefault("headers", []).append(["location", f"{sink.url}/steal"])
        elif answer:
            answer["body"] = {"json": {"said": next(texts).encode("utf-8", "replace").decode()}}
    return "\n".join(map(json.dumps, lines)) + "\n"
