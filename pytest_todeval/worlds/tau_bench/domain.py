"""A tau-bench domain from the user's checkout: its tools and tables, loaded privately.

The tools' modules say `from tau_bench.envs.tool import Tool`, and importing that package for real
takes seconds and reaches for the network (litellm). So their modules are run here with an
`__import__` of their own, which finds `tau_bench` in the checkout, leaves the package's own
`__init__` files out, and keeps what it loaded to itself: `sys.modules` is neither read nor written,
whatever the bot imports at the same time, from this thread or another.
"""

import builtins
import json
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from pytest_todeval.backends.arithmetic import too_large
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.errors import DataMissing, InvalidFile, UsageError, known_names

PACKAGE = "tau_bench"
CLONE = "git clone https://github.com/sierra-research/tau-bench"
WORDS = {"tools": "tools", "data": "tables"}
DOMAIN_MARKS = ("tools", "data", "tasks_*.py")
"""Any of them makes a folder a domain, so that what else it lacks can be said."""
TERMINATING = frozenset({"transfer_to_human_agents"})
"""`terminate_tools` of both of tau-bench's environments."""


def load_tau_bench(home: Path, domain: str) -> ToolDomain:
    """The domain (`retail`, `airline`) of the checkout or installation in the folder `home`.

    Raises DataMissing if `home` holds no tau-bench or part of it is missing, UsageError on an
    unknown domain or a package that its tools need, InvalidFile if a file cannot be used.
    """
    folder = domain_folder(home, domain)
    modules = CheckoutModules(home, domain)
    tools = _tools(modules, domain)
    return ToolDomain(
        name=f"{PACKAGE}/{domain}",
        tables=_tables(modules, domain),
        tools=MappingProxyType({tool.name: tool for tool in tools}),
        policy=_text(folder / "wiki.md"),
        terminating=TERMINATING & {tool.name for tool in tools},
    )


@dataclass(frozen=True)
class CheckoutTool:
    """One of tau-bench's tool classes."""

    name: str
    schema: Mapping[str, Any]
    cls: Any
    """Has `invoke(data, **arguments) -> str`, a static method."""

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Calls it as tau-bench does. Raises what it raises."""
        if self.name == "calculate" and too_large(arguments.get("expression")):
            return "Error: int too large to convert to float"  # as theirs, if it ever got there
        answer: str = self.cls.invoke(data=data, **arguments)
        return answer


class CheckoutModules:
    """Modules of a checkout, loaded without `sys.modules`; `instead` stands for other packages."""

    def __init__(
        self, home: Path, domain: str, instead: Mapping[str, ModuleType] = MappingProxyType({})
    ) -> None:
        self.home = home
        self._instead = instead
        self._loaded: dict[str, ModuleType] = {}
        self._not_run = (PACKAGE, f"{PACKAGE}.envs", f"{PACKAGE}.envs.{domain}")
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """Returns the module, e.g. `tau_bench.envs.retail.tools`. Raises what running it raises."""
        if name in self._loaded:
            return self._loaded[name]
        parent, _, child = name.rpartition(".")
        above = self.load(parent) if parent else None
        module = self._new(name)
        self._loaded[name] = module
        try:
            self._run(module)
        except BaseException:
            del self._loaded[name]
            raise
        if above is not None:
            setattr(above, child, module)
        return module

    def _new(self, name: str) -> ModuleType:
        path = self._path(name)
        if path is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = ModuleType(name)
        is_package = path.name == "__init__.py"
        module.__file__ = str(path)
        module.__package__ = name if is_package else name.rpartition(".")[0]
        if is_package:
            module.__path__ = [str(path.parent)]
        module.__dict__["__builtins__"] = self._builtins
        return module

    def _run(self, module: ModuleType) -> None:
        if module.__name__ in self._not_run:
            return
        file = str(module.__file__)
        code = compile(Path(file).read_bytes(), file, "exec", dont_inherit=True)
        exec(code, vars(module))

    def _path(self, name: str) -> Path | None:
        place = self.home.joinpath(*name.split("."))
        file = place.with_name(place.name + ".py")
        inside = place / "__init__.py"
        if inside.is_file() or name in self._not_run:
            return inside
        return file if file.is_file() else None

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`builtins.__import__` for the modules of the checkout."""
        if name in self._instead and not level:
            return self._instead[name]
        full = _absolute(name, globals, level)
        if full.partition(".")[0] != PACKAGE:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = self.load(full)
        for child in fromlist or ():
            if not hasattr(module, child) and self._path(f"{full}.{child}") is not None:
                self.load(f"{full}.{child}")
        return module if fromlist else self._loaded[PACKAGE]


def _absolute(name: str, globals: Mapping[str, object] | None, level: int) -> str:
    if not level:
        return name
    package = str((globals or {}).get("__package__") or "").split(".")
    return ".".join([*package[: len(package) - level + 1], *([name] if name else [])])


def domain_folder(home: Path, domain: str) -> Path:
    """Returns where a domain lies in a checkout. Raises DataMissing without any, UsageError."""
    environments = home / PACKAGE / "envs"
    if not environments.is_dir():
        raise DataMissing(
            f"{home}: no tau-bench here, expected {PACKAGE}/envs in it; get it with `{CLONE}`"
        )
    marks = [mark for place in DOMAIN_MARKS for mark in environments.glob(f"*/{place}")]
    known = sorted({mark.parent.name for mark in marks})
    if domain not in known:
        hint = known_names(domain, known)
        raise UsageError(f"no domain {domain!r} of tau-bench in {home}: {hint}")
    return environments / domain


def _tools(modules: CheckoutModules, domain: str) -> list[CheckoutTool]:
    with _told(modules, domain, "tools") as package:
        return [_tool(cls) for cls in package.ALL_TOOLS]


def _tables(modules: CheckoutModules, domain: str) -> Mapping[str, Mapping[str, Any]]:
    """Returns what tau-bench itself would load: no table less, and none that merely lies there."""
    with _told(modules, domain, "data") as package:
        tables = dict(package.load_data())
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InvalidFile(
                f"{Path(package.__file__).parent}: table {name!r}: found {type(table).__name__}, "
                "expected an object (id -> record)"
            )
    return MappingProxyType(tables)


@contextmanager
def _told(modules: CheckoutModules, domain: str, part: str) -> Iterator[Any]:
    """The package `tools` or `data` of a domain; what goes wrong in it is the checkout's fault."""
    name, what = f"{PACKAGE}.envs.{domain}.{part}", WORDS[part]
    where = modules.home.joinpath(*name.split("."))
    try:
        yield modules.load(name)
    except FileNotFoundError as error:
        raise _incomplete(Path(error.filename or where), "no such file") from error
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == PACKAGE:
            raise _incomplete(where, str(error)) from error
        raise UsageError(
            f"{where}: the {what} need the package {error.name!r}, which is not installed: "
            f"install it beside pytest-todeval ({error})"
        ) from error
    except (Exception, SystemExit) as error:
        place = _broken_json(where) or _line(error, where)
        raise InvalidFile(
            f"{place}: the {what} cannot be loaded: {type(error).__name__}: {error}; "
            f"expected them as tau-bench publishes them (`{CLONE}`)"
        ) from error


def _tool(cls: Any) -> CheckoutTool:
    schema = cls.get_info()
    return CheckoutTool(str(schema["function"]["name"]), schema, cls)


def _line(error: BaseException, where: Path) -> str:
    """File and line of the checkout that raised the error."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if Path(f.filename).is_relative_to(where.parents[3])]
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else str(where)


def _broken_json(folder: Path) -> Path | None:
    """Returns the first file that is no JSON: the error of whoever read it does not name it."""
    for file in sorted(folder.glob("*.json")):
        try:
            json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return file
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise _incomplete(file, "no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{file}: cannot be read: {error}") from error


def _incomplete(where: Path, what: str) -> DataMissing:
    return DataMissing(
        f"{where}: {what}: this copy of tau-bench is incomplete (an installed one may lack its "
        f"data files); get all of it with `{CLONE}`"
    )
