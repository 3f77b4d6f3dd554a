"""pytest-xdist's `--tx`: workers of other interpreters, and of other machines by ssh.

The other machine is this one: real `ssh` to an `sshd` of the test's own, which serves its standard
input and listens nowhere; and a stand-in for `ssh` that passes the command on to a shell as bare as
sshd's.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from pytest_todeval.runs.reports.results import read_results, strip_times
from pytest_todeval.runs.reports.schema import DialogueEntry
from tests.plugin.test_cassettes_in_runs import CONFTEST

pytestmark = pytest.mark.thorough

SSHD = Path("/usr/sbin/sshd")
TEST = """
import pytest

@pytest.mark.goals("demo", limit=4, seed=1)
def test_it(dialogue):
    assert [turn.system for turn in dialogue.turns][-1] == "Heard: Thank you."
"""
STAND_IN = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do case "$1" in -F) shift 2;; *) shift;; esac; done
shift
cd {home} && exec env -i HOME={home} PATH=/usr/bin:/bin sh -c "$*"
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite with the cassettes of its four dialogues, and the results of a serial run."""
    folder = tmp_path_factory.mktemp("recorded")
    for name, text in (
        ("pytest.ini", "[pytest]\n"),
        ("conftest.py", CONFTEST),
        ("test_bot.py", TEST),
    ):
        (folder / name).write_text(text)
    record = ["--todeval-record=missing", "--todeval-json=serial.json"]
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *record]
    subprocess.run(run, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def suite_of_calls(pytester: pytest.Pytester, recorded: Path) -> pytest.Pytester:
    """A copy of that suite."""
    shutil.copytree(recorded, pytester.path, dirs_exist_ok=True)
    return pytester


def played(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run in a process of its own, over the whole folder."""
    ignored = "-Wignore:The --rsyncdir:DeprecationWarning"
    copied = f"--rsyncdir={pytester.path}"
    return pytester.runpytest_subprocess(ignored, copied, *arguments, str(pytester.path))


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A `--tx` for a worker on another machine, without sshd."""
    script = tmp_path / "bin" / "ssh"
    script.parent.mkdir()
    script.write_text(STAND_IN.format(home=tmp_path))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    return spec(tmp_path)


@pytest.fixture
def sshd(tmp_path: Path) -> str:
    """The same with ssh's own client and server."""
    if not SSHD.exists() or shutil.which("ssh") is None:
        pytest.skip(f"no ssh, or no {SSHD}: `apt-get install openssh-server`")
    if os.geteuid() == 0 and not Path("/run/sshd").is_dir():
        pytest.skip("sshd run by root needs /run/sshd, which the system makes")
    for name in ("host", "user"):
        key = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)]
        subprocess.run(key, check=True)
    server, config = tmp_path / "sshd_config", tmp_path / "ssh_config"
    server.write_text(
        f"HostKey {tmp_path}/host\nAuthorizedKeysFile {tmp_path}/user.pub\n"
        "StrictModes no\nUsePAM no\nPasswordAuthentication no\n"
    )
    config.write_text(
        f"Host here\n  ProxyCommand {SSHD} -i -f {server}\n  IdentityFile {tmp_path}/user\n"
        f"  IdentitiesOnly yes\n  UserKnownHostsFile {tmp_path}/known\n"
        "  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n"
    )
    return f"{spec(tmp_path)}//ssh_config={config}"


def spec(folder: Path, python: str | Path = sys.executable) -> str:
    return f"ssh=here//python={python}//chdir={folder / 'remote'}"


def same_dialogues(pytester: pytest.Pytester, name: str) -> bool:
    """Whether a results file has the dialogues of the serial run."""

    def dialogues(file: str) -> list[DialogueEntry]:
        return strip_times(read_results(pytester.path / file))["dialogues"]

    return dialogues(name) == dialogues("serial.json")


@pytest.mark.parametrize("host", ["stand_in", "sshd"])
def test_dialogues_are_replayed_here_and_there(
    suite_of_calls: pytest.Pytester, host: str, request: pytest.FixtureRequest
) -> None:
    there: str = request.getfixturevalue(host)

    result = played(
        suite_of_calls,
        *("--tx", "popen", "--tx", there, "--dist=load", "-rA", "-v"),
        "--todeval-json=spread.json",
    )

    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*gw1*PASSED*"])
    result.stdout.no_fnmatch_line("*no test plays*")
    assert same_dialogues(suite_of_calls, "spread.json")


def test_files_that_options_name_are_found_in_the_copy(
    suite_of_calls: pytest.Pytester, stand_in: str
) -> None:
    suite_of_calls.makeconftest("def tod_system(): pass  # nothing can be played any more")
    shutil.copy(suite_of_calls.path / "serial.json", suite_of_calls.path / "again.json")

    again = played(
        suite_of_calls,
        *("--tx", stand_in, "--dist=load", "--todeval-shard=1/1", "--todeval-times=serial.json"),
        *("--todeval-json=again.json", "--todeval-resume"),
    )

    again.assert_outcomes(passed=4)
    assert same_dialogues(suite_of_calls, "again.json")


@pytest.mark.parametrize("mode", ["missing", "rewrite"])
def test_nothing_is_recorded_where_it_would_be_lost(
    suite_of_calls: pytest.Pytester, stand_in: str, mode: str
) -> None:
    before = {path: path.read_bytes() for path in suite_of_calls.path.rglob("*.jsonl")}

    result = played(suite_of_calls, "--tx", stand_in, "--dist=load", f"--todeval-record={mode}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --todeval-record={mode}: worker gw0 (ssh=here*) * its *"])
    assert {path: path.read_bytes() for path in suite_of_calls.path.rglob("*.jsonl")} == before


def test_a_machine_without_the_package_or_with_another_version_is_told(
    suite_of_calls: pytest.Pytester, stand_in: str, tmp_path: Path
) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    there = spec(tmp_path, tmp_path / "bare" / "bin" / "python")

    def told() -> pytest.RunResult:
        return played(suite_of_calls, "--tx", there, "--dist=load", "--todeval-json=a.json")

    lacking = told()
    (metadata,) = (tmp_path / "bare").glob("lib/python*/site-packages")
    (metadata / "pytest_todeval-9.9.dist-info").mkdir()
    (metadata / "pytest_todeval-9.9.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pytest-todeval\nVersion: 9.9\n"
    )
    other = told()

    assert (lacking.ret, other.ret) == (pytest.ExitCode.USAGE_ERROR,) * 2
    lacking.stderr.fnmatch_lines(["ERROR: worker gw0 (ssh=here*): no pytest-todeval *pip install*"])
    other.stderr.fnmatch_lines(["ERROR: worker gw0 (ssh=here*): pytest-todeval 9.9, here it is *"])
    assert not (suite_of_calls.path / "a.json").exists()


def test_two_interpreters_of_one_version_play_one_run(
    suite_of_calls: pytest.Pytester, tmp_path: Path
) -> None:
    venv.create(tmp_path / "other", symlinks=True)
    (packages,) = (tmp_path / "other").glob("lib/python*/site-packages")
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"))
    other = f"popen//id=other//python={tmp_path}/other/bin/python"

    result = played(
        suite_of_calls,
        *("--tx", "popen", "--tx", other, "--dist=load", "-v"),
        *("--todeval-max-calls=9", "--todeval-json=spread.json"),
    )

    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*other*PASSED*"])
    assert same_dialogues(suite_of_calls, "spread.json")


def test_an_interpreter_of_another_version_is_told(suite_of_calls: pytest.Pytester) -> None:
    names = (shutil.which(f"python3.{minor}") for minor in range(8, 20))
    others = [name for name in names if name and _version(name) not in ("", _version())]
    if not others:
        pytest.skip("there is no other version of Python on the PATH")

    result = played(
        suite_of_calls,
        *("--tx", f"popen//python={others[0]}", "--dist=load", "--todeval-json=spread.json"),
    )

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: worker gw0 (popen//python=*): Python 3.*, here it is 3.*"])


def _version(python: str = sys.executable) -> str:
    """Empty for a name on the PATH that starts no Python."""
    asked = [python, "-c", "import sys; print(sys.version_info[:2])"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout
