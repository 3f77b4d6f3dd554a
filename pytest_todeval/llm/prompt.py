"""Prompts are documents: Markdown files with a version, replaceable by a folder of one's own.

    ---
    version: 1
    source: TD-Eval, section 3.1
    ---
    # system
    You judge one answer of a chatbot ... {{fence_note}}
    # user
    The dialogue so far:
    {{history}}

Each `# system`, `# user` or `# assistant` heading starts a message, `# note` a part of one.
`{{name}}` is filled in once: nothing that is filled in is looked at again.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.llm.usage import note_prompt

__all__ = ["Message", "Prompt", "Prompts"]

Message = dict[str, str]
"""`{"role": ..., "content": ...}`, as chat-completions APIs take it."""

SHIPPED = Path(__file__).parent / "prompts"
NOTE = "fence_note"
HEADING = re.compile(r"^# (system|user|assistant|note)[ \t]*$", re.MULTILINE)
PLACE = re.compile(r"\{\{[ \t]{0,9}([a-z_]+)[ \t]{0,9}\}\}")
BRACES = re.compile(r"\{\{.{0,40}")
HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


@dataclass(frozen=True)
class Prompt:
    """One prompt document."""

    name: str
    version: str
    source: str
    """The paper and section whose definitions it follows."""
    messages: tuple[tuple[str, str], ...]
    """Role and template of each message."""
    digest: str
    """Of the file's text, and of the note on fences that it includes."""

    @property
    def places(self) -> frozenset[str]:
        """What is to be filled in."""
        return frozenset(name for _, text in self.messages for name in PLACE.findall(text))

    @property
    def definition(self) -> str:
        """Name, version and hash; prompts of different definitions are not comparable."""
        return f"{self.name} {self.version} ({self.digest})"

    def render(self, **values: str) -> list[Message]:
        """The messages, filled in. Hostile text comes in fenced (`llm.fence`).

        A value that the document has no place for is left out: a document of one's own may do with
        less. Raises UsageError if it asks for one that is not given.
        """
        missing = sorted(self.places - set(values))
        if missing:
            raise UsageError(
                f"prompt {self.name}: there is no value for {{{{{missing[0]}}}}}; "
                f"{known_names(missing[0], sorted(values))}"
            )
        note_prompt(self.name, self.definition)
        return [
            {"role": role, "content": PLACE.sub(lambda place: values[place[1]], text)}
            for role, text in self.messages
        ]


class Prompts:
    """The prompts by name: those of a folder of the user's, else the shipped ones."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            self._check(self.folder)

    def get(self, name: str | Path) -> Prompt:
        """The prompt of this name, or in this file: that of a package, which no folder replaces.

        Raises InvalidFile, with `path:line`, if its document is none, UsageError for a name that no
        prompt has.
        """
        note = self._path(NOTE)
        if isinstance(name, Path):
            return _prompt(name, _text(name), note, _text(note))
        if not (SHIPPED / f"{name}.md").is_file():
            raise UsageError(f"there is no prompt {name!r}; {known_names(name, self.names())}")
        path = self._path(name)
        return _prompt(path, _text(path), note, _text(note))

    @staticmethod
    def names() -> list[str]:
        """The names of all prompts there are."""
        return sorted(path.stem for path in SHIPPED.glob("*.md") if path.stem != NOTE)

    def _path(self, name: str) -> Path:
        own = None if self.folder is None else self.folder / f"{name}.md"
        return own if own is not None and own.is_file() else SHIPPED / f"{name}.md"

    def _check(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UsageError(f"todeval_prompts: no folder {folder}")
        for path in sorted(folder.glob("*.md")):
            if path.stem not in (*self.names(), NOTE, "README"):
                raise UsageError(
                    f"{path}: there is no prompt {path.stem!r} to replace; "
                    f"{known_names(path.stem, self.names())}"
                )


@cache
def _prompt(path: Path, text: str, note_path: Path, note: str) -> Prompt:
    head = _head(path, text)
    included = _parts(note_path, note)[0][1]
    messages = tuple(
        (role, PLACE.sub(lambda place: included if place[1] == NOTE else place[0], body))
        for role, body in _parts(path, text)
    )
    digest = hashlib.sha256(f"{text}\0{note}".encode()).hexdigest()[:12]
    return Prompt(path.stem, head["version"], head["source"], messages, digest)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: cannot be read as UTF-8: {error}") from None


def _head(path: Path, text: str) -> Mapping[str, str]:
    match = HEAD.match(text)
    lines = match[1].splitlines() if match else []
    head = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    if not head.get("version"):
        raise InvalidFile(
            f"{path}:1: expected `---`, `version: 1`, `source: where it comes from`, `---` at the "
            "top: results name the version of each prompt"
        )
    return {"version": head["version"], "source": head.get("source", "")}


def _parts(path: Path, text: str) -> list[tuple[str, str]]:
    """Role and text of each message."""
    head = HEAD.match(text)
    start = head.end() if head else 0
    headings = list(HEADING.finditer(text, start))
    first = headings[0].start() if headings else len(text)
    if not headings or text[start:first].strip():
        raise InvalidFile(
            f"{path}:{_line(text, start)}: expected `# system`, `# user` or `# assistant` on a "
            "line of its own before the text of each message"
        )
    ends = [*(each.start() for each in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=True):
        _check(path, text, heading, end)
    return [
        (heading[1], text[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    ]


def _check(path: Path, text: str, heading: re.Match[str], end: int) -> None:
    if not text[heading.end() : end].strip():
        where = f"{path}:{_line(text, heading.start())}"
        raise InvalidFile(
            f"{where}: nothing under `{heading[0].strip()}`; write a text or leave it out"
        )
    for braces in BRACES.finditer(text, heading.end(), end):
        if not PLACE.match(text, braces.start()):
            raise InvalidFile(
                f"{path}:{_line(text, braces.start())}: {braces[0]!r} is not a placeholder; "
                "write `{{name}}`, in lower case"
            )


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
