"""Tasks of tau-bench and tau2, read from checkouts without running anything of theirs."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile, UsageError
from pytest_todeval.goals.checkout import checkout_fingerprint, commit
from pytest_todeval.goals.select import select
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.tau2.world import HOME as TAU2
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.tau_bench.world import HOME as TAU_BENCH
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from tests.support.tau_world import (
    GARDEN_SPLITS,
    GARDEN_TASKS,
    LIBRARY_TASKS,
    marks,
    tau2_checkout,
    tau2_goals,
    tau2_task,
    tau_bench_checkout,
    tau_bench_goals,
)

SHA = "0123456789abcdef0123456789abcdef01234567"
TASK = "Task(user_id='u', instruction='i', actions=[], outputs=[])"


@pytest.fixture(autouse=True)
def no_homes(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("TAU_BENCH_HOME", "TAU2_BENCH_HOME"):
        monkeypatch.delenv(variable, raising=False)


def read(home: Path, tasks: str) -> list[Any]:
    goal_set = tau_bench_goals(tau_bench_checkout(home, tasks), "library")
    return [goal.raw for goal in goal_set.goals]


def refusal(home: Path, tasks: str) -> str:
    """What is said of a file of tasks, without the path it starts with."""
    with pytest.raises(InvalidFile) as caught:
        read(home, tasks)
    path = home / "tau_bench" / "envs" / "library" / "tasks_test.py"
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(f"{path}:")


def tau2_refusal(home: Path, tasks: Any, splits: Any = None) -> str:
    with pytest.raises(InvalidFile) as caught:
        tau2_goals(tau2_checkout(home, tasks, splits), "garden")
    assert str(caught.value).startswith(str(home))
    return str(caught.value)


class TestTauBench:
    def test_tasks_become_goals(self, tmp_path: Path) -> None:
        found = tau_bench_goals(tau_bench_checkout(tmp_path), "library")
        assert [goal.name for goal in found.goals] == [
            f"tau_bench/library/test-{n}" for n in range(3)
        ]
        first = found.goals[0]
        assert first.message == ("You are Ada and want to renew your loan of 'Tides'.",)
        assert first.raw == {
            "annotator": "us",
            "user_id": "ada_1",
            "instruction": first.message[0],
            "actions": [{"name": "renew", "kwargs": {"loan": "L1", "weeks": 2, "fee": -0.5}}],
            "outputs": ["3 May"],
        }
        assert found.world.published
        assert all(goal.published for goal in found.goals)
        assert found.world == TauBenchWorld("library", tmp_path)
        assert marks(tmp_path) == []

    def test_the_world_this_test_makes_can_leave_a_mark(self, tmp_path: Path) -> None:
        module = tau_bench_checkout(tmp_path) / "tau_bench" / "__init__.py"
        exec(compile(module.read_text(), str(module), "exec"), {"__file__": str(module)})
        assert marks(tmp_path)

    @pytest.mark.parametrize(
        "text",
        [
            f"TASKS = [{TASK}, {TASK}]",
            f"tasks = ({TASK}, {TASK})",
            f"'''Tasks.'''\nimport os\nTASKS: list[Task] = [{TASK}, types.{TASK}]",
        ],
    )
    def test_tasks_may_be_written_so(self, tmp_path: Path, text: str) -> None:
        task = {"user_id": "u", "instruction": "i", "actions": [], "outputs": []}
        assert read(tmp_path, text) == [task, task]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("TASKS = load()", "1: found `load()`, expected a literal or Action or Task"),
            ("TASKS = [t for t in ()]", "1: found `[t for t in ()]`, expected a literal"),
            ("\nTASKS = OTHERS", "2: found `OTHERS`, expected a literal"),
            ("TASKS = []\nfor t in x: pass", "2: found `for t in x:`, expected imports, names"),
            ("TASKS = []\nTASKS.append(1)", "2: found `TASKS.append(1)`, expected imports"),
            ("TASKS = []\nTASKS += [1]", "2: found `TASKS += [1]`, expected imports"),
            ("import os\nos.system('x')", "2: found `os.system('x')`, expected imports, names and"),
            ("TASKS = []\nTASKS[0] = 1", "2: found `TASKS[0] = 1`, expected imports, names"),
            ("TASKS = [Task(**x)]", "1: found `Task(**x)`, expected Task with its values by name"),
            ("TASKS = [*'ab']", "1: found `*'ab'`, expected a literal"),
            ("TASKS = [1] + [2]", "1: found `[1] + [2]`, expected a literal"),
            ("TASKS = [not 1]", "1: found `not 1`, expected a literal"),
            ("TASKS = [f'{x}']", "1: found `f'{x}'`, expected a literal"),
            ("TASKS = [", "1: not a Python file that can be read: "),
            ("TASKS = " + "-" * 5000 + "1", "1: "),
            ("TASKS = " + "[" * 5000, "1: not a Python file that can be read: "),
        ],
    )
    def test_what_is_no_literal_is_told_with_its_line(
        self, tmp_path: Path, text: str, said: str
    ) -> None:
        assert refusal(tmp_path, text).startswith(said)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", " no tasks, expected a list of Task(...) named TASKS_TEST or TASKS"),
            ("TASKS_TEST = []", " no tasks, expected"),
            ("TASKS = ['a']", " task test-0: found str, expected Task(...)"),
            ("TASKS = [Action()]", " task test-0: found Action, expected Task(...)"),
            ("TASKS = [Task()]", "1: task test-0: user_id: missing or wrong, expected text"),
            (
                f"TASKS = [\n{TASK},\n{TASK.replace('outputs=[]', 'outputs=[3]')}]",
                "3: task test-1: outputs: missing or wrong, expected a list of texts",
            ),
            (
                f"TASKS = [{TASK.replace('actions=[]', 'actions=[Action(name=1)]')}]",
                "1: task test-0: actions.0: missing or wrong, expected Action(name=<text>",
            ),
            (f"TASKS = [{TASK.replace('[]', '3', 1)}]", "1: task test-0: actions: missing"),
            (f"TASKS = [{TASK.replace('[]', '[1e999]', 1)}]", "1: task test-0: found a number"),
        ],
    )
    def test_what_is_no_task_is_told_with_its_place(
        self, tmp_path: Path, text: str, said: str
    ) -> None:
        assert refusal(tmp_path, text).startswith(said)

    @pytest.mark.parametrize("domain", ["libary", "../envs/library", "", "."])
    def test_unknown_domains_are_told_the_known_ones(self, tmp_path: Path, domain: str) -> None:
        with pytest.raises(UsageError, match=r"no domain .* Known: library"):
            tau_bench_goals(tau_bench_checkout(tmp_path), domain)

    @pytest.mark.parametrize("split", ["tset", "../tasks_test", ""])
    def test_unknown_splits_are_told_the_known_ones(self, tmp_path: Path, split: str) -> None:
        with pytest.raises(UsageError, match=r"has no split .* Known: test"):
            tau_bench_goals(tau_bench_checkout(tmp_path), "library", split)

    def test_tasks_are_selected_as_goals_are(self, tmp_path: Path) -> None:
        goals = tau_bench_goals(tau_bench_checkout(tmp_path), "library").goals
        assert [g.id for g in select(goals, ids=["test-2", "tau_bench/library/test-0"])] == [
            "test-0",
            "test-2",
        ]
        assert [goal.id for goal in select(goals, limit=2)] == ["test-0", "test-1"]
        few, more = (select(goals, limit=n, seed=4) for n in (1, 2))
        assert set(few) <= set(more)
        with pytest.raises(UsageError, match="no goal has the id 'test-3'"):
            select(goals, ids=["test-3"])


class TestTau2:
    def test_tasks_become_goals(self, tmp_path: Path) -> None:
        found = tau2_goals(tau2_checkout(tmp_path), "garden")
        assert [goal.id for goal in found.goals] == GARDEN_SPLITS["base"]
        assert [goal.raw for goal in found.goals] == GARDEN_TASKS
        assert found.goals[0].message == (
            "Domain: garden",
            "Reason for call: You want your hedge cut.",
            "Known info: You are Dee.",
            "Task instructions: You are patient.",
        )
        assert found.world == Tau2World("garden", tmp_path)
        assert found.world.published
        assert marks(tmp_path) == []

    def test_splits_come_in_the_order_of_the_file(self, tmp_path: Path) -> None:
        tau2_checkout(tmp_path, splits={"back": ["1", "0"], "base": []})
        assert [g.id for g in tau2_goals(tmp_path, "garden", "back").goals] == ["0", "1"]
        with pytest.raises(UsageError, match="no split 'bak': did you mean 'back'"):
            tau2_goals(tmp_path, "garden", "bak")
        with pytest.raises(InvalidFile, match="base: expected a list of the ids"):
            tau2_goals(tmp_path, "garden")

    def test_without_splits_all_tasks_are_base(self, tmp_path: Path) -> None:
        tau2_checkout(tmp_path, splits=None)
        assert len(tau2_goals(tmp_path, "garden").goals) == len(GARDEN_TASKS)
        with pytest.raises(UsageError, match="no split 'small': Known: base"):
            tau2_goals(tmp_path, "garden", "small")

    def test_a_folder_with_a_file_per_task_wins(self, tmp_path: Path) -> None:
        folder = tau2_checkout(tmp_path, splits=None) / "data/tau2/domains/garden"
        (folder / "tasks").mkdir()
        for id in ("b", "a"):
            text = json.dumps(tau2_task(id))
            (folder / "tasks" / f"task_{id}.json").write_text(text)
        assert [goal.id for goal in tau2_goals(tmp_path, "garden").goals] == ["a", "b"]

    def test_a_split_in_a_file_of_its_own_stands_in_for_a_missing_file(
        self, tmp_path: Path
    ) -> None:
        folder = tau2_checkout(tmp_path) / "data/tau2/domains/garden"
        (folder / "tasks.json").rename(folder / "tasks_small.json")
        assert [g.id for g in tau2_goals(tmp_path, "garden", "small").goals] == ["1"]
        with pytest.raises(DataMissing, match=r"tasks\.json: no such file[\s\S]*git clone"):
            tau2_goals(tmp_path, "garden")

    def test_instructions_may_be_text_with_a_persona(self, tmp_path: Path) -> None:
        scenario = {"persona": " Brief. ", "instructions": "Ask for\nroses."}
        tau2_checkout(tmp_path, [tau2_task("0", user_scenario=scenario)], None)
        (goal,) = tau2_goals(tmp_path, "garden").goals
        assert goal.message == ("Persona: Brief.", "Ask for\nroses.")

    @pytest.mark.parametrize(
        ("task", "said"),
        [
            ([], "task 0: expected an object with an `id`"),
            ({"id": 3}, "task 0: expected an object with an `id`"),
            (tau2_task("a/b"), "without `/` and `::`"),
            (tau2_task("a::b"), "without `/` and `::`"),
            (tau2_task("a\nb"), "printable"),
            (tau2_task(""), "printable"),
            (tau2_task("x" * 301), "at most 300"),
            (tau2_task("a", user_scenario=None), "user_scenario: expected an object"),
            (tau2_task("a", user_scenario={}), "user_scenario.instructions: missing or empty"),
            (
                tau2_task("a", user_scenario={"instructions": {"domain": "x"}}),
                "expected `reason_for_call` and `task_instructions`",
            ),
            (
                tau2_task("a", user_scenario={"persona": 3, "instructions": "x"}),
                "user_scenario.persona: expected text, or null",
            ),
            (tau2_task("a", initial_state=[]), "initial_state: expected an object, or null"),
            (tau2_task("a", evaluation_criteria="x"), "evaluation_criteria: expected an object"),
            (tau2_task("a", more=[[float("inf")]]), "found a number beyond"),
            (tau2_task("a", more=float("nan")), "found a number beyond"),
            (tau2_task("a", more="\ud800"), "found half of a surrogate pair"),
        ],
    )
    def test_what_is_no_task_is_told_with_its_place(
        self, tmp_path: Path, task: Any, said: str
    ) -> None:
        assert said in tau2_refusal(tmp_path, [task])

    def test_what_is_no_set_of_tasks(self, tmp_path: Path) -> None:
        assert "the id '0' is taken" in tau2_refusal(tmp_path, [tau2_task("0")] * 2)
        assert "found no tasks" in tau2_refusal(tmp_path, [])
        splits = {"base": ["0", "9"]}
        assert "no task '9', which split_tasks.json names" in tau2_refusal(
            tmp_path, GARDEN_TASKS, splits
        )
        assert "expected splits" in tau2_refusal(tmp_path, GARDEN_TASKS, [1])
        path = tmp_path / "data/tau2/domains/garden/tasks.json"
        tau2_checkout(tmp_path)
        for text in ("[" * 100_000, "{", "\xff", "[" + "9" * 5000 + "]"):
            path.write_bytes(text.encode("latin-1"))
            with pytest.raises(InvalidFile, match="cannot be read as JSON"):
                tau2_goals(tmp_path, "garden")

    @pytest.mark.parametrize("domain", ["gardn", "../domains/garden", ""])
    def test_unknown_domains_are_told_the_known_ones(self, tmp_path: Path, domain: str) -> None:
        with pytest.raises(UsageError, match=r"no domain .* Known: garden"):
            tau2_goals(tau2_checkout(tmp_path), domain)


class TestHomes:
    @pytest.mark.parametrize("below", ["", "tau_bench"])
    def test_tau_bench_is_where_it_is_said_to_be(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
    ) -> None:
        tau_bench_checkout(tmp_path)
        assert TAU_BENCH.find(tmp_path / below) == tmp_path
        monkeypatch.setenv("TAU_BENCH_HOME", str(tmp_path / below))
        assert TAU_BENCH.find() == tmp_path

    @pytest.mark.parametrize("below", ["", "src/tau2"])
    def test_tau2_is_where_it_is_said_to_be(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
    ) -> None:
        tau2_checkout(tmp_path)
        assert TAU2.find(str(tmp_path / below)) == tmp_path
        monkeypatch.setenv("TAU2_BENCH_HOME", str(tmp_path / below))
        assert TAU2.find(None) == tmp_path

    def test_installed_packages_are_found_without_running_them(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tau_bench_checkout(tmp_path)
        tau2_checkout(tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.syspath_prepend(str(tmp_path / "src"))
        assert TAU_BENCH.find() == TAU2.find() == tmp_path
        assert marks(tmp_path) == []

    def test_a_package_of_that_name_without_data_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for package in ("tau2", "tau_bench"):
            (tmp_path / package).mkdir()
            (tmp_path / package / "__init__.py").touch()
        monkeypatch.syspath_prepend(str(tmp_path))
        for find in (TAU_BENCH.find, TAU2.find):
            with pytest.raises(DataMissing, match=r"has no .*another project's(.|\n)*git clone"):
                find()

    def test_a_module_without_a_spec_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tau2", type(sys)("tau2"))
        with pytest.raises(DataMissing):
            TAU2.find()

    def test_a_folder_without_it_is_told_apart_from_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(DataMissing, match=r"There is none in .* \(the place given\)\. "):
            TAU_BENCH.find(tmp_path)

    def test_a_wrong_place_is_not_replaced_by_another(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TAU_BENCH_HOME", str(tau_bench_checkout(tmp_path / "right")))
        with pytest.raises(DataMissing) as caught:
            TAU_BENCH.find(tmp_path / "wrong")
        for part in (
            f"There is no folder {tmp_path / 'wrong'} (the place given)",
            "git clone https://github.com/sierra-research/tau-bench\n",
            "--todeval-tau-home",
            "TAU_BENCH_HOME",
        ):
            assert part in str(caught.value)


class TestRegistry:
    def test_both_are_loaded_by_name(self, tmp_path: Path) -> None:
        homes: dict[str, str | Path | None] = {
            "tau-home": tau_bench_checkout(tmp_path),
            "tau2-home": str(tau2_checkout(tmp_path)),
        }
        assert registry.load("tau_bench/library", settings=homes).name == "tau_bench/library"
        assert len(registry.load("tau2/garden", split="small", settings=homes).goals) == 1
        assert registry.load("demo", settings=homes).name == "demo"
        with pytest.raises(UsageError, match="takes no option 'ids'"):
            registry.load("tau2/garden", ids=["1"], settings=homes)

    def test_names_tell_the_published_domains(self) -> None:
        assert {"tau_bench/retail", "tau_bench/airline", "tau2/telecom"} <= set(registry.names())

    def test_without_a_checkout_it_is_said_how_to_get_one(self, tmp_path: Path) -> None:
        with pytest.raises(DataMissing, match="git clone"):
            registry.load("tau_bench/retail", settings={"tau-home": tmp_path})


class TestFingerprint:
    def print_of(self, home: Path) -> str:
        return tau_bench_goals(home, "library").fingerprint

    def test_it_does_not_depend_on_the_place(self, tmp_path: Path) -> None:
        one, other = (tau_bench_checkout(tmp_path / name) for name in "ab")
        assert self.print_of(one) == self.print_of(other)
        assert len(self.print_of(one)) == 12

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("envs/library/data/loans.json", "{}"),
            ("envs/library/data/__init__.py", "x = 1"),
            ("envs/library/wiki.md", "Nothing can be renewed."),
            ("envs/library/tools/renew.py", "x = 1"),
            ("envs/library/tasks_test.py", LIBRARY_TASKS.replace("weeks", "months")),
            ("envs/tool.py", "x = 1"),
            ("../.git/HEAD", SHA),
        ],
    )
    def test_it_shows_each_change(self, tmp_path: Path, file: str, text: str) -> None:
        (tmp_path / "setup.py").write_text('setup(\n    name="tau_bench",\n)\n')
        before = self.print_of(tau_bench_checkout(tmp_path))
        path = (tmp_path / "tau_bench" / file).resolve()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        assert self.print_of(tmp_path) != before

    @pytest.mark.parametrize("own", ["", 'name = "my-bot"\ndescription = "on tau_bench"\n'])
    def test_commits_of_a_repository_it_was_copied_into_do_not(
        self, tmp_path: Path, own: str
    ) -> None:
        (tmp_path / "pyproject.toml").write_text(own)
        before = self.print_of(tau_bench_checkout(tmp_path))
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "HEAD").write_text(SHA)
        assert self.print_of(tmp_path) == before

    @pytest.mark.parametrize("file", ["environment/toolkit.py", "domains/garden/tools.py"])
    def test_changed_code_of_tau2(self, tmp_path: Path, file: str) -> None:
        before = tau2_goals(tau2_checkout(tmp_path), "garden").fingerprint
        path = tmp_path / "src" / "tau2" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = 1")
        assert tau2_goals(tmp_path, "garden").fingerprint != before

    def test_splits_differ(self, tmp_path: Path) -> None:
        found = {
            tau2_goals(tau2_checkout(tmp_path), "garden", split).fingerprint
            for split in GARDEN_SPLITS
        }
        assert len(found) == 2

    def test_what_is_missing_counts_as_such(self, tmp_path: Path) -> None:
        gone = tmp_path / "gone.json"
        none = checkout_fingerprint(tmp_path, [], 1, "tau2")
        assert checkout_fingerprint(tmp_path, [gone], 1, "tau2") == none
        assert checkout_fingerprint(tmp_path, [], 2, "tau2") != none


class TestCommit:
    def git(self, home: Path, **files: str) -> Path:
        for name, text in files.items():
            path = home / ".git" / name.replace("__", "/").replace("packed", "packed-refs")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return home

    def test_of_a_branch_and_without_one(self, tmp_path: Path) -> None:
        assert commit(tmp_path) == ""
        assert commit(self.git(tmp_path / "a", HEAD=f"{SHA}\n")) == SHA
        branch = {"HEAD": "ref: refs/heads/main\n", "refs__heads__main": f"{SHA}\n"}
        assert commit(self.git(tmp_path / "b", **branch)) == SHA

    def test_of_packed_references(self, tmp_path: Path) -> None:
        packed = f"# pack-refs with: peeled\n{'f' * 40} refs/heads/main2\n{SHA} refs/heads/main\n"
        assert commit(self.git(tmp_path, HEAD="ref: refs/heads/main", packed=packed)) == SHA

    def test_of_a_work_tree(self, tmp_path: Path) -> None:
        self.git(tmp_path / "main", refs__heads__x=SHA, worktrees__w__HEAD="ref: refs/heads/x\n")
        own = tmp_path / "main" / ".git" / "worktrees" / "w"
        (own / "commondir").write_text("../..\n")
        tree = tmp_path / "tree"
        tree.mkdir()
        (tree / ".git").write_text(f"gitdir: {own}\n")
        assert commit(tree) == SHA

    @pytest.mark.parametrize(
        "head",
        [
            "ref: refs/heads/../../../secret",
            "ref: ../../secret",
            "ref: refs/../../secret",
            "ref: /secret",
            "x",
            "",
            "ref: ",
        ],
    )
    def test_no_reference_leads_out_of_it(self, tmp_path: Path, head: str) -> None:
        home = self.git(tmp_path / "c", HEAD=head, refs__heads__main=SHA)
        for folder in (tmp_path, home, home / ".git"):
            (folder / "secret").write_text(SHA)
        assert commit(home) == ""
