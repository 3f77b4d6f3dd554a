"""Tasks of tau-bench and tau2 become tests at collection, and nothing of theirs is run."""

from pathlib import Path

import pytest

from tests.plugin.conftest import Suite, apart
from tests.support.tau_world import marks, tau2_checkout, tau_bench_checkout

LIBRARY = """
import pytest

@pytest.mark.tau_bench("library"{})
def test_library(goal):
    assert goal.raw["actions"] is not None
"""
GARDEN = """
import pytest

@pytest.mark.tau2(domain="garden"{})
def test_garden(goal):
    assert goal.raw["evaluation_criteria"]
"""
HEDGE = "cut[hedge|low][PERSONA:Easy]"
LIBRARY_MARKERS = {
    "": ["test-0", "test-1", "test-2"],
    ", tasks=[2, 0]": ["test-0", "test-2"],
    ", tasks=['test-1', '2']": ["test-1", "test-2"],
    ", tasks=range(1), split='test'": ["test-0"],
    ", limit=2": ["test-0", "test-1"],
}
GARDEN_MARKERS = {
    "": ["0", "1", HEDGE],
    ", split='small'": ["1"],
    f", tasks=[1, {HEDGE!r}]": ["1", HEDGE],
    ", limit=1": ["0"],
}
MISTAKES = {
    ", split='train'": "*tau_bench/library has no split 'train': *Known: test*",
    ", tasks=[3]": "*no goal has the id 'test-3' among these 3*",
    ", tasks=3": "*marker tau_bench: tasks: got 3, expected a list of numbers or ids*",
    ", tasks=[True]": "*marker tau_bench: tasks: got [[]True[]], expected a list*",
    ", tasks=[]": "*marker tau_bench: tasks: got [[][]], expected a list of numbers or ids*",
    ", domains=['x']": "*marker tau_bench: *It takes: tau_bench(domain, split='test'*",
    ", limit=0": "*limit: got 0, expected a whole number*",
}


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Made-up checkouts of both, named by the environment."""
    tau_bench_checkout(tmp_path / "tau")
    tau2_checkout(tmp_path / "tau2")
    monkeypatch.setenv("TAU_BENCH_HOME", str(tmp_path / "tau"))
    monkeypatch.setenv("TAU2_BENCH_HOME", str(tmp_path / "tau2"))
    return tmp_path


def collected(pytester: pytest.Pytester, *options: str) -> list[str]:
    """The file of each test, and what stands in brackets in its id."""
    result = apart(pytester, "--collect-only", "-q", *options)
    assert result.ret == 0, result.outlines
    lines = [line for line in result.outlines if "::" in line]
    return [f"{line.partition('::')[0]} {line.partition('[')[2][:-1]}" for line in lines]


def test_tasks_are_tests(suite: Suite, homes: Path) -> None:
    pytester = suite("")
    files = {"library": (LIBRARY, LIBRARY_MARKERS), "garden": (GARDEN, GARDEN_MARKERS)}
    expected = []
    for name, (text, markers) in files.items():
        source = "tau_bench/library" if name == "library" else "tau2/garden"
        for n, (marker, ids) in enumerate(markers.items()):
            pytester.makepyfile(**{f"test_{name}_{n}": text.format(marker)})
            expected += [f"test_{name}_{n}.py {source}/{id}" for id in ids]
    assert sorted(collected(pytester)) == sorted(expected)
    assert marks(homes) == []


def test_a_test_may_be_named_by_an_id_with_brackets(suite: Suite, homes: Path) -> None:
    name = f"test_bot.py::test_garden[tau2/garden/{HEDGE}]"
    apart(suite(GARDEN.format("")), name).assert_outcomes(passed=1)


def test_seeds_and_the_limit_of_the_run_hold(suite: Suite, homes: Path) -> None:
    pytester = suite(LIBRARY.format(", limit=2, seed=7"))
    sample = collected(pytester)
    assert len(sample) == 2
    assert set(collected(pytester, "--todeval-limit=1")) <= set(sample)


def test_both_are_goal_sets_like_others_in_every_process(suite: Suite, homes: Path) -> None:
    result = apart(
        suite(
            """
import pytest

@pytest.mark.goals("tau_bench/library", ids=["test-1"])
@pytest.mark.goals("tau2/garden", ids=["1"])
def test_it(goal):
    assert goal.published
"""
        ),
        "-n1",
    )
    result.assert_outcomes(passed=2)
    assert marks(homes) == []


@pytest.mark.parametrize("place", ["command line", "ini file"])
def test_options_win_over_the_environment(
    suite: Suite, homes: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    for variable in ("TAU_BENCH_HOME", "TAU2_BENCH_HOME"):
        monkeypatch.setenv(variable, str(homes / "nothing"))
    pytester = suite(LIBRARY.format("") + GARDEN.format(""))
    tau_bench_checkout(pytester.path / ".mine")
    tau2_checkout(pytester.path / ".mine2")
    if place == "ini file":
        pytester.makeini("[pytest]\ntodeval_tau_home = .mine\ntodeval_tau2_home = .mine2\n")
        assert len(collected(pytester)) == 6
    else:
        options = ("--todeval-tau-home=.mine", "--todeval-tau2-home=.mine2")
        assert len(collected(pytester, *options)) == 6


def test_mistakes_in_a_marker_stop_the_collection(suite: Suite, homes: Path) -> None:
    pytester = suite("")
    for n, marker in enumerate(MISTAKES):
        pytester.makepyfile(**{f"test_{n}": LIBRARY.format(marker)})
    result = apart(pytester)
    result.assert_outcomes(errors=len(MISTAKES))
    for said in MISTAKES.values():
        result.stdout.fnmatch_lines([said])


def test_a_file_that_does_more_than_tell_tasks_is_not_run(suite: Suite, homes: Path) -> None:
    path = homes / "tau" / "tau_bench" / "envs" / "library" / "tasks_test.py"
    path.write_text("from pathlib import Path\nPath(__file__).with_name('executed').touch()\n")
    result = apart(suite(LIBRARY.format("")))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*tasks_test.py:2: found `Path(__file__)*"])
    assert marks(homes) == []


def test_without_a_checkout_it_is_said_how_to_get_one(
    suite: Suite, homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("TAU_BENCH_HOME", "TAU2_BENCH_HOME"):
        monkeypatch.setenv(variable, str(homes))
    result = apart(suite(LIBRARY.format("") + GARDEN.format("")))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*git clone https://github.com/sierra-research/tau-bench*"])
