"""List, read, compare, check, prune and convert cassettes."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from pytest_todeval.commands.call_text import told_calls
from pytest_todeval.commands.cassette_convert import convert
from pytest_todeval.commands.cassette_difference import differences
from pytest_todeval.commands.cassette_files import cassette_files, require_folder
from pytest_todeval.commands.cassette_prune import collected, prune
from pytest_todeval.commands.cassette_rename import rename
from pytest_todeval.commands.output import say
from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording.accepting import proposals
from pytest_todeval.recording.call import Call, CassetteFile, Header, RaisedError
from pytest_todeval.recording.cassette_text import read_lines
from pytest_todeval.recording.files import delete_abandoned, is_locked
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.location import SUFFIX
from pytest_todeval.recording.redaction.names import plain_name
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.secrets import Scanner, kept_headers
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.vcr_yaml import read_vcr_yaml, write_vcr_yaml
from pytest_todeval.runs.reports.table import counted

FOLDER = Path("cassettes")
BASE_URL = "https://api.openai.com"
LANES = ("user", "system", "judge", "ear")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument(
        "folder", nargs="?", type=Path, default=FOLDER, help="folder or file (default: cassettes)"
    )
    actions.add_parser("list", parents=[folder], help="the cassettes, with their calls")
    show = actions.add_parser("show", help="the calls of a cassette, as a dialogue")
    show.add_argument("file", type=Path)
    diff = actions.add_parser("diff", help="how two cassettes differ; 1 if they do")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    verify = actions.add_parser(
        "verify", parents=[folder], help="1 if one is broken or holds a secret"
    )
    verify.add_argument("--emails", action="store_true", help="count e-mail addresses as secrets")
    verify.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="NAME",
        help="the value of this name is not a secret (as `keep:` of todeval_redact)",
    )
    accept = actions.add_parser(
        "accept", parents=[folder], help="accept what pytest --todeval-record=accept proposes"
    )
    accept.description = (
        "Shows where the requests of a run in the mode `accept` differ from the recorded ones. "
        "--yes keeps the recorded answers for the new requests, without calls or costs."
    )
    accept.add_argument("--yes", action="store_true", help="accept the proposals")
    journals = actions.add_parser(
        "journals", parents=[folder], help="what unfinished recordings left behind"
    )
    journals.add_argument("--clear", action="store_true", help="delete them")
    rename = actions.add_parser("rename", help="move the cassettes of a renamed test")
    rename.add_argument("old", metavar="OLD", help="the old node id of the test, or its old file")
    rename.add_argument("new", metavar="NEW", help="the new one")
    rename.add_argument(
        "folder", nargs="?", type=Path, default=FOLDER, help="folder (default: cassettes)"
    )
    _add_prune(actions.add_parser("prune", parents=[folder], help="delete what no test plays"))
    _add_convert(actions.add_parser("convert", help="move from vcrpy's YAML, test by test"))
    _add_conversions(actions)


def _add_prune(prune: argparse.ArgumentParser) -> None:
    prune.description = (
        "Deletes the cassettes of tests that are gone: pytest --collect-only -q | "
        "todeval cassettes prune. Without --yes it only lists them."
    )
    _add_tests(prune)
    prune.add_argument("--yes", action="store_true", help="delete them")


def _add_convert(convert: argparse.ArgumentParser) -> None:
    convert.description = (
        "Makes cassettes of the YAML files of pytest-recording, pytest-vcr and vcrpy, and names "
        "what differs: pytest --collect-only -q | todeval cassettes convert"
    )
    convert.add_argument(
        "folder", nargs="?", type=Path, default=Path(), help="where they lie (default: .)"
    )
    _add_tests(convert)
    convert.add_argument("--out", type=Path, help="folder (default: cassettes, where runs look)")


def _add_tests(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tests",
        type=Path,
        metavar="FILE",
        help="output of `pytest --collect-only -q` (default: standard input)",
    )


def _add_conversions(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    import_ = actions.add_parser("import", help="make a cassette of a vcrpy YAML file")
    import_.add_argument("file", type=Path)
    import_.add_argument("--out", type=Path, help="(default: cassettes/NAME.todeval.jsonl)")
    import_.add_argument("--test", required=True, metavar="NODEID", help="the test that plays it")
    import_.add_argument(
        "--lane", choices=LANES, default="system", help="who made the calls (default: system)"
    )
    import_.add_argument("--dialogue", default="", help="the dialogue's id, e.g. demo/1#0")
    export = actions.add_parser("export", help="make a vcrpy YAML file of a cassette")
    export.add_argument("file", type=Path)
    export.add_argument("--out", type=Path, help="(default: NAME.yaml beside it)")
    export.add_argument(
        "--base-url", default=BASE_URL, help=f"where the calls went (default: {BASE_URL})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Does what the arguments say; 1 if `verify` or `diff` found something.

    Raises TodevalError if the person must act.
    """
    if arguments.action in ("diff", "verify"):
        return _diff(arguments) if arguments.action == "diff" else _verify(arguments)
    say(line for text in ACTIONS[arguments.action](arguments) for line in text.split("\n"))
    return 0


def _list(arguments: argparse.Namespace) -> Iterator[str]:
    rows = list(map(_row, cassette_files(arguments.folder)))
    yield from _aligned(rows) or [f"no cassettes in {arguments.folder}"]
    left = sorted(arguments.folder.rglob(".*.journal")) if arguments.folder.is_dir() else []
    if left:
        yield f"{len(left)} recordings did not finish: todeval cassettes journals"


def _row(path: Path) -> tuple[str, ...]:
    size = f"{path.stat().st_size / 1024:.1f} KB"
    try:
        file = read_cassette(path)
    except InvalidFile:
        return str(path), size, "broken, see todeval cassettes verify"
    return str(path), size, _counts(file), ", ".join(file.header.models), file.header.test


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def _counts(file: CassetteFile) -> str:
    by_lane = Counter(call.request.lane.value for call in file.calls)
    return ", ".join(f"{lane} {by_lane[lane]}" for lane in LANES if by_lane[lane]) or "no calls"


def _show(arguments: argparse.Namespace) -> Iterator[str]:
    file = read_cassette(arguments.file)
    header = file.header
    yield header.test
    yield f"recorded {header.recorded}, seed {header.seed}"
    yield f"{', '.join(header.models) or 'no model'}: {_counts(file)}"
    yield from _dialogue(file.calls)


def _dialogue(calls: Iterable[Call]) -> Iterator[str]:
    """Each call with the messages that its lane's last call did not have, and the answers."""
    for call in told_calls(calls):
        yield f"\n{call.number}  {call.title}"
        if call.known:
            yield f"   ({call.known} messages as before)"
        yield from (_indented(f"{each.who}: {each.text}") for each in call.said)
        yield from (_indented(f"=> {each.who}: {each.text}") for each in call.came)


def _indented(text: str) -> str:
    return "   " + text.replace("\n", "\n      ")


def _diff(arguments: argparse.Namespace) -> int:
    old, new = read_cassette(arguments.old), read_cassette(arguments.new)
    found = list(differences(old.calls, new.calls))
    say(found or [f"the same {len(old.calls)} calls and answers"])
    return int(bool(found))


def _verify(arguments: argparse.Namespace) -> int:
    scanner = Scanner(emails=arguments.emails, kept=[plain_name(n) for n in arguments.keep])
    files = cassette_files(arguments.folder)
    found = [problem for path in files for problem in _problems(path, scanner)]
    wrong = f"{len(found)} problems" if found else "whole, and no secrets found"
    say([*found, f"{len(files)} cassettes in {arguments.folder}: {wrong}"])
    return int(bool(found))


def _import(arguments: argparse.Namespace) -> Iterator[str]:
    lane = Lane(arguments.lane)
    calls = read_vcr_yaml(arguments.file, lane=lane, dialogue=arguments.dialogue)
    out = _free(arguments.out or FOLDER / f"{arguments.file.stem}{SUFFIX}")
    changed = datetime.fromtimestamp(arguments.file.stat().st_mtime, UTC)
    header = Header(arguments.test, changed.isoformat(timespec="seconds"), 0)
    redactor = Redactor()
    write_cassette(out, header, [redactor.call(call) for call in calls])
    yield f"{out}: {len(calls)} calls of lane {lane}; recorded: when {arguments.file} was changed"


def _export(arguments: argparse.Namespace) -> Iterator[str]:
    calls = read_cassette(arguments.file).calls
    name = arguments.file.name.removesuffix(SUFFIX)
    out = _free(arguments.out or arguments.file.with_name(f"{name}.yaml"))
    written = write_vcr_yaml(out, calls, base_url=arguments.base_url)
    left = f"; left out {len(calls) - written} transport errors" if written < len(calls) else ""
    yield f"{out}: {written} calls{left}"


def _problems(path: Path, scanner: Scanner) -> Iterator[str]:
    """What is wrong with a file; looks at its lines as they stand, not at what is read of them."""
    try:
        file = read_cassette(path)
        lines = read_lines(path)
    except InvalidFile as error:
        yield str(error)
        return
    for number, line in enumerate(lines, 1):
        if (place := scanner.place(json.loads(line), line)) is not None:
            where, what = place
            yield f"{path}:{number}: {what} at {where}; revoke it, and record the test again"
    for number, call in enumerate(file.calls, 1):
        headers = () if isinstance(call.outcome, RaisedError) else call.outcome.headers
        if kept_headers(headers) != headers:
            yield f"{path}: call {number}: headers that no cassette keeps; record the test again"


def _free(path: Path) -> Path:
    if path.exists():
        raise UsageError(f"{path} already exists; move it, or name another file with --out")
    return path


def accept(folder: Path, *, yes: bool) -> Iterator[str]:
    """Lines that say what a run in the mode `accept` would change; with `yes`, it is changed.

    Raises UsageError if there is nothing to accept, or a proposal is older than its cassette, and
    InvalidFile for one that is broken.
    """
    found = proposals(folder)
    if not found:
        raise UsageError(
            f"nothing to accept in {folder}: first play the stale tests offline, with "
            "`pytest TEST --todeval-record=accept`"
        )
    for cassette, proposal in found:
        yield from _shown_proposal(cassette, proposal)
        if yes:
            proposal.replace(cassette)
    done = "accepted" if yes else "to accept; --yes keeps the recorded answers for these requests"
    yield f"{len(found)} cassettes {done}"


def _shown_proposal(cassette: Path, proposal: Path) -> Iterator[str]:
    if not cassette.exists() or cassette.stat().st_mtime_ns > proposal.stat().st_mtime_ns:
        raise UsageError(
            f"{cassette} has changed since the proposal beside it was made; play the test with "
            f"--todeval-record=accept again, or delete {proposal}"
        )
    old, new = read_cassette(cassette), read_cassette(proposal)
    if old.header.test != new.header.test:
        raise InvalidFile(
            f"{proposal}:1: it was made for the test {new.header.test}, but the cassette is that "
            f"of {old.header.test}; delete the proposal"
        )
    yield f"{cassette}  {old.header.test}"
    yield from (f"  {line}" for line in differences(old.calls, new.calls))


def _journals(folder: Path, *, clear: bool) -> Iterator[str]:
    """Returns a line for each journal below a folder, and one that counts them.

    With `clear` they are deleted, and what was left half written of cassettes; not those that a run
    is writing. Raises UsageError if there is no such folder.
    """
    require_folder(folder)
    found = sorted(folder.rglob(".*.journal"))
    cleared = 0
    for path in found:
        written = is_locked(path)
        yield f"{path}: {_content(path)}{', being written by a run' if written else ''}"
        if clear and not written and not path.is_dir():
            path.unlink(missing_ok=True)
            cleared += 1
    abandoned = len(delete_abandoned(folder)) if clear else 0
    many = f"{counted(len(found), 'journal')} in {folder}"
    if clear:
        half = f", and {abandoned} half-written files" if abandoned else ""
        yield f"{many}, {cleared} deleted{half}"
    elif found:
        yield (
            f"{many}: `--todeval-record=missing` continues them, `rewrite` starts over; --clear "
            "deletes them"
        )
    else:
        yield many


def _content(path: Path) -> str:
    try:
        left = Journal.recover(path.with_name(path.name.removeprefix(".").removesuffix(".journal")))
    except InvalidFile as error:
        return f"broken ({error})"
    if left is None:
        return "empty"
    lanes = Counter(call.request.lane.value for call in left.calls)
    calls = ", ".join(f"{lane} {count}" for lane, count in lanes.items()) or "no calls"
    return f"{calls}; {left.header.test}, recorded {left.header.recorded}"


ACTIONS: Mapping[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "list": _list,
    "show": _show,
    "accept": lambda given: accept(given.folder, yes=given.yes),
    "journals": lambda given: _journals(given.folder, clear=given.clear),
    "rename": lambda given: rename(given.folder, given.old, given.new),
    "prune": lambda given: prune(given.folder, collected(given.tests), delete=given.yes),
    "convert": lambda given: convert(given.folder, collected(given.tests), given.out),
    "import": _import,
    "export": _export,
}
