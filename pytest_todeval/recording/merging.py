"""What the next cassette holds: the calls of this run, and what is carried over from the last."""

from collections.abc import Collection, Mapping

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.archive import Archive
from pytest_todeval.recording.call import Call
from pytest_todeval.recording.course import Course
from pytest_todeval.recording.mode import Mode
from pytest_todeval.recording.shelf import Shelf


def is_changed(archive: Archive, modes: Mapping[Lane, Mode], recorded: int) -> bool:
    """Whether a run that recorded so many calls leaves another cassette than the one there is."""
    again = archive.fault is not None and modes[archive.fault].records
    if recorded or archive.left or again:
        return True
    rewritten = {lane for lane, mode in modes.items() if mode is Mode.REWRITE}
    return any(call.request.lane in rewritten for call in archive.calls)


def merged(
    course: Course, shelf: Shelf, modes: Mapping[Lane, Mode], diverged: Collection[Lane]
) -> list[Call]:
    """The calls of this run as they were started, then those carried over, as they stood.

    Calls that were not played now stay, except in lanes that went another way: those that are
    rewritten, and those that `diverged` because something new was asked.
    """

    def stays(lane: Lane) -> bool:
        mode = modes[lane]
        return mode is not Mode.REWRITE and not (mode is Mode.MISSING and lane in diverged)

    return course.in_order() + [call for call in shelf.unplayed() if stays(call.request.lane)]
