"""`todeval models check`: a table, a file that is read back, and never a key."""

from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.commands.models import _lines
from pytest_todeval.core.lane import Lane
from pytest_todeval.models.models_file import read_models
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from tests.conftest import Todeval

KEY = "sk-a-very-secret-one"


def echo(request: ChatRequest) -> str | Answer:
    """Refuses seeds, and shows the key in doing so."""
    if "seed" in request.body:
        sent = request.headers["authorization"]
        return Answer(error=Status(422, f"no seed\x1b[2J for {sent}"))
    return "Hi."


def test_the_table_and_the_file_have_what_was_found_and_no_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    out = tmp_path / "models.yaml"
    with StandInServer(echo) as server:
        url = server.base_url
        asked = ["--model", "m", "--base-url", url, "--write", str(out)]
        assert main(["models", "check", *asked]) == 0
        once = server.hits
        file = read_models(out)
        assert main(["models", "check", "--models", str(out)]) == 0
        assert server.hits == 2 * once  # the same model in four lanes is asked once
    assert set(file) == set(Lane)
    for [settings] in file.values():
        assert settings.unsupported == ("seed",)
        assert settings.base_url == url
    shown = capsys.readouterr().out
    assert f"model m at {url}" in shown
    assert "seed                   refused (status 422: no seed" in shown
    assert '\n  unsupported: ["seed"]\n' in shown
    for text in (shown, out.read_text()):
        assert KEY not in text
        assert "\x1b" not in text


def test_panels_and_lanes_of_a_file_are_kept(tmp_path: Path) -> None:
    models, out = tmp_path / "models.yaml", tmp_path / "out.yaml"
    with StandInServer(lambda request: "Hi.") as server:
        url = server.base_url
        models.write_text(
            f"judge:\n- {{model: a, base_url: '{url}', key: A_KEY, profile: ollama}}\n"
            f"- {{model: b, base_url: '{url}', per_minute: 600, temperature: 0}}\n"
        )
        assert main(["models", "check", "--models", str(models), "--write", str(out)]) == 0
    assert read_models(out) == read_models(models)


def test_an_address_that_may_hold_a_key_is_not_written() -> None:
    lines = list(_lines(ModelSettings("m", "https://host/v1?code=secret", seed=1)))
    assert lines[0] == 'model: "m"'
    assert lines[-1] == "seed: 1"
    assert "secret" not in "".join(lines)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "no model is named: write --model NAME"),
        (["--model", "m", "--write", "there.yaml"], "--write there.yaml exists"),
        (["--models", "nowhere.yaml"], "nowhere.yaml"),
        (["--model", "m", "--base-url", "localhost"], "--todeval-base-url: base_url"),
    ],
)
def test_what_cannot_be_meant(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    todeval: Todeval,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("user: {model: mine}\n")
    assert said in todeval("models", "check", *options, code=2).err
    assert Path("there.yaml").read_text() == "user: {model: mine}\n"
