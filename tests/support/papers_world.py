"""What the tests of the papers share: judges as published and by default, and released files."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.runs.reports.answers import Answers
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import (
    BOOK,
    KETTLE,
    booked,
    dialogue,
    found,
    restaurant_goal,
    said,
)

__all__ = [
    "Answering",
    "by_schema",
    "judging",
    "kept",
    "paper",
    "paper_between",
    "paper_repo",
    "talk",
    "temperatures",
    "text_of",
    "unfenced",
]

PROJECT = Path(__file__).resolve().parents[2]
Answering = Callable[[ChatRequest], Answerable]
TABLE = {"name": "the copper kettle", "day": "friday", "time": "18:30", "people": "4"}


def talk() -> Dialogue:
    """A greeting, a look-up with an offer, a booking."""
    return dialogue(
        restaurant_goal(book=BOOK, request=("phone",)),
        said("Hello, I want to eat.", "Which area would you like?"),
        said(
            "Italian food in the centre.",
            "The Copper Kettle, its phone is 01999111222.",
            found("restaurant", KETTLE, food="italian", area="centre"),
        ),
        said(
            "A table for 4 on friday at 18:30.",
            "Booked, the reference is AB12CD34.",
            booked("restaurant", **TABLE),
        ),
    )


@contextmanager
def judging(
    answer: Answering | str | Mapping[str, Any], published: bool = False, **options: Any
) -> Iterator[tuple[LLMJudge, StandInServer]]:
    """A judge whose model is a stand-in that answers so."""
    function = answer if callable(answer) else lambda request: answer
    with StandInServer(function) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        yield LLMJudge(settings, published=published, **options), server
        assert server.failures == ()


def text_of(request: ChatRequest) -> str:
    """All that a request shows the model."""
    return "\n".join(str(message["content"]) for message in request.messages)


def unfenced(text: str) -> str:
    """A text without the marks of fences."""
    return re.sub(r"⟦/?[^⟧]*⟧", "", text)


def temperatures(server: StandInServer) -> set[object]:
    """Those that were sent; None if none was."""
    return {request.body.get("temperature") for request in server.requests}


def by_schema(scores: Mapping[str, object] | None = None, **more: object) -> Answering:
    """Fills the JSON schema of whatever question: named values, else the lowest that fits."""
    given = {**(scores or {}), **more}

    def fill(name: str, schema: Mapping[str, Any]) -> object:
        if name in given:
            return given[name]
        kinds = [schema, *schema.get("anyOf", ())]
        for each in kinds:
            if "enum" in each:
                return each["enum"][0]
            if each.get("type") == "object":
                parts = each.get("properties", {})
                return {key: fill(key, part) for key, part in parts.items()}
            if each.get("type") == "array":
                return []
            if each.get("type") in ("integer", "number"):
                return each.get("minimum", 1)
        return "because"

    def answer(request: ChatRequest) -> Answerable:
        assert request.schema is not None, "this question is asked as text"
        found = fill("", request.schema)
        assert isinstance(found, dict)
        return found

    return answer


def kept(
    shown: Dialogue, *findings: object, outcome: Outcome = Outcome.PASSED, **more: Any
) -> DialogueEntry:
    """The entry of a dialogue in the results, with all that judges said of it.

    A finding is an answer, or a pair of an answer and the other dialogue that was asked about.
    """
    answers = Answers()
    for each in findings:
        found, asked = each if isinstance(each, tuple) else (each, (shown,))
        answers.keep(found, shown, *asked)
    return dialogue_entry(
        shown,
        test="test",
        outcome=outcome,
        metrics=answers.verdicts,
        scores=answers.scores,
        rules=answers.rules,
        keywords=answers.keywords,
        comparisons=answers.comparisons,
        rule_definitions=answers.rule_definitions,
        **more,
    )


def paper(name: str) -> str:
    """The text of a paper, from `TODEVAL_PAPERS` or `../shared/papers`; skips if it is absent."""
    for place in (os.environ.get("TODEVAL_PAPERS"), str(PROJECT.parent / "shared" / "papers")):
        if place and (path := Path(place) / f"{name}.md").is_file():
            return path.read_text(encoding="utf-8")
    pytest.skip(f"paper {name}.md not found: set TODEVAL_PAPERS to a folder that holds it")


def paper_between(name: str, start: str, end: str, skip: Sequence[str] = ()) -> str:
    """What a paper prints from `start` (in it) to `end` (not in it)."""
    text = paper(name)
    first = text.index(start)
    cut = text[first : text.index(end, first + len(start))]
    for each in skip:
        cut = cut.replace(each, "")
    return cut


def paper_repo(name: str) -> Path:
    """A checkout of a paper's repository, in the folder `TODEVAL_PAPER_REPOS`; skips without."""
    place = os.environ.get("TODEVAL_PAPER_REPOS")
    if place and (Path(place) / name).is_dir():
        return Path(place) / name
    pytest.skip(f"no checkout of {name}: set TODEVAL_PAPER_REPOS to a folder that holds it")
