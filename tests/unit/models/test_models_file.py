"""Which models play which lane: the file, and what the command line says over it."""

from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.models.models_file import by_lane, read_models, settings_for
from pytest_todeval.models.settings import ModelSettings

TEXT = """\
user:
  model: gpt-4o-mini
  temperature: 1
judge:
  - model: gpt-4o
    temperature: 0
    unsupported: [seed]
  - model: qwen2.5:32b
    base_url: http://localhost:11434/v1
    key: OLLAMA_KEY
"""
GPT = ModelSettings("gpt-4o", temperature=0, unsupported=("seed",))
QWEN = ModelSettings("qwen2.5:32b", "http://localhost:11434/v1", "OLLAMA_KEY")
KEY = "sk-proj-0123456789abcdef"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.yaml"
    path.write_text(TEXT)
    return path


def test_each_lane_has_its_models_and_a_list_is_a_panel(file: Path) -> None:
    assert read_models(file) == {
        Lane.USER: (ModelSettings("gpt-4o-mini", temperature=1),),
        Lane.JUDGE: (GPT, QWEN),
    }
    assert settings_for(Lane.JUDGE, file=file) == (GPT, QWEN)
    assert settings_for(Lane.SYSTEM, file=file) == ()


def test_json_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text('{"judge": {"model": "gpt-4o", "temperature": 0, "unsupported": ["seed"]}}')
    assert read_models(path) == {Lane.JUDGE: (GPT,)}


def test_without_anything_no_lane_has_a_model() -> None:
    assert all(settings_for(lane) == () for lane in Lane)
    assert settings_for(Lane.USER, model=" ", base_url="http://h/v1") == ()


@pytest.mark.parametrize(
    ("text", "user", "judge", "system"),
    [
        ("gpt-4o", "gpt-4o", "gpt-4o", "gpt-4o"),
        ("qwen2.5:32b", "qwen2.5:32b", "qwen2.5:32b", "qwen2.5:32b"),
        ("judge:gpt-4o,user:qwen2.5:32b", "qwen2.5:32b", "gpt-4o", None),
        (" judge : gpt-4o , m ", "m", "gpt-4o", "m"),
        ("users:m", "users:m", "users:m", "users:m"),
        ("openai/gpt-4o:free", *("openai/gpt-4o:free",) * 3),
    ],
)
def test_the_command_line_names_one_for_all_or_one_for_each(
    text: str, user: str, judge: str, system: str | None
) -> None:
    named = {lane: [one.model for one in settings_for(lane, model=text)] for lane in Lane}
    assert named[Lane.USER] == [user]
    assert named[Lane.JUDGE] == [judge]
    assert named[Lane.SYSTEM] == ([] if system is None else [system])


def test_addresses_are_told_apart_from_lanes() -> None:
    url = "http://localhost:8000/v1"
    assert by_lane("--x", url) == dict.fromkeys(Lane, url)
    assert by_lane("--x", f"judge:{url}") == {Lane.JUDGE: url}


def test_the_command_line_wins_over_the_file(file: Path) -> None:
    url = "http://h/v1"
    assert settings_for(Lane.USER, file=file, model="m") == (ModelSettings("m", temperature=1),)
    assert settings_for(Lane.JUDGE, file=file, model="qwen2.5:32b") == (QWEN,)
    assert settings_for(Lane.JUDGE, file=file, model="m") == (ModelSettings("m"),)
    assert settings_for(Lane.SYSTEM, file=file, model="user:m") == ()
    moved = settings_for(Lane.JUDGE, file=file, base_url=f"judge:{url}")
    assert [(one.model, one.base_url, one.key) for one in moved] == [
        ("gpt-4o", url, "OPENAI_API_KEY"),
        ("qwen2.5:32b", url, "OLLAMA_KEY"),
    ]
    assert settings_for(Lane.USER, file=file, base_url=f"judge:{url}")[0].base_url is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("judge:", "'judge:' says nothing"),
        ("a,", "'' says nothing"),
        ("a,b", "'b' is a second one for all lanes"),
        ("judge:a,judge:b", "'judge:b' is a second one for judge"),
    ],
)
def test_an_option_that_cannot_be_meant(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=rf"--todeval-model={text}: {said}; expected"):
        settings_for(Lane.JUDGE, model=text)


def test_an_address_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"--todeval-base-url: base_url of model m is .*expected"):
        settings_for(Lane.JUDGE, model="m", base_url="localhost")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"expected the lanes user, system, judge, ear"),
        ("- model: m\n", r":1: expected the lanes"),
        ("jugde:\n  model: m\n", r":1: unknown lane 'jugde'; did you mean 'judge'"),
        ("judge: gpt-4o\n", r":1: expected the settings of a model, such as `model: gpt-4o`"),
        ("judge:\n  temperature: 0\n", r":1: no model; write `model: NAME`"),
        ("judge:\n  model: m\n  temprature: 0\n", r":3: unknown setting .*'temperature'"),
        ("judge:\n  temperature: x\n  model: m\n", r":2: temperature of model m is 'x'; expected"),
        ("judge:\n  - model: a\n  - model:\n", r":3: model is None"),
        ("judge:\n  - model: a\n  - b\n", r":3: expected the settings"),
        ("judge: []\n", r":1: got an empty list"),
        ("user:\n  - model: a\n  - model: b\n", r":1: 2 models for the lane user, expected one"),
        ("user:\n  model: m\n  unsupported: [seeds]\n", r":3: unsupported .*did you mean 'seed'"),
        ("user:\n  model: m\n  per_minute: 0\n", r":3: per_minute of model m is 0; expected"),
        ("user: {model: m\n", r"broken YAML"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(text)
    with pytest.raises(InvalidFile, match=rf"models\.yaml.*{said}"):
        read_models(path)


@pytest.mark.parametrize(
    "line",
    [
        f"key: {KEY}",
        f"api_key: {KEY}",
        f"key: [{KEY}]",
        f"key: {{is: {KEY}}}",
        f"base_url: https://me:{KEY}@host/v1",
        "key: gsk_0123456789abcdef",
    ],
)
def test_a_key_in_the_file_is_refused_and_not_shown(tmp_path: Path, line: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(f"judge:\n  model: m\n  {line}\n")
    with pytest.raises(InvalidFile, match=r"models\.yaml:3: ") as caught:
        read_models(path)
    assert "0123456789abcdef" not in str(caught.value)
