"""What `todeval init` writes is a suite: it passes, or it fails for what is wrong."""

from pathlib import Path

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import apart

SHOP = """
class Orders:
    def __init__(self):
        self.placed = []

class ShopBot:
    def __init__(self, orders: Orders):
        self.orders = orders

    def reply(self, message):
        return "Hello! I take orders for flowers. What would you like?"
"""


def init(folder: Path, *arguments: str) -> int:
    return main(["init", str(folder), *arguments, "--yes"])


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_empty_folder_gets_a_bot_and_a_suite_that_passes(pytester: pytest.Pytester) -> None:
    assert init(pytester.path) == 0
    result = apart(pytester, "dialogues")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*booking*1 of 1*"])


def test_the_suite_finds_a_booking_of_another_day(pytester: pytest.Pytester) -> None:
    init(pytester.path)
    bot = pytester.path / "bot.py"
    text = bot.read_text()
    bot.write_text(text.replace("**self.wanted}", '**{**self.wanted, "day": "sunday"}}'))
    assert bot.read_text() != text
    result = apart(pytester, "dialogues")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*sunday*"])


def test_a_class_is_made_with_what_it_needs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP)
    init(pytester.path)
    apart(pytester, "dialogues").assert_outcomes(passed=1)


def test_what_nobody_can_make_is_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP.replace("orders: Orders", "orders, key"))
    init(pytester.path)
    result = apart(pytester, "dialogues")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["conftest.py: make a ShopBot here, of orders, key"])


def test_a_second_run_changes_nothing_and_adds_what_is_missing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP)
    init(pytester.path)
    before = contents(pytester.path)
    (pytester.path / "dialogues" / "rules.yaml").unlink()
    init(pytester.path, "--wish", "order flowers: kind=tulips")
    after = contents(pytester.path)
    added = {path.name for path in after.keys() - before.keys()}
    assert added == {"goals.yaml", "test_dialogues.py"}
    assert {path: after[path] for path in before} == before


def test_no_file_of_the_user_is_replaced(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP)
    pytester.makepyprojecttoml(
        '[project]\nname = "shop"\n[tool.pytest.ini_options]\naddopts = "-q"\n'
    )
    own = pytester.path / "dialogues" / "conftest.py"
    own.parent.mkdir()
    own.write_text("# mine\n")
    before = contents(pytester.path)
    init(pytester.path)
    after = contents(pytester.path)
    assert {path: after[path] for path in before} == before


def test_a_section_of_ini_options_is_put_at_the_end_of_a_pyproject(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(shop=SHOP)
    project = pytester.makepyprojecttoml('[project]\nname = "shop"\nversion = "1"')
    init(pytester.path)
    text = project.read_text()
    assert text.startswith('[project]\nname = "shop"\nversion = "1"\n')
    assert "[tool.pytest.ini_options]" in text
    apart(pytester, "dialogues").assert_outcomes(passed=1)


def test_the_bot_is_neither_imported_nor_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(bot="open('run', 'w').close()\ndef respond(text): return text\n")
    init(pytester.path)
    assert not (pytester.path / "run").exists()
    assert "from bot import respond" in (pytester.path / "dialogues" / "conftest.py").read_text()
