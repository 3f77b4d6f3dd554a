"""Zips, read within bounds: a small one may unpack to more than there is memory."""

import zipfile
from pathlib import Path

from pytest_todeval.errors import InvalidFile

MOST_BYTES, MOST_RATIO, SMALL = 512 << 20, 100, 10 << 20
"""Of a file in a zip: its bytes, and how often it is larger than packed if it is not small."""
MOST_MEMBERS = 10_000
_MEMBER = b"PK\x01\x02"
"""Each file in a zip has a record that begins so, all of which are read when it is opened."""
_BLOCK = 1 << 20


def require_few(place: Path) -> None:
    """Raise InvalidFile for a zip of too many files, before any of it is read; OSError likewise."""
    count, end = 0, b""
    with place.open("rb") as file:
        while block := file.read(_BLOCK):
            count += (end + block).count(_MEMBER)
            end = block[-len(_MEMBER) + 1 :]
    if count > MOST_MEMBERS:
        raise InvalidFile(f"{place}: has {count:,} files, expected at most {MOST_MEMBERS:,}")


def require_small(where: object, member: zipfile.ZipInfo) -> None:
    """Raises InvalidFile for a file that takes too much memory: no more is read than it says.

    LZMA is refused, as it has a damaged head of some bytes ask for gigabytes.
    """
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InvalidFile(
            f"{where}: {member.filename!r:.80} is packed by another method than zip's usual ones "
            "(stored, deflated): pack it again"
        )
    size, packed = member.file_size, max(member.compress_size, 1)
    if size > MOST_BYTES or (size > SMALL and size > packed * MOST_RATIO):
        raise InvalidFile(
            f"{where}: {member.filename!r:.80} has {size >> 20} MiB unpacked of {packed >> 10} "
            f"KiB; expected at most {MOST_BYTES >> 20} MiB, and {MOST_RATIO} times what is packed"
        )
