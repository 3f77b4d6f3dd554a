"""Runs of pytest in processes of their own, forked from one that has imported what they need.

A run that starts anew spends most of its time on imports. Run as a script, this file is the process
that forks; its arguments are modules to import besides those of `AHEAD`, among which there is no
client of HTTP, as recording has to meet those late, too. The workers of a run that is spread
(`-n2`) are forks as well, made before the run begins.
"""

import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import execnet.gateway_base
import execnet.gateway_io
import pytest

AHEAD = (
    "unittest.mock",
    "xdist.dsession",
    "pytest_todeval.integration.judging",
    "pytest_todeval.integration.plan",
    "pytest_todeval.integration.record",
    "pytest_todeval.integration.servers",
    "pytest_todeval.evaluate.judge.rule_answers",
    "pytest_todeval.evaluate.metrics.task_success",
    "pytest_todeval.runs.reports.results_file",
    "pytest_todeval.evaluate.rules.predicates",
    "pytest_todeval.simulation.agenda",
    "pytest_todeval.simulation.loop",
    "pytest_todeval.simulation.scripted",
    "pytest_todeval.simulation.systems.rules",
    "pytest_todeval.worlds.demo.world",
    "pytest_todeval.worlds.files.schema",
    "pytest_todeval.worlds.files.world",
)
READY = "ready"


class Forks:
    """Starts runs as forks of one process, which imports `ahead`, too, and ends with `close`."""

    def __init__(self, *ahead: str) -> None:
        self._ahead = ahead
        self._process: subprocess.Popen[str] | None = None

    def run(self, pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
        """What `pytester.runpytest_subprocess` does, but for what a new interpreter alone shows."""
        folder = pytester.path
        out, err = folder / "stdout", folder / "stderr"
        base = pytester.mkdir(f"runpytest-{sum(1 for _ in folder.glob('runpytest-*'))}")
        order = {
            "arguments": [f"--basetemp={base}", *arguments],
            "folder": str(Path.cwd()),
            "out": str(out),
            "err": str(err),
            "environment": dict(os.environ),
        }
        begun = time.perf_counter()
        code = int(self._asked(json.dumps(order)))
        lasted = time.perf_counter() - begun
        said, told = (path.read_text(encoding="utf-8") for path in (out, err))
        sys.stdout.write(said)
        sys.stderr.write(told)
        with suppress(ValueError):
            code = pytest.ExitCode(code)
        return pytest.RunResult(code, said.splitlines(), told.splitlines(), lasted)

    def close(self) -> None:
        """End the process that forks."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _asked(self, order: str) -> str:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, __file__, *self._ahead],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            assert self._process.stdout is not None
            assert self._process.stdout.readline() == f"{READY}\n"
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


class Ahead:
    """A plugin of a first run, in which pytest rewrites the plugins' assertions."""

    def pytest_configure(self) -> None:
        """Import what most runs need."""
        for name in (*AHEAD, *sys.argv[1:]):
            import_module(name)
        from pytest_todeval.nlu.listen import listen
        from pytest_todeval.nlu.vocabulary import Vocabulary

        listen("I have booked it.", Vocabulary())


def serve() -> None:
    """Run pytest once for what that imports; then fork for each order, and answer its exit code."""
    del sys.path[0]  # this file's folder
    with TemporaryDirectory() as empty, redirect_stdout(StringIO()):
        pytest.main(["-p", "no:cacheprovider", "--rootdir", empty, empty], plugins=[Ahead()])
    gc.freeze()
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _play(json.loads(line))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _play(order: dict[str, object]) -> None:
    environment = order["environment"]
    assert isinstance(environment, dict)
    os.environ.clear()
    os.environ.update(environment)
    files = (os.devnull, str(order["out"]), str(order["err"]))
    for descriptor, path in enumerate(files):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, descriptor)
        os.close(file)
    os.chdir(str(order["folder"]))
    paths = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [str(order["folder"]), *(path for path in paths if path)]
    # what xdist gives its workers, frozen when it was imported
    setattr(sys.modules["xdist.workermanage"], "_sys_path", list(sys.path))  # noqa: B010
    arguments = order["arguments"]
    assert isinstance(arguments, list)
    sys.argv = [pytest.__file__, *arguments]
    spread = re.search(r" -n ?(\d+)", f" {' '.join(arguments)}")
    lend_workers(int(spread[1]) if spread else 0)
    sys.exit(pytest.main())


class Worker:
    """A fork that waits on its standard input for what execnet sends to a new interpreter."""

    def __init__(self, before: list["Worker"]) -> None:
        gets, self._told = os.pipe()
        self._said, puts = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            for worker in (*before, self):  # else their pipes would stay open
                os.close(worker._told)
                os.close(worker._said)
            for descriptor, end in enumerate((gets, puts)):
                os.dup2(end, descriptor)
                os.close(end)
            sys.stdin = open(0, closefd=False)  # noqa: SIM115
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
            if line := sys.stdin.readline():
                exec(eval(line), {"__name__": "__main__"})
            sys.exit()
        os.close(gets)
        os.close(puts)

    def opened(self) -> tuple[BinaryIO, BinaryIO]:
        """What is told to it, and what it says."""
        return open(self._told, "wb"), open(self._said, "rb")

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self) -> None:
        """End it now."""
        os.kill(self.pid, signal.SIGKILL)


def lend_workers(count: int) -> None:
    """Have execnet take so many forks of this process before it starts interpreters."""
    spare: list[Worker] = []
    for _ in range(count):
        spare.append(Worker(spare))

    class WorkerIO(execnet.gateway_io.Popen2IOMaster):
        def __init__(self, args: list[str], execmodel: execnet.gateway_base.ExecModel) -> None:
            if not spare:
                super().__init__(args, execmodel)
                return
            self.popen = spare.pop(0)
            told, said = self.popen.opened()
            execnet.gateway_base.Popen2IO.__init__(self, told, said, execmodel)

    execnet.gateway_io.Popen2IOMaster = WorkerIO  # type: ignore[misc]


if __name__ == "__main__":
    serve()
