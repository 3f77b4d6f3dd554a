"""Why a dialogue stopped, and who is responsible."""

import errno
import os
import re
import socket
import sysconfig
import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import ProtocolViolated
from pytest_todeval.errors import (
    BackendError,
    JudgeFault,
    ModelRejected,
    ModelUnavailable,
    SimulatorFault,
    SystemContractError,
)
from pytest_todeval.simulation.http_errors import BotNotReached
from pytest_todeval.simulation.reply import described
from pytest_todeval.simulation.user import Utterance

FAULTS = {
    StopReason.SYSTEM_ERROR: Outcome.FAILED,
    StopReason.EMPTY_REPLY: Outcome.FAILED,
    StopReason.BAD_REPLY: Outcome.FAILED,
    StopReason.SYSTEM_VIOLATION: Outcome.FAILED,
    StopReason.USER_VIOLATION: Outcome.SIMULATOR_FAULT,
    StopReason.SIMULATOR_FAULT: Outcome.SIMULATOR_FAULT,
    StopReason.EAR_FAULT: Outcome.JUDGE_FAULT,
    StopReason.TURN_TIMEOUT: Outcome.INFRASTRUCTURE,
    StopReason.DIALOGUE_TIMEOUT: Outcome.INFRASTRUCTURE,
    StopReason.NETWORK: Outcome.INFRASTRUCTURE,
    StopReason.BACKEND_ERROR: Outcome.INFRASTRUCTURE,
}
"""The reasons that settle the outcome; after the others the assertions of the test decide."""

MAX_MESSAGE = 500
SHOWN_FRAMES = 3

_UNREACHABLE = {
    errno.ENETDOWN,
    errno.ENETUNREACH,
    errno.EHOSTDOWN,
    errno.EHOSTUNREACH,
    errno.EADDRNOTAVAIL,
}
# What clients raise if they reached nobody, or nobody who could serve them: by the package that
# defines it and name, so that none has to be imported. Their other errors are the bot's own.
_MODEL_APIS = ("APIConnectionError", "RateLimitError", "InternalServerError")
_HTTPX = ("NetworkError", "TimeoutException", "ProxyError", "RemoteProtocolError")
_CLIENT_ERRORS = {
    "aiohttp": ("ClientConnectionError",),
    "anthropic": _MODEL_APIS,
    "httpcore": _HTTPX,
    "httpcore2": _HTTPX,
    "httpx": _HTTPX,
    "httpx2": _HTTPX,
    "openai": _MODEL_APIS,
    "requests": ("ConnectionError", "Timeout", "ChunkedEncodingError"),
    "urllib3": ("TimeoutError", "ProtocolError", "MaxRetryError", "NewConnectionError"),
}
_LIBRARY = {"site-packages", "dist-packages"}
_STDLIB = sysconfig.get_path("stdlib") + os.sep
MAX_CAUSES = 5
_ERROR_TEXT = re.compile(
    r"\s*(Traceback \(most recent call last\)"
    r"|[\w.]*(Error|Exception)\s*[:(]"
    r"|(HTTP )?Error( code)?:? *[45]\d\d\b"
    r'|\{\s*["\']error["\']\s*:)'
)


class Stop(Exception):
    """Ends the dialogue: for which reason, in a sentence, and what the user said last."""

    def __init__(self, reason: StopReason, detail: str = "", last_words: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.last_words = last_words


def bot_raised(error: BaseException, place: str) -> Stop:
    """Says why the dialogue stops if the bot raised `error` in `place`.

    BAD_REPLY for a broken contract, SYSTEM_VIOLATION for a strict protocol broken, BACKEND_ERROR,
    NETWORK or TURN_TIMEOUT if the bot or what it calls was not reached or not in time, else
    SYSTEM_ERROR: all else a bot lets out is its own.
    """
    if isinstance(error, SystemContractError):
        return Stop(StopReason.BAD_REPLY, str(error))
    if isinstance(error, ProtocolViolated):
        return Stop(StopReason.SYSTEM_VIOLATION, f"the bot broke the protocol in {place}: {error}")
    if isinstance(error, BotNotReached):
        return Stop(StopReason.NETWORK, f"the bot could not be asked in {place}: {error}")
    told = f"{place}: {raised_line(error)}"
    if isinstance(error, BackendError):
        return Stop(StopReason.BACKEND_ERROR, f"the backend broke in {told}")
    if isinstance(error, ModelUnavailable):
        return Stop(StopReason.NETWORK, f"the bot's model could not be asked in {told}")
    if isinstance(error, Exception) and _is_network(_cause(error)):
        if any("Timeout" in kind.__name__ for kind in type(_cause(error)).__mro__):
            return Stop(StopReason.TURN_TIMEOUT, f"the bot gave up waiting in {told}")
        address = _address(error)
        what = f"{address} was not reached" if address else "not reached"
        return Stop(StopReason.NETWORK, f"{what} in {told}")
    return Stop(StopReason.SYSTEM_ERROR, f"the bot raised in {told}")


def user_raised(error: BaseException, place: str) -> Stop:
    """Says why the dialogue stops if the user simulator raised `error`.

    USER_VIOLATION for a strict protocol broken, BACKEND_ERROR, NETWORK if its model could not be
    asked, else SIMULATOR_FAULT.
    """
    if isinstance(error, ProtocolViolated):
        return Stop(StopReason.USER_VIOLATION, f"the user broke the protocol in {place}: {error}")
    if isinstance(error, BackendError):
        return Stop(StopReason.BACKEND_ERROR, f"the backend broke in {place}: {raised_line(error)}")
    if isinstance(error, ModelUnavailable):
        told = _line(str(error))
        return Stop(StopReason.NETWORK, f"the user's model could not be asked in {place}: {told}")
    if isinstance(error, SimulatorFault | ModelRejected):
        return Stop(StopReason.SIMULATOR_FAULT, f"{_line(str(error))} (in {place})")
    return Stop(
        StopReason.SIMULATOR_FAULT, f"the user simulator raised in {place}: {raised_line(error)}"
    )


def ear_raised(error: BaseException, place: str) -> Stop:
    """Says why the dialogue stops if the ear that is a model raised `error`.

    NETWORK if its model could not be asked, else EAR_FAULT.
    """
    if isinstance(error, ModelUnavailable):
        told = _line(str(error))
        return Stop(StopReason.NETWORK, f"the ear's model could not be asked in {place}: {told}")
    if isinstance(error, JudgeFault):
        return Stop(StopReason.EAR_FAULT, f"{_line(str(error))} (in {place})")
    return Stop(StopReason.EAR_FAULT, f"the ear raised in {place}: {raised_line(error)}")


def sound(utterance: object, place: str) -> Utterance:
    """The utterance, if a user can have said it; raises Stop if the simulator is at fault."""
    wrong = _wrong_with(utterance)
    if wrong or not isinstance(utterance, Utterance):
        raise Stop(StopReason.SIMULATOR_FAULT, f"the user simulator {wrong} in {place}")
    if utterance.stop is not None:  # may be given as text, "user_done"
        return replace(utterance, stop=StopReason(utterance.stop))
    return utterance


def _wrong_with(utterance: object) -> str:
    if not isinstance(utterance, Utterance):
        return (
            f"answered with {described(utterance)} instead of an `Utterance` (its `respond` is to "
            "return pytest_todeval.Utterance(text))"
        )
    text, stop = utterance.text, utterance.stop
    if not isinstance(text, str):
        return f"said {described(text)} instead of text"
    leaves = (StopReason.USER_DONE, StopReason.USER_GAVE_UP, StopReason.SIMULATOR_FAULT)
    if stop is not None and stop not in leaves:
        return f"left with {described(stop)}, expected one of {', '.join(leaves)}"
    if stop is None and not text.strip():
        return "said nothing"
    if _ERROR_TEXT.match(text):
        return f"echoed an error ({_line(text)!r})"
    return ""


def frames_now(frame: FrameType | None) -> str:
    """Returns where a thread stands now, innermost first: `bot.py:12 in respond: ...`.

    Empty if that is unknown, or in no code but ours and Python's own.
    """
    stack = () if frame is None else traceback.extract_stack(frame)
    theirs = (f.filename for f in stack if not _is_machinery(f.filename))
    return _places(stack) if any(not name.startswith(_STDLIB) for name in theirs) else ""


def raised_line(error: BaseException) -> str:
    """The exception and where it came from, innermost first, in one line that every run repeats."""
    message = _line("".join(traceback.format_exception_only(error)))
    if type(error).__module__.startswith("pytest_todeval."):
        message = message.removeprefix(f"{type(error).__module__}.")
    places = _places(traceback.extract_tb(error.__traceback__))
    return f"{message} (at {places})" if places else message


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE else line[:MAX_MESSAGE] + " ..."


def _places(frames: Iterable[traceback.FrameSummary]) -> str:
    # Names without folders: where a checkout lies says nothing of the bot, and differs by machine.
    theirs = [frame for frame in frames if not _is_machinery(frame.filename)]
    # Where it was raised, and who called that: what lies between in libraries tells less.
    called_by = [frame for frame in theirs[:-1] if not _is_library(frame.filename)]
    theirs = [*called_by, theirs[-1]] if called_by else theirs
    return ", called from ".join(
        f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
        + (f": `{_line(frame.line)}`" if frame.line else "")
        for frame in reversed(theirs[-SHOWN_FRAMES:])
    )


def _is_machinery(filename: str) -> bool:
    path = Path(filename)
    package = Path(__file__).parents[1]
    ours = path.parent in (package / "simulation", package / "play")
    ours = ours or path.is_relative_to(package / "recording")
    ours = ours or path == package / "worlds" / "registry.py"
    return ours or path.parent.name == "asyncio" or path.name == "threading.py"


def _is_library(filename: str) -> bool:
    return bool(_LIBRARY.intersection(Path(filename).parts)) or filename.startswith(_STDLIB)


def _address(error: BaseException | None) -> str:
    """Returns where a client's request went, if its error or one of its causes tells."""
    for _ in range(MAX_CAUSES):
        if error is None:
            return ""
        try:
            parts = urlsplit(str(error.request.url))  # type: ignore[attr-defined]
        except (AttributeError, RuntimeError, ValueError):  # httpx raises RuntimeError if unknown
            error = error.__cause__ or error.__context__
            continue
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}" if host else ""
    return ""


def _cause(error: Exception) -> Exception:
    reason = getattr(error, "reason", None) if type(error).__name__ == "URLError" else None
    return reason if isinstance(reason, Exception) else error  # urllib wraps what happened


def _is_network(error: Exception) -> bool:
    if isinstance(error, ConnectionError | TimeoutError | socket.gaierror | socket.herror):
        return True
    if isinstance(error, OSError) and error.errno in _UNREACHABLE:
        return True
    return any(
        kind.__name__ in _CLIENT_ERRORS.get(kind.__module__.partition(".")[0], ())
        for kind in type(error).__mro__
    )
