"""A real browser, driven over the WebDriver protocol; a test that needs one skips without."""

import base64
import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome")
PORT = re.compile(rb"successfully on port (\d+)")
KEYS = {"Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007"}


class Browser:
    """One window."""

    def __init__(self, address: str) -> None:
        self._address = address

    def open(self, address: str) -> None:
        """Load a page, also one of the same file with another `#`."""
        self._ask("url", {"url": "about:blank"})
        self._ask("url", {"url": address})
        self.wait("return document.querySelector('main h1') !== null")

    def run(self, script: str, *arguments: object) -> Any:
        return self._ask("execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        """What the first element of that kind shows; nothing if there is none."""
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.run(script, selector))

    def asked(self, script: str) -> Any:
        """What a script hands to its last argument, once it does."""
        return self._ask("execute/async", {"script": script, "args": []})

    def wait(self, script: str) -> None:
        """Until it is so. Asks the page itself, which looks at each of its changes."""
        waiting = (
            "const done = arguments[arguments.length - 1]; const holds = () => { " + script + " };"
            "const look = () => holds() ? done(true) : setTimeout(look, 10); look();"
        )
        self._ask("execute/async", {"script": waiting, "args": []})

    def press(self, *keys: str) -> None:
        actions = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._ask("actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def look(self, *, width: int, dark: bool, printed: bool = False) -> None:
        """Have it so wide, and prefer dark pages or bright ones; or as it comes on paper."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = {"features": [scheme], "media": "print" if printed else ""}
        self._devtools("Emulation.setEmulatedMedia", media)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self._devtools("Emulation.setDeviceMetricsOverride", size)

    def kept_out(self) -> list[str]:
        """What of the page keeps people out, as axe-core sees it, if it is serious."""
        self.run(axe())
        self.run("axe.run().then(found => { window.found = found.violations })")
        self.wait("return window.found !== undefined")
        found: list[str] = self.run(
            "return window.found.filter(e => ['serious', 'critical'].includes(e.impact))"
            ".map(e => e.id + ': ' + e.nodes.map(n => n.html).join(' '))"
        )
        return found

    def spoken(self) -> list[tuple[str, str]]:
        """What a screen reader is told of the page: roles and names, in their order."""
        nodes = self._devtools("Accessibility.getFullAXTree", {})["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        ]

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("screenshot", None))

    def errors(self) -> list[str]:
        """What the page complained of since it was last asked."""
        found = self._ask("se/log", {"type": "browser"})
        return [each["message"] for each in found if each["level"] == "SEVERE"]

    def _devtools(self, command: str, parameters: Mapping[str, object]) -> Any:
        return self._ask("goog/cdp/execute", {"cmd": command, "params": parameters})

    def _ask(self, command: str, content: object) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self._address}/{command}", data)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{command}: {error.read().decode()[:2000]}") from None


def found_of(names: Sequence[str]) -> str | None:
    """The first of these programs that there is."""
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start one; it ends with the block."""
    driver = shutil.which("chromedriver")
    binary = found_of(NAMES)
    if driver is None or binary is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    with TemporaryDirectory() as profile, _driver(driver) as port:
        options = {"binary": binary, "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 120_000},  # a page on a busy machine
        }
        body = json.dumps({"capabilities": {"alwaysMatch": wanted}}).encode()
        base = f"http://127.0.0.1:{port}/session"
        with urllib.request.urlopen(urllib.request.Request(base, body), timeout=60) as answer:
            session = json.load(answer)["value"]["sessionId"]
        try:
            yield Browser(f"{base}/{session}")
        finally:
            end = urllib.request.Request(f"{base}/{session}", method="DELETE")
            urllib.request.urlopen(end, timeout=60).close()


@contextmanager
def _driver(path: str) -> Iterator[int]:
    with subprocess.Popen([path, "--port=0"], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if found := PORT.search(line):
                    yield int(found[1])
                    return
            raise AssertionError("chromedriver did not say on which port it is")
        finally:
            process.terminate()


def axe() -> str:
    """The script of axe-core, which looks for what keeps people out."""
    path = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("needs axe-core: npm ci in frontend")
    return path.read_text(encoding="utf-8")
