"""`todeval cassettes`: list, show, diff, verify, prune, import and export, and what they refuse."""

import io
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call, RaisedError
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.words import word_difference
from tests.conftest import must_end
from tests.support.recorded_calls import (
    HEADER,
    answered,
    ask,
    chat,
    dialogue,
    reply,
    streamed,
    tools,
)

HOTEL = "tests/test_hotel.py::test_books[demo/1]"
TRAIN = "tests/test_train.py::test_books[demo/2]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two cassettes, `cassettes/`, in the working folder."""
    monkeypatch.chdir(tmp_path)
    write("hotel", *dialogue(2))
    write("sub/train", chat("hello", lane=Lane.JUDGE), test=TRAIN)
    return tmp_path / "cassettes"


def write(name: str, *calls: Call, test: str = HOTEL) -> Path:
    path = Path("cassettes") / f"{name}.todeval.jsonl"
    write_cassette(path, replace(HEADER, test=test), calls)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What the command printed."""
    assert main(["cassettes", *arguments]) == status
    printed = capsys.readouterr()
    return printed.out + printed.err


def test_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.todeval.jsonl").write_text("{}")
    Journal(folder / "new.todeval.jsonl", HEADER).close()
    bad, hotel, train, left = run(capsys, "list").splitlines()
    assert bad.startswith("cassettes/bad.todeval.jsonl ")
    assert bad.endswith("broken, see todeval cassettes verify")
    assert hotel.split("  ")[-1] == HOTEL
    assert "  user 2, system 2, judge 2  " in hotel
    assert f"  stand-in  {HOTEL}" in hotel
    assert "judge 1 " in train
    assert left == "1 recordings did not finish: todeval cassettes journals"


def test_journals_are_listed_and_cleared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Journal(folder / "new[1].todeval.jsonl", replace(HEADER, test=HOTEL))) as journal:
        journal.append(chat("hello", lane=Lane.JUDGE))
        journal.append(chat("hello again"))
    (folder / ".bad.todeval.jsonl.journal").write_text("{}\n{}\n")
    (folder / ".hotel.todeval.jsonl.99.tmp").write_text("half")
    bad, new, many = run(capsys, "journals").splitlines()
    assert bad.startswith("cassettes/.bad.todeval.jsonl.journal: broken (")
    assert new.startswith("cassettes/.new[1].todeval.jsonl.journal: judge 1, system 1; ")
    assert HOTEL in new
    assert many.startswith("2 journals in cassettes: `--todeval-record=missing` continues")
    cleared = run(capsys, "journals", "--clear").splitlines()[-1]
    assert cleared == "2 journals in cassettes, 2 deleted, and 1 half-written files"
    assert run(capsys, "journals") == "0 journals in cassettes\n"
    assert [path.name for path in folder.glob(".*")] == []
    assert read_cassette(folder / "hotel.todeval.jsonl")


def test_a_journal_that_a_run_writes_is_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fcntl")
    with closing(Journal(folder / "new.todeval.jsonl", HEADER)):
        line, many = run(capsys, "journals", "--clear").splitlines()
    assert line.endswith("being written by a run")
    assert many == "1 journal in cassettes, 0 deleted"


def test_an_empty_folder_and_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "list", str(tmp_path)) == f"no cassettes in {tmp_path}\n"
    assert "no folder" in run(capsys, "list", str(tmp_path / "none"), status=2)
    assert "no folder" in run(capsys, "verify", str(tmp_path / "none"), status=2)


def call_of_tools() -> Call:
    function = {"name": "find_0", "arguments": '{"area": "north"}'}
    messages = [
        {"role": "system", "content": "You book."},
        {"role": "user", "content": [{"type": "text", "text": "a hotel\x1b[31m please"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]},
        {"role": "tool", "tool_call_id": "1", "content": "[]"},
    ]
    return answered(
        ask({"model": "m", "messages": messages, "tools": tools()}), reply("none, sorry")
    )


def test_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = call_of_tools()
    chunk = b'data: {"choices":[{"index":0,"delta":{"content":"%b"}}]}\n\n'
    more = {
        "messages": [{"role": "system", "content": "You book."}, {"role": "user", "content": "hi"}]
    }
    calls = [
        first,
        streamed(ask(more), [chunk % b"good ", chunk % b"day", b"data: [DONE]\n\n"], turn=2),
        replace(
            chat("judge this", lane=Lane.JUDGE, turn=0), outcome=RaisedError("timeout", "after 5 s")
        ),
    ]
    path = write("shown", *calls)
    assert run(capsys, "show", str(path)) == (
        f"{HOTEL}\n"
        "recorded 2025-03-01T12:00:00+00:00, seed 7\n"
        "m, stand-in: system 2, judge 1\n"
        "\n"
        "1  system, turn 1: POST /v1/chat/completions (m) -> 200\n"
        "   system: You book.\n"
        "   user: a hotel\\x1b[31m please\n"
        '   assistant: calls find_0({"area": "north"})\n'
        "   tool: []\n"
        '      {"tool_call_id": "1"}\n'
        "   => assistant: none, sorry\n"
        "\n"
        "2  system, turn 2: POST /v1/chat/completions -> 200\n"
        "   (1 messages as before)\n"
        "   user: hi\n"
        "   => assistant (streamed): good day\n"
        "\n"
        "3  judge, turn 0: POST /v1/chat/completions (stand-in) -> timeout error\n"
        "   user: judge this\n"
        "   => timeout error: after 5 s\n"
    )


def test_show_of_a_broken_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.todeval.jsonl").write_text("{}")
    out = run(capsys, "show", str(folder / "bad.todeval.jsonl"), status=2)
    assert "bad.todeval.jsonl:1: not a cassette" in out


def test_diff_of_an_edited_prompt(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = write("old", *dialogue(2, system="You book hotels near the park for our guests. " * 3))
    new = write("new", *dialogue(2, system="You book hotels near the mill for our guests. " * 3))
    lines = run(capsys, "diff", str(old), str(new), status=1).splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        "~ call 2  system, turn 1: POST /v1/chat/completions (stand-in) -> 200",
        "~ call 5  system, turn 2: POST /v1/chat/completions (stand-in) -> 200",
    ]
    assert lines[1].startswith(
        "    message 1 (system): You book hotels near the [-park-]{+mill+} for our guests. You book"
    )
    assert len(lines) == 4


def test_diff_of_calls_and_answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = [chat(text) for text in ("one", "two", "three")]
    again = replace(calls[0], outcome=answered(calls[0].request, reply("re uno")).outcome)
    old = write("old", *calls)
    new = write("new", again, calls[2], chat("four", lane=Lane.JUDGE))
    assert run(capsys, "diff", str(old), str(new), status=1).splitlines() == [
        "~ call 1  system, turn 1: POST /v1/chat/completions (stand-in) -> 200",
        "    answer 1 (assistant): re [-one-]{+uno+}",
        "- call 2  system, turn 1: POST /v1/chat/completions (stand-in) -> 200",
        "+ call 3  judge, turn 1: POST /v1/chat/completions (stand-in) -> 200",
    ]


def test_diff_of_parameters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = write("old", answered(ask({"model": "a", "messages": [], "stop": ["x"]}), reply("hi")))
    new = write("new", answered(ask({"model": "b", "messages": [], "top_p": 1}), reply("hi")))
    lines = run(capsys, "diff", str(old), str(new), status=1).splitlines()[1:]
    assert lines == ["    model: [-a-]{+b+}", '    stop: [-["x"]-]', "    top_p: {+1+}"]


def test_diff_of_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(folder / "hotel.todeval.jsonl")
    assert run(capsys, "diff", path, path) == "the same 6 calls and answers\n"


def test_the_difference_of_long_texts_ends() -> None:
    old = [f"word{n * n % 977}" for n in range(20_000)]
    new = [word.upper() if n % 3 == 0 else word for n, word in enumerate(old)]
    with must_end():
        assert word_difference(" ".join(old), " ".join(new)).startswith("[-word0")


def test_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "verify") == "2 cassettes in cassettes: whole, and no secrets found\n"
    path = folder / "hotel.todeval.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]), encoding="utf-8")
    out = run(capsys, "verify", status=1)
    assert f"hotel.todeval.jsonl:{len(lines) - 1}: cut off: no end line" in out
    assert out.endswith("2 cassettes in cassettes: 1 problems\n")
    assert run(capsys, "verify", "cassettes/sub").startswith("1 cassettes")


def test_verify_finds_what_was_written_by_hand(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "sub" / "train.todeval.jsonl"
    text = path.read_text(encoding="utf-8")
    secret = "sk-" + "abcd1234" * 4
    path.write_text(text.replace('{"call":', f'{{"note":"{secret}","call":', 1), encoding="utf-8")
    out = run(capsys, "verify", status=1)
    assert "train.todeval.jsonl:3: an API key (sk-...) at $.note" in out
    assert secret not in out
    hidden = text.replace('{"call":', f'{{"note":"{secret}","note":"x","call":', 1)
    path.write_text(hidden, encoding="utf-8")
    assert "train.todeval.jsonl:3: a secret at $; revoke it" in run(capsys, "verify", status=1)
    headers = '[["content-type","application/json"]'
    path.write_text(text.replace(headers, headers + ',["set-cookie","a"]'), encoding="utf-8")
    assert "call 1: headers that no cassette keeps" in run(capsys, "verify", status=1)
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("BOT_TOKEN", "re hello")
    assert "the environment variable BOT_TOKEN" in run(capsys, "verify", status=1)


def test_verify_of_e_mail_addresses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("mail", chat("write to guest@example.com"))
    assert run(capsys, "verify")
    assert "an e-mail address at $.m0.content" in run(capsys, "verify", "--emails", status=1)


def collected(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    stdin = io.StringIO("\n".join(lines))
    monkeypatch.setattr("sys.stdin", stdin)


def test_prune(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    train = folder / "sub" / "train.todeval.jsonl"
    Journal(train, HEADER).close()
    (folder / "bad.todeval.jsonl").write_text("{}")
    listing = (HOTEL, "tests/test_a.py::test_b", "", "2 tests collected in 0.01s")
    collected(monkeypatch, *listing)
    out = run(capsys, "prune")
    assert f"cassettes/sub/train.todeval.jsonl  {TRAIN}\n1 cassettes" in out
    assert "to delete; --yes deletes them" in out
    assert train.exists()
    Path("tests.txt").write_text("\n".join(listing))
    assert "deleted" in run(capsys, "prune", "--tests", "tests.txt", "--yes")
    assert not train.exists()
    assert not journal_path(train).exists()
    assert sorted(path.name for path in folder.iterdir()) == [
        "bad.todeval.jsonl",
        "hotel.todeval.jsonl",
        "sub",
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "the list names no test"),
        (("tests/test_hotel.py: 12",), "the list names no test"),
        ((HOTEL, "1/9 tests collected (8 deselected) in 0.1s"), "the list is incomplete"),
        ((HOTEL, "1 test collected, 1 error in 0.1s"), "the list is incomplete"),
        ((HOTEL, "ERROR tests/test_train.py - ImportError"), "the list is incomplete"),
    ],
)
def test_prune_refuses_lists_that_are_not_whole(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lines: tuple[str, ...],
    message: str,
) -> None:
    collected(monkeypatch, *lines)
    assert message in run(capsys, "prune", "--yes", status=2)
    assert len(list(folder.rglob("*.jsonl"))) == 2


def test_what_cannot_be_renamed_says_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.todeval.jsonl").write_text("{}")
    test, new = HOTEL.partition("[")[0], "tests/test_inn.py::test_books"
    assert f"no cassette of {test}x in cassettes" in run(
        capsys, "rename", f"{test}x", new, status=2
    )
    journal = Journal(folder / "hotel.todeval.jsonl", HEADER)
    assert "did not finish" in run(capsys, "rename", test, new, status=2)
    journal.close()
    journal_path(folder / "hotel.todeval.jsonl").unlink()
    assert (folder / "hotel.todeval.jsonl").is_file()
    moved, told = run(capsys, "rename", test, new).splitlines()
    assert moved.startswith("cassettes/hotel.todeval.jsonl -> ")
    assert told == "1 cassettes renamed"
    write("hotel", *dialogue(2))
    assert "already exists; move or delete it first" in run(capsys, "rename", test, new, status=2)


def test_export_and_import(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "hotel.todeval.jsonl"
    run(capsys, "export", str(path), "--base-url", "http://127.0.0.1:1")
    assert "http://127.0.0.1:1/v1/chat" in (folder / "hotel.yaml").read_text(encoding="utf-8")
    assert "already exists" in run(capsys, "export", str(path), status=2)
    arguments = ("import", "cassettes/hotel.yaml", "--test", HOTEL)
    assert "already exists" in run(capsys, *arguments, status=2)
    out = run(capsys, *arguments, "--out", "back.todeval.jsonl")
    assert "6 calls" in out
    assert read_cassette(Path("back.todeval.jsonl")).calls == read_cassette(path).calls


def test_export_says_what_it_leaves_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("failed", replace(chat("a"), outcome=RaisedError("read", "reset")), chat("b"))
    assert "1 calls; left out 1 transport errors" in run(capsys, "export", str(path))


def test_import_of_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in run(capsys, "import", "none.yaml", "--test", HOTEL, status=2)


@pytest.mark.parametrize(
    "command", ["show {0}", "diff {0} {0}", "export {0}", "import {0} --test x"]
)
def test_a_folder_in_a_cassettes_place(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "new.todeval.jsonl").mkdir()
    for given in ("cassettes/new.todeval.jsonl", "cassettes"):
        told = run(capsys, *command.format(given).split(), status=2)
        assert f"{given}: is a folder, expected a cassette" in told


def test_folders_among_the_cassettes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.todeval.jsonl").mkdir()
    journal_path(folder / "hotel.todeval.jsonl").mkdir()
    assert "new.todeval.jsonl" in run(capsys, "list")
    assert "new.todeval.jsonl: is a folder, expected" in run(capsys, "verify", status=1)
    assert ".hotel.todeval.jsonl.journal: broken (" in run(capsys, "journals")
    assert "1 journal in cassettes, 0 deleted" in run(capsys, "journals", "--clear")


def test_prune_leaves_alone_what_lies_outside_of_what_was_collected(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    collected(monkeypatch, "tests/other.py::test_b", "1 test collected in 0.01s")
    for test in (HOTEL, TRAIN):
        path = Path(test.partition("::")[0])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert "0 cassettes" in run(capsys, "prune", "--yes")
    assert len(list(folder.rglob("*.jsonl"))) == 2
