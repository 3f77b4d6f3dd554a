"""Figures that documents have from benchmarks: `figures.json`, by command, with version and date.

A benchmark that is run with `--figures` notes there what it found, as the document says it, and
writes rows of tables into the document. `tests/test_numbers_in_docs.py` holds the two together.
"""

import datetime
import json
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
FILE = PROJECT / "benchmarks" / "figures.json"
OPTION = "--figures"


def command() -> str:
    """What was given on the command line, as a document names it."""
    words = [word for word in sys.argv[1:] if word != OPTION]
    if "--processes" in words:  # changes nothing but how long it takes
        at = words.index("--processes")
        del words[at : at + 2]
    return shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *words])


def kept() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


def keep(document: str, says: Sequence[str]) -> None:
    """Note what the command that runs found, in the document's words, and mend its tables."""
    entry = {
        "document": document,
        "version": version("pytest-todeval"),
        "date": datetime.date.today().isoformat(),
        "says": list(says),
    }
    FILE.write_text(json.dumps({**kept(), command(): entry}, indent=1) + "\n", "utf-8")
    place = PROJECT / document
    text = place.read_text("utf-8")
    for row in (each for each in says if each.startswith("| ")):
        name = re.escape(row.split(" | ")[0])
        text = re.sub(rf"^{name} \|.*$", lambda _, row=row: row, text, flags=re.MULTILINE)
    place.write_text(text, "utf-8")
