"""Writes docs/reference.md from the code: options, ini keys, markers, fixtures, commands, names.

    python docs/write_reference.py           # write it
    python docs/write_reference.py --check   # 1 if it is not what would be written

The options in the README come from the same table: its block between `<!-- options -->` and
`<!-- /options -->` is written, too.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest_todeval
from pytest_todeval import cli, plugin, results, systems, testing
from pytest_todeval.integration import cassette_options, options

HERE = Path(__file__).parent
REFERENCE = HERE / "reference.md"
README = HERE.parent / "README.md"
FIRST_OPTIONS = (
    "data", "limit", "trials", "json", "user", "judge", "ear", "model", "record",
)  # fmt: skip
"""What the README names; the reference has them all."""

HEAD = """# Reference

Written by `python docs/write_reference.py` from the code: do not edit it by hand. How to use what
stands here: [bots](bots.md), [goals](goals.md), [users](users.md), [judges](judges.md),
[rules](rules.md), [results](results.md), [gates](gates.md), [cassettes](cassettes.md),
[models](models.md).
"""


def reference() -> str:
    """The whole page."""
    parts = (
        HEAD,
        "## Options\n\nThe command line wins over the ini file.\n",
        option_table(options.OPTIONS),
        "On the command line only:\n",
        table(("command line", ""), [(f"`--todeval-{n}`", t) for n, t in options.FLAGS.items()]),
        "## Settings in the ini file only\n",
        table(("ini file", ""), ini_rows()),
        "## Markers\n",
        *marker_parts(),
        "## Fixtures\n",
        table(("fixture", "scope", ""), fixture_rows()),
        "## Commands\n",
        table(("command", ""), command_rows()),
        "## Names\n\nEverything here can be imported from the module in the heading.\n",
        *name_parts(pytest_todeval),
        *name_parts(systems),
        *name_parts(results),
        *name_parts(testing),
    )
    return "\n".join(parts).rstrip() + "\n"


def readme() -> str:
    """The README with its table of options written anew."""
    chosen = {name: text for name, text in options.OPTIONS.items() if name in FIRST_OPTIONS}
    block = f"<!-- options -->\n{option_table(chosen)}<!-- /options -->"
    text = README.read_text(encoding="utf-8")
    return re.sub(r"<!-- options -->.*?<!-- /options -->", lambda _: block, text, flags=re.DOTALL)


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
                text = first_sentences(ast.get_docstring(node) or "")
                yield f"`{node.name}`", scope[1] if scope else "test", text


def command_rows() -> Iterator[tuple[str, ...]]:
    """The subcommands of `todeval`."""
    for name, text in cli.COMMANDS.items():
        yield f"`todeval {name}`", sentence(text)


def name_parts(module: ModuleType) -> Iterator[str]:
    """The public names of a module; of a class, what of it is public."""
    yield f"### {module.__name__}\n"
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        yield f"#### {name}{signature_of(value)}\n\n{doc_of(name, value)}\n"
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
            yield shown, first_sentences(text)


def _member(node: ast.stmt, after: ast.stmt | None) -> tuple[str, str]:
    """How a member is written, and its docstring; empty if it is none of those listed."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            drawn = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
            if drawn & {"setter", "overload"}:
                return "", ""
            taken = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
            given = ", ".join(name for name in taken if name not in ("self", "cls"))
            is_value = drawn & {"property", "cached_property"}
            return node.name + ("" if is_value else f"({given})"), ast.get_docstring(node) or ""
        case ast.AnnAssign():
            shown = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}".replace("'", "")
        case ast.Assign():
            shown = ast.unparse(node.targets[0])
        case _:
            return "", ""
    said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return shown, inspect.cleandoc(str(after.value.value)) if said else ""  # type: ignore[union-attr]


def first_sentences(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.split("\n\n")[0].split())


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in lines)


def main() -> int:
    """Write both, or say which is not up to date."""
    wanted = {REFERENCE: reference(), README: readme()}
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
