"""The `todeval` command itself."""

import pytest

from pytest_todeval.cli import COMMANDS, main


def test_without_a_command_it_lists_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["todeval"])
    assert main() == 2
    told = capsys.readouterr().err
    assert set(COMMANDS) <= set(told.split())


def test_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("todeval 0.")


@pytest.mark.parametrize(
    "command", ["baseline", "cassettes", "data", "export", "goals", "history", "models", "score"]
)
def test_a_command_that_lacks_what_it_needs_says_how_it_is_used(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([command])
    told = capsys.readouterr().err
    assert told.startswith(f"usage: todeval {command}")
    assert "the following arguments are required" in told
