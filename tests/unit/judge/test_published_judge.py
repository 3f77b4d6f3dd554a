"""The judge as published, and what judges are asked at: mode, definitions, temperature."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.judge import scores_question, yes_no_question
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import StandInServer
from tests.support.judging_world import played

YES = {"reason": "so it is", "answer": "yes"}


def asked(server: StandInServer, judge: LLMJudge) -> list[Mapping[str, Any]]:
    """The bodies of the requests of one question."""
    assert judge.holds(played(), "The bot is polite.")
    assert not server.failures
    return [request.body for request in server.requests]


def settings(server: StandInServer, **given: Any) -> ModelSettings:
    return ModelSettings("m", base_url=server.base_url, retries=0, **given)


@pytest.mark.parametrize(
    ("given", "samples", "sent"),
    [
        ({}, 1, 0),
        ({"temperature": 0.7}, 1, 0.7),
        ({"unsupported": ("temperature",)}, 1, None),
        ({}, 2, None),
        ({"temperature": 0.7}, 2, 0.7),
    ],
)
def test_a_judge_is_asked_at_temperature_0_unless_its_settings_say_otherwise(
    given: dict[str, Any], samples: int, sent: float | None
) -> None:
    with StandInServer(lambda _: YES) as server:
        judge = LLMJudge(settings(server, **given), samples=samples)
        bodies = asked(server, judge)
        version = judge.holds(played(), "The bot is polite.").version
    assert [body.get("temperature") for body in bodies] == [sent] * samples
    assert ("own temperature" in version) == (sent is None)
    assert sent is None or f"m, temperature {sent:g}" in version


def test_a_client_at_hand_is_asked_as_it_is_set() -> None:
    with StandInServer(lambda _: YES) as server:
        (body,) = asked(server, LLMJudge(ChatClient(settings(server))))
    assert "temperature" not in body


def test_what_no_paper_asks_is_asked_as_usual_and_says_so() -> None:
    with StandInServer(lambda _: YES) as server:
        default = LLMJudge(settings(server)).holds(played(), "The bot is polite.")
        published = LLMJudge(settings(server), published=True).holds(played(), "The bot is polite.")
    assert default.version == published.version
    assert "published" not in published.version


def test_a_judge_says_that_it_asks_as_published() -> None:
    assert repr(LLMJudge("m", published=True)) == "<LLMJudge m as published>"
    assert repr(LLMJudge("m")) == "<LLMJudge m>"


def test_as_published_is_not_fused() -> None:
    with pytest.raises(UsageError, match="each dimension has a call of its own"):
        LLMJudge("m", published=True, fused=True)


HEAD = "---\nversion: 1\nsource: mine\nanswer: text\nreply: {reply}\n---\n# user\n{dialogue}\n"


def document(folder: Path, reply: str) -> Path:
    path = folder / "mine.md"
    path.write_text(HEAD.format(reply=reply, dialogue="{{dialogue}}"))
    return path


def test_a_question_of_a_package_may_be_answered_in_text(tmp_path: Path) -> None:
    question = yes_no_question("polite", document(tmp_path, "tag"))
    with StandInServer(lambda _: "Kind words.\n<answer>YES</answer>") as server:
        verdict = LLMJudge(settings(server)).ask(question, played())
    assert verdict
    assert verdict.reason == "Kind words."
    assert "response_format" not in server.requests[0].body


def test_scores_of_a_package_may_come_in_a_row(tmp_path: Path) -> None:
    scales = {"tone": (1, 5), "pace": (1, 3)}
    question = scores_question("manner", document(tmp_path, "row"), scales, per="dialogue")
    with StandInServer(lambda _: "4,2") as server:
        found = LLMJudge(settings(server)).ask(question, played())
    assert [series[0].value for series in found.values()] == [4, 2]
    assert "response_format" not in server.requests[0].body


def test_a_format_that_does_not_answer_the_question_is_named(tmp_path: Path) -> None:
    question = yes_no_question("polite", document(tmp_path, "xml"))
    refused = pytest.raises(UsageError, match="prompt mine: its replies are")
    with StandInServer(lambda _: "") as server, refused:
        LLMJudge(settings(server)).ask(question, played())
    assert not server.requests


def test_an_answer_in_text_that_cannot_be_read_is_asked_for_once_more(tmp_path: Path) -> None:
    question = yes_no_question("polite", document(tmp_path, "tag"))
    replies = iter(["Certainly.", "<answer>NO</answer>"])
    with StandInServer(lambda _: next(replies)) as server:
        verdict = LLMJudge(settings(server)).ask(question, played())
    assert not verdict.passed
    assert "<answer>YES</answer> or <answer>NO</answer>" in server.requests[1].last_user
