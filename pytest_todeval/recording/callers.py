"""Who makes a call: the client's package, and the line of the project's code behind it."""

import sys
import sysconfig
from pathlib import Path
from types import FrameType

OURS = str(Path(__file__).resolve().parent.parent)
LIBRARIES = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib"))
STANDARD = sysconfig.get_path("stdlib")


def caller() -> str:
    """Returns the code now running, as `openai, at bot.py:14 in respond`.

    The outermost package on the way from the project's code is the client that its author knows.
    Either part is left out if the stack does not show it; `code that cannot be seen` if both are.
    """
    client, place = "", ""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not place:
        file = frame.f_code.co_filename
        if file.startswith(OURS):  # it may be installed among the libraries
            pass
        elif file.startswith(LIBRARIES):
            client = _package(frame)
        elif file.startswith((STANDARD, "<")):
            client = client or ("" if file.startswith("<") else _package(frame))
        else:
            place = f"{Path(file).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    found = [client] if client else []
    return ", at ".join([*found, place] if place else found) or "code that cannot be seen"


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
