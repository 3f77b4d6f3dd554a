"""Accepting: recorded answers stand for the requests of now, if a person says they may.

A run in the mode `accept` answers each request that is not recorded with the recorded call in its
place, and leaves a proposal beside the cassette; `todeval cassettes accept` shows it and puts it in
place. Nothing is called.
"""

from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.recording.call import Call, Request
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.meaning import MESSAGE_LISTS, endpoint_of
from pytest_todeval.recording.nearest import nearest

ENDING = ".accept"


def proposal_path(cassette: Path) -> Path:
    """Returns where the proposal for a cassette stands: beside it, hidden."""
    return cassette.with_name(f".{cassette.name}{ENDING}")


def proposals(folder: Path) -> list[tuple[Path, Path]]:
    """Returns the proposals of a folder, or of one cassette, each with its cassette before it."""
    if folder.is_file():
        found = [proposal_path(folder)] if proposal_path(folder).exists() else []
    else:
        found = sorted(folder.rglob(f".*{ENDING}"))
    return [(path.with_name(path.name[1 : -len(ENDING)]), path) for path in found]


def in_its_place(
    request: Request, turn: int, calls: Sequence[Call], played: frozenset[int], matching: Matching
) -> int | None:
    """The index of the recorded call in whose place a request was made; None if there is none.

    Of those not played yet, by the same lane to the same service: the nearest of the same turn,
    else of all.
    """
    open_ones = [
        index
        for index, call in enumerate(calls)
        if index not in played and _service(call.request) == _service(request)
    ]
    of_turn = [index for index in open_ones if calls[index].turn == turn] or open_ones
    found = nearest(request, [calls[index] for index in of_turn], frozenset(), matching)
    return None if found is None else of_turn[found]


def _service(request: Request) -> tuple[object, ...]:
    return request.lane, request.method, endpoint_of(request.path, MESSAGE_LISTS)
