"""The cassettes of pytest-recording, pytest-vcr and vcrpy become ours, test by test."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from pytest_todeval.commands.cassette_files import require_folder, root_of
from pytest_todeval.commands.vcr_suites import Suites
from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import TodevalError, UsageError
from pytest_todeval.recording.call import Call, Header, Response
from pytest_todeval.recording.location import places_of
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.redaction.removed import removed_of
from pytest_todeval.recording.secrets import kept_headers
from pytest_todeval.recording.store import write_cassette
from pytest_todeval.recording.vcr_yaml import VcrCassette, read_vcr_cassette
from pytest_todeval.runs.reports.table import counted

FORBIDDEN = re.compile(r"""[<>?%*:|"'/\\]""")
"""What pytest-recording writes as `-` in a file's name."""
OF_TRANSPORT = frozenset(
    {"connection", "content-encoding", "content-length", "date", "keep-alive", "server"}
    | {"transfer-encoding", "vary"}
)
"""Headers that no test misses."""
ALIKE = re.compile(rb"^interactions:", re.MULTILINE)
BEGINNING = 1 << 12


def convert(folder: Path, tests: Collection[str], out: Path | None) -> Iterator[str]:
    """Returns a line for each test whose YAML files became a cassette, and what differs.

    Cassettes that are there are left alone. Raises UsageError, at the end, if a file could not be
    converted, and at once if the folder holds none.
    """
    require_folder(folder)
    files = {path for path in sorted(folder.rglob("*.y*ml")) if _is_vcr(path)}
    if not files:
        raise UsageError(f"no cassettes of vcrpy below {folder}")
    run = _Conversion(out)
    for test in sorted(tests):
        yield from run.of_test(test)
    unplayed = sorted(path for path in files if path.resolve() not in run.read)
    yield from (f"{path}: no test of the list plays it" for path in unplayed)
    if run.headers:
        names = ", ".join(f"{name} ({count})" for name, count in run.headers.most_common())
        yield f"headers of answers that are not kept, so that tests do not see them: {names}"
    yield from run.suites.advice()
    yield (
        f"{counted(run.written, 'test')} {'has' if run.written == 1 else 'have'} a cassette, of "
        f"{counted(len(files), 'YAML file')}; the YAML files are still there"
    )
    if run.failed:
        was = "was" if run.failed == 1 else "were"
        raise UsageError(f"{counted(run.failed, 'YAML file')} {was} not converted")


def _is_vcr(path: Path) -> bool:
    with path.open("rb") as file:
        return ALIKE.search(file.read(BEGINNING)) is not None


class _Conversion:
    """One run of the command: what was read and written of all tests."""

    def __init__(self, out: Path | None) -> None:
        self.suites = Suites()
        self.read: set[Path] = set()
        self.headers: Counter[str] = Counter()
        self.written = self.failed = 0
        self._out, self._redactor = out, Redactor()

    def of_test(self, test: str) -> Iterator[str]:
        """Returns the lines of one test; none if it played no cassette."""
        root = root_of(test)
        name, _, inner = test.partition("::")
        file = root / name
        sources = [path for path in self._candidates(file, inner) if path.is_file()]
        if not sources:
            return
        self.read.update(path.resolve() for path in sources)
        place = places_of(file, test, root=root, given=self._out)[0]
        shown = ", ".join(os.path.relpath(path) for path in sources)
        if place.exists():
            yield f"{os.path.relpath(place)}: left alone, it already exists ({shown})"
            return
        try:
            found = [read_vcr_cassette(path, lane=Lane.SYSTEM, dialogue=test) for path in sources]
            calls = [call for each in found for call in each.calls]
            kept = [self._redactor.call(call) for call in calls]
            write_cassette(place, self._header(test, sources), kept)
        except TodevalError as error:
            self.failed += len(sources)
            yield f"{shown}: not converted: {error}"
            return
        self.written += 1
        yield f"{os.path.relpath(place)}: {counted(len(calls), 'call')} of {shown}, for {test}"
        yield from (f"  {line}" for line in self._differences(found, calls, kept))

    def _candidates(self, file: Path, inner: str) -> list[Path]:
        """Where plugins keep the cassettes of a test, the first that is there and what it adds."""
        *classes, name = inner.replace("::", ".").split(".") if "[" not in inner else _parts(inner)
        plain = ".".join([*classes[-1:], name])
        given = self.suites.cassettes_of(file, classes, name.partition("[")[0])
        recording = file.parent / "cassettes" / file.stem
        named = given.default.removesuffix(".yaml") or FORBIDDEN.sub("-", plain)
        own = [recording / f"{named}.yaml", file.parent / "cassettes" / f"{plain}.yaml"]
        used = [base / given.used for base in (Path.cwd(), file.parent) if given.used]
        first = next((path for path in (*used, *own) if path.is_file()), None)
        return [path for path in (first, *(recording / each for each in given.more)) if path]

    def _header(self, test: str, sources: list[Path]) -> Header:
        changed = datetime.fromtimestamp(max(path.stat().st_mtime for path in sources), UTC)
        return Header(test, changed.isoformat(timespec="seconds"), 0)

    def _differences(
        self, found: list[VcrCassette], calls: list[Call], kept: list[Call]
    ) -> Iterator[str]:
        for each in found:
            lost = (name for name in each.headers if not kept_headers([(name, "")]))
            self.headers.update(name for name in lost if name not in OF_TRANSPORT)
        hosts: dict[str, set[str]] = {}
        for call, uri in zip(calls, (uri for each in found for uri in each.uris), strict=True):
            hosts.setdefault(call.key, set()).add(urlsplit(uri).netloc)
        for several in {tuple(sorted(each)) for each in hosts.values() if len(each) > 1}:
            yield (
                f"differs: equal requests to {', '.join(several)} are told apart by their order "
                "alone, since hosts are not compared"
            )
        names: set[str] = set()
        for call, other in zip(calls, kept, strict=True):
            if isinstance(call.outcome, Response) and isinstance(other.outcome, Response):
                names.update(removed_of(call.outcome, other.outcome).values())
        if names:
            yield (
                f"differs: redacted in answers: {', '.join(sorted(filter(None, names)))}; tests "
                "see `todeval-redacted` (`todeval_redact = keep: NAME` if it is no secret)"
            )


def _parts(inner: str) -> list[str]:
    """Classes and name of a node id whose parameters may hold anything."""
    path, bracket, rest = inner.partition("[")
    *classes, name = path.split("::")
    return [*classes, f"{name}{bracket}{rest}"]
