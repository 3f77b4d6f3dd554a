"""One meaning of address and key for user, judge and bot in whole runs, and what is ignored."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from tests.conftest import PROJECT
from tests.plugin.conftest import asking
from tests.plugin.test_models_in_runs import TEST, example

EXAMPLE = PROJECT / "examples" / "models"
CONFTEST = """
import pytest
from workshop import INSTRUCTIONS, Calendar, book_job, free_days
from pytest_todeval import ChatSystem

@pytest.fixture(scope="session")
def tod_system():
    return ChatSystem(MODEL, INSTRUCTIONS, tools=[free_days, book_job])

@pytest.fixture
def backend():
    return Calendar()
"""
sound: Callable[[ChatRequest], Answer] = example("stand_in").answer


@pytest.fixture
def servers() -> Iterator[dict[str, StandInServer]]:
    """A server for each lane that asks one."""
    with ExitStack() as stack:
        yield {lane: stack.enter_context(StandInServer(sound)) for lane in ("user", "judge", "bot")}


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")  # where nobody may ask
    for name in ("workshop.py", "goals.yaml"):
        (pytester.path / name).write_text((EXAMPLE / name).read_text())
    pytester.makepyfile(test_workshop=TEST)
    return pytester


def models(server: StandInServer) -> set[str]:
    return {request.model for request in server.requests}


def play(suite: pytest.Pytester, model: str, *options: str) -> pytest.RunResult:
    suite.makeconftest(CONFTEST.replace("MODEL", model))
    return asking(
        suite, "--todeval-record=live", "--todeval-user=thought", "-k", "tune-up", *options
    )


def test_the_address_holds_for_a_bot_that_names_its_model_alone(
    suite: pytest.Pytester, servers: dict[str, StandInServer]
) -> None:
    user, judge, bot = (servers[lane].base_url for lane in ("user", "judge", "bot"))
    where = f"--todeval-base-url=user:{user},judge:{judge},system:{bot}"
    model = "--todeval-model=user:u,judge:j"
    result = play(suite, '"gpt-4o"', model, where)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            f"todeval: user: model u at {user} (--todeval-base-url), key from OPENAI_API_KEY",
            f"todeval: judge: model j at {judge} (--todeval-base-url), key from OPENAI_API_KEY",
        ]
    )
    assert {lane: models(server) for lane, server in servers.items()} == {
        "user": {"u"},
        "judge": {"j"},
        "bot": {"gpt-4o"},
    }


@pytest.mark.thorough
def test_an_address_of_its_own_wins_and_the_ini_file_counts_as_well(
    suite: pytest.Pytester, servers: dict[str, StandInServer]
) -> None:
    user, bot = servers["user"].base_url, servers["bot"].base_url
    suite.makeini(f"[pytest]\ntodeval_base_url = {user}\ntodeval_model = user:u,judge:j")
    own = f'__import__("pytest_todeval").ModelSettings("gpt-4o", base_url="{bot}")'
    play(suite, own).assert_outcomes(passed=1)
    assert models(servers["bot"]) == {"gpt-4o"}
    assert models(servers["user"]) == {"u", "j"}


@pytest.mark.thorough
def test_the_key_and_address_of_a_models_file_hold_for_the_model_of_that_name(
    suite: pytest.Pytester,
    servers: dict[str, StandInServer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BOT_KEY", "key-of-the-bot")
    user, bot = servers["user"].base_url, servers["bot"].base_url
    host = bot.split("//")[1].partition("/")[0]
    monkeypatch.setenv("TODEVAL_TRUSTED_HOSTS", f"BOT_KEY@{host}")
    (suite.path / "models.yaml").write_text(
        f"user: {{model: u, base_url: '{user}'}}\njudge: {{model: j, base_url: '{user}'}}\n"
        f"system: {{model: gpt-4o, base_url: '{bot}', key: BOT_KEY}}\n"
    )
    play(suite, '"gpt-4o"', "--todeval-models=models.yaml").assert_outcomes(passed=1)
    sent = {request.headers["authorization"] for request in servers["bot"].requests}
    assert sent == {"Bearer key-of-the-bot"}


def test_an_address_that_is_none_stops_the_run(suite: pytest.Pytester) -> None:
    result = play(suite, '"gpt-4o"', "--todeval-base-url=localhost:1", "--todeval-model=m")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--todeval-base-url: base_url*"])


def test_tools_that_the_endpoint_does_not_show_the_model_are_told(
    suite: pytest.Pytester, servers: dict[str, StandInServer]
) -> None:
    def blind(request: ChatRequest) -> Answer:
        return Answer("I cannot help.", usage={"prompt_tokens": 5, "completion_tokens": 3})

    user = servers["user"].base_url
    with StandInServer(blind) as bot:
        where = f"--todeval-base-url={user},system:{bot.base_url}"
        result = play(suite, '"gpt-4o"', "--todeval-model=user:u,judge:j", where)
    # The scripted user repeats itself, as nobody serves it: that is told all the same.
    result.assert_outcomes(errors=1, warnings=1)
    result.stdout.fnmatch_lines(
        ["*2 tools were sent, but the prompt had too few tokens*write `tool_choice: auto`*"]
    )
