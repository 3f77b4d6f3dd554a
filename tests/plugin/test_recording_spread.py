"""Recording and replaying spread over processes: the same files, nothing lost."""

import pytest

from tests.plugin.conftest import apart
from tests.plugin.test_cassettes_in_runs import CONFTEST

pytestmark = pytest.mark.thorough

TEST = """
import pytest

@pytest.mark.goals("demo", limit=40)
def test_it(dialogue):
    assert [turn.system for turn in dialogue.turns][-1] == "Heard: Thank you."
"""


def cassettes(pytester: pytest.Pytester) -> dict[str, bytes]:
    """The cassettes by name; taken away, for the next recording to begin anew."""
    found = {path.name: path for path in pytester.path.glob("cassettes/**/*.jsonl")}
    contents = {name: path.read_bytes() for name, path in found.items()}
    for path in found.values():
        path.unlink()
    return contents


def test_forty_tests_on_four_processes_record_what_one_process_records(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    apart(pytester, "--todeval-record=missing").assert_outcomes(passed=40)
    serial = cassettes(pytester)
    assert len(serial) == 40
    apart(pytester, "--todeval-record=missing", "-n4").assert_outcomes(passed=40)
    apart(pytester, "-n4").assert_outcomes(passed=40)
    assert list(pytester.path.glob("cassettes/**/.*")) == []
    assert cassettes(pytester) == serial
