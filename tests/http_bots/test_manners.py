"""HTTP bots in the manners of many frameworks, asked as the docs say, in runs over one server."""

from pathlib import Path

import pytest

from pytest_todeval.runs.reports.results import read_results
from tests.http_bots.desk import MANNERS, DeskServer
from tests.plugin.conftest import apart, run

CONFTEST = """
import json
import os
import re
import uuid
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import pytest
from pytest_todeval import HttpSystem, Reply, ToolCall

URL = os.environ["DESK_URL"]


def made(parts):
    calls = [part for part in parts if part["type"] == "tool"]
    text = "".join(part["delta"] for part in parts if part["type"] == "text-delta")
    result = {"success": True}
    return Reply(text, tuple(ToolCall(c["name"], c["input"], result=result) for c in calls))


BOTS = {
    "token": lambda: HttpSystem(
        f"{URL}/token",
        headers={"Authorization": "Bearer ${DESK_TOKEN}"},
        request=lambda ours: {"message": ours["text"], "session": ours["session"]},
        reply=lambda theirs: theirs["messages"][-1]["content"],
    ),
    "sessions": lambda: HttpSystem(
        f"{URL}/sessions/{{session}}/messages",
        open="POST /sessions",
        close="DELETE /sessions/{session}",
        reply=lambda theirs: theirs["answer"],
    ),
    "rasa": lambda: HttpSystem(
        f"{URL}/rasa/webhooks/rest/webhook",
        request=lambda ours: {"sender": ours["session"], "message": ours["text"]},
        reply=lambda theirs: ". ".join(each["text"] for each in theirs if "text" in each),
    ),
    "deltas": lambda: HttpSystem(
        f"{URL}/deltas",
        request=lambda ours: {
            "messages": [*ours["history"], {"role": "user", "content": ours["text"]}],
            "user": ours["session"],
            "stream": True,
        },
    ),
    "chain": lambda: HttpSystem(
        f"{URL}/chain/stream",
        request=lambda ours: {
            "input": ours["text"], "config": {"configurable": {"session_id": ours["session"]}}
        },
    ),
    "cookie": lambda: HttpSystem(
        f"{URL}/cookie",
        headers={"Cookie": "talk={session}"},
        request=lambda ours: {"q": ours["text"]},
        reply=lambda theirs: theirs["say"],
    ),
    "path": lambda: HttpSystem(
        f"{URL}/path/sessions/{{session}}:detect",
        request=lambda ours: {"queryInput": {"text": {"text": ours["text"]}}},
        reply=lambda theirs: theirs["queryResult"]["fulfillmentText"],
    ),
    "form": lambda: HttpSystem(
        f"{URL}/form",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        request=lambda ours: urlencode({"From": ours["session"], "Body": ours["text"]}),
        reply=lambda xml: re.search("<Message>(.*)</Message>", xml)[1],
    ),
    "lines": lambda: HttpSystem(
        f"{URL}/lines",
        request=lambda ours: {"id": ours["session"], "prompt": ours["text"]},
        reply=lambda lines: "".join(line["response"] for line in lines),
    ),
    "rpc": lambda: HttpSystem(
        f"{URL}/rpc",
        open=lambda dialogue_id: str(uuid.uuid4()),
        request=lambda ours: {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "message/send",
            "params": {
                "message": {"contextId": ours["session"], "parts": [{"text": ours["text"]}]}
            },
        },
        reply=lambda theirs: theirs["result"]["parts"][0]["text"],
    ),
    "parts": lambda: HttpSystem(
        f"{URL}/parts",
        request=lambda ours: {"id": ours["session"], "messages": [{"text": ours["text"]}]},
        reply=made,
    ),
    "plain": lambda: f"{URL}/plain",
}


@pytest.fixture(scope="session", params=BOTS)
def tod_system(request):
    return BOTS[request.param]()


@pytest.fixture
def backend(request, todeval_session):
    plain = "plain" in request.node.name

    class Booked:
        def bookings(self):
            session = todeval_session.dialogue_id if plain else todeval_session.id
            with urlopen(f"{URL}/bookings/{quote(session, safe='')}") as answer:
                return json.load(answer)

    return Booked()
"""
GOALS = """
goals:
- id: tennis
  message: You want to play tennis on friday at 17:30.
  domains: {court: {inform: {sport: tennis}, book: {day: friday, time: "17:30"}}}
- id: squash
  message: You want to play squash on monday at 9:15.
  domains: {court: {inform: {sport: squash}, book: {day: monday, time: "9:15"}}}
"""
TEST = """
import pytest

@pytest.mark.goals("goals.yaml", limit=1)
def test_books(dialogue):
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"

@pytest.mark.goals("goals.yaml", limit=1)
def test_books_the_same(dialogue):
    assert dialogue.booking
"""
MORE = """
@pytest.mark.goals("goals.yaml")
@pytest.mark.trials(2)
def test_books_twice(dialogue):
    assert dialogue.booking
    assert dialogue.success
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_desk=TEST)
    (pytester.path / "goals.yaml").write_text(GOALS)
    return pytester


def failures(folder: Path) -> list[tuple[str, str, str]]:
    found = read_results(folder / "r.json")["dialogues"]
    return [(e["test"], e["outcome"], e["detail"]) for e in found if e["outcome"] != "passed"]


@pytest.mark.parametrize(
    "manners",
    [("sessions", "chain"), pytest.param(tuple(MANNERS), marks=pytest.mark.thorough, id="all")],
)
def test_each_dialogue_of_each_run_has_a_session_of_its_own(
    manners: tuple[str, ...], suite: pytest.Pytester, desk: DeskServer
) -> None:
    chosen = ["-k", " or ".join(f"{manner}-" for manner in manners)]
    each = 2 * len(manners)
    for played in (each, 2 * each):
        result = run(suite, *chosen, "-p", "no:xdist", "--todeval-json=r.json")
        assert failures(suite.path) == []
        assert result.parseoutcomes()["passed"] == each
        assert len(desk.talks) == played
    assert all(talk.reference for talk in desk.talks.values())
    assert desk.open == set()


@pytest.mark.thorough
def test_trials_and_processes_share_no_session(suite: pytest.Pytester, desk: DeskServer) -> None:
    suite.makepyfile(test_desk=TEST + MORE)
    each = 6 * 2
    for played in (each, 2 * each):
        result = apart(suite, "-n2", "-k", "sessions- or path-", "--todeval-json=r.json")
        assert failures(suite.path) == []
        result.assert_outcomes(passed=each)
        assert len(desk.talks) == played
    assert desk.open == set()
