"""Plays a CI configuration here: the very commands of its jobs, with folders for what CI provides.

`GitHubRun` knows what `examples/ci` uses of GitHub's workflows, and refuses all else; `GitLabRun`
the same of GitLab's. No command is copied into a test.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import PROJECT

__all__ = ["GitHubRun", "GitLabRun", "JobRun", "git"]

EVENT = "github.event_name"
ALWAYS = "!cancelled()"
PINNED = re.compile(r"[\w-]+/[\w-]+@v\d+")


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints; nobody's own settings count."""
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    command = ["git", *who, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass
class JobRun:
    """One job, or one cell of its matrix."""

    folder: Path
    code: int = 0
    """Of the first command that failed."""
    text: str = ""
    """What its commands printed."""
    summary: str = ""
    """What they wrote for the run's summary."""


@dataclass
class _Sandbox:
    """Where jobs run: clones of one commit, and what they leave for each other."""

    place: Path
    repository: Path
    """A bare one: what is pushed goes there."""
    branch: str
    jobs: dict[str, list[JobRun]] = field(default_factory=dict)
    """By name, the cells in order."""

    def clone(self, name: str) -> JobRun:
        folder = self.place / name
        git(self.place, "clone", "-q", "--branch", self.branch, str(self.repository), str(folder))
        return JobRun(folder)

    def run(
        self, job: JobRun, command: str, variables: Mapping[str, str], folder: str = "."
    ) -> int:
        """One step, and how it ended; what stands for the network goes before all programs."""
        programs = self.place / "programs"
        programs.mkdir(exist_ok=True)
        hub = programs / "gh"
        hub.write_text(f'#!/bin/sh\necho "gh $*" >> {self.place}/gh.txt\n')
        hub.chmod(0o755)
        summary = job.folder.parent / f"{job.folder.name}.summary"
        path = (
            f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        )
        set_here = {
            "PATH": path,
            "PYTHONPATH": str(PROJECT),  # the branches of the test take bots from its folders
            "PIP_NO_INDEX": "1",
            "GITHUB_STEP_SUMMARY": str(summary),
            "COLUMNS": "200",
        }
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "TODEVAL"))}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
            cwd=job.folder / folder,
            env={**kept, **set_here, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        job.text += done.stdout
        job.summary = summary.read_text() if summary.exists() else ""
        return done.returncode


class GitHubRun(_Sandbox):
    """The jobs of a workflow file for one event, in their order."""

    def play(self, workflow: Path, event: str, only: str = "") -> None:
        """Run each job that the event asks for, unless one that it needs has failed.

        `only`: this job alone, for which what it needs has been laid ready.
        """
        said = yaml.safe_load(workflow.read_text())
        assert event in said[True], f"no trigger for {event}"  # YAML 1.1 reads `on` as true
        assert said["defaults"]["run"]["shell"] == "bash"
        for name, job in said["jobs"].items():
            needs, condition = job.get("needs"), job.get("if", "")
            if only not in ("", name):
                continue
            ended = needs is None or only == name or (needs in self.jobs and ALWAYS in condition)
            if not self._asked(condition, event) or not (
                ended or (needs in self.jobs and not any(cell.code for cell in self.jobs[needs]))
            ):
                continue
            cells = list(_cells(job))
            self.jobs[name] = [
                self._job(f"{name}{number}", job, said["env"], {**cell, EVENT: event})
                for number, cell in enumerate(cells, 1)
            ]

    def _asked(self, condition: str, event: str) -> bool:
        known = (f"github.event_name == '{event}'", ALWAYS, "always()")
        parts = [part for part in condition.split(" && ") if part and part not in known]
        assert all(part.startswith("github.event_name == ") for part in parts), condition
        return not parts

    def _job(
        self, name: str, job: Mapping[str, Any], env: Mapping[str, str], given: Mapping[str, Any]
    ) -> JobRun:
        assert job["runs-on"] == "ubuntu-latest"
        run = JobRun(self.place / name)
        for step in job["steps"]:
            run = self._step(name, run, step, env, given)
        return run

    def _step(
        self,
        name: str,
        run: JobRun,
        step: Mapping[str, Any],
        env: Mapping[str, str],
        given: Mapping[str, Any],
    ) -> JobRun:
        """`given`: values of expressions."""
        condition = step.get("if", "")
        if (run.code and condition != "always()") or not self._asked(condition, given[EVENT]):
            return run
        if "uses" in step:
            return self._use(name, run, step, env, given)
        more = {key: _filled(text, given) for key, text in step.get("env", {}).items()}
        folder = step.get("working-directory", ".")
        code = self.run(run, _filled(step["run"], given), {**env, **more}, folder)
        if not step.get("continue-on-error"):
            run.code = run.code or code
        return run

    def _act(
        self, name: str, run: JobRun, path: str, inputs: Mapping[str, str], given: Mapping[str, Any]
    ) -> JobRun:
        """The steps of an action of the repository's own; how the job stands is not theirs."""
        said = yaml.safe_load((run.folder / path / "action.yml").read_text())
        assert said["runs"]["using"] == "composite"
        values = {**{k: each.get("default") for k, each in said["inputs"].items()}, **inputs}
        assert inputs.keys() <= said["inputs"].keys()
        assert None not in values.values(), values
        own = {**given, **{f"inputs.{key}": value for key, value in values.items()}}
        before, run.code = run.code, 0
        for step in said["runs"]["steps"]:
            assert "uses" in step or step["shell"] == "bash"
            run = self._step(name, run, step, {}, own)
        run.code = before or run.code
        return run

    def _use(
        self,
        name: str,
        run: JobRun,
        step: Mapping[str, Any],
        env: Mapping[str, str],
        given: Mapping[str, Any],
    ) -> JobRun:
        options = {key: _filled(str(value), given) for key, value in step.get("with", {}).items()}
        if step["uses"].startswith("./"):
            assert not env.keys() & {"RESULTS", "BEFORE"}
            return self._act(name, run, step["uses"], options, given)
        assert PINNED.fullmatch(step["uses"]), step["uses"]
        store = self.place / "artifacts"
        match step["uses"].partition("@")[0]:
            case "actions/checkout":
                return self.clone(name)
            case "actions/setup-python":
                assert options == {"python-version": "3.13"}
            case "actions/upload-artifact":
                (store / options["name"]).mkdir(parents=True)
                for path in _found(run.folder, options["path"]):
                    shutil.copy(path, store / options["name"])
            case "actions/download-artifact":
                assert ("pattern" in options) == (options.get("merge-multiple") == "True")
                wanted = options.get("pattern") or options["name"]
                for folder in sorted(store.iterdir()):
                    if fnmatch(folder.name, wanted):
                        shutil.copytree(folder, run.folder, dirs_exist_ok=True)
            case other:
                raise AssertionError(f"{other}: not known here")
        return run


class GitLabRun(_Sandbox):
    """The jobs of a .gitlab-ci.yml, stage after stage."""

    def play(self, pipeline: Path) -> None:
        """Run each job; what the jobs of earlier stages keep is there."""
        said = yaml.safe_load(pipeline.read_text())
        before, variables = said.pop("default")["before_script"], said.pop("variables")
        assert said.pop("image").startswith("python:")
        store = self.place / "artifacts"
        store.mkdir()
        stages = said.pop("stages")
        for name, job in sorted(said.items(), key=lambda each: stages.index(each[1]["stage"])):
            failed = any(cell.code for cells in self.jobs.values() for cell in cells)
            if failed and job.get("when") != "always":
                continue
            total = job.get("parallel", 1)
            self.jobs[name] = []
            for number in range(1, total + 1):
                run = self.clone(f"{name}{number}")
                shutil.copytree(store, run.folder, dirs_exist_ok=True)
                node = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(total)}
                for command in [*before, *job["script"]]:
                    if not run.code:
                        run.code = self.run(run, command, {**variables, **node})
                self.jobs[name].append(run)
            for run in self.jobs[name]:
                for pattern in job["artifacts"]["paths"]:
                    for path in _found(run.folder, pattern):
                        if path.is_file():
                            shutil.copy(path, store)
                assert (run.folder / "junit.xml").exists() == ("reports" in job["artifacts"])


def _cells(job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of a matrix of one row; one without a matrix."""
    matrix = job.get("strategy", {}).get("matrix", {"": [""]})
    ((name, values),) = matrix.items()
    for value in values:
        yield {f"matrix.{name}": value}


def _filled(text: str, given: Mapping[str, Any]) -> str:
    """With a value for each expression, of which few are known."""
    known = {"github.sha": "0" * 40, "github.run_id": "7", "github.token": "", **given}
    known["secrets.OPENAI_API_KEY"] = os.environ.get("OPENAI_API_KEY", "")
    known["github.event.number"] = "7"
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: str(known[found[1]]), text)


def _found(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    assert found, f"{pattern}: not there"
    return found
