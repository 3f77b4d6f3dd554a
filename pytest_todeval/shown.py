r"""Text of bots, models, files and servers, as it may be shown: one function for each medium.

Each spells out what cannot be seen or would be obeyed, and cuts what is longer than `most`
characters: `\x1b[2J` is shown in place of a cleared screen.
"""

import re

LINE, BLOCK = 2_000, 100_000
"""The most characters of one line, and of a text of several lines."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet runs a cell that begins with one of these."""
_SPACES = frozenset(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
_JOINERS = "\u200c\u200d"
"""Within words of Persian, and within emojis."""
_NOT_ASCII = re.compile(r"[^\n\t -~]+")
_COMMAND = re.compile(r"(?m)^([^\S\n]*):(?=:)|#(?=#\w*\[)")
"""Where a line commands a CI's runner: `::error::` of GitHub's, `##vso[` of Azure's."""
_MARKDOWN = re.compile(r"[\\`*\[\]~$|#]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=[\w#])|^>")
_LINKS = re.compile(r"(?i)(?<=[@#])(?=\w)|(?<=\w)(?=://)|(?<=www)(?=\.)|(?<=gh)(?=-\d)")
"""Where a mention, a reference or an address is broken, so that nobody is told of it."""
_BREAK = "&#8203;"
_LATEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",  # at the start of a row, it and the star would be of the row before
    "*": "{*}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
}


def in_terminal(text: str, most: int = BLOCK) -> str:
    """For a terminal and for the log of a CI, which obeys some lines."""
    return _COMMAND.sub(_as_code, _spelled(text, most))


def in_line(text: str, most: int = LINE) -> str:
    """Returns the same, for a place that is one line."""
    return in_terminal(text, most).replace("\n", "\\n").replace("\t", "\\t")


def in_markdown(text: str, most: int = LINE) -> str:
    """For a line or a cell of GitHub's or GitLab's Markdown: no markup, link, image or mention."""
    plain = _MARKDOWN.sub(r"\\\g<0>", " ".join(in_terminal(text, most).split()))
    return _LINKS.sub(_BREAK, plain)


def in_latex(text: str, most: int = LINE) -> str:
    """For a cell of LaTeX: no command, no comment, no end of the table."""
    plain = " ".join(in_terminal(text, most).split())
    return "".join(_LATEX.get(char, char) for char in plain)


def in_html(text: str, most: int = BLOCK) -> str:
    """For an element or a quoted attribute of a page."""
    from html import escape

    return escape(_spelled(text, most))


def in_json(value: object, indent: int | None = 1) -> str:
    """JSON that may stand in a terminal and in a script of a page."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent).replace("<", "\\u003c")
    return _COMMAND.sub(r"\\u0023", _NOT_ASCII.sub(_as_json, text))


def in_csv(text: str) -> str:
    """For a cell that a spreadsheet takes as text; the writer of the file puts the quotes."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def _cut(text: str, most: int) -> str:
    """The text; if it has more than `most` characters, its start and how many more there are."""
    left = len(text) - most
    return text if left <= 0 else f"{text[:most]} ... ({left:,} more characters)"


def _spelled(text: str, most: int) -> str:
    return _NOT_ASCII.sub(_visible, _cut(text, most))


def _visible(found: re.Match[str]) -> str:
    run = found[0]
    if run.isprintable():
        return run
    last = len(run) - 1
    return "".join(
        c if _is_shown(c) or (c in _JOINERS and 0 < place < last) else ascii(c)[1:-1]
        for place, c in enumerate(run)
    )


def _is_shown(char: str) -> bool:
    return char.isprintable() or char in _SPACES


def _as_code(found: re.Match[str]) -> str:
    return f"{found[1]}\\x3a" if found[1] is not None else "\\x23"


def _as_json(found: re.Match[str]) -> str:
    import json

    return "".join(c if _is_shown(c) else json.dumps(c)[1:-1] for c in found[0])
