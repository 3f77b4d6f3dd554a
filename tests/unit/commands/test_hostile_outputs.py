"""Each command, over files in which every text is hostile: it prints and writes nothing raw."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import COMMANDS, main
from pytest_todeval.errors import TodevalError
from pytest_todeval.runs.reports.results import read_results
from tests.conftest import PROJECT
from tests.support.hostile_texts import hostile_texts, raw, unseen

CONFTEST = """
import pytest
from pytest_todeval import Reply, ToolCall

@pytest.fixture
def tod_system():
    return lambda text: Reply("It is in the north.", (ToolCall("find", {"a": "b"}, {"c": "d"}),))
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=8)
@pytest.mark.parametrize("again", [1, 2])
def test_it(dialogue, judge, again):
    judge.turns(dialogue), judge.rules(dialogue, "common"), judge.coverage(dialogue)
    assert dialogue.success
"""
MARKUP = re.compile(r"(?<!\\)(?:!\[|\]\(http|<img|<script)|(?<![\w;])@\w|\w://")
ANSWERS = [
    ["report", "A"],
    ["report", "A", "B"],
    ["report", "A", "--matrix"],
    ["report", "A", "--matrix", "--format", "markdown"],
    ["report", "A", "--format", "markdown"],
    ["report", "A", "--format", "json"],
    ["report", "A", "--failures"],
    ["report", "A", "--failures", "B"],
    ["report", "A", "--composite", "x=success*2"],
    ["report", "A", "--gate", "success >= 0.5"],
    ["hear", "A"],
    ["hear", "A", "--json"],
    ["compare", "A", "B", "--force"],
    ["compare", "A", "B", "--force", "--markdown"],
    ["compare", "A", "B"],
    ["gate", "A", "success >= 0.5", "--baseline", "B", "--markdown"],
    ["gate", "A", "success >= 0.5", "--baseline", "B"],
    ["baseline", "update", "A", "new.json"],
    ["history", "add", "h.sqlite", "A", "--branch", "T", "--version", "T"],
    ["history", "show", "h.sqlite"],
    ["merge", "A", "B", "--json", "new.json"],
    ["export", "A", "--format", "tau2", "-o", "new.json"],
    ["arena", "A", "B", "--prefer", "success", "--html", "new.html"],
    ["annotate", "A", "--sheet", "new.html"],
    ["annotate", "A", "--answers", "answers.json", "--ratings", "new.csv"],
    ["judge", "A", "--ask", "turns", "--ask", "coverage", "--json", "new.json"],
    ["judge", "t.jsonl", "--ask", "turns,coverage"],
    ["score", "t.jsonl", "--format", "transcripts", "--json", "new.json"],
    ["agreement", "a.csv", "--scale", "1-5", "--by", "item"],
    ["goals", "check", "g.yaml"],
    ["goals", "list"],
    ["cassettes", "list", "."],
    ["cassettes", "show", "c.todeval.jsonl"],
    ["cassettes", "diff", "c.todeval.jsonl", "d.todeval.jsonl"],
    ["cassettes", "verify", "."],
    ["models", "check", "--models", "m.yaml"],
    ["data", "path", "T"],
    ["view", "T"],
    ["view", "."],
]
"""What is run, over results A and B; T is a hostile text on the command line."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Those of a run that failed."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--todeval-json=r.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (folder / "r.json").exists(), done.stdout + done.stderr
    found: dict[str, Any] = json.loads((folder / "r.json").read_text())
    return found


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any, tuple[str, ...]]]:
    """Each text, or name of one, in it: who holds it, under what, and where that is."""
    if not isinstance(value, dict | list):
        return
    for key, each in list(value.items() if isinstance(value, dict) else enumerate(value)):
        place = (*path, key if isinstance(value, dict) else "*")
        if isinstance(each, str):
            yield value, key, place
        else:
            yield from leaves(each, place)


def readable(results: dict[str, Any], file: Path) -> bool:
    file.write_text(json.dumps(results))
    try:
        read_results(file)
    except TodevalError:
        return False
    return True


@pytest.fixture(scope="module")
def places(
    results: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> set[tuple[str, ...]]:
    """Where a results file takes any text."""
    file = tmp_path_factory.mktemp("try") / "r.json"
    small = {**results, "dialogues": results["dialogues"][:2]}
    found = set()
    for place in {place for *_, place in leaves(small)}:
        tried = deepcopy(small)
        for holder, key, each in leaves(tried):
            if each == place:
                holder[key] = "\x1b[2Jany"
        if readable(tried, file):
            found.add(place)
    return found


@pytest.fixture(scope="module")
def files(
    results: dict[str, Any],
    places: set[tuple[str, ...]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A folder with a hostile file of each kind."""
    tmp_path, count = tmp_path_factory.mktemp("files"), 0
    for name, seed in (("A", 1), ("B", 2)):
        texts, hostile = hostile_texts(9_999, seed), deepcopy(results)
        for holder, key, place in leaves(hostile):
            if place in places and place[-1] not in ("goal", "test"):
                holder[key], count = legal(next(texts)), count + 1
        assert readable(hostile, tmp_path / name)
    assert count > 2_000
    say = [legal(text) for text in hostile_texts(60, seed=3)]
    turns = [{"user": one, "system": other} for one, other in zip(say[::2], say[1::2], strict=True)]
    line = {"id": say[0], "turns": turns, "bot": say[1], "last_words": say[2]}
    (tmp_path / "t.jsonl").write_text(json.dumps(line) + "\n")
    with (tmp_path / "a.csv").open("w", newline="") as file:
        heads = ["item", "\x1b[2J", "::error::x"]
        csv.writer(file).writerows([heads, *([text, 1, 2] for text in say[:20])])
    goal = {"id": "a", "message": say[0], "domains": {"\x1b[2J": {"inform": {"::error::": say[1]}}}}
    (tmp_path / "g.yaml").write_text(json.dumps([goal]))
    (tmp_path / "m.yaml").write_text(json.dumps({"\x1b[2J::error::": {"model": say[4]}}))
    (tmp_path / "answers.json").write_text(json.dumps({say[0]: say[1]}))
    (tmp_path / "broken.json").write_text("\x1b[2J\n::error::x")
    cassette = next(PROJECT.glob("examples/**/*.todeval.jsonl"))
    for name in ("c", "d"):
        words = hostile_texts(9_999, seed=ord(name))
        told = [json.loads(each) for each in cassette.read_text().splitlines()]
        for each in told:
            for holder, key, _ in leaves(each):
                if key in ("content", "user", "system", "test", "message"):
                    holder[key] = legal(next(words))
        shown = "".join(json.dumps(each) + "\n" for each in told)
        (tmp_path / f"{name}.todeval.jsonl").write_text(shown)
    return tmp_path


def legal(text: str) -> str:
    """As far as it can stand in UTF-8."""
    return text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("words", ANSWERS, ids=" ".join)
def test_nothing_raw_is_printed_or_written(
    words: list[str],
    files: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    hostile = legal(next(hostile_texts(1)))
    known = {"T": hostile} | {path.name: str(path) for path in files.iterdir()}
    if words[1] == "show" and words[0] == "history":
        main(["history", "add", "h.sqlite", known["A"]])
    code = main([known.get(word, word) for word in words])
    printed = capsys.readouterr()
    assert code in (0, 1, 2, 10, 11, 12)
    assert printed.out + printed.err
    assert raw(printed.out) == ""
    assert raw(printed.err) == ""
    if "--markdown" in words or "markdown" in words:
        assert MARKUP.findall(printed.out) == []
    for path in tmp_path.glob("new.*"):
        text = path.read_bytes().decode()
        if path.suffix == ".html":
            assert unseen(text) == ""
            assert "alert(1)" not in scripts(text)
        if path.suffix == ".csv":
            assert not any(
                cell[:1] in ("=", "+", "-", "@") for row in csv.reader([text]) for cell in row
            )


def test_annotations_are_commands_of_ours_alone(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["report", str(files / "A"), "--format", "github"])
    for line in capsys.readouterr().out.splitlines():
        assert unseen(line) == ""
        if raw(line):
            assert re.match(r"::(?:error|warning|notice)(?: [a-z]+=[^:]*)?::", line)
            assert raw(line.partition("::")[2]) == ""


def test_each_command_that_reads_files_of_strangers_is_tried() -> None:
    play_the_suite = {"chat", "init", "mcp", "mutate", "play"}
    assert {words[0] for words in ANSWERS} == set(COMMANDS) - play_the_suite


class _Scripts(HTMLParser):
    """Tags that a text may not make."""

    def __init__(self) -> None:
        super().__init__()
        self.made = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("img", "iframe") or any(name.startswith("on") for name, _ in attrs):
            self.made += f"{tag} {attrs}"


def scripts(page: str) -> str:
    """What texts made of a page's tags."""
    parser = _Scripts()
    parser.feed(page)
    return parser.made
