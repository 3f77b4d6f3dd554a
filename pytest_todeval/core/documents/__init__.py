"""Files that people write, YAML or JSON, with the line of each value."""

from pytest_todeval.core.documents.document import (
    FILE_NAME,
    Document,
    read_document,
    read_json_lines,
)
from pytest_todeval.core.documents.limits import HALF_CHARACTER, MAX_DIGITS

__all__ = [
    "FILE_NAME",
    "HALF_CHARACTER",
    "MAX_DIGITS",
    "Document",
    "read_document",
    "read_json_lines",
]
