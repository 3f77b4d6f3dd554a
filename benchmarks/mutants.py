"""How many faults in the project's own code its tests catch, by room: mutants, one change each.

    python benchmarks/mutants.py --sample 10 --seed 1
    python benchmarks/mutants.py --rooms agenda core --sample 60

A mutant is the package with one change in one module: a comparison turned round, `and` for `or`, a
`not` dropped, a number one higher, a truth turned over, plus for minus, a list emptied, a result
left out, a statement left out. A sample is drawn evenly over the modules of each room, seeded. Each
mutant is written into a copy of the project, and the room's tests run until the first fails, those
that name the module first; one that the quick tests let through meets the thorough ones. One that
no test fails on has survived and is listed with its change. First each room's tests run on the code
as it is: a room whose control fails is not measured.

A mutant that behaves as before in all that can be seen (a cached value, a fast path left out)
survives by right. Such mutants stand in `equal_mutants.txt`, each with the reason, and count
neither as drawn nor as caught: look at a survivor before you blame the tests. A mutant hangs, and
is caught, if its tests spend four times the processor time of the control, or none at all for
`LONGEST_REST`. One whose tests still work after `LONGEST_RUN` is listed as timed out and is not
counted as caught, since the machine's load may be the cause. Needs Linux.
"""

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = "pytest_todeval"
T = TypeVar("T")


@dataclass(frozen=True)
class Room:
    """Modules and the tests that are to notice a change in them, as patterns from the root."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self, project: Path) -> set[Path]:
        """Returns its modules: those of a folder within it with a row of its own are that row's."""
        inner = {
            path
            for room in ROOMS.values()
            for pattern in room.modules
            if pattern not in self.modules and any(_within(pattern, own) for own in self.modules)
            for path in project.glob(pattern)
        }
        return {path for pattern in self.modules for path in project.glob(pattern)} - inner


def _within(pattern: str, other: str) -> bool:
    folder, around = pattern.partition("/*")[0], other.partition("/*")[0]
    return folder != around and f"{folder}/".startswith(f"{around}/")


def _of(name: str, *more: str, single: tuple[str, ...] = ()) -> Room:
    """A room of the package with its folder in `tests/unit`, and single modules it belongs to."""
    modules = (f"{PACKAGE}/{name}/**/*.py", *(f"{PACKAGE}/{module}.py" for module in single))
    return Room(modules, (f"tests/unit/{Path(name).name}/test_*.py", *more))


ROOMS = {
    "agenda": Room(
        (f"{PACKAGE}/simulation/agenda/*.py",),
        ("tests/agenda/test_*.py", "tests/unit/simulation/test_agenda*.py",
         "tests/properties/test_agenda*.py"),
    ),
    "backends": _of(
        "backends", "tests/properties/test_copy_on_write*.py",
        "tests/unit/systems/test_chat_system.py",
    ),
    "commands": _of(
        "commands", "tests/unit/recording/test_recording_accept.py",
        "tests/unit/reports/test_old_and_hostile_files.py",
        "tests/unit/reports/test_annotation.py", "tests/unit/reports/test_failure_table.py",
        "tests/unit/statistics/test_ratings_file.py", "tests/unit/statistics/test_correction.py",
        single=("cli",),
    ),
    "core": _of(
        "core", "tests/properties/test_results_plain.py",
        "tests/unit/judge/test_assertions*.py", "tests/unit/metrics/test_satisfied*.py",
    ),
    "documents": Room(
        (f"{PACKAGE}/core/documents/*.py",),
        ("tests/unit/integration/test_documents.py", "tests/properties/test_hostile_files.py"),
    ),
    "drafts": _of("start/drafts", "tests/unit/commands/test_command_goals.py"),
    "facts": _of(
        "facts", "tests/properties/test_one_reader.py", "tests/unit/metrics/test_[ct]*.py",
    ),
    "frameworks": _of("simulation/frameworks", single=("frameworks",)),
    "goals": _of(
        "goals", "tests/properties/test_goal_sampling.py", "tests/properties/test_made_up_goals.py",
        "tests/properties/test_tau_files_hostile.py", "tests/unit/worlds/test_goals_*.py",
        "tests/unit/worlds/test_made_up.py",
    ),
    "integration": Room(
        (f"{PACKAGE}/integration/**/*.py", f"{PACKAGE}/plugin.py", f"{PACKAGE}/testing.py",
         f"{PACKAGE}/errors.py", f"{PACKAGE}/extensions.py", f"{PACKAGE}/__init__.py",
         f"{PACKAGE}/shown.py", f"{PACKAGE}/trust.py"),
        ("tests/unit/test_shown.py", "tests/unit/test_trust.py", "tests/unit/test_writers.py",
         "tests/unit/integration/test_*.py", "tests/unit/reports/test_run_record.py",
         "tests/plugin/test_bad_input.py", "tests/plugin/test_cassettes_in_runs.py",
         "tests/plugin/test_chat.py", "tests/plugin/test_checks_after_turns.py",
         "tests/plugin/test_faults_have_owners.py",
         "tests/plugin/test_gates_in_runs.py", "tests/plugin/test_goals_become_tests.py",
         "tests/plugin/test_judge_in_runs.py", "tests/plugin/test_matrix_in_runs.py",
         "tests/plugin/test_results_of_several_players.py"),
    ),
    "judge": _of(
        "evaluate/judge", "tests/properties/test_model_judge_replies.py",
        "tests/unit/metrics/test_coverage.py", single=("judge", "evaluate/__init__"),
    ),
    "models": _of(
        "models", "tests/properties/test_llm_*.py", "tests/properties/test_reading*.py",
        "tests/properties/test_chat_system_hostile.py", "tests/unit/facts/test_model_ear.py",
        "tests/unit/recording/test_recording_budget.py",
        "tests/unit/reports/test_usage_in_results.py", single=("prices",),
    ),
    "metrics": _of(
        "evaluate/metrics", "tests/faulty_bots/test_faulty_bots.py",
        "tests/properties/test_state_tracking*.py", "tests/unit/judge/test_assertions*.py",
        "tests/unit/facts/test_doubt.py",
    ),
    "nlu": _of(
        "nlu", "tests/properties/test_one_reader.py", "tests/properties/test_language.py",
        "tests/unit/simulation/test_agenda_[hl]*.py", "tests/unit/metrics/test_[ct]*.py",
        "tests/unit/rules/test_told_and_known.py", "tests/unit/commands/test_command_hear.py",
        "tests/unit/systems/test_rule_*.py",
    ),
    "research": _of(
        "research", "tests/unit/statistics/test_a*.py", "tests/unit/systems/test_paper*.py",
        "tests/unit/reports/test_annotation.py", "tests/properties/test_tra*.py",
        "tests/papers/test_dst*.py",
        "tests/unit/commands/test_command_score*.py",
    ),
    "play": _of("play", "tests/plugin/test_goals_become_tests.py"),
    "properties": _of(
        "properties", "tests/plugin/test_drawn_goals_in_runs.py", single=("strategies",)
    ),
    "recording": _of(
        "recording", "tests/properties/test_recording*.py", "tests/plugin/test_[bj]*_in_*.py",
        "tests/plugin/test_recording_clients.py", "tests/plugin/test_where_cassettes_lie.py",
        "tests/unit/commands/test_command_cassettes*.py", single=("http_body",),
    ),
    "reports": _of(
        "runs/reports", "tests/plugin/test_what_the_person_sees.py",
        "tests/unit/commands/test_command_[cghmor]*.py", "tests/unit/commands/test_files_of*.py",
        single=("results", "runs/__init__"),
    ),
    "rules": _of(
        "evaluate/rules", "tests/properties/test_rule_judge_hostile.py",
        "tests/unit/judge/test_llm_judge_rules.py", single=("rules",),
    ),
    "simulation": Room(
        (f"{PACKAGE}/simulation/*.py", f"{PACKAGE}/simulation/llm_user/*.py",
         f"{PACKAGE}/simulation/variation/*.py", f"{PACKAGE}/log.py", f"{PACKAGE}/telemetry.py"),
        ("tests/unit/simulation/test_*.py", "tests/properties/test_l*.py",
         "tests/unit/facts/test_model_ear.py"),
    ),
    "fake_server": _of("models/fake_server", "tests/properties/test_stand_in*.py"),
    "start": _of("start", "tests/plugin/test_first_suite.py"),
    "statistics": _of(
        "runs/statistics", "tests/properties/test_pass_k*.py", "tests/unit/reports/test_games.py",
        "tests/unit/reports/test_sequential_run.py", "tests/unit/commands/test_command_arena.py",
    ),
    "systems": _of(
        "simulation/systems", "tests/properties/test_*system*_hostile.py",
        "tests/papers/test_clem_todd_systems.py",
        "tests/unit/simulation/test_openings.py", single=("systems",),
    ),
    "viewer": Room((f"{PACKAGE}/runs/viewer/*.py",), ("tests/unit/viewer/test_*.py",)),
    "worlds": _of(
        "worlds", "tests/plugin/test_goals_become_tests.py",
        "tests/unit/simulation/test_openings.py", "tests/properties/test_desk_hostile.py",
        "tests/unit/commands/test_command_goals.py", "tests/unit/commands/test_command_export.py",
    ),
}  # fmt: skip
COPIED = ("pytest_todeval", "tests", "examples", "docs", "pyproject.toml", "README.md")
EQUAL = Path(__file__).with_name("equal_mutants.txt")
"""Mutants that nobody can tell from the code: `module | change | reason`, one a line."""
LONGEST_RUN = 3600
"""Seconds after which the tests of a mutant are ended."""
LONGEST_REST = 90
"""Seconds without work, of the tests and of all processes they started, that mean a hang."""
QUICK: Sequence[str] = ()
THOROUGH = ("--thorough", "-m", "thorough or hypothesis")
"""What pytest is told to run quick tests, and the others."""
NO_TESTS = 5
"""How pytest ends if a room has no test of the kind."""
TICKS = os.sysconf("SC_CLK_TCK")


class Outcome(Enum):
    """What the tests made of a mutant."""

    CAUGHT = "caught"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    EQUAL = "equal"


COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change."""

    room: str
    module: str
    line: int
    what: str
    node: int
    """Which node of the module's tree changes, in `ast.walk`'s order."""

    def of(self, source: str) -> str:
        """The module's source, changed."""
        tree = ast.parse(source)
        change(list(ast.walk(tree))[self.node])
        return ast.unparse(tree)


def mutants(room: str, folder: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    name = str(path.relative_to(folder))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {id(part) for node in ast.walk(tree) for part in _declared(node)}
    for index, node in enumerate(ast.walk(tree)):
        what = "" if id(node) in said else change(copy.deepcopy(node))
        if what:
            yield Mutant(room, name, getattr(node, "lineno", 0), what, index)


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
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            before = ast.unparse(node)
            node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            return f"{before}  ->  {ast.unparse(node)}"
        case ast.List(elts=[_, *_], ctx=ast.Load()):
            before = ast.unparse(node)
            node.elts = []
            return f"{before}  ->  []"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            node.value = ast.Constant(None)
            return f"return {ast.unparse(value)}  ->  return None"
        case ast.Constant(value=bool(value)):
            node.value = not value
            return f"{value}  ->  {not value}"
        case ast.Constant(value=int(value)):
            node.value = value + 1
            return f"{value}  ->  {value + 1}"
    return without_statement(node)


def _declared(node: ast.AST) -> Iterator[ast.AST]:
    """What changes no answer: `__all__`, decorators of classes, types, how much a cache keeps, that
    a `zip` of as many each is checked, where a message cuts short what it quotes.
    """
    match node:
        case ast.Call(func=ast.Name(id="lru_cache")) | ast.FormattedValue(value=ast.Subscript()):
            yield from ast.walk(node)
        case ast.keyword(arg="strict", value=checked):
            yield checked
        case ast.Assign(targets=[ast.Name(id="__all__")], value=names):
            yield from ast.walk(names)
        case ast.ClassDef(decorator_list=decorators):
            yield from (part for each in decorators for part in ast.walk(each))
        case ast.Subscript(value=ast.Name(id="Callable"), slice=types):
            yield from ast.walk(types)


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


def sample(folder: Path, room: str, count: int, seed: int) -> list[Mutant]:
    """Mutants of a room, drawn evenly over its modules."""
    rng = random.Random(f"{seed} {room}")
    paths = sorted(ROOMS[room].files(folder))
    by_module = [list(mutants(room, folder, path)) for path in paths]
    rng.shuffle(by_module)
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


def tests_of(folder: Path, room: str, module: str) -> list[str]:
    """The tests that are to catch a room's mutants, those that name the module first."""
    found = [path for pattern in ROOMS[room].tests for path in sorted(folder.glob(pattern))]
    dotted = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def knows(path: Path) -> bool:
        return dotted in path.read_text(encoding="utf-8")

    return [str(path) for path in sorted(found, key=lambda path: not knows(path))]


def run_tests(
    folder: Path,
    room: str,
    module: str = "",
    most_cpu: float | None = None,
    which: Sequence[str] = QUICK,
) -> tuple[Outcome, float]:
    """What the room's tests say of the code in the folder, and the processor seconds they took."""
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += which
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as temporary, (folder / "said.txt").open("wb") as said:
        run = subprocess.Popen(
            [*command, f"--basetemp={temporary}/runs", *tests_of(folder, room, module)],
            cwd=folder, env=environment, stdout=said, stderr=said,
            start_new_session=True,
        )  # fmt: skip
        if most_cpu is not None:
            resource.prlimit(run.pid, resource.RLIMIT_CPU, (int(most_cpu), int(most_cpu) + 5))
        try:
            return wait_for(run)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def wait_for(run: "subprocess.Popen[bytes]") -> tuple[Outcome, float]:
    """How a run of tests ends, and the processor seconds it took."""
    start = changed = time.monotonic()
    worked = 0.0
    while (now := time.monotonic()) - start < LONGEST_RUN:
        pid, status, used = os.wait4(run.pid, os.WNOHANG)
        if pid:
            run.returncode = os.waitstatus_to_exitcode(status)
            outcome = Outcome.SURVIVED if run.returncode in (0, NO_TESTS) else Outcome.CAUGHT
            return outcome, used.ru_utime + used.ru_stime
        if (spent := seconds_of(run.pid)) > worked + 0.3:
            worked, changed = spent, now
        if now - changed > LONGEST_REST:
            return Outcome.CAUGHT, worked
        time.sleep(0.2)
    return Outcome.TIMED_OUT, worked


def control_of(folder: Path, room: str, which: Sequence[str]) -> tuple[Outcome, float, str]:
    """What the room's tests say of the code as it is, as `run_tests`, and their last lines."""
    outcome, used = run_tests(folder, room, which=which)
    lines = (folder / "said.txt").read_text(encoding="utf-8", errors="replace").splitlines()
    return outcome, used, "\n".join(f"  {line}" for line in lines[-4:])


def seconds_of(root: int) -> float:
    """Processor seconds that a process and its living descendants have spent."""
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            pid = int(path.parent.name)
            ticks[pid] = sum(map(int, fields[11:15]))
            children.setdefault(int(fields[1]), []).append(pid)
    family = [root]
    for pid in family:
        family += children.get(pid, [])
    return sum(ticks.get(pid, 0) for pid in family) / TICKS


def outcome_of(folder: Path, mutant: Mutant, most_cpu: float, which: Sequence[str]) -> Outcome:
    """What the tests of a kind make of a mutant."""
    if (mutant.module, mutant.what) in equal_mutants():
        return Outcome.EQUAL
    path = folder / mutant.module
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.of(before), encoding="utf-8")
    try:
        # What hypothesis found on one mutant must not fail the next.
        shutil.rmtree(folder / ".hypothesis", ignore_errors=True)
        return run_tests(folder, mutant.room, mutant.module, most_cpu, which)[0]
    finally:
        path.write_text(before, encoding="utf-8")


def equal_mutants() -> frozenset[tuple[str, str]]:
    """The module and the change of each mutant that is known to be equal to the code."""
    lines = EQUAL.read_text(encoding="utf-8").splitlines()
    parts = (line.split(" | ") for line in lines if line)
    return frozenset((module, " | ".join(change)) for module, *change, _ in parts)


def main() -> None:
    """Draw, run, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", nargs="+", choices=sorted(ROOMS), default=sorted(ROOMS))
    parser.add_argument("--sample", type=int, default=10, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(arguments.processes):
            folder = workshop(Path(temporary) / str(number))
            free.put(folder)

        def in_a_workshop(work: Callable[[Path], T]) -> T:
            folder = free.get()
            try:
                return work(folder)
            finally:
                free.put(folder)

        def tried(room: str, group: Sequence[Mutant], which: Sequence[str]) -> list[Outcome] | None:
            """What the tests of a kind make of the mutants; None if they fail without any."""
            control, used, said = in_a_workshop(partial(control_of, room=room, which=which))
            if control is not Outcome.SURVIVED:
                why = "timed out" if control is Outcome.TIMED_OUT else "fail or hang"
                kind = " ".join(("its tests", *which))
                print(f"{room}: {kind} {why} on the code as it is: mend that first")
                print(said)
                return None
            most_cpu = 4 * used + 30
            works = [
                partial(outcome_of, mutant=each, most_cpu=most_cpu, which=which) for each in group
            ]
            return list(pool.map(in_a_workshop, works))

        with ThreadPoolExecutor(arguments.processes) as pool:
            hits, drawn = 0, 0
            for room in arguments.rooms:
                start = time.monotonic()
                group = sample(PROJECT, room, arguments.sample, arguments.seed)
                found = tried(room, group, QUICK)
                if found is None:
                    continue
                outcomes = dict(zip(group, found, strict=True))
                left = [each for each in group if outcomes[each] is Outcome.SURVIVED]
                if left and (later := tried(room, left, THOROUGH)) is not None:
                    outcomes.update(zip(left, later, strict=True))
                report(room, outcomes, time.monotonic() - start)
                caught, equal = counts(outcomes)
                hits += caught
                drawn += len(group) - equal
    print(f"all: {hits} of {drawn} mutants caught = {100 * hits / max(drawn, 1):.0f} %")


def counts(outcomes: Mapping[Mutant, Outcome]) -> tuple[int, int]:
    """How many were caught, and how many are equal to the code."""
    found = list(outcomes.values())
    return found.count(Outcome.CAUGHT), found.count(Outcome.EQUAL)


def report(room: str, outcomes: Mapping[Mutant, Outcome], seconds: float) -> None:
    """A line for a room, and one for each mutant that was not caught."""
    caught, equal = counts(outcomes)
    count = len(outcomes) - equal
    share = 100 * caught / max(count, 1)
    print(f"{room}: {caught} of {count} caught = {share:.0f} %, {equal} equal, in {seconds:.0f} s")
    for mutant, outcome in outcomes.items():
        if outcome is not Outcome.CAUGHT:
            place = f"{mutant.module}:{mutant.line}"
            print(f"  {outcome.value}: {place}: {mutant.what}", flush=True)


if __name__ == "__main__":
    main()
