"""The adapter to tau2's environments, on a stand-in for a checkout."""

import logging
import os
import sys
import warnings
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import DataMissing, OracleFault, UsageError
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.tau2 import package
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.domain import domain_of
from tests.conftest import must_end
from tests.support.tau2_world import LEND_ATLAS, PACK_ATLAS, lending_desk, task


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    return lending_desk(tmp_path)


@pytest.fixture
def backend(home: Path) -> Tau2Backend:
    return Tau2Backend(home, "mock", task("DB"))


def names(schemas: object) -> list[str]:
    assert isinstance(schemas, list)
    return [schema["function"]["name"] for schema in schemas]


def test_an_older_python_is_told_which_one_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "OLDEST", (99, 0))
    with pytest.raises(UsageError, match=r"need Python 99\.0 or newer; this is Python 3"):
        Tau2Backend(tmp_path, "mock", task("DB"))


def test_tau2_declares_the_python_that_is_asked_for() -> None:
    assert package.OLDEST == (3, 12)


def test_another_domain_is_refused_by_name(home: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'telecom'"):
        domain_of(home, "telekom")


def test_data_without_tools_is_told_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    monkeypatch.setattr(package, "installed", lambda name: [])
    with pytest.raises(DataMissing, match=r"git clone https://github.com/sierra-research/tau2"):
        domain_of(tmp_path, "mock")


def test_a_missing_dependency_is_told_with_the_command(home: Path) -> None:
    environment = home / "src/tau2/domains/mock/environment.py"
    environment.write_text("import a_module_that_nobody_has\n", encoding="utf-8")
    with pytest.raises(DataMissing, match=r"a_module_that_nobody_has.*\n.*pip install -e"):
        domain_of(home, "mock")


def test_a_checkout_that_is_not_whole_is_told(home: Path) -> None:
    (home / "src/tau2/log.py").unlink()
    with pytest.raises(DataMissing, match=r"'tau2.log'. The checkout is incomplete"):
        domain_of(home, "mock")


def test_missing_databases_are_told(home: Path) -> None:
    (home / "data/tau2/domains/mock/db.json").unlink()
    with pytest.raises(DataMissing, match=r"domain mock cannot be loaded.*db\.json"):
        Tau2Backend(home, "mock", task("DB"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", r"mock: JSONDecodeError: .*\n  git clone"),
        (b"\xff\xfe", r"mock: UnicodeDecodeError: "),
        (b'["' + b"x" * 9000 + b'"', r"mock: \w+: .{1,500}\. Bring"),
        (b"version https://git-lfs.github.com/spec/v1\n", r"db\.json is a Git LFS pointer"),
    ],
)
def test_broken_databases_are_told(home: Path, content: bytes, told: str) -> None:
    (home / "data/tau2/domains/mock/db.json").write_bytes(content)
    with pytest.raises(DataMissing, match=told):
        Tau2Backend(home, "mock", task("DB"))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def (:", "SyntaxError: "),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("", "has no attribute 'get_environment'"),
    ],
)
def test_code_that_cannot_be_run_is_told(home: Path, code: str, told: str) -> None:
    (home / "src/tau2/domains/mock/environment.py").write_text(code, encoding="utf-8")
    with pytest.raises(DataMissing, match=rf"{told}.*\. The checkout is incomplete"):
        domain_of(home, "mock")


def test_what_it_logs_while_it_is_imported_is_dropped(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    log = SimpleNamespace(
        enable=lambda name: heard.append(f"enable {name}"),
        disable=lambda name: heard.append(f"disable {name}"),
        info=lambda text: heard.append(text),
    )
    monkeypatch.setitem(sys.modules, "loguru", cast(ModuleType, SimpleNamespace(logger=log)))
    with (home / "src/tau2/domains/mock/environment.py").open("a", encoding="utf-8") as file:
        file.write("import loguru\nloguru.logger.info('data in ...')\n")
    domain_of(home, "mock")
    assert heard == ["disable tau2", "data in ...", "enable tau2"]


def test_warnings_of_its_code_are_not_the_test_runs(home: Path) -> None:
    """If they are errors, as in this project, a checkout that is in order seemed broken."""
    with (home / "src/tau2/domains/mock/environment.py").open("a", encoding="utf-8") as file:
        file.write("import warnings\nwarnings.warn('old', DeprecationWarning)\n")
        file.write("warnings.simplefilter('ignore')\n")
    before = list(warnings.filters)
    domain_of(home, "mock")
    assert list(warnings.filters) == before


def test_the_import_leaves_no_trace(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = ModuleType("tau2")
    monkeypatch.setitem(sys.modules, "tau2", theirs)
    monkeypatch.delenv("READ_FROM_A_DOTENV_FILE", raising=False)
    before = dict(os.environ)
    Tau2Backend(home, "mock", task("DB")).call("look", book="atlas")
    assert sys.modules["tau2"] is theirs
    assert [name for name in sys.modules if name.startswith("tau2.")] == []
    assert dict(os.environ) == before


def test_what_its_tools_log_does_not_reach_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    package.QUIET.warning("not implemented!!!")
    assert capsys.readouterr().err == ""


def test_it_has_the_whole_interface_of_a_backend(backend: Tau2Backend) -> None:
    assert as_backend(backend).tools == backend.tools
    assert backend.bookings() == ()
    assert backend.query("books", {}) == ()
    assert not backend.finished
    assert backend.policy == "Lend what is in."
    assert backend.max_steps == 99  # the hundredth is message 200, where tau2 stops


def test_calls_are_answered_and_traced(backend: Tau2Backend) -> None:
    assert backend.call("lend", book="atlas") == "lent"
    assert [(call.name, call.result) for call in backend.trace] == [("lend", "lent")]


def test_calls_of_both_count_as_steps(backend: Tau2Backend) -> None:
    backend.call("lend", book="atlas")
    backend.call_user("pack", book="atlas")
    with pytest.raises(ToolRefused):
        backend.call_user("brew_tea")
    assert backend.counted_calls == 3


def test_errors_are_observations(backend: Tau2Backend) -> None:
    backend.call("lend", book="atlas")
    with pytest.raises(ToolRefused, match=r"^Error: atlas is lent$"):
        backend.call("lend", book="atlas")
    with pytest.raises(ToolRefused, match=r"^Error: no tool drop_tables$"):
        backend.call("drop_tables")
    with pytest.raises(ToolRefused, match=r"^Error: "):
        backend.call("lend", requestor="user", tool_name="pack", self=1)
    assert [call.error for call in backend.trace][:2] == [None, "Error: atlas is lent"]
    assert len(backend.trace) == 4


def test_a_tool_cannot_change_what_stands_in_the_trace(backend: Tau2Backend) -> None:
    assert backend.call("tidy", books=["novel", "atlas"]) == '["atlas", "novel"]'
    assert backend.trace[0].arguments == {"books": ["novel", "atlas"]}


def test_arithmetic_that_would_run_away_is_refused(backend: Tau2Backend) -> None:
    assert backend.call("calculate", expression="2 ** 5 + 1") == "33"
    with must_end(20), pytest.raises(ToolRefused, match="too large"):
        backend.call("calculate", expression="9**9**9**9")
    assert backend.trace[-1].error == "Error: the number would be too large"
    assert len(backend.calls) == 1


def test_what_a_bot_does_to_its_arguments_later_is_not_played_again(backend: Tau2Backend) -> None:
    books = ["novel", "atlas"]
    backend.call("tidy", books=books)
    books.clear()
    assert backend.calls[0].arguments == {"books": ["novel", "atlas"]}
    assert backend.trace[0].arguments == {"books": ["novel", "atlas"]}


def test_an_unknown_tool_that_a_model_calls_is_among_the_errors(backend: Tau2Backend) -> None:
    call = Answer(tool_calls=[("nope", {})])
    with StandInServer.script([call, Answer("Sorry.")]) as server:
        bot = ChatSystem(ModelSettings("m", base_url=server.base_url))(backend)
        bot.respond("Hello.")
        told = server.requests[1].messages[-1]["content"]
    assert [made.error for made in backend.trace] == [told]


def test_the_user_has_tools_and_a_trace_of_its_own(backend: Tau2Backend) -> None:
    assert names(backend.tools)[:3] == ["lend", "look", "buy"]
    assert names(backend.user_tools) == ["pack", "shake"]
    assert backend.call_user("pack", book="atlas") == "packed"
    with pytest.raises(ToolRefused, match=r"^Error: no user tool 'lend'$"):
        backend.call_user("lend", book="atlas")
    with pytest.raises(ToolRefused, match="no tool pack"):
        backend.call("pack", book="atlas")
    assert [call.name for call in backend.user_trace] == ["pack", "lend"]
    assert [call.name for call in backend.trace] == ["pack"]


def test_a_bot_may_change_the_schemas_it_is_given(home: Path, backend: Tau2Backend) -> None:
    for schemas in (backend.tools, backend.user_tools):
        cast(Any, schemas)[0]["function"]["name"] = "changed"
    other = Tau2Backend(home, "mock", task("DB"))
    assert names(other.tools)[0] == names(backend.tools)[0] == "lend"
    assert names(other.user_tools) == names(backend.user_tools) == ["pack", "shake"]


def test_a_task_may_name_the_users_tools(home: Path) -> None:
    backend = Tau2Backend(home, "mock", {**task("DB"), "user_tools": ["shake"]})
    assert names(backend.user_tools) == ["shake"]
    before = backend.state_hash()
    with pytest.raises(ToolRefused, match=r"^Error: Tool 'pack' not found\.$"):
        backend.call_user("pack", book="atlas")
    assert backend.state_hash() == before


def test_the_hash_is_that_of_both_databases(backend: Tau2Backend) -> None:
    agent, user = backend.state_hash().split("+")
    backend.call("look", book="atlas")
    assert backend.state_hash() == f"{agent}+{user}"
    backend.call_user("pack", book="atlas")
    assert backend.state_hash().startswith(f"{agent}+")
    assert not backend.state_hash().endswith(user)


def test_the_initial_state_is_set(home: Path) -> None:
    backend = Tau2Backend(home, "mock", {**task("DB"), "initial_state": {"lend": ["atlas"]}})
    with pytest.raises(ToolRefused, match="atlas is lent"):
        backend.call("lend", book="atlas")


def test_a_task_that_cannot_be_is_the_oracles_fault(home: Path) -> None:
    with pytest.raises(OracleFault, match="initial state of task 't1'"):
        Tau2Backend(home, "mock", {**task("DB"), "initial_state": {"lend": ["scroll"]}})
    with pytest.raises(OracleFault, match="no id"):
        Tau2Backend(home, "mock", {})


def test_the_gold_state_is_computed_once_and_tells_what_failed(home: Path) -> None:
    given = task("DB", actions=[LEND_ATLAS, LEND_ATLAS, PACK_ATLAS])
    domain = domain_of(home, "mock")
    gold = domain.gold(given)
    assert domain.gold(dict(given)) is gold
    assert gold.errors == ("lend: atlas is lent",)
    assert gold.changes["agent", "books", "atlas", "out"] == "true"
    assert gold.changes["user", "bag", "books"] == '["atlas"]'


def test_which_calls_change_something(backend: Tau2Backend) -> None:
    backend.call("lend", book="atlas")
    backend.call_user("pack", book="atlas")
    with pytest.raises(ToolRefused):
        backend.call("drop_tables")
    before = backend.state_hash()
    assert list(backend.changed_by(backend.trace)) == [True, False]
    assert backend.state_hash() == before
