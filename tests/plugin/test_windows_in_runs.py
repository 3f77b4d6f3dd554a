"""On Windows, as far as Linux lets us try: what is not there is not imported, nor needed."""

import os
import shutil
from pathlib import Path

import pytest

WINDOWS = Path(__file__).parents[1] / "support" / "windows"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join(filter(None, (str(WINDOWS), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)


def example(pytester: pytest.Pytester, name: str) -> None:
    shutil.copytree(EXAMPLES / name, pytester.path, dirs_exist_ok=True)


@pytest.mark.parametrize("spread", [("-p", "no:xdist"), ("-n1",)], ids=["one", "n1"])
def test_a_dialogue_is_recorded_and_replayed(
    pytester: pytest.Pytester, spread: tuple[str, ...]
) -> None:
    example(pytester, "models")
    recorded = pytester.runpytest_subprocess(*spread, "--todeval-record=rewrite")
    recorded.assert_outcomes(passed=2)
    recorded.stdout.fnmatch_lines(["*not held back by the kernel (not known for AMD64)*"])
    names = [path.name for path in pytester.path.rglob("*cassettes/*/*")]
    assert len(names) == 2  # and no journal, and nothing half written
    pytester.runpytest_subprocess(*spread).assert_outcomes(passed=2)


def test_what_is_at_fault_leaves_the_journal(pytester: pytest.Pytester) -> None:
    """The journal is put in place anew while it is open."""
    example(pytester, "models")
    conftest = pytester.path / "conftest.py"
    conftest.write_text(
        conftest.read_text().replace(
            "StandInServer(answer)", "StandInServer(lambda q: answer(q) if not done() else 1 / 0)"
        )
        + "\nASKED = []\ndef done():\n    ASKED.append(1)\n    return len(ASKED) > 3\n"
    )
    result = pytester.runpytest_subprocess(
        "-p", "no:xdist", "-k", "tune-up", "--todeval-record=rewrite"
    )
    result.stdout.fnmatch_lines(["*not kept: no cassette was written*"])
    assert [path.suffix for path in pytester.path.rglob("*cassettes/*/.*")] == [".journal"]


def test_a_bots_server_is_refused_in_plain_words(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
import pytest

@pytest.fixture
def tod_system(todeval_server):
    return todeval_server("python app.py").url
"""
    )
    pytester.makepyfile(
        "import pytest\n@pytest.mark.goals('demo', limit=1)\ndef test_it(dialogue): ..."
    )
    result = pytester.runpytest_subprocess("-p", "no:xdist")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*`python app.py` is not started*Start it yourself*"])
