"""A bot's text in blocks: paragraphs, items of lists, rows of tables, "label: value" lines."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

MOST_CELLS = 40
"""Of a row; nobody reads a wider table."""

_MARK = re.compile(
    r"(?P<indent>[ \t]*)(?:>[ \t]*)*(?:(?P<head>\#{1,6})[ \t]+"
    r"|(?P<mark>[-–•·▪◦‣+→►](?![-–]|\d)|\*(?=\s)|[✓✔✅❌✗✘⬜☑☐]\ufe0f?"
    r"|\*{0,2}\(?\d{1,2}[.):](?!\d)|\d\ufe0f?\u20e3|\*{0,2}\(?[a-hA-H][.)](?=\s)"
    r"|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?(?=\s?[*\w]))[ \t]*)?"
)
_CROSSED = re.compile(r"[❌✗✘]|^\s*(?:[-*+•]\s+)?~~")
_BOLD = re.compile(r"\*\*|__|~~|`")
_LABEL = re.compile(r"([A-Za-z][\w '/()?&-]{0,39}?)[ \t]*(?::(?!//)|[-–—](?=\s))")
_RULE = re.compile(r"[\s|:=_*+-]+")
_OF_VALUES = ("", "value", "values", "detail", "details", "info", "information")
"""What heads the second of two columns if the first one has the labels of its values."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text with a place of its own in the layout."""

    text: str
    """Its words, without the marks of lists, tables and headings."""
    label: str = ""
    """What stands before the colon of a "label: value" line, or a cell's header, as written."""
    parent: int | None = None
    """Index of the block it hangs under: the item of a sub-item, the row of a cell, the line with
    a colon that a list follows."""
    item: bool = False
    """Whether it is one of several: an item of a list, a row of a table."""
    crossed: bool = False
    """Whether it is crossed out, or marked with a cross."""


def blocks(text: str) -> tuple[Block, ...]:
    """Cuts a text into blocks, in order; a text of one line is one block. Linear in the text."""
    if "\n" not in text:
        return (Block(text, crossed=_CROSSED.match(text.lstrip()) is not None),)
    return tuple(_Cutter(text.split("\n")).blocks())


class _Cutter:
    """Goes through the lines once, and remembers under which blocks it stands."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Block] = []
        self.open: list[tuple[int, int]] = []
        """Indent and index of the items that the next line may hang under."""
        self.intro: int | None = None
        """The last line that announced what follows it."""
        self.header: list[str] = []

    def blocks(self) -> list[Block]:
        for number, line in enumerate(self.lines):
            if not line.strip():
                self.header = []
            elif self._in_table(number):
                self._row(line, self.lines[number + 1 : number + 2])
            else:
                self.header = []
                self._line(line)
        return self.found

    def _in_table(self, number: int) -> bool:
        if "|" not in self.lines[number]:
            return False
        below = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        ruled = "|" in below and _RULE.fullmatch(below) is not None
        return bool(self.header) or ruled or self.lines[number].lstrip().startswith("|")

    def _row(self, line: str, below: Sequence[str]) -> None:
        cells = [_bare(cell) for cell in line.strip().strip("|").split("|", MOST_CELLS)]
        if not self.header:
            ruled = below and _RULE.fullmatch(below[0])
            self.header = cells if ruled or len(cells) != 2 else ["", ""]
            if self.header == cells:
                return
        if _RULE.fullmatch(line):
            return
        if len(self.header) == len(cells) == 2 and self.header[1].lower() in _OF_VALUES:
            label, value = cells
            self.found.append(Block(f"{label}: {value}", label, self.intro))
            return
        row = len(self.found)
        self.found.append(Block("", parent=self.intro, item=True, crossed=_is_crossed(line)))
        for label, cell in zip(self.header, cells, strict=False):
            if cell:
                self.found.append(Block(f"{label}: {cell}" if label else cell, label, row))

    def _line(self, line: str) -> None:
        marks = _MARK.match(line)
        text = _bare(line[marks.end() :]) if marks else ""
        if marks is None or not text:
            return
        listed, indent = marks["mark"] is not None, len(marks["indent"].expandtabs(4))
        label = _label(text)
        announces = text.endswith(":") or marks["head"] is not None
        parent = self._parent(indent, listed, marks["head"] is not None)
        if not (listed or indent or label):
            parent = None
        self.found.append(Block(text, label, parent, listed, _is_crossed(line)))
        here = len(self.found) - 1
        if listed:
            self.open.append((indent, here))
        elif announces or not (label or indent):
            self.intro = here if announces else None

    def _parent(self, indent: int, listed: bool, heads: bool) -> int | None:
        if heads or not (listed or indent):
            self.open = []
        while self.open and self.open[-1][0] > indent - listed:
            self.open.pop()
        return self.open[-1][1] if self.open else self.intro


def _bare(text: str) -> str:
    return _BOLD.sub("", text).strip()


def _is_crossed(line: str) -> bool:
    return _CROSSED.search(line) is not None


def _label(text: str) -> str:
    match = _LABEL.match(text)
    return match[1].strip() if match and text[match.end() :].strip() else ""


def owners(found: Sequence[Block], name_of: Callable[[Block], str | None]) -> list[str | None]:
    """For each block the item it is about: its own, that of the lines around it, or its parent's.

    `name_of` tells the name that a block puts first. A name's own line may come last, as in
    "Train 1: / - Leaves: 9:00 / - Train ID: TR1".
    """
    own = [name_of(block) for block in found]
    around: dict[int, str] = {}
    inside: dict[int, str] = {}
    for group in _groups(found):
        _spread(found, group, own, around, inside)
    told: list[str | None] = []
    for index, block in enumerate(found):
        above = told[block.parent] if block.parent is not None else None
        told.append(own[index] or around.get(index) or inside.get(index) or above)
    return told


def _spread(
    found: Sequence[Block],
    group: Sequence[int],
    own: Sequence[str | None],
    around: dict[int, str],
    inside: dict[int, str],
) -> None:
    """Tells the lines of a group, and the block that they stand under, the name among them."""
    names = [name for index in group if (name := own[index])]
    parent = found[group[0]].parent
    if not names:
        return
    if parent is not None and len(set(names)) == 1:
        inside[parent] = names[0]
    latest = names[0]
    for index in group:
        latest = own[index] or latest
        around[index] = latest


def _groups(found: Sequence[Block]) -> Iterator[list[int]]:
    """Runs of labelled lines under the same parent, cut where a label comes again."""
    current: dict[int | None, tuple[list[int], set[str]]] = {}
    for index, block in enumerate(found):
        label = block.label.lower()
        if not label:
            if not block.item and block.parent in current:
                yield current.pop(block.parent)[0]
            continue
        group, labels = current.setdefault(block.parent, ([], set()))
        if label in labels:
            yield group
            group, labels = current[block.parent] = ([], set())
        group.append(index)
        labels.add(label)
    yield from (group for group, _ in current.values())
