"""tau-bench's tools from a checkout: run without its package, and without a trace of it."""

import json
import shutil
import sys
import threading
from pathlib import Path

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from pytest_todeval.worlds.tau_bench.domain import load_tau_bench
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from tests.conftest import must_end
from tests.support.threads import run_together

FORBIDDEN = "raise AssertionError('the package itself was imported')\n"
TOOL = """
import json
from typing import Any
from tau_bench.envs.tool import Tool
import tau_bench.envs.tool as tool_module

class {cls}(Tool):
    @staticmethod
    def invoke(data, **kwargs):
        {body}

    @staticmethod
    def get_info():
        assert tool_module.Tool is Tool
        return {{"type": "function", "function": {{"name": "{name}", "parameters": {{}}}}}}
"""
LOAD_DATA = """
import json
import os

def load_data():
    with open(os.path.join(os.path.dirname(__file__), "users.json")) as f:
        return {"users": json.load(f)}
"""
TOOLS = {
    "rename": 'from .shared import TITLE\n        data["users"]["u1"]["name"] = TITLE\n'
    "        return json.dumps(data)",
    "calculate": 'return str(round(float(eval(kwargs["expression"])), 2))',
    "transfer_to_human_agents": 'return "Transfer successful"',
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A checkout in tau-bench's layout, written for this test."""
    environments = tmp_path / "tau_bench" / "envs"
    tools = environments / "shop" / "tools"
    tools.mkdir(parents=True)
    for package in (environments.parent, environments, environments / "shop"):
        (package / "__init__.py").write_text("import litellm\n" + FORBIDDEN)
    (environments / "tool.py").write_text("import abc\nclass Tool(abc.ABC):\n    pass\n")
    for name, body in TOOLS.items():
        (tools / f"{name}.py").write_text(TOOL.format(cls="The", body=body, name=name))
    (tools / "shared.py").write_text("TITLE = 'renamed'\n")
    lines = [f"from .{name} import The as {name}\n" for name in TOOLS]
    (tools / "__init__.py").write_text("".join(lines) + f"ALL_TOOLS = [{', '.join(TOOLS)}]\n")
    (environments / "shop" / "wiki.md").write_text("be kind")
    (environments / "shop" / "data").mkdir()
    (environments / "shop" / "data" / "__init__.py").write_text(LOAD_DATA)
    (environments / "shop" / "data" / "users.json").write_text('{"u1": {"name": "Kim"}}')
    return tmp_path


def shop(home: Path) -> Path:
    return home / "tau_bench" / "envs" / "shop"


def test_what_is_loaded(home: Path) -> None:
    domain = load_tau_bench(home, "shop")
    assert (domain.name, domain.policy) == ("tau_bench/shop", "be kind")
    assert domain.terminating == {"transfer_to_human_agents"}
    assert domain.tables == {"users": {"u1": {"name": "Kim"}}}
    assert list(domain.tools) == list(TOOLS)
    backend = ToolBackend(domain)
    assert json.loads(backend.call("rename")) == {"users": {"u1": {"name": "renamed"}}}
    assert domain.tables == {"users": {"u1": {"name": "Kim"}}}


def test_nothing_is_left_in_sys_modules_or_on_the_path(home: Path) -> None:
    before, path = dict(sys.modules), list(sys.path)
    ToolBackend(load_tau_bench(home, "shop")).call("rename")
    assert not [name for name in set(sys.modules) - set(before) if "tau_bench" in name]
    assert sys.path == path


def test_a_bot_that_imported_its_own_keeps_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("tau_bench", "tau_bench.envs", "tau_bench.envs.tool", "tau_bench.envs.shop")
    theirs = {name: type(sys)(name) for name in names}
    for name, module in theirs.items():
        monkeypatch.setitem(sys.modules, name, module)
    ToolBackend(load_tau_bench(home, "shop")).call("rename")
    assert {name: sys.modules[name] for name in names} == theirs


def test_threads_load_at_the_same_time(home: Path) -> None:
    answers: list[str] = []

    def load() -> None:
        answers.append(ToolBackend(load_tau_bench(home, "shop")).call("rename"))

    run_together(threading.Thread(target=load) for _ in range(8))
    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_arguments_named_as_ours_are_refused_as_in_tau_bench(home: Path) -> None:
    backend = ToolBackend(load_tau_bench(home, "shop"))
    with pytest.raises(ToolRefused, match=r"The\.invoke\(\) got multiple values for .*'data'"):
        backend.call("rename", data=1)
    backend.call("rename", self=1)


def test_two_checkouts_do_not_mix(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "home"
    shutil.copytree(home, other)
    (shop(other) / "tools" / "shared.py").write_text("TITLE = 'other'\n")
    answers = [ToolBackend(load_tau_bench(h, "shop")).call("rename") for h in (home, other, home)]
    assert [json.loads(a)["users"]["u1"]["name"] for a in answers] == [
        "renamed",
        "other",
        "renamed",
    ]


def test_an_expression_that_would_never_end_is_an_error(home: Path) -> None:
    backend = ToolBackend(load_tau_bench(home, "shop"))
    with must_end(10):
        refused = backend.call("calculate", expression="9**9**9**9")
    assert refused == "Error: int too large to convert to float"
    assert backend.call("calculate", expression="2**10 / 3") == "341.33"
    with pytest.raises(ToolRefused, match="Error: 'expression'"):
        backend.call("calculate")


def test_kept_per_process(home: Path) -> None:
    assert TauBenchWorld("shop", home).tool_domain() is TauBenchWorld("shop", home).tool_domain()
    assert ServiceDeskWorld().tool_domain().tools


def test_unknown_names(home: Path) -> None:
    with pytest.raises(UsageError, match=r"domain 'ship' of .*: did you mean 'shop'\? Known: shop"):
        load_tau_bench(home, "ship")
    with pytest.raises(UsageError, match="no domain"):
        load_tau_bench(home, "../envs/shop")


def test_the_tables_are_those_that_tau_bench_loads(home: Path) -> None:
    (shop(home) / "data" / "users (copy).json").write_text('{"u9": {}}')
    assert set(load_tau_bench(home, "shop").tables) == {"users"}


def test_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"no tau-bench here.*git clone https://"):
        load_tau_bench(tmp_path, "retail")
    with pytest.raises(DataMissing, match=r"(?s)tau-bench is needed.*git clone https://"):
        TauBenchWorld("retail", tmp_path).tool_domain()


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ("wiki.md", r"shop/wiki\.md: no such file"),
        ("data/users.json", r"data/users\.json: no such file"),
        ("data/__init__.py", r"shop\.data'"),
        ("data", r"shop\.data'"),
        ("tools/rename.py", r"shop\.tools\.rename'"),
        ("tools", r"shop\.tools'"),
    ],
)
def test_incomplete_checkouts(home: Path, part: str, named: str) -> None:
    gone = shop(home) / part
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    with pytest.raises(DataMissing, match=rf"{named}.*incomplete.*git clone https://"):
        load_tau_bench(home, "shop")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\nx / 0\n", r"__init__\.py:2: the tables cannot be loaded: ZeroDivisionError"),
        ("", r"AttributeError: .* has no attribute 'load_data'"),
        ("def load_data():\n    return 3\n", r"the tables cannot be loaded: TypeError"),
    ],
)
def test_tables_that_cannot_be_loaded(home: Path, source: str, said: str) -> None:
    (shop(home) / "data" / "__init__.py").write_text(source)
    with pytest.raises(InvalidFile, match=said):
        load_tau_bench(home, "shop")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\nx / 0\n", r"rename\.py:2: .*cannot be loaded: ZeroDivisionError"),
        ("def :\n", r"rename\.py:1: .*SyntaxError"),
        ("import sys\nsys.exit(3)\n", r"rename\.py:2: .*SystemExit: 3"),
        ("The = 3\n", r"AttributeError"),
        ("class The:\n    get_info = staticmethod(lambda: {})\n", r"KeyError: 'function'"),
        ("\x00", r"SyntaxError|ValueError"),
    ],
)
def test_tools_that_cannot_be_loaded(home: Path, source: str, said: str) -> None:
    (shop(home) / "tools" / "rename.py").write_text(source)
    with pytest.raises(InvalidFile, match=said):
        load_tau_bench(home, "shop")


def test_tools_that_need_a_package(home: Path) -> None:
    (shop(home) / "tools" / "rename.py").write_text("import surely_not_installed.part\n")
    with pytest.raises(UsageError, match=r"need the package 'surely_not_installed'.*install it"):
        load_tau_bench(home, "shop")


@pytest.mark.parametrize("text", ["{", "\ud800", "[" * 200_000])
def test_data_that_is_not_json(home: Path, text: str) -> None:
    (shop(home) / "data" / "users.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InvalidFile, match=r"users\.json: the tables cannot be loaded: "):
        load_tau_bench(home, "shop")


@pytest.mark.parametrize("text", ["[1]", "3"])
def test_data_that_is_no_table(home: Path, text: str) -> None:
    (shop(home) / "data" / "users.json").write_text(text)
    with pytest.raises(InvalidFile, match=r"data: table 'users': found \w+, expected an object"):
        load_tau_bench(home, "shop")
