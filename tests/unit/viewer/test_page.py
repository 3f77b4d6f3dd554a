"""The page is one file, which lets nothing in."""

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.history.store import KeptRun
from pytest_todeval.runs.viewer.page import page_of, write_page
from pytest_todeval.runs.viewer.run_data import Shown
from tests.support.hostile_pages import hostile_pages
from tests.support.page_world import block, entry_of, mixed_run, run_of

PROJECT = Path(__file__).parents[3]
BUILT = PROJECT / "pytest_todeval" / "viewer" / "built"


def test_only_its_own_script_may_run_and_nothing_be_loaded() -> None:
    page = page_of(Shown(mixed_run(), "</title><script>x</script>"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
    assert policy is not None
    assert len(scripts) == 1
    code = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{code}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")
    assert "connect-src 'none'" in policy[1]
    assert not re.search(r"<(?:link|img|iframe)\b|\bsrc=", page.replace(scripts[0], ""))


def test_no_word_of_a_bot_stands_in_the_markup() -> None:
    plain = page_of(Shown(run_of(entry_of("A")), "run"))
    said = hostile_pages("http://127.0.0.1:9")
    hostile = page_of(Shown(run_of(*(entry_of("A", replies=(each,)) for each in said)), "run"))
    tags = [
        re.findall(r"<[a-z!/][^>]*>", page.split("<script>", 1)[0]) for page in (plain, hostile)
    ]
    chunks = [[tag for tag in each if "chunk-" not in tag] for each in tags]
    assert [len(each) for each in chunks] == [len(chunks[0]), len(chunks[0]) + 1]


def test_all_dialogues_are_in_it_and_the_index_is_small() -> None:
    page = page_of(Shown(mixed_run(120), "run"))
    index = block(page, "index")
    dialogues = [each for place in range(3) for each in block(page, f"chunk-{place}")]
    assert [row["goal"] for row in index["rows"]] == [f"demo/D{n:03}" for n in range(120)]
    assert [len(each["turns"]) for each in dialogues] == [2] * 120
    assert [len(group["keys"]) for group in index["groups"]] == [30, 30]
    assert {row["turn"] for row in index["rows"]} == {2, None}


def test_the_same_goal_played_twice_has_two_addresses() -> None:
    index = block(page_of(Shown(run_of(entry_of("A"), entry_of("A", trial=1)), "r")), "index")
    assert [row["key"] for row in index["rows"]] == ["demo/A~1", "demo/A~2"]


def test_rules_that_were_kept_take_no_place() -> None:
    kept = [{"turn": 1, "value": 1, "reason": "kept"}, {"turn": 2, "value": 0, "reason": "broken"}]
    (found,) = block(page_of(Shown(run_of(entry_of("A", rules={"r": kept})), "r")), "chunk-0")
    assert [each["reason"] for each in found["rules"]] == ["broken"]


def test_an_empty_run_has_a_page() -> None:
    assert block(page_of(Shown(run_of(), "run")), "index")["verdict"]["finding"] == "undecided"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot write the report to .*file/x\.html"):
        write_page(tmp_path / "file" / "x.html", Shown(run_of(), "run"))


def test_what_is_shipped_is_what_the_sources_make(tmp_path: Path) -> None:
    front_end = PROJECT / "frontend"
    node = shutil.which("node")
    if node is None or not (front_end / "node_modules" / "esbuild").exists():
        pytest.skip("needs node and the front end's packages: npm ci in frontend")
    subprocess.run([node, "build.mjs", str(tmp_path)], cwd=front_end, check=True)
    names = {path.name for path in BUILT.iterdir()}
    assert names == {"app.js", "app.css", "LICENSES.txt"}
    assert {n: (tmp_path / n).read_bytes() for n in names} == {
        n: (BUILT / n).read_bytes() for n in names
    }


def test_the_lock_file_names_no_registry() -> None:
    text = (PROJECT / "frontend" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert text.count('"integrity"') == len(re.findall(r'"node_modules/', text))


def test_the_history_says_where_a_value_changed() -> None:
    values = [1.0, 0.98, 0.99, 1.0, 0.5, 0.52, 0.49, 0.51]
    runs = [
        KeptRun(n, f"2026-01-0{n}T12:00:00", "main", f"v{n}", "Bot", {"booking": (value, 50)})
        for n, value in enumerate(values, 1)
    ]
    (series,) = block(page_of(Shown(mixed_run(), "r", history=runs)), "index")["history"]
    assert [run[2] for run in series["runs"]] == values
    assert [change["place"] for change in series["changes"]] == [4]
