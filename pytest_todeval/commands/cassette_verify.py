"""What is wrong with cassettes: broken files, secrets, headers that no cassette keeps."""

import json
from collections.abc import Iterator
from pathlib import Path

from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.call import RaisedError
from pytest_todeval.recording.cassette_text import read_lines
from pytest_todeval.recording.secrets import Scanner, kept_headers
from pytest_todeval.recording.store import read_cassette


def problems(path: Path, scanner: Scanner) -> Iterator[str]:
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
