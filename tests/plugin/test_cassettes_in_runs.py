"""Cassettes in whole runs: budgets, plans, what was not played, orphans, what replay imports."""

import json
import re
from pathlib import Path

import pytest

from tests.plugin.conftest import WITHOUT_XDIST, apart, recorded_once, run

CONFTEST = """
import json
import os
import urllib.request
import pytest
from pytest_todeval import ScriptedUser
from pytest_todeval.testing import StandInServer


def ask(text):
    body = {"model": "stand-in", "messages": [{"role": "user", "content": text}]}
    request = urllib.request.Request(
        os.environ.get("MODEL_URL", "http://localhost/v1") + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}.", "Thank you."])


@pytest.fixture(scope="session", autouse=True)
def model(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield
        return
    with StandInServer(lambda request: "Heard: " + request.last_user) as server:
        os.environ["MODEL_URL"] = server.base_url
        yield
        with open("asked.txt", "a") as file:
            file.writelines(request.last_user + "\\n" for request in server.requests)


@pytest.fixture(scope="session")
def tod_system():
    def respond(text):
        try:
            return ask(text)
        except Exception:
            return "Sorry, something went wrong."

    return lambda: respond
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=3)
def test_it(dialogue):
    assert len(dialogue.turns) == 2
"""

JUDGED = """
import pytest
from conftest import ask

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert ask("Was it good?") == "Heard: Was it good?"
"""

PRICES = "stand-in: {prompt: 1000000, completion: 1000000}\n"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Three dialogues of two calls each, with a bot that swallows every exception."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    return pytester


@pytest.fixture
def recorded(suite: pytest.Pytester, kept: dict[Path, bytes]) -> pytest.Pytester:
    with recorded_once(kept, suite.path) as first:
        if first:
            apart(suite, "--todeval-record=missing").assert_outcomes(passed=3)
            (suite.path / "asked.txt").unlink()
    return suite


def cassettes(pytester: pytest.Pytester) -> dict[str, bytes]:
    found = pytester.path.glob("cassettes/**/*.todeval.jsonl")
    return {path.name: path.read_bytes() for path in found}


def asked(pytester: pytest.Pytester) -> list[str]:
    """What the model was really asked, in all processes."""
    file = pytester.path / "asked.txt"
    return file.read_text().splitlines() if file.exists() else []


# Budgets


@pytest.mark.parametrize("processes", [["-p", "no:xdist"], ["-n2"]], ids=str)
def test_a_budget_of_calls_is_the_runs_however_many_processes(
    suite: pytest.Pytester, processes: list[str]
) -> None:
    suite.makepyfile(test_bot=TEST.replace("limit=3", "limit=6"))
    result = apart(suite, *processes, "--todeval-record=missing", "--todeval-max-calls=5")
    counts = result.parseoutcomes()
    assert counts.get("errors", 0) >= 4
    assert len(asked(suite)) <= 5
    result.stdout.fnmatch_lines(["infrastructure: *as many as --todeval-max-calls allows*"])
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=6)
    assert len(asked(suite)) == 12  # what was paid for is not paid again


def test_a_budget_of_dollars(suite: pytest.Pytester) -> None:
    (suite.path / "prices.yaml").write_text(PRICES)
    suite.makeini("[pytest]\ntodeval_prices = prices.yaml\n")
    result = apart(suite, "--todeval-record=missing", "--todeval-max-cost=0.5")
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["infrastructure: 1 calls cost *--todeval-max-cost allows 0.5*"])
    assert len(asked(suite)) == 1


def test_a_model_without_a_price_is_named_with_the_file_to_write(suite: pytest.Pytester) -> None:
    (suite.path / "prices.yaml").write_text(PRICES.replace("stand-in", "another"))
    suite.makeini("[pytest]\ntodeval_prices = prices.yaml\n")
    result = apart(suite, "--todeval-record=missing", "--todeval-max-cost=5")
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(
        [
            "infrastructure: *the model 'stand-in' has no price*prices.yaml*",
            '"stand-in":',
            "  prompt: USD",
            "  completion: USD",
        ]
    )
    assert asked(suite) == []


# The plan


def test_the_plan_stands_before_the_first_test(recorded: pytest.Pytester) -> None:
    next(recorded.path.glob("cassettes/**/*.jsonl")).unlink()
    result = apart(recorded, "--todeval-record=missing", "--todeval-max-calls=9")
    result.stdout.fnmatch_lines(
        [
            "todeval: plan (missing): 3 dialogues, 2 with a cassette; 1 will be recorded (and those"
            " that turn out stale); about 2 calls (2.0 a dialogue, the mean of the cassettes)",
            "todeval: budget: 9 calls",
            "",
            "test_bot.py*",
        ]
    )


def test_collect_only_shows_the_plan_and_spends_nothing(suite: pytest.Pytester) -> None:
    result = apart(suite, "--collect-only", "--todeval-record=rewrite", "-n1")
    result.stdout.fnmatch_lines(
        [
            "todeval: plan (rewrite): 3 dialogues, 0 with a cassette; 3 will be recorded; how many"
            " calls that takes is unknown, since there is no cassette yet",
            "todeval: budget: no limit (--todeval-max-calls, --todeval-max-cost)",
        ]
    )
    assert asked(suite) == []


@pytest.mark.parametrize(
    "mode",
    [
        "rewrite",
        *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("replay", "missing", "live")),
    ],
)
def test_a_folder_in_a_cassettes_place(mode: str, recorded: pytest.Pytester) -> None:
    path = next(recorded.path.glob("cassettes/**/*.jsonl"))
    path.unlink()
    path.mkdir()
    result = apart(recorded, f"--todeval-record={mode}", "-k", path.name.partition("[")[0])
    assert result.ret == pytest.ExitCode.TESTS_FAILED, result.stdout.str()
    result.stdout.fnmatch_lines(["*.todeval.jsonl: is a folder, expected a cassette*"])
    assert "IsADirectoryError" not in result.stdout.str() + result.stderr.str()
    assert path.is_dir()


def test_the_plan_counts_the_lanes_that_are_recorded(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_bot=JUDGED)
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=1)
    result = apart(suite, "--collect-only", "--todeval-record=judge:live")
    result.stdout.fnmatch_lines(["*1 will be called, not recorded; about 1 calls (1.0 a dialogue*"])


def test_the_controller_of_xdist_says_what_it_knows(recorded: pytest.Pytester) -> None:
    result = apart(recorded, "-n1", "--todeval-record=missing")
    result.stdout.fnmatch_lines(["todeval: record=missing", "todeval: budget: no limit*"])


def test_a_replay_has_no_plan(recorded: pytest.Pytester) -> None:
    result = apart(recorded)
    result.assert_outcomes(passed=3)
    result.stdout.no_fnmatch_line("todeval: plan*")
    result.stdout.no_fnmatch_line("todeval: budget*")


# Not played, and orphans


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_calls_that_a_passed_replay_did_not_play_are_reported(
    suite: pytest.Pytester, processes: list[str]
) -> None:
    suite.makepyfile(test_bot=JUDGED)
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=1)
    silent = JUDGED.replace('ask("Was it good?") == "Heard: Was it good?"', "dialogue.turns")
    suite.makepyfile(test_bot=silent)
    result = apart(suite, *processes)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["*cassettes: 1 recorded calls were not played (judge): test_bot.py::test_it*"]
    )
    suite.makepyfile(test_bot=silent + "    assert False\n")
    apart(suite, *processes).stdout.no_fnmatch_line("*were not played*")


@pytest.fixture
def gone(pytester: pytest.Pytester) -> pytest.Pytester:
    """Two tests that pass, and cassettes: of one, of one that is gone, and of a file that is."""
    folder = pytester.mkdir("cassettes")
    for test in ("test_bot.py::test_it[1]", "test_bot.py::test_it[3]", "test_gone.py::test_it"):
        name = test.replace("::", "-").replace(".py", "")
        header: dict[str, object] = {
            "todeval_cassette": 1,
            "test": test,
            "recorded": "",
            "seed": 0,
            "models": [],
        }
        (folder / f"{name}.todeval.jsonl").write_text(json.dumps(header) + '\n{"end":0}\n')
    (folder / "broken.todeval.jsonl").write_text("no cassette")
    pytester.makepyfile(
        test_bot="""
        import pytest

        @pytest.mark.parametrize("number", [1, 2])
        def test_it(number):
            assert number
        """
    )
    return pytester


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_orphans_are_reported_on_complete_runs(gone: pytest.Pytester, processes: list[str]) -> None:
    result = run(gone, *processes)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "orphans: 2 cassettes belong to no test: cassettes/test_bot-test_it[[]3].todeval.jsonl,"
            " cassettes/test_gone-test_it.todeval.jsonl; `pytest --collect-only -q | todeval"
            " cassettes prune --yes` deletes them",
        ]
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["."],
        pytest.param(
            ["a", "."],
            marks=pytest.mark.skipif(
                pytest.version_tuple < (9,), reason="pytest 8 runs nothing of `.` after an empty a"
            ),
        ),
    ],
    ids=" ".join,
)
def test_a_run_of_all_by_name_is_complete(gone: pytest.Pytester, arguments: list[str]) -> None:
    gone.mkdir("a")
    run(gone, *arguments).stdout.fnmatch_lines(["orphans: 2 *"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "1"],
        ["--deselect=test_bot.py::test_it[2]"],
        ["test_bot.py"],
        ["--todeval-limit=1"],
        ["--collect-only"],
        ["-m", "goals"],
        ["-x", "-p", "failing"],
        ["-n1", "-k", "1"],
        ["-n1", "-x", "-p", "failing"],
        ["-n1", "test_bot.py"],
    ],
    ids=" ".join,
)
def test_no_orphans_are_reported_where_not_all_was_run(
    gone: pytest.Pytester, arguments: list[str]
) -> None:
    (gone.path / "failing.py").write_text("def pytest_runtest_call(item):\n    assert not item\n")
    gone.syspathinsert()
    result = run(gone, *arguments)
    result.stdout.fnmatch_lines(["*rootdir*"])
    result.stdout.no_fnmatch_line("orphans*")


def test_no_cassette_of_a_file_that_was_left_out_is_an_orphan(gone: pytest.Pytester) -> None:
    gone.makepyfile(test_bot="import pytest\npytest.skip('', allow_module_level=True)")
    gone.makepyfile(test_other="def test_it():\n    pass\n")
    for processes in ("-n0", "-n1"):
        result = run(gone, processes)
        result.stdout.fnmatch_lines(["orphans: 1 cassette belongs * cassettes/test_gone*"])


# Wrong options


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("--todeval-record=rewite", "*--todeval-record: *'rewite'; did you mean 'rewrite'?*"),
        ("--todeval-record=jugde:rewrite", "*--todeval-record: *'jugde'; did you mean 'judge'?*"),
        ("--todeval-allow=http://", "*--todeval-allow: address 'http://'*"),
        ("--todeval-max-calls=0", "*--todeval-max-calls: got '0'*"),
        ("--todeval-max-cost=free", "*--todeval-max-cost: got 'free', expected US dollars*"),
        ("--todeval-max-cost=nan", "*--todeval-max-cost: got 'nan'*"),
        ("-otodeval_mask=[", "*todeval_mask: '[[]' is not a regular expression*"),
    ],
)
def test_wrong_values_stop_the_run_before_any_test(
    suite: pytest.Pytester, argument: str, shown: str
) -> None:
    result = run(suite, argument)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([shown])
    result.stdout.no_fnmatch_line("*test_bot.py*")


def test_a_wrong_file_of_prices_stops_the_run(suite: pytest.Pytester) -> None:
    (suite.path / "prices.yaml").write_text("stand-in:\n  promt: 1\n")
    result = run(
        suite, "--todeval-max-cost=1", "--todeval-prices=prices.yaml", "--todeval-record=missing"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*prices.yaml:2: unknown part 'promt'; did you mean 'prompt'*"])


# Replay


def test_a_replay_imports_no_client_that_the_suite_does_not(pytester: pytest.Pytester) -> None:
    quickstart = Path(__file__).resolve().parents[2] / "examples" / "quickstart"
    pytester.copy_example(str(quickstart))
    names = ("openai", "httpx", "httpx2", "aiohttp", "tornado", "urllib3", "vcr")
    with (pytester.path / "conftest.py").open("a") as file:
        file.write(
            "\ndef pytest_sessionfinish():\n"
            "    import sys\n"
            '    assert "pytest_todeval.recording.router" in sys.modules\n'
            f"    assert [name for name in {names!r} if name in sys.modules] == []\n"
        )
    result = apart(pytester, "--todeval-limit=1")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


LATE = """
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator():
    return ScriptedUser(["Hello.", "Thank you."])

@pytest.fixture
def tod_system():
    def respond(text):
        import sys
        try:
            if NAME == "openai":
                assert "httpx" not in sys.modules
                import openai
                client = openai.OpenAI(base_url="http://h/v1", api_key="no-key", max_retries=0)
                client.chat.completions.create(model="m", messages=[])
            elif NAME == "requests":
                assert "urllib3" not in sys.modules
                import requests
                requests.get("http://h/v1")
            else:
                assert "aiohttp" not in sys.modules
                import aiohttp, asyncio
                async def call():
                    async with aiohttp.ClientSession() as session:
                        await session.get("http://h/v1")
                asyncio.run(call())
        except AssertionError:
            raise
        except BaseException:
            pass
        return "Sorry."
    return lambda: respond
"""


@pytest.mark.parametrize("client", ["openai", "aiohttp", "requests"])
def test_a_client_that_the_bot_imports_late_cannot_slip_through(
    pytester: pytest.Pytester, client: str
) -> None:
    pytest.importorskip(client)
    pytester.makeconftest(f"NAME = {client!r}\n{LATE}")
    once = TEST.replace("limit=3", "limit=1").replace("len(dialogue.turns) == 2", "dialogue")
    pytester.makepyfile(test_bot=once)
    result = apart(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["stale_cassette: not in the cassette: *"])


# Lanes, modes, processes


def test_a_bot_that_swallows_every_exception_is_a_stale_cassette(
    recorded: pytest.Pytester, processes: list[str]
) -> None:
    conftest = recorded.path / "conftest.py"
    conftest.write_text(conftest.read_text().replace("I am {goal.id}.", "I am not {goal.id}."))
    result = apart(recorded, *processes)
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*3 dialogues (ScriptedUser with *): 3 stale_cassette"])


def test_calls_of_the_test_itself_are_the_judges(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_bot=JUDGED)
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=1)
    apart(suite).assert_outcomes(passed=1)
    (content,) = cassettes(suite).values()
    lanes = [json.loads(line).get("call", {}).get("lane") for line in content.splitlines()]
    assert [lane for lane in lanes if lane] == ["system", "system", "judge"]
    suite.makepyfile(test_bot=JUDGED.replace("Was it good?", "Was it bad?"))
    result = apart(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*lane judge*", "*1 stale_cassette"])


def test_the_judge_alone_is_recorded_anew(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_bot=JUDGED)
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=1)
    (suite.path / "asked.txt").unlink()
    suite.makepyfile(test_bot=JUDGED.replace("Was it good?", "Was it bad?"))
    apart(suite, "--todeval-record=judge:rewrite").assert_outcomes(passed=1)
    assert asked(suite) == ["Was it bad?"]
    apart(suite).assert_outcomes(passed=1)


def test_live_writes_nothing(suite: pytest.Pytester) -> None:
    apart(suite, "--todeval-record=live").assert_outcomes(passed=3)
    assert len(asked(suite)) == 6
    assert not (suite.path / "cassettes").exists()


def test_live_leaves_what_is_there(recorded: pytest.Pytester) -> None:
    before = cassettes(recorded)
    apart(recorded, "--todeval-record=live").assert_outcomes(passed=3)
    assert cassettes(recorded) == before
    assert len(asked(recorded)) == 6


def without_clock(content: bytes) -> bytes:
    return re.sub(rb'"recorded":"[^"]*"', b'"recorded":""', content, count=1)


@pytest.mark.thorough
def test_two_processes_record_and_replay_what_one_does(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    suite.makepyfile(test_bot=TEST.replace("limit=3", "limit=12"))
    apart(suite, "--todeval-record=missing").assert_outcomes(passed=12)
    serial = cassettes(suite)
    apart(suite, "--todeval-record=rewrite", "-n2").assert_outcomes(passed=12)
    spread = cassettes(suite)
    assert len(serial) == 12
    assert {name: without_clock(content) for name, content in spread.items()} == {
        name: without_clock(content) for name, content in serial.items()
    }
    apart(suite, "-n2").assert_outcomes(passed=12)
    assert cassettes(suite) == spread
    assert list(suite.path.glob("cassettes/**/.*")) == []
