"""How many faults in the agenda user's own code the tests catch: mutants, one change each.

    python benchmarks/user_mutants.py --sample 60 --seed 1

A mutant is the package with one change in one module of `simulation/agenda`: a comparison turned
round, `and` for `or`, a `not` dropped, a number one higher, a statement left out. A sample is drawn
evenly over the modules, seeded. Each mutant is written into a copy of the project, where the tests
named by `TESTS` run until the first fails; one that none fails on has survived and is listed with
its change. A mutant that behaves as before in all that can be seen (a limit that nothing reaches, a
cached value) survives by right: look before you blame the tests.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

PROJECT = Path(__file__).resolve().parents[1]
MODULES = "pytest_todeval/simulation/agenda"
TESTS = (
    "tests/agenda",
    "tests/unit/simulation/test_agenda*.py",
    "tests/properties/test_agenda*.py",
)
"""The fast ones first: a mutant's run ends with the first failure."""
COPIED = ("pytest_todeval", "tests", "examples", "pyproject.toml", "README.md")
LONGEST_RUN = 240
"""Seconds after which a mutant counts as caught: it hangs."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change."""

    module: str
    line: int
    what: str
    node: int
    """Which node of the module's tree changes, in `ast.walk`'s order."""

    @property
    def source(self) -> str:
        """The module, changed."""
        tree = ast.parse((PROJECT / self.module).read_text(encoding="utf-8"))
        change(list(ast.walk(tree))[self.node])
        return ast.unparse(tree)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    name = str(path.relative_to(PROJECT))
    for index, node in enumerate(ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        what = change(copy.deepcopy(node))
        if what:
            yield Mutant(name, getattr(node, "lineno", 0), what, index)


def change(node: ast.AST) -> str:
    """Make the one change of a node; says what it was, empty if a node of this kind has none."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            before = ast.unparse(node)
            other = ast.GtE if _is_drawn(node.left) else COMPARISONS[type(operator)]
            node.ops = [other()]
            return f"{before}  ->  {ast.unparse(node)}"
        case ast.BoolOp():
            before = ast.unparse(node)
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return f"{before}  ->  {ast.unparse(node)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            before = ast.unparse(node)
            node.op = ast.UAdd()
            node.operand = ast.Call(ast.Name("bool", ast.Load()), [operand], [])
            return f"{before}  ->  {ast.unparse(operand)}"
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            node.value = value + 1
            return f"{value}  ->  {value + 1}"
    return without_statement(node)


def _is_drawn(node: ast.AST) -> bool:
    """Whether it is a number drawn at random, which never hits a bound: `rng.random() < 0.3`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("rng.random")


def without_statement(node: ast.AST) -> str:
    """Leave out the last statement of a function or branch that has something to leave out."""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or isinstance(node, ast.Module | ast.ClassDef) or not body:
        return ""
    last = body[-1]
    text = isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)
    if text or not isinstance(last, ast.Expr | ast.Assign | ast.AugAssign | ast.Continue):
        return ""
    body[-1] = ast.copy_location(ast.Pass(), last)
    return f"left out: {ast.unparse(last)}"


def sample(count: int, seed: int) -> list[Mutant]:
    """Mutants drawn evenly over the modules."""
    rng = random.Random(seed)
    by_module = [list(mutants(path)) for path in sorted((PROJECT / MODULES).glob("*.py"))]
    for group in by_module:
        rng.shuffle(group)
    drawn: list[Mutant] = []
    while len(drawn) < count and any(by_module):
        drawn += [group.pop() for group in by_module if group]
    return sorted(drawn[:count], key=lambda mutant: (mutant.module, mutant.line))


def workshop(folder: Path) -> Path:
    """A copy of the project to put mutants into."""
    ignore = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in COPIED:
        source, target = PROJECT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignore)
        else:
            shutil.copy(source, target)
    return folder


def tests_of(folder: Path) -> list[str]:
    """The tests that are to catch the mutants."""
    return [str(found) for pattern in TESTS for found in sorted(folder.glob(pattern))]


def is_caught(folder: Path, mutant: Mutant | None) -> bool:
    """Whether a test fails on a mutant (None: on the code as it is)."""
    path = folder / mutant.module if mutant else folder
    before = path.read_text(encoding="utf-8") if mutant else ""
    if mutant:
        path.write_text(mutant.source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", "-p", "no:xdist"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [*command, *tests_of(folder)], cwd=folder, env=environment, capture_output=True,
            timeout=LONGEST_RUN, check=False,
        )  # fmt: skip
        return run.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        if mutant:
            path.write_text(before, encoding="utf-8")


def main() -> None:
    """Draw, run, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    drawn = sample(arguments.sample, arguments.seed)
    with tempfile.TemporaryDirectory() as temporary:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(arguments.processes):
            free.put(workshop(Path(temporary) / str(number)))
        folder = free.get()
        if is_caught(folder, None):
            sys.exit("the tests fail on the code as it is: mend that first")
        free.put(folder)

        def caught(mutant: Mutant) -> bool:
            folder = free.get()
            try:
                return is_caught(folder, mutant)
            finally:
                free.put(folder)

        with ThreadPoolExecutor(arguments.processes) as pool:
            results = list(pool.map(caught, drawn))
    for mutant, was_caught in zip(drawn, results, strict=True):
        if not was_caught:
            print(f"survived: {Path(mutant.module).name}:{mutant.line}: {mutant.what}")
    hits = sum(results)
    print(f"{hits} of {len(drawn)} mutants caught = {100 * hits / max(len(drawn), 1):.0f} %")


if __name__ == "__main__":
    main()
