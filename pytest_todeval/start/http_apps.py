"""Bots behind HTTP in a project: apps of FastAPI and Flask, and Rasa."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.start.found_bot import FoundBot
from pytest_todeval.start.project import Module

_TEXTS = (
    "text",
    "says",
    "message",
    "input",
    "query",
    "prompt",
    "question",
    "content",
    "utterance",
    "user",
)
"""What servers call the user's words."""
_REPLIES = ("text", "reply", "response", "answer", "message", "output", "content", "result", "bot")
_SESSIONS = ("session", "session_id", "conversation_id", "conversation", "thread_id", "chat_id",
             "talk", "talk_id", "sender", "sender_id", "user_id", "dialogue_id", "id")  # fmt: skip
_HISTORY = ("history", "messages")
_TALKS = ("chat", "message", "talk", "respond", "reply", "ask", "bot", "converse", "webhook",
          "query", "invoke")  # fmt: skip
_METHODS = ("POST", "DELETE", "PUT", "GET")
_APPS = {
    "fastapi.FastAPI": "FastAPI",
    "fastapi.applications.FastAPI": "FastAPI",
    "flask.Flask": "Flask",
}
_PARAMETER = re.compile(r"<(?:\w+:)?\w+>|\{\w+(?::\w+)?\}")
_HTTP = "from pytest_todeval import HttpSystem"


def apps_in(modules: Sequence[Module], root: Path) -> Iterator[FoundBot]:
    """Returns each route that takes the user's words, and Rasa's if its files are there."""
    classes = {node.name: node for module in modules for node in ast.walk(module.tree)
               if isinstance(node, ast.ClassDef)}  # fmt: skip
    mounted = {name: prefix for module in modules for name, prefix in _mounted(module)}
    apps = [found for module in modules for found in _apps(module)]
    routes = [route for module in modules for route in _routes(module, mounted)]
    for route in routes:
        own = (each for each in apps if each.module is route.module)
        app = next(own, next(iter(apps), None))
        found = _bot(app, route, routes, classes) if app and route.verb == "POST" else None
        if found is not None:
            yield found
    if (root / "domain.yml").exists() and (root / "config.yml").exists():
        yield _rasa()


@dataclass(frozen=True)
class _App:
    module: Module
    name: str
    framework: str
    line: int

    @property
    def command(self) -> str:
        if self.framework == "FastAPI":
            return f"uvicorn {self.module.name}:{self.name}"
        return f"flask --app {self.module.name}:{self.name} run"


@dataclass(frozen=True)
class _Route:
    module: Module
    verb: str
    path: str
    function: ast.FunctionDef | ast.AsyncFunctionDef


def _apps(module: Module) -> Iterator[_App]:
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            full, target = module.full_name(node.value.func), node.targets[0]
            if full in _APPS and isinstance(target, ast.Name):
                yield _App(module, target.id, _APPS[full], node.lineno)


def _mounted(module: Module) -> Iterator[tuple[str, str]]:
    """Router -> its prefix, as `APIRouter(prefix=)` and `Blueprint(url_prefix=)` say it."""
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and isinstance(node.targets[0], ast.Name)
            and module.full_name(node.value.func).endswith(("APIRouter", "Blueprint"))
        ):
            yield node.targets[0].id, _prefix(node.value)


def _prefix(call: ast.Call) -> str:
    for key in call.keywords:
        if key.arg in ("prefix", "url_prefix") and isinstance(key.value, ast.Constant):
            return str(key.value.value)
    return ""


def _routes(module: Module, mounted: Mapping[str, str]) -> Iterator[_Route]:
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.args:
                path = mark.args[0]
                verb = mark.func.attr.upper()
                if verb == "ROUTE":
                    verb = "POST" if "POST" in ast.unparse(mark) else "GET"
                if (
                    verb in _METHODS
                    and isinstance(path, ast.Constant)
                    and isinstance(path.value, str)
                ):
                    owner = getattr(mark.func.value, "id", "")
                    yield _Route(module, verb, f"{mounted.get(owner, '')}{path.value}", node)


def _bot(
    app: _App, route: _Route, routes: Sequence[_Route], classes: Mapping[str, ast.ClassDef]
) -> FoundBot | None:
    taken = _keys_taken(route.function, classes)
    said = next((name for name in _TEXTS if name in taken), None)
    talks = any(word in f"{route.path} {route.function.name}".lower() for word in _TALKS)
    if said is None and not talks:
        return None
    path = _PARAMETER.sub("{session}", route.path)
    doubled = path.replace("{", "{{").replace("}", "}}")
    arguments = [
        f'f"{{server.url}}{doubled}"',
        *_sessions(path, routes),
        *_request(said or "text", taken),
        *_reply(_keys_answered(route.function, classes)),
    ]
    lines = [f'server = todeval_server("{app.command}"{_cwd(app.module)})']
    if len(arguments) == 1:
        lines.append(f"return HttpSystem({arguments[0]})")
    else:
        lines += ["return HttpSystem(", *(f"    {each}," for each in arguments), ")"]
    rank = (0 if said else 3) + (0 if talks else 2)
    place = f"{route.module.place}:{route.function.lineno}"
    return FoundBot(
        f"POST {route.path} of a {app.framework} app", app.name, place, "\n".join(lines), [_HTTP],
        needs_server=True, rank=rank,
    )  # fmt: skip


def _request(said: str, taken: Sequence[str]) -> Iterator[str]:
    """Returns what is sent, if the route's keys are not ours."""
    sent = {said: "text"}
    for names, ours in ((_SESSIONS, "session"), (_HISTORY, "history")):
        if name := next((name for name in names if name in taken), None):
            sent[name] = ours
    if not sent.keys() <= {"text", "history", "dialogue_id", "goal_id"}:
        pairs = ", ".join(f'"{name}": ours["{ours}"]' for name, ours in sent.items())
        yield f"request=lambda ours: {{{pairs}}}"


def _reply(answered: Sequence[str]) -> Iterator[str]:
    """Returns which key of the answer is the reply, if it is not ours."""
    name = next((name for name in _REPLIES if name in answered), "text")
    if name != "text":
        yield f'reply=lambda theirs: theirs["{name}"]'


def _cwd(module: Module) -> str:
    folder = module.folder.relative_to(module.root).as_posix()
    return "" if folder == "." else f', cwd="{folder}"'


def _sessions(path: str, routes: Sequence[_Route]) -> Iterator[str]:
    """Returns how the sessions in a path are opened and closed, if the app has routes for it."""
    if "{session}" not in path:
        return
    holder, _, _ = path.partition("/{session}")
    paths = {(each.verb, _PARAMETER.sub("{session}", each.path)) for each in routes}
    if ("POST", holder) in paths:
        yield f'open="POST {holder}"'
    if ("DELETE", f"{holder}/{{session}}") in paths:
        yield f'close="DELETE {holder}/{{session}}"'


def _keys_taken(
    function: ast.FunctionDef | ast.AsyncFunctionDef, classes: Mapping[str, ast.ClassDef]
) -> list[str]:
    """The keys of the JSON that a route reads: of its model, its parameters, or its subscripts."""
    found: list[str] = []
    for argument in (*function.args.args, *function.args.kwonlyargs):
        names = {
            n.id
            for n in ast.walk(argument.annotation or ast.Constant(""))
            if isinstance(n, ast.Name)
        }
        for name in names & classes.keys():
            found += _fields(classes[name])
        if "Body" in names:
            found.append(argument.arg)
    return found + [key for key in _subscripts(function) if key not in found]


def _fields(node: ast.ClassDef) -> list[str]:
    return [each.target.id for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]  # fmt: skip


def _subscripts(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        key: ast.expr | None = None
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load):
            key = each.slice
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            key = each.args[0] if each.func.attr == "get" and each.args else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value


def _keys_answered(
    function: ast.FunctionDef | ast.AsyncFunctionDef, classes: Mapping[str, ast.ClassDef]
) -> list[str]:
    """Returns the keys of the JSON that a route returns."""
    found: list[str] = []
    marks = [key.value for mark in function.decorator_list if isinstance(mark, ast.Call)
             for key in mark.keywords if key.arg == "response_model"]  # fmt: skip
    for model in (function.returns, *marks):
        if isinstance(model, ast.Name) and model.id in classes:
            found += _fields(classes[model.id])
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            for each in ast.walk(node.value):
                if isinstance(each, ast.Dict):
                    found += [str(k.value) for k in each.keys if isinstance(k, ast.Constant)]
                elif isinstance(each, ast.Call):
                    found += [key.arg for key in each.keywords if key.arg]
    return found


def _rasa() -> FoundBot:
    body = (
        'server = todeval_server("rasa run --enable-api", health="/", timeout=300)\n'
        "return HttpSystem(\n"
        '    f"{server.url}/webhooks/rest/webhook",\n'
        '    request=lambda ours: {"sender": ours["session"], "message": ours["text"]},\n'
        '    reply=lambda theirs: "\\n".join(each["text"] for each in theirs if "text" in each),\n'
        ")"
    )
    return FoundBot("Rasa's REST channel", "rasa", "domain.yml", body, [_HTTP],
                    needs_server=True, rank=1)  # fmt: skip
