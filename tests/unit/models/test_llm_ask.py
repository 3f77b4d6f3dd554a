"""Asking until it can be read: how often a model is asked, and what is made of what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.ask import Asked, ask
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, StandInServer, Status

ASKED = [{"role": "system", "content": "You count."}, {"role": "user", "content": "How many?"}]
GOOD, BAD = "5", "five, I think"


@dataclass(frozen=True)
class Number:
    """Reads digits; breaks if it is told to."""

    error: Exception | None = None
    expected: str = "Answer with digits."

    @property
    def schema(self) -> Mapping[str, Any]:
        return {"title": "number", "type": "integer"}

    def read(self, text: str) -> int:
        if self.error is not None:
            raise self.error
        if not text.isdigit():
            raise Unreadable(f"got {text!r}")
        return int(text)


def asked(
    *answers: str | Answer, reader: Number | None = None, **options: Any
) -> tuple[Asked[int], list[dict[str, Any]]]:
    """What came of it, and the bodies of the requests made."""
    with StandInServer.script(list(answers)) as server:
        client = ChatClient(ModelSettings("m", server.base_url, retries=0))
        got = ask(client, ASKED, reader or Number(), **options)
        return got, [dict(request.body) for request in server.requests]


def test_an_answer_that_can_be_read_is_asked_for_once_and_with_its_schema() -> None:
    got, [body] = asked(GOOD, seed=3)
    assert got == Asked(5, None, (GOOD,))
    assert body["messages"] == ASKED
    assert body["response_format"]["json_schema"]["name"] == "number"
    assert body["seed"] == 3


def test_one_that_cannot_is_asked_for_once_more_with_what_is_wrong() -> None:
    got, [_, again] = asked(BAD, GOOD)
    assert got == Asked(5, None, (BAD, GOOD))
    *before, answer, question = again["messages"]
    assert before == ASKED  # so that the prefix can be cached
    assert answer == {"role": "assistant", "content": fenced("answer", BAD)}
    assert question["role"] == "user"
    assert "Answer with digits." in question["content"]
    assert fenced("problem", f"got {BAD!r}") in question["content"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (BAD, "got 'five"),
        (Answer(refusal="I cannot."), "the model refused: I cannot."),
        (Answer(GOOD, finish="length"), "cut off at the limit"),
        (Answer(GOOD, finish="content_filter"), "cut off by the endpoint's filter"),
        (Answer(), "is empty"),
        (Answer(" \n"), "is empty"),
        (Answer(tool_calls=[("count", {})]), r"is empty \(finish reason tool_calls\)"),
    ],
)
def test_it_is_never_asked_a_third_time_and_never_a_number(answer: str | Answer, why: str) -> None:
    got, bodies = asked(answer, answer)
    assert len(bodies) == len(got.replies) == 2
    assert got.value is None
    assert got.unscored is not None
    assert got.unscored.startswith("asked twice, ")
    with pytest.raises(ValueError, match=why):
        raise ValueError(got.unscored)


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError(), ValueError("y" * 9999)])
def test_a_reader_that_breaks_is_said_to_and_not_asked_for_again(error: Exception) -> None:
    got, bodies = asked(GOOD, reader=Number(error))
    assert len(bodies) == 1
    assert got.value is None
    assert got.unscored is not None
    assert got.unscored.startswith(f"Number broke: {type(error).__name__}: ")
    assert got.unscored.endswith("(reply: '5')")
    assert len(got.unscored) < 700


def test_a_request_that_is_not_taken_is_unscored() -> None:
    got, bodies = asked(Answer(error=Status(400, "not that")))
    assert (got.value, len(bodies)) == (None, 1)
    assert "not that" in str(got.unscored)
    got, bodies = asked(BAD, Answer(error=Status(400, code="context_length_exceeded")))
    assert (got.value, got.replies, len(bodies)) == (None, (BAD,), 2)
    assert "too long" in str(got.unscored)


@pytest.mark.parametrize("answers", [[], [BAD]])
def test_a_model_that_is_not_there_is_nobodys_answer(answers: list[str]) -> None:
    with pytest.raises(ModelUnavailable):
        asked(*answers, Answer(error=Status(503)))


def test_an_endpoint_without_structured_output_is_read_as_text() -> None:
    got, bodies = asked(Answer(error=Status(400, "response_format is not supported")), GOOD)
    assert got.value == 5
    assert ["response_format" in body for body in bodies] == [True, False]


def test_the_words_for_asking_again_can_be_replaced(tmp_path: Path) -> None:
    text = "---\nversion: 2\n---\n# user\nOnce more! {{expected}}\n"
    (tmp_path / "ask_again.md").write_text(text)
    _, [_, again] = asked(BAD, GOOD, prompts=Prompts(tmp_path))
    last = {"role": "user", "content": "Once more! Answer with digits."}
    assert again["messages"] == [*ASKED, last]
