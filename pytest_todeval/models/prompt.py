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

A model is asked for JSON, by a schema. With `answer: text` in the head it is asked as the document
words it, without a schema, and `reply` names the format of its reply (one of `REPLIES`; the usual
one of the question if it is left out).

Documents in the folder `published` have the shape in which a paper asks: see `Prompts`.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.models.usage import book

Message = dict[str, str]
"""`{"role": ..., "content": ...}`, as chat-completions APIs take it."""

ANSWERS = ("json", "text")
REPLIES = ("score", "row", "tag", "result", "flags", "said", "xml", "choice")
"""The formats of a reply in text; `models.reading` has a reader of each:

- `score`: `Score: 4` and `Justification: ...` (TD-Eval);
- `row`: `Yes,5,3,3,1,2` (clem:todd);
- `tag`: `<answer>YES</answer>` (AutoEval-ToD, H.2 and J.1 to J.6);
- `result`: `Feedback: ... [RESULT] 1` (LLM user agents, task completion);
- `flags`: `[1, 1, 0]` (LLM user agents, coverage);
- `said`: `Thought: ... User: ...` (LLM user agents, the user);
- `xml`: `<score1>1</score1> <reason1>...</reason1>` (AutoEval-ToD, H.3);
- `choice`: `CONVERSATION_A` (TD-Eval, figure 13).
"""

SHIPPED = Path(__file__).parent / "prompts"
PUBLISHED = "published"
"""The folder, of the shipped prompts and of one's own, with documents in a paper's shape."""
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
    reply: str = "json"
    """What the model is asked for: `json`, `text` (in the question's usual format), or one of
    `REPLIES`."""
    published: bool = False
    """Whether it is asked as a paper has it."""

    @property
    def places(self) -> frozenset[str]:
        """Returns what is to be filled in."""
        return frozenset(name for _, text in self.messages for name in PLACE.findall(text))

    @property
    def definition(self) -> str:
        """Name, version and hash; prompts of different definitions are not comparable."""
        kind = f"{PUBLISHED} " if self.published else ""
        return f"{kind}{self.name} {self.version} ({self.digest})"

    @property
    def is_part(self) -> bool:
        """Says whether it is a note: a part of another document's message."""
        return self.messages[0][0] == "note"

    def render(self, **values: str) -> list[Message]:
        """Returns the messages, filled in. Hostile text comes in fenced (`models.fence`).

        A value that the document has no place for is left out: a document of one's own may do with
        less. Raises UsageError if it asks for one that is not given.
        """
        missing = sorted(self.places - set(values))
        if missing:
            raise UsageError(
                f"prompt {self.name}: there is no value for {{{{{missing[0]}}}}}; "
                f"{known_names(missing[0], sorted(values))}"
            )
        book().prompts[self.name] = self.definition
        return [
            {"role": role, "content": PLACE.sub(lambda place: values[place[1]], text)}
            for role, text in self.messages
        ]


class Prompts:
    """The prompts by name: those of a folder of the user's, else the shipped ones.

    If `published`, a question that has a document in the folder `published` is asked with that; one
    of the user's own wins, from its folder `published` or, without one there, from the folder
    itself.
    """

    def __init__(self, folder: str | Path | None = None, *, published: bool = False) -> None:
        self.folder = None if folder is None else Path(folder)
        self.published = published
        if self.folder is not None:
            self._check(self.folder)

    def get(self, name: str | Path) -> Prompt:
        """The prompt of this name, or in this file: that of a package, which no folder replaces.

        Raises InvalidFile, with `path:line`, if its document is none, UsageError for a name that no
        prompt has.
        """
        note = self._path(NOTE)
        if isinstance(name, Path):
            return _prompt(name, _text(name), note, _text(note), published=False)
        if name not in self.names():
            raise UsageError(f"there is no prompt {name!r}; {known_names(name, self.names())}")
        path = self._path(name, published=self.has_published(name))
        published = self.has_published(name) or path.parent == SHIPPED / PUBLISHED
        return _prompt(path, _text(path), note, _text(note), published=published)

    def has_published(self, name: str) -> bool:
        """Says whether the prompt of this name is asked in a paper's shape."""
        return self.published and any(
            (folder / PUBLISHED / f"{name}.md").is_file() for folder in self._folders
        )

    @staticmethod
    def names() -> list[str]:
        return sorted(_names(SHIPPED) | _names(SHIPPED / PUBLISHED))

    @property
    def _folders(self) -> tuple[Path, ...]:
        return (SHIPPED,) if self.folder is None else (self.folder, SHIPPED)

    def _path(self, name: str, *, published: bool = False) -> Path:
        places = [
            place
            for folder in self._folders
            for place in ([folder / PUBLISHED, folder] if published else [folder])
        ]
        paths = [place / f"{name}.md" for place in places]
        return next((path for path in paths if path.is_file()), SHIPPED / PUBLISHED / f"{name}.md")

    def _check(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UsageError(f"todeval_prompts: no folder {folder}")
        for path in sorted([*folder.glob("*.md"), *(folder / PUBLISHED).glob("*.md")]):
            if path.stem not in (*self.names(), NOTE, "README"):
                raise UsageError(
                    f"{path}: there is no prompt {path.stem!r} to replace; "
                    f"{known_names(path.stem, self.names())}"
                )


@cache
def _names(folder: Path) -> frozenset[str]:
    return frozenset(path.stem for path in folder.glob("*.md")) - {NOTE}


@cache
def _prompt(path: Path, text: str, note_path: Path, note: str, *, published: bool) -> Prompt:
    head = _head(path, text)
    included = _parts(note_path, note)[0][1]
    messages = tuple(
        (role, PLACE.sub(lambda place: included if place[1] == NOTE else place[0], body))
        for role, body in _parts(path, text)
    )
    digest = hashlib.sha256(f"{text}\0{note}".encode()).hexdigest()[:12]
    reply = _reply(path, text, head)
    version, source = head["version"], head.get("source", "")
    return Prompt(path.stem, version, source, messages, digest, reply, published)


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
    return head


def _reply(path: Path, text: str, head: Mapping[str, str]) -> str:
    """Returns what the head says of the reply: `json`, `text`, or one of `REPLIES`."""
    answer, reply = head.get("answer", "json"), head.get("reply")
    if answer not in ANSWERS:
        where = _where(path, text, "answer")
        raise InvalidFile(f"{where}: answer is {answer!r:.60}; {known_names(answer, ANSWERS)}")
    if reply is None:
        return answer
    where = _where(path, text, "reply")
    if answer == "json":
        raise InvalidFile(f"{where}: a format of replies needs `answer: text` beside it")
    if reply not in REPLIES:
        raise InvalidFile(f"{where}: reply is {reply!r:.60}; {known_names(reply, REPLIES)}")
    return reply


def _where(path: Path, text: str, key: str) -> str:
    lines = text.splitlines()
    found = (at for at, line in enumerate(lines, 1) if line.partition(":")[0].strip() == key)
    return f"{path}:{next(found, 1)}"


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
