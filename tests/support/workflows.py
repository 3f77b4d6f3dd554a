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

    def run(self, job: JobRun, command: str, variables: Mapping[str, str]) -> None:
        """One step; what stands for the network's programs goes before all others."""
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
            cwd=job.folder,
            env={**kept, **set_here, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        job.text += done.stdout
        job.code = job.code or done.returncode
        job.summary = summary.read_text() if summary.exists() else ""


class GitHubRun(_Sandbox):
    """The jobs of a workflow file for one event, in their order."""

    def play(self, workflow: Path, event: str) -> None:
        """Run each job that the event asks for, unless one that it needs has failed."""
        said = yaml.safe_load(workflow.read_text())
        assert event in said[True], f"no trigger for {event}"  # YAML 1.1 reads `on` as true
        assert said["defaults"]["run"]["shell"] == "bash"
        for name, job in said["jobs"].items():
            needed = [need for need in [job.get("needs")] if need]
            if not self._asked(job.get("if", ""), event) or any(
                need not in self.jobs or any(cell.code for cell in self.jobs[need])
                for need in needed
            ):
                continue
            cells = list(_cells(job))
            self.jobs[name] = [
                self._job(f"{name}{number}", job, said["env"], cell)
                for number, cell in enumerate(cells, 1)
            ]

    def _asked(self, condition: str, event: str) -> bool:
        if not condition:
            return True
        found = re.fullmatch(r"github\.event_name == '(\w+)'", condition)
        assert found, condition
        return found[1] == event

    def _job(
        self, name: str, job: Mapping[str, Any], env: Mapping[str, str], cell: Mapping[str, Any]
    ) -> JobRun:
        assert job["runs-on"] == "ubuntu-latest"
        run = JobRun(self.place / name)
        for step in job["steps"]:
            if run.code:
                break
            if "uses" in step:
                run = self._use(name, run, step, cell)
            else:
                more = {key: _filled(text, cell) for key, text in step.get("env", {}).items()}
                self.run(run, _filled(step["run"], cell), {**env, **more})
        return run

    def _use(
        self, name: str, run: JobRun, step: Mapping[str, Any], cell: Mapping[str, Any]
    ) -> JobRun:
        assert PINNED.fullmatch(step["uses"]), step["uses"]
        options = {key: _filled(str(value), cell) for key, value in step.get("with", {}).items()}
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
                assert options.pop("merge-multiple") == "True"
                for folder in sorted(store.iterdir()):
                    if fnmatch(folder.name, options["pattern"]):
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
        for name, job in sorted(said.items(), key=lambda each: STAGES.index(each[1]["stage"])):
            total = job.get("parallel", 1)
            self.jobs[name] = []
            for number in range(1, total + 1):
                run = self.clone(f"{name}{number}")
                shutil.copytree(store, run.folder, dirs_exist_ok=True)
                node = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(total)}
                for command in [*before, *job["script"]]:
                    if not run.code:
                        self.run(run, command, {**variables, **node})
                self.jobs[name].append(run)
            for run in self.jobs[name]:
                for pattern in job["artifacts"]["paths"]:
                    for path in _found(run.folder, pattern):
                        shutil.copy(path, store)


STAGES = ("build", "test", "deploy")


def _cells(job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of a matrix of one row; one without a matrix."""
    matrix = job.get("strategy", {}).get("matrix", {"": [""]})
    ((name, values),) = matrix.items()
    for value in values:
        yield {f"matrix.{name}": value}


def _filled(text: str, cell: Mapping[str, Any]) -> str:
    """With a value for each expression, of which few are known."""
    known = {"github.sha": "0" * 40, "github.run_id": "7", "github.token": "", **cell}
    known["secrets.OPENAI_API_KEY"] = os.environ.get("OPENAI_API_KEY", "")
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: str(known[found[1]]), text)


def _found(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    assert found, f"{pattern}: not there"
    return found
