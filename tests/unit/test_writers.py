"""What people are shown passes `shown`: no other place prints, or escapes by hand."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_todeval

PACKAGE = Path(pytest_todeval.__file__).parent
WRITERS = {
    "print": {
        "cli.py", "commands/output.py", "integration/chat/screen.py",
        "recording/gateway/stdio_client.py", "recording/gateway/stdio_server.py",
    },
    "write_line": {"integration/terminal.py"},
    "sections.append": {"integration/terminal.py"},
    "by hand": {"shown.py"},
    "writerow": {"research/annotation/saved.py"},
}  # fmt: skip
"""What writes, and the modules that may: each neutralises what it is given."""
ESCAPERS = ("html", "xml")
ESCAPES = ("escape", "quoteattr", "saxutils")


def calls(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ESCAPERS:
            yield from ("by hand" for alias in node.names if alias.name in ESCAPES)


def writers(source: str) -> set[str]:
    found = set(calls(source))
    return {
        name for name in WRITERS if any(each == name or each.endswith(f".{name}") for each in found)
    }


def test_nothing_is_shown_past_the_one_way_out() -> None:
    wrong = {
        str(path.relative_to(PACKAGE)): sorted(past)
        for path in sorted(PACKAGE.rglob("*.py"))
        if (
            past := {
                name
                for name in writers(path.read_text(encoding="utf-8"))
                if str(path.relative_to(PACKAGE)) not in WRITERS[name]
            }
        )
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("print(1)", {"print"}),
        ("terminal.write_line(text)", {"write_line"}),
        ("report.sections.append(('a', text))", {"sections.append"}),
        ("from html import escape", {"by hand"}),
        ("from html import unescape", set()),
        ("say(lines)", set()),
    ],
)
def test_a_writer_is_noticed(source: str, found: set[str]) -> None:
    assert writers(source) == found
