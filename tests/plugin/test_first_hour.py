"""What somebody does in the first hour, and is told at once."""

import pytest

from tests.plugin.conftest import RULE_SYSTEM, Suite, run

MARK = '@pytest.mark.goals("demo", limit=1)'
UNITTEST = f"""
import unittest
{MARK}
class TestDesk(unittest.TestCase):
    def test_it(self, dialogue=None):
        assert dialogue.booking
"""
PARAMETRIZED = """
@pytest.mark.parametrize("goal", ["demo/DEMO001"])
def test_it(dialogue):
    assert dialogue.success
"""
ASYNC = f"""
{MARK}
async def test_it(dialogue):
    assert dialogue.success
"""


@pytest.mark.parametrize(
    ("test", "told"),
    [
        (UNITTEST, "*write `class TestDesk:`, without unittest.TestCase*"),
        (PARAMETRIZED, "*expected a goal: leave *@pytest.mark.goals('demo', ids=[[]'DEMO001'[]])*"),
        (ASYNC, "*write `def`, as the dialogue is played before the test begins*"),
    ],
    ids=["unittest", "parametrize", "async"],
)
def test_what_is_written_otherwise_is_told(suite: Suite, test: str, told: str) -> None:
    result = run(suite(f"import pytest\n{test}", RULE_SYSTEM), "-p", "no:xdist")
    assert result.ret != 0
    assert "Traceback" not in str(result.stdout)
    lines = "".join([*result.outlines, *result.errlines])
    pytest.LineMatcher([lines]).fnmatch_lines([told])
    assert "dialogue over demo" not in lines or "parametrize" in test
