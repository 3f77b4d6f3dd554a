"""Files that people write, YAML or JSON, with the line of each value."""

from pytest_todeval.documents.document import (
    FILE_NAME,
    HALF_CHARACTER,
    MAX_DIGITS,
    Document,
    read_document,
    read_json_lines,
)

__all__ = [
    "FILE_NAME",
    "HALF_CHARACTER",
    "MAX_DIGITS",
    "Document",
    "read_document",
    "read_json_lines",
]
