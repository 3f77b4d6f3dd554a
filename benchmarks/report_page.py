"""How long a page takes to write and to show, and what following a run takes.

    python benchmarks/report_page.py RESULTS          # one page: seconds, size, first paint, scroll
    python benchmarks/report_page.py --live [GOALS]   # `todeval view` beside a run with -n 2

Both need Chromium and its driver; the second Linux.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.browser import Browser, browser

LOADS = 5
TICKS = os.sysconf("SC_CLK_TCK")
SUITE = """
import pytest
from pytest_todeval import synthetic
from pytest_todeval.systems import RuleSystem

@pytest.fixture
def tod_system():
    return RuleSystem

@pytest.mark.goals(synthetic("demo", {goals}, seed=3))
def test_it(dialogue, judge):
    judge.turns(dialogue)
    assert dialogue.success
"""
SCROLL = """
const done = arguments[0], gaps = [];
(async () => {
  let last = performance.now();
  for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - last);
    last = performance.now();
  }
  gaps.sort((a, b) => a - b);
  done([gaps.length, gaps[Math.floor(gaps.length / 2)], gaps.at(-1)]);
})();
"""


def measure_page(results: str) -> None:
    with TemporaryDirectory() as folder, browser() as window:
        page = Path(folder) / "report.html"
        before, began = os.times(), time.perf_counter()
        command = [sys.executable, "-m", "pytest_todeval.cli", "report", results, "--html", page]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        cpu = sum(after[2:4]) - sum(before[2:4])
        took = time.perf_counter() - began
        print(f"written in {took:.1f} s, {cpu:.1f} s of a processor's time")
        print(f"{page.stat().st_size / 1e6:.2f} MB")
        paints = []
        for _ in range(LOADS):
            window.open(page.as_uri())
            window.wait("return performance.getEntriesByName('first-contentful-paint').length")
            paints.append(
                window.run(
                    "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
            )
        print(f"first paint after {sorted(paints)[LOADS // 2]:.0f} ms (median of {LOADS})")
        window.open(f"{page.as_uri()}#view=dialogues")
        window.run("[...document.querySelectorAll('main button')].at(-1).click()")
        rows = window.run("return document.querySelectorAll('table.list tbody tr').length")
        frames, middle, worst = window.asked(SCROLL)
        print(
            f"{rows} rows scrolled in {frames} frames: {middle:.0f} ms each, at most {worst:.0f} ms"
        )


def measure_live(goals: int) -> None:
    with TemporaryDirectory() as place, browser() as window:
        folder = Path(place)
        (folder / "test_it.py").write_text(SUITE.format(goals=goals))
        (folder / "pytest.ini").write_text("[pytest]\n")
        alone = _run(folder)
        results = folder / "results.json"
        results.unlink()
        (folder / "results.json.partial").touch()
        command = [sys.executable, "-m", "pytest_todeval.cli", "view", str(results)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            began = _cpu([server.pid])
            seen, run = _followed(window, address, folder)
            served = _cpu([server.pid]) - began
            server.terminate()
    wall, cpu = run
    print(f"{goals} goals alone: {alone[0]:.0f} s, {alone[1]:.0f} s of processors' time")
    print(f"followed: {wall:.0f} s, {cpu:.0f} s; the page showed {seen}")
    print(f"the server took {served:.2f} s: {100 * served / cpu:.1f} % of the run's, ", end="")
    print(f"{100 * served / wall:.1f} % of a processor")


def _run(folder: Path) -> tuple[float, float]:
    """Seconds of the clock, and of processors."""
    before, began = os.times(), time.perf_counter()
    subprocess.run(_command(), cwd=folder, check=False, stdout=subprocess.DEVNULL)
    after = os.times()
    return time.perf_counter() - began, sum(after[2:4]) - sum(before[2:4])


def _followed(window: Browser, address: str, folder: Path) -> tuple[list[str], tuple[float, float]]:
    before, began = os.times(), time.perf_counter()
    seen: list[str] = []
    with subprocess.Popen(_command(), cwd=folder, stdout=subprocess.DEVNULL) as run:
        time.sleep(3)
        window.open(address)
        while run.poll() is None:
            told = str(window.run("return document.querySelector('nav')?.innerText ?? ''"))
            count = next((line for line in told.splitlines() if line.startswith("Dialogues")), "")
            if count and (not seen or seen[-1] != count):
                seen.append(count)
            time.sleep(1)
    after = os.times()
    return seen, (time.perf_counter() - began, sum(after[2:4]) - sum(before[2:4]))


def _command() -> list[str]:
    more = ("-q", "-n2", "-p", "no:cacheprovider", "--todeval-json=results.json")
    return [sys.executable, "-m", "pytest", *more]


def _cpu(pids: Iterable[int]) -> float:
    """Seconds that these processes have had."""
    found = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found += int(fields[11]) + int(fields[12])
    return found / TICKS


if __name__ == "__main__":
    if sys.argv[1] == "--live":
        measure_live(int(sys.argv[2]) if len(sys.argv) > 2 else 400)
    else:
        measure_page(sys.argv[1])
