"""What test files say to vcrpy and its pytest plugins; read as text, never run."""

import ast
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

MARK = "@pytest.mark.todeval_cassette"
ADVICE = {
    "vcr": MARK,
    "use_cassette": f"{MARK} on the test",
    "default_cassette": "leave it out: each test has its own cassette",
    "block_network": f"leave it out: in replay the network is blocked for tests with {MARK}; "
    "`allowed_hosts` become its `allow=`",
    "vcr_cassette_dir": "--todeval-cassettes=FOLDER, for all tests",
    "pytest_recording_configure": "there is no such hook: todeval_match, todeval_mask, "
    "todeval_redact in the ini file",
    "filter_headers": "leave it out: no header of a request is kept but its content type",
    "filter_query_parameters": "`todeval_redact = query: NAME`, if it is not redacted anyway",
    "filter_post_data_parameters": "`todeval_redact = form: NAME` or `json: NAME`, if it is not "
    "redacted anyway",
    "match_on": "method, path, query and body are compared by meaning, hosts and headers never; "
    "what may differ: todeval_match, todeval_mask",
    "record_mode": "--todeval-record (once, new_episodes: missing; all, rewrite: rewrite; none: "
    "replay)",
    "ignore_hosts": "--todeval-allow, or the marker's `allow=`",
    "ignore_localhost": "--todeval-allow=HOST:PORT, or the marker's `allow=`",
    "allowed_hosts": "--todeval-allow, or the marker's `allow=`",
    "before_record_request": "there is no such hook: todeval_redact, todeval_ignore",
    "before_record_response": "there is no such hook: todeval_redact",
    "allow_playback_repeats": "there is no such setting: each recorded call answers once",
    "decode_compressed_response": "leave it out: it is always so",
}
NO_ADVICE = "nothing here corresponds to it"


class GivenCassettes(NamedTuple):
    """What a test's decorators say of its cassettes."""

    default: str = ""
    more: tuple[str, ...] = ()
    used: str = ""


class Suites:
    """The test files asked about, with the conftest files above them."""

    def __init__(self) -> None:
        self._trees: dict[Path, ast.Module | None] = {}

    def cassettes_of(self, file: Path, classes: Sequence[str], function: str) -> GivenCassettes:
        """Returns what is said on a test and its classes."""
        for above in (file, *(folder / "conftest.py" for folder in file.parents[:5])):
            self._tree(above)
        default, used, more = "", "", list[str]()
        for node in _on_the_way(self._tree(file), [*classes, function]):
            for name, texts in map(_called, node.decorator_list):
                default = next(iter(texts), "") if name == "default_cassette" else default
                used = next(iter(texts), "") if name == "use_cassette" else used
                more += texts if name == "vcr" else []
        return GivenCassettes(default, tuple(more), used)

    def advice(self) -> Iterator[str]:
        """Returns what stands where, and what takes its place."""
        for path, tree in sorted(self._trees.items()):
            for line, name in sorted(set(_settings(tree))) if tree else ():
                place = f"{os.path.relpath(path)}:{line}"
                yield f"{place}: `{name}`: {ADVICE.get(name, NO_ADVICE)}"

    def _tree(self, path: Path) -> ast.Module | None:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, SyntaxError, RecursionError):
                self._trees[path] = None
        return self._trees[path]


Defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _on_the_way(tree: ast.Module | None, names: Sequence[str]) -> Iterator[Defined]:
    """Returns the definitions of classes and function, from the outermost."""
    body: Sequence[ast.stmt] = [] if tree is None else tree.body
    for name in names:
        found = next((n for n in body if isinstance(n, Defined) and n.name == name), None)
        if found is None:
            return
        yield found
        body = found.body


def _called(node: ast.expr) -> tuple[str, list[str]]:
    """Returns the last name of what is called, or named, and the texts that it is given."""
    given = node.args if isinstance(node, ast.Call) else []
    named = node.func if isinstance(node, ast.Call) else node
    name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
    texts = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return name, texts


def _settings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of each setting of vcrpy and its plugins."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield from _marks(node)
        elif isinstance(node, ast.Call):
            yield from _keywords(node)
        elif isinstance(node, ast.FunctionDef) and node.name in (*ADVICE, "vcr_config"):
            yield from _fixture(node)


def _marks(node: ast.Attribute) -> Iterator[tuple[int, str]]:
    marked = isinstance(node.value, ast.Attribute) and node.value.attr == "mark"
    if marked and node.attr in ("vcr", "default_cassette", "block_network"):
        yield node.lineno, node.attr


def _keywords(node: ast.Call) -> Iterator[tuple[int, str]]:
    name = _called(node)[0]
    if name == "use_cassette":
        yield node.lineno, name
    if name in ("vcr", "VCR", "use_cassette"):
        yield from ((word.value.lineno, word.arg) for word in node.keywords if word.arg)


def _fixture(node: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    if node.name != "vcr_config":
        yield node.lineno, node.name
        return
    keys = (key for each in ast.walk(node) if isinstance(each, ast.Dict) for key in each.keys)
    yield from ((key.lineno, str(key.value)) for key in keys if isinstance(key, ast.Constant))
