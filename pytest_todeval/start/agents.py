"""Agents of frameworks in a project: found by what a name is assigned."""

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.start.found_bot import FoundBot, missing
from pytest_todeval.start.project import Module


@dataclass(frozen=True)
class _AgentMaker:
    """A call that makes an agent."""

    what: str
    system: str
    given: str
    """The keyword of our adapter for what a dialogue needs: `context`, `deps`."""
    rank: int = 10


_AGENTS = _AgentMaker("agent of the OpenAI Agents SDK", "AgentsSystem", "context")
_PYDANTIC = _AgentMaker("agent of pydantic-ai", "PydanticAISystem", "deps")
_GRAPH = _AgentMaker("graph of LangGraph", "LangGraphSystem", "")
_LANGCHAIN = _AgentMaker("agent of LangChain", "LangGraphSystem", "")
_ADK = _AgentMaker("agent of Google's ADK", "AdkSystem", "")
_MAKERS = {
    "agents.Agent": _AGENTS, "agents.agent.Agent": _AGENTS, "pydantic_ai.Agent": _PYDANTIC,
    "pydantic_ai.agent.Agent": _PYDANTIC, "langchain.agents.create_agent": _LANGCHAIN,
    "langgraph.prebuilt.create_react_agent": _GRAPH, "google.adk.Agent": _ADK,
    "google.adk.agents.Agent": _ADK, "google.adk.agents.LlmAgent": _ADK,
    "google.adk.agents.llm_agent.Agent": _ADK, "google.adk.agents.llm_agent.LlmAgent": _ADK,
    "google.adk.agents.SequentialAgent": _ADK, "google.adk.agents.LoopAgent": _ADK,
}  # fmt: skip
_ROOTS = ("root_agent", "triage_agent", "main_agent", "agent", "graph", "app", "bot")


def agents_in(modules: Sequence[Module]) -> Iterator[FoundBot]:
    """Returns the agents of a project, those that people talk to first."""
    handed_to = {name for module in modules for name in _handed_to(module)}
    for module in modules:
        yield from _graphs_listed(module)
        for name, value, line, function in _assigned(module):
            maker = _maker(module, value)
            if maker is not None and isinstance(value, ast.Call):
                rank = maker.rank + 5 * (name in handed_to) - (name in _ROOTS)
                rank -= any(key.arg in ("handoffs", "sub_agents") for key in value.keywords)
                yield _bot(module, maker, name, value, line, function, rank)


def _bot(
    module: Module,
    maker: _AgentMaker,
    name: str,
    call: ast.Call,
    line: int,
    function: str,
    rank: int,
) -> FoundBot:
    imported = [function or name]
    arguments = [f"{function}()" if function else name]
    if maker.given and (kind := _given(module, call)):
        own = kind in _classes(module)
        needs = needs_of(_classes(module)[kind]) if own else []
        if needs:
            return _unmade(module, maker, call, name, needs, line, rank)
        if own:
            imported.append(kind)
        arguments.append(f"{maker.given}={kind}")
    if text := _text_of(module, call):
        arguments.append(text)
    body = f"from {module.name} import {', '.join(sorted(imported))}\n\n"
    if kind_line := _imported_line(module, maker, call, imported):
        body = f"{kind_line}\n{body}"
    return FoundBot(
        maker.what,
        function or name,
        f"{module.place}:{line}",
        f"{body}return {maker.system}({', '.join(arguments)})",
        [f"from pytest_todeval.frameworks import {maker.system}"],
        folder=module.folder,
        asks_model=True,
        rank=rank,
    )


def _unmade(
    module: Module,
    maker: _AgentMaker,
    call: ast.Call,
    name: str,
    needs: list[str],
    line: int,
    rank: int,
) -> FoundBot:
    """Returns a bot whose dependencies nobody but its author can make: the fixture says so."""
    kind, given = _given(module, call), maker.given
    text = f", {found}" if (found := _text_of(module, call)) else ""
    body = (
        f"from {module.name} import {', '.join(sorted((kind, name)))}\n\n"
        f"{missing(given, kind, needs)}\n\n{given}()\n"
        f"return {maker.system}({name}, {given}={given}{text})"
    )
    return FoundBot(
        maker.what,
        name,
        f"{module.place}:{line}",
        body,
        [f"from pytest_todeval.frameworks import {maker.system}"],
        folder=module.folder,
        asks_model=True,
        rank=rank,
    )


def _imported_line(module: Module, maker: _AgentMaker, call: ast.Call, imported: list[str]) -> str:
    """Returns the import of a context that another module declares."""
    kind = _given(module, call) if maker.given else ""
    if not kind or kind in imported or kind not in module.imported:
        return ""
    home, _, own = module.imported[kind].rpartition(".")
    return f"from {home} import {own}"


def _given(module: Module, call: ast.Call) -> str:
    """Returns the class of context or dependencies: of `Agent[Context](...)`, or `deps_type=`."""
    for key in call.keywords:
        if key.arg == "deps_type" and isinstance(key.value, ast.Name):
            return key.value.id
    if isinstance(call.func, ast.Subscript):
        inner = call.func.slice
        inner = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
        if isinstance(inner, ast.Name) and inner.id in {**_classes(module), **module.imported}:
            return inner.id
    return ""


def _text_of(module: Module, call: ast.Call) -> str:
    """Returns what of a structured output the user reads: its first text."""
    for key in call.keywords:
        if key.arg in ("output_type", "result_type") and isinstance(key.value, ast.Name):
            declared = _classes(module).get(key.value.id)
            if declared is not None:
                first = next(_fields(declared, "str"), "...")
                return f"text=lambda output: output.{first}"
    return ""


def _classes(module: Module) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in module.tree.body if isinstance(node, ast.ClassDef)}


def _fields(node: ast.ClassDef, type_: str = "") -> Iterator[str]:
    for each in node.body:
        if (
            isinstance(each, ast.AnnAssign)
            and isinstance(each.target, ast.Name)
            and (not type_ or ast.unparse(each.annotation) == type_)
        ):
            yield each.target.id


def needs_of(node: ast.ClassDef) -> list[str]:
    """Returns what making an object of a class takes: arguments, or fields, without a default."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            given = each.args.args[1:]
            return [arg.arg for arg in given[: len(given) - len(each.args.defaults)]]
    if not (node.decorator_list or node.bases):
        return []
    if "TypedDict" in {ast.unparse(base) for base in node.bases}:
        return []
    return [
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign)
        and each.value is None
        and isinstance(each.target, ast.Name)
    ]


def _maker(module: Module, value: ast.expr) -> _AgentMaker | None:
    if not isinstance(value, ast.Call):
        return None
    full = module.full_name(value.func)
    if full in _MAKERS:
        return _MAKERS[full]
    of_langgraph = any(name.startswith("langgraph") for name in module.imported.values())
    return _GRAPH if full.endswith(".compile") and of_langgraph else None


def _assigned(module: Module) -> Iterator[tuple[str, ast.expr, int, str]]:
    """Names at the top of a module with their values, and what its functions return."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value, node.lineno, ""
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value, node.lineno, ""
        elif isinstance(node, ast.FunctionDef) and not node.args.args:
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    yield node.name, each.value, node.lineno, node.name


def _handed_to(module: Module) -> Iterator[str]:
    """The agents to which another hands over: those in `handoffs`, `sub_agents`, `handoff(...)`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.keyword) and node.arg in ("handoffs", "sub_agents"):
            yield from (name.id for name in ast.walk(node.value) if isinstance(name, ast.Name))


def _graphs_listed(module: Module) -> Iterator[FoundBot]:
    """Returns the graphs that a `langgraph.json` lists, of this module."""
    listed = module.root / "langgraph.json"
    if not listed.is_file():
        return
    try:
        graphs = json.loads(listed.read_text(encoding="utf-8")).get("graphs", {})
    except (OSError, ValueError, AttributeError):
        return
    for value in graphs.values() if isinstance(graphs, dict) else ():
        path, _, name = str(value if isinstance(value, str) else value.get("path")).partition(":")
        if name and Path(module.root / path).resolve() == module.path.resolve():
            body = f"from {module.name} import {name}\n\nreturn LangGraphSystem({name})"
            yield FoundBot(
                _GRAPH.what, name, f"{module.place} in langgraph.json", body,
                ["from pytest_todeval.frameworks import LangGraphSystem"],
                folder=module.folder, asks_model=True, rank=5,
            )  # fmt: skip
