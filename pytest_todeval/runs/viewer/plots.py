"""The page's plots as files. An installed browser draws them, by the page's own code."""

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_todeval.errors import UsageError

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"),
    *("chrome", "msedge"),
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
"""Where browsers are that no PATH leads to."""
PATIENCE = 300
"""Seconds for the browser."""
DRAWING = 30_000
"""Milliseconds of the page's own clock, which stands still while it works."""
ARGUMENTS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--window-size=1000,900"),
    *(f"--virtual-time-budget={DRAWING}", "--dump-dom"),
)
_DRAWN = re.compile(r'<pre id="figures">([A-Za-z0-9+/=]*)</pre>')


@dataclass(frozen=True, slots=True)
class PlotFile:
    """A plot in both forms."""

    name: str
    svg: str
    png: bytes


def plots_of(page: str) -> Iterator[PlotFile]:
    """Returns the plots of a page of a run. Raises UsageError without a browser, or if it fails."""
    browser = _browser()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        found = _DRAWN.search(_drawn(browser, f"{path.as_uri()}#view=figures", folder))
    if found is None:
        raise UsageError(f"{browser} did not draw the plots within {PATIENCE} s; is it of 2023?")
    for each in json.loads(base64.b64decode(found[1])):
        yield PlotFile(each["name"], each["svg"], base64.b64decode(each["png"]))


def _browser() -> str:
    named = os.environ.get("CHROME_PATH")
    found = [named] if named else [*map(shutil.which, BROWSERS), *PLACES]
    for path in found:
        if path and Path(path).exists():
            return path
    raise UsageError(
        "plots are drawn by Chromium, Chrome or Edge, and none was found: install one, or name it "
        "in CHROME_PATH"
    )


def _drawn(browser: str, address: str, folder: str) -> str:
    arguments = [*ARGUMENTS, f"--user-data-dir={folder}/profile"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")  # it refuses to start for root with it
    try:
        done = subprocess.run(
            [browser, *arguments, address], capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{browser} could not draw the plots: {error}") from None
    return done.stdout.decode("utf-8", "replace")
