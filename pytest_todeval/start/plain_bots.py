"""Bots that are plain Python: a class or a function that answers a text."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.start.agents import needs_of
from pytest_todeval.start.found_bot import FoundBot, missing
from pytest_todeval.start.project import Module

_ANSWERS = ("respond", "reply", "answer", "chat", "get_response", "get_reply",
            "generate_response", "handle_message", "handle", "process_message", "send", "ask",
            "talk", "run_turn")  # fmt: skip
_TEXTS = ("text", "message", "msg", "user_input", "utterance", "query", "question", "prompt",
          "user_text", "user_message", "input", "input_text", "s")  # fmt: skip
_OURS = ("history", "opening", "backend", "goal_id", "dialogue_id", "session")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def plain_bots_in(modules: Sequence[Module]) -> Iterator[FoundBot]:
    """Classes with a method that answers, and functions that do."""
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                yield from _class_bots(module, node)
            elif isinstance(node, Function) and _answers(node, node.args.args):
                yield _function_bot(module, node)


def _answers(node: Function, arguments: list[ast.arg]) -> bool:
    if node.name not in _ANSWERS or not arguments:
        return False
    first, others = arguments[0], arguments[1:]
    needed = others[: max(len(others) - len(node.args.defaults), 0)]
    is_text = first.arg in _TEXTS or ast.unparse(first.annotation or ast.Constant("")) == "str"
    returns = ast.unparse(node.returns) if node.returns else "str"
    return is_text and returns != "None" and all(each.arg in _OURS for each in needed)


def _class_bots(module: Module, node: ast.ClassDef) -> Iterator[FoundBot]:
    if any(ast.unparse(base).endswith(("Protocol", "ABC", "BaseModel")) for base in node.bases):
        return
    methods = {each.name: each for each in node.body if isinstance(each, Function)}
    answering = next((name for name in _ANSWERS if name in methods
                      and _answers(methods[name], methods[name].args.args[1:])), None)  # fmt: skip
    if answering is None:
        return
    made = methods.get("__init__")
    given = made.args.args[1:] if made else []
    needs = given[: len(given) - len(made.args.defaults if made else ())]
    parts = {each.arg: _part(module, each) for each in needs if each.arg not in _OURS}
    rank = 2 + 4 * (None in parts.values()) + _ANSWERS.index(answering) // 2
    yield FoundBot(
        f"a class with `{answering}`",
        node.name,
        f"{module.place}:{node.lineno}",
        _class_body(module, node.name, answering, parts),
        folder=module.folder,
        asks_model=_asks_model(module),
        rank=rank,
    )


def _part(module: Module, argument: ast.arg) -> str | None:
    """The class of the module that an argument is to be, if nothing is needed to make one."""
    kind = ast.unparse(argument.annotation) if argument.annotation else ""
    declared = next((node for node in module.tree.body
                     if isinstance(node, ast.ClassDef) and node.name == kind), None)  # fmt: skip
    return kind if declared is not None and not needs_of(declared) else None


def _class_body(module: Module, name: str, answering: str, parts: Mapping[str, str | None]) -> str:
    known = sorted({name, *filter(None, parts.values())})
    imports = f"from {module.name} import {', '.join(known)}\n\n"
    method = "" if answering == "respond" else f".{answering}"
    unknown = [each for each, kind in parts.items() if kind is None]
    if unknown:
        return f"{imports}{missing('make', name, unknown, method)}\n\nmake()\nreturn make"
    if not parts and not method:
        return f"{imports}return {name}"
    arguments = ", ".join(f"{each}={kind}()" for each, kind in parts.items())
    return f"{imports}def make():\n    return {name}({arguments}){method}\n\nreturn make"


def _function_bot(module: Module, node: Function) -> FoundBot:
    return FoundBot(
        "a function",
        node.name,
        f"{module.place}:{node.lineno}",
        f"from {module.name} import {node.name}\n\nreturn {node.name}",
        folder=module.folder,
        asks_model=_asks_model(module),
        rank=6 + _ANSWERS.index(node.name) // 2,
    )


def _asks_model(module: Module) -> bool:
    heads = {name.partition(".")[0] for name in module.imported.values()}
    return bool(
        heads & {"openai", "anthropic", "litellm", "mistralai", "cohere", "ollama", "google"}
    )
