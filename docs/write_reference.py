"""Writes what the docs say of the code: options, markers, fixtures, commands, names, the demo.

    python docs/write_reference.py           # write the pages
    python docs/write_reference.py --check   # 1 if one is not what would be written

The pages are reference.md, commands.md, api.md and demo.md; in ARCHITECTURE.md it draws the rooms.
"""

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest_todeval
from pytest_todeval import cli, plugin, results, systems, testing
from pytest_todeval.integration import cassette_options, options
from pytest_todeval.worlds import registry

HERE = Path(__file__).parent
ARCHITECTURE = HERE.parent / "ARCHITECTURE.md"
WRITTEN = "Written by `python docs/write_reference.py` from the code: do not edit it by hand.\n"


def reference() -> str:
    """The page of options, markers and fixtures."""
    return page(
        "# Options, markers, fixtures\n",
        WRITTEN,
        "Also from the code: [the commands](commands.md), and [the names](api.md) to import.\n",
        "## Options\n\nThe command line wins over the ini file.\n",
        option_table(options.OPTIONS),
        "On the command line only:\n",
        table(("command line", ""), [(f"`--todeval-{n}`", t) for n, t in options.FLAGS.items()]),
        "## Settings in the ini file only\n",
        table(("ini file", ""), ini_rows()),
        "## Markers\n",
        *marker_parts(),
        "## Fixtures\n\nEach can be overridden in a conftest, and may ask for the one that it "
        "overrides.\n",
        table(("fixture", "scope", ""), fixture_rows()),
    )


COMPLETION = """Your shell completes it, if the start file of bash or zsh has these lines:

```text
pip install 'pytest-todeval[completion]'               # once
eval "$(register-python-argcomplete todeval)"          # in the start file
eval "$(register-python-argcomplete pytest)"           # the options of pytest, ours among them
```
"""


def commands() -> str:
    """The page of `todeval` and its subcommands."""
    parts = ["# The command `todeval`\n", WRITTEN, COMPLETION]
    for name, text in cli.COMMANDS.items():
        module = import_module(f"pytest_todeval.commands.{name}")
        parser = argparse.ArgumentParser(prog=f"todeval {name}", add_help=False)
        module.add_arguments(parser)
        parts += [f"## {name}\n\n{sentence(text)}\n", *argument_parts(f"todeval {name}", parser)]
    return page(*parts)


def argument_parts(command: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """How a command is written, and what each of its arguments means; of its subcommands, too."""
    subparsers = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    for name, subparser in subparsers[0].choices.items() if subparsers else ():
        yield from argument_parts(f"{command} {name}", subparser)
    actions = [
        a for a in parser._actions if a not in subparsers and a.dest not in ("help", "version")
    ]
    if actions or not subparsers:
        yield f"`{command}`\n"
    if actions:
        rows = ((argument(action), " ".join((action.help or "").split())) for action in actions)
        yield table(("argument", ""), rows)


def argument(action: argparse.Action) -> str:
    """How an argument is written, with its value or its choices."""
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
    value = action.metavar or choices or action.dest.upper()
    value = " ".join(value) if isinstance(value, tuple) else str(value)
    flag = action.option_strings[-1] if action.option_strings else ""
    return f"`{f'{flag} {value}'.strip() if action.nargs != 0 else flag}`"


def names() -> str:
    """The page of what can be imported."""
    return page(
        "# Names\n",
        WRITTEN,
        "Everything here can be imported from the module in the heading.\n",
        *name_parts(pytest_todeval),
        *name_parts(systems),
        *name_parts(results),
        *name_parts(testing),
    )


DEMO = """# The demo world

An invented town, in the format of MultiWOZ, that comes with the package: `goals("demo")`.

{written}
The bot's `backend` has these tools: `backend.call("find_hotel", area="north")`. A look-up returns
`{{"count": 6, "results": [...]}}`, a booking its `reference` and what was booked. A tool that
refuses raises `ToolRefused` with the reason. `backend.tools` has their schemas, for a model.
"""


def demo() -> str:
    """The page of the demo world's tools, rows and goals."""
    world = registry.load("demo")
    backend = world.world.backend(world.goals[0])
    rows = (tool_row(tool["function"]) for tool in backend.tools)
    counts = []
    for tool in backend.tools:
        name = tool["function"]["name"]
        if name.startswith("find_"):
            found = backend.call(name)
            first = ", ".join(f"`{key}`" for key in found["results"][0])
            counts.append((name.removeprefix("find_"), str(found["count"]), first))
    goal = next(goal for goal in world.goals if goal.id == "DEMO014")
    return page(
        DEMO.format(written=WRITTEN),
        table(("tool", "arguments"), rows),
        "## What is in the town\n",
        table(("kind", "rows", "each has"), counts),
        f"## The goals\n\nThere are {len(world.goals)}, `DEMO000` and so on. One of them, as the "
        "user is told it:\n",
        "".join(f"> {re.sub('<.*?>', '', line)}\n" for line in goal.message),
        "`pytest --collect-only` shows the goals of a test.",
    )


def tool_row(tool: dict[str, dict[str, dict[str, object]]]) -> tuple[str, str]:
    """A tool with its arguments; those that it needs stand in bold."""
    taken, needed = tool["parameters"]["properties"], tool["parameters"]["required"]
    shown = (f"**`{name}`**" if name in needed else f"`{name}`" for name in taken)
    return f"`{tool['name']}`", ", ".join(shown)


def page(*parts: str) -> str:
    """A page of these parts."""
    return "\n".join(parts).rstrip() + "\n"


def option_table(named: dict[str, str]) -> str:
    """A row per option."""
    rows = (
        (f"`--todeval-{name} {name.upper()}`", f"`todeval_{name.replace('-', '_')}`", text)
        for name, text in named.items()
    )
    return table(("command line", "ini file", ""), rows)


def ini_rows() -> Iterator[tuple[str, ...]]:
    """Settings that have no option."""
    for name, text in {**cassette_options.HELP, **options.INI_HELP}.items():
        yield f"`{name}`", text


def marker_parts() -> Iterator[str]:
    """Each marker with its arguments."""
    for line in options.MARKER_LINES:
        signature, _, text = line.partition("): ")
        yield f"```text\n@pytest.mark.{signature})\n```\n\n{sentence(text)}\n"


def fixture_rows() -> Iterator[tuple[str, ...]]:
    """The plugin's fixtures, as its module declares them."""
    for node in ast.parse(inspect.getsource(plugin)).body:
        if isinstance(node, ast.FunctionDef):
            found = [each for each in node.decorator_list if "fixture" in ast.unparse(each)]
            if found:
                scope = re.search(r"scope='(\w+)'", ast.unparse(found[0]))
                text = first_paragraph(ast.get_docstring(node) or "")
                yield f"`{node.name}`", scope[1] if scope else "test", text


def name_parts(module: ModuleType) -> Iterator[str]:
    """The public names of a module; of a class, what of it is public."""
    yield f"## {module.__name__}\n"
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        yield f"### {name}{signature_of(value)}\n\n{first_paragraph(doc_of(name, value))}\n"
        if inspect.isclass(value):
            members = [
                f"- `{member}`" + f": {text}" * bool(text) for member, text in members_of(value)
            ]
            if members:
                yield "\n".join(members) + "\n"


def doc_of(name: str, value: object) -> str:
    """The docstring of a class or function; of an alias for a type, what stands below it."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return (inspect.getdoc(value) or "").strip()
    (home,) = (home for home, names in pytest_todeval._HOMES.items() if name in names)
    body = ast.parse(inspect.getsource(import_module(f"pytest_todeval.{home}"))).body
    return next(text for node, after in pairwise(body) if (text := _alias(name, node, after)))


def _alias(name: str, node: ast.stmt, after: ast.stmt) -> str:
    shown, text = _member(node, after)
    return text if shown == name else ""


def signature_of(value: object) -> str:
    """How a function is called; empty for a class, whose members tell more."""
    if not inspect.isfunction(value):
        return ""
    return "(" + ", ".join(inspect.signature(value).parameters) + ")"


def members_of(cls: type) -> Iterator[tuple[str, str]]:
    """Public fields, properties and methods of a class with what their docstrings say."""
    seen: dict[str, tuple[str, str]] = {}
    for base in reversed([b for b in cls.__mro__ if b.__module__.startswith("pytest_todeval")]):
        seen.update({re.split(r"\W", shown)[0]: (shown, text) for shown, text in _declared(base)})
    yield from seen.values()


def _declared(cls: type) -> Iterator[tuple[str, str]]:
    source = ast.parse(inspect.getsource(import_module(cls.__module__)))
    tree = next(
        node
        for node in ast.walk(source)
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__
    )
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        shown, text = _member(node, after)
        if shown and not shown.startswith("_"):
            yield shown, first_sentence(text)


def _member(node: ast.stmt, after: ast.stmt | None) -> tuple[str, str]:
    """How a member is written, and its docstring; empty if it is none of those listed."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            drawn = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
            if drawn & {"setter", "overload"}:
                return "", ""
            taken = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
            given = ", ".join(name for name in taken if name not in ("self", "cls"))
            comes = ast.unparse(node.returns).replace("'", "") if node.returns else "None"
            is_value = drawn & {"property", "cached_property"}
            back = "" if comes == "None" else f" -> {comes}"
            shown = f"{node.name}: {comes}" if is_value else f"{node.name}({given}){back}"
            return shown, ast.get_docstring(node) or ""
        case ast.AnnAssign():
            shown = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}".replace("'", "")
        case ast.Assign():
            shown = ast.unparse(node.targets[0])
        case _:
            return "", ""
    said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return shown, inspect.cleandoc(str(after.value.value)) if said else ""  # type: ignore[union-attr]


def first_paragraph(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.split("\n\n")[0].split())


def first_sentence(text: str) -> str:
    """The first sentence, on one line."""
    return re.split(r"(?<=[.;:])(?<!e\.g\.) (?=[A-Z(])", first_paragraph(text))[0].rstrip(":;")


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in lines)


def architecture() -> str:
    """ARCHITECTURE.md with its picture of the rooms drawn anew."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    block = f"<!-- rooms -->\n```text\n{picture()}```\n<!-- /rooms -->"
    return re.sub(r"<!-- rooms -->.*?<!-- /rooms -->", lambda _: block, text, flags=re.DOTALL)


def picture() -> str:
    """The rooms, each in the first row that is below all that it imports."""
    imports = room_imports()
    row: dict[str, int] = {}
    for room in TopologicalSorter(imports).static_order():
        row[room] = 1 + max((row[other] for other in imports.get(room, ())), default=0)
    lines = (
        f"{number:2}  {'  '.join(sorted(room for room in row if row[room] == number))}\n"
        for number in range(1, max(row.values()) + 1)
    )
    return "".join(lines)


def room_imports() -> dict[str, set[str]]:
    """By room, the rooms that it imports, in functions, too."""
    package = ARCHITECTURE.parent / "pytest_todeval"
    found: dict[str, set[str]] = {}
    for path in package.rglob("*.py"):
        room = path.relative_to(package).parts[0].removesuffix(".py")
        if room != "__init__":  # it offers the public names
            named = [
                node.module.split(".")[1]
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.ImportFrom) and node.module
                and node.module.startswith("pytest_todeval.")
            ]  # fmt: skip
            found.setdefault(room, set()).update(other for other in named if other != room)
    return found


PAGES = {"reference.md": reference, "commands.md": commands, "api.md": names, "demo.md": demo}


def main() -> int:
    """Write the pages, or say which is not up to date."""
    wanted = {HERE / name: write() for name, write in PAGES.items()}
    wanted[ARCHITECTURE] = architecture()
    stale = [
        path
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.name} is not up to date: run python docs/write_reference.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
