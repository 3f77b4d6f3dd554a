"""The end of a server's log, for a person: tracebacks without what lies in libraries."""

import re

LINES = 40
"""Lines that a message has."""
LONGEST = 40_000
FRAME = re.compile(r' +File "([^"\n]*)", line \d+, in [^\n]*\n(?: {4,}[^\n]*\n)*')
LIBRARIES = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3|<frozen |[/\\]bin[/\\]"
)


def end_of_log(text: str) -> str:
    """Its last lines. Of a traceback the frames in libraries are counted, not shown."""
    told = _collapsed(text[-LONGEST:])
    return "\n".join(told.splitlines()[-LINES:]).strip("\n")


def _collapsed(text: str) -> str:
    kept, at, left_out = list[str](), 0, 0
    for frame in FRAME.finditer(text):
        if frame.start() > at:
            kept += [_count(left_out), text[at : frame.start()]]
            left_out = 0
        at = frame.end()
        if LIBRARIES.search(frame[1]):
            left_out += 1
        else:
            kept += [_count(left_out), frame[0]]
            left_out = 0
    return "".join((*kept, _count(left_out), text[at:]))


def _count(frames: int) -> str:
    return f"  ... {frames} in libraries\n" if frames else ""
