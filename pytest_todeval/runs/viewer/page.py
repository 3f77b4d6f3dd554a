"""The page as one file: markup, style, script and data, and a policy that lets nothing else in."""

import base64
import gzip
import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import islice
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.viewer.run_data import JSONObject, Shown, dialogues_of, index_of
from pytest_todeval.shown import in_html

CHUNK = 50
"""Dialogues that are packed together: the page unpacks those that it shows."""
LEVEL = 6
"""Of compression: 9 takes three times as long for a hundredth less."""


def write_page(path: Path, shown: Shown) -> None:
    """Writes it. Raises UsageError if the place cannot be written to."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page_of(shown), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write the report to {path}: {error}") from error


def page_of(shown: Shown) -> str:
    """The whole page. Data stands in it packed, in letters and digits that no parser reads."""
    chunks = [packed(each) for each in _chunks(dialogues_of(shown))]
    blocks = [_block("index", packed(index_of(shown)))]
    blocks += [_block(f"chunk-{place}", chunk) for place, chunk in enumerate(chunks)]
    return framed(shown.title, "\n".join(blocks), "connect-src 'none'")


def page_with(title: str, name: str, data: object) -> str:
    """Returns a page for these data alone: a sheet to rate on, an arena's standings."""
    return framed(title, _block(name, packed(data)), "connect-src 'none'")


def framed(title: str, data: str, connects: str, head: str = "") -> str:
    """Returns the page around its data; `connects` says what it may ask for."""
    script, style = asset("app.js"), asset("app.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src 'unsafe-inline'; "
        f"img-src data: blob:; {connects}; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"{head}"
        f"<title>{in_html(title)} · todeval</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<div id="app"><noscript>This report needs JavaScript, and nothing else: '
        f"it loads nothing.</noscript></div>\n{data}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def packed(value: object) -> str:
    """JSON, compressed, in base64: `<` never stands in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    data = gzip.compress(text.encode("utf-8", "surrogatepass"), LEVEL, mtime=0)
    return base64.b64encode(data).decode("ascii")


def _chunks(dialogues: Iterator[JSONObject]) -> Iterator[list[JSONObject]]:
    while chunk := list(islice(dialogues, CHUNK)):
        yield chunk


def _block(name: str, data: str) -> str:
    return f'<script type="text/plain" id="{name}">{data}</script>'


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def asset(name: str) -> str:
    """Returns a file that `frontend/build.mjs` made."""
    return resources.files(__package__).joinpath("built", name).read_text(encoding="utf-8")
