"""Data sets from their publishers: a pinned version, checked by sha256, resumable."""

import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.errors import DataMissing, InvalidFile

COMMIT = "b014b81fcb1ff74f54681917eee39c14c87af3e5"
MULTIWOZ_URL = (
    f"https://raw.githubusercontent.com/thu-coai/ConvLab-2/{COMMIT}/data/multiwoz"  # MultiWOZ 2.1
)
MULTIWOZ_FILES = {
    "db/attraction_db.json": "ac2486936c373917fd9ed1aa46d0e63f7dc6fae4667c80e62b643ac6051e9848",
    "db/hospital_db.json": "6b1c867e54fa1ca92b58036945819168ec4ac981da28a09d9dec0ed9d6185937",
    "db/hotel_db.json": "972bbd65beada7c64f0b87322c694fd9173b46cf8e61ca3bbe951717ac1d1662",
    "db/police_db.json": "5282b151240e9e31682172c806722ee117da9e7a9fe701b00b77b98ae118bf6f",
    "db/restaurant_db.json": "7864b4e36027af0907d6afe9ed962fecd6c6966cd626b8ae9341708a04ea201a",
    "db/taxi_db.json": "4305d9410d8674313ea1e227c3f9bfa5f15ff0bb2a4976d9ab8d656aa558ee23",
    "db/train_db.json": "4818e735bae20690f6d0d06bb2ae8eec1981c0b680258a970dc01c9073f3fec9",
    "val.json.zip": "25ddfd4d0b01304012b54e2d98caa038c91d95295c4b519cc721b9b616f506dc",
    "test.json.zip": "438deb6ff5402cef5ff29cc0d5a10db818c1e9142727c1d631e71b563c66a5b4",
}
"""Name -> sha256. The databases first: without the dialogues they do not count as data, so what an
interruption leaves is never taken for the whole. Without `train`: no checksum of it is known."""
CHUNK = 1 << 16
TIMEOUT = 60.0
"""Seconds without a byte."""


def download(
    files: Mapping[str, str],
    base_url: str,
    folder: Path,
    tell: Callable[[str], None] = lambda line: None,
) -> None:
    """Brings files (name -> sha256) below `base_url` into `folder`, keeping those already good.

    A file appears under its name only when it is whole and its sha256 is right. What was received
    of one that broke off stays as `NAME.part`, from which the next call goes on if the server
    can. `tell` gets a line per file. Raises DataMissing if a file cannot be had, InvalidFile
    if its sha256 is wrong; what was brought before that stays.
    """
    import pooch  # type: ignore[import-untyped]

    registry = {name: f"sha256:{sha256}" for name, sha256 in files.items()}
    store = pooch.create(path=folder, base_url=f"{base_url}/", registry=registry)
    pooch.get_logger().setLevel("WARNING")  # `tell` says what happens
    for name in files:
        had = _is_good(folder / name, files[name])
        tell(f"{name}: {'already there' if had else 'downloading'}")
        if not had:
            _fetch(store, name, folder)


def _is_good(file: Path, sha256: str) -> bool:
    import pooch

    return file.is_file() and pooch.file_hash(str(file), alg="sha256") == sha256


def _fetch(store: Any, name: str, folder: Path) -> None:
    try:
        store.fetch(name, downloader=_Resuming(folder / f"{name}.part"))
    except ValueError as error:  # how pooch says that the hash is wrong
        raise InvalidFile(
            f"{store.get_url(name)}: not the published file ({error}). Nothing was kept; run the "
            "command again. If it fails again, check for a proxy that changes downloads"
        ) from error
    except OSError as error:
        raise DataMissing(f"{folder / name}: cannot be written: {error}") from error


class _Resuming:
    """A pooch downloader that goes on from the part that an earlier call received."""

    def __init__(self, part: Path) -> None:
        self.part = part

    def __call__(self, url: str, output_file: str, store: Any) -> None:
        """Brings the whole file to `output_file`, which pooch checks and moves into place."""
        try:
            self._receive(url)
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if type(error) is urllib.error.URLError else error
            raise DataMissing(
                f"could not download {url}: {reason}. "
                "Check the network and run the same command again; it resumes the download"
            ) from error
        self.part.replace(output_file)

    def _receive(self, url: str) -> None:
        start = self.part.stat().st_size if self.part.exists() else 0
        try:
            response = self._open(url, start)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise
            start = 0
            response = self._open(url, start)
        with response:
            if not _continues(response, start):
                start = 0
            self._write(response, start)

    def _open(self, url: str, start: int) -> Any:
        headers = {"Range": f"bytes={start}-"} if start else {}
        return urllib.request.urlopen(  # the scheme is that of a constant above
            urllib.request.Request(url, headers=headers), timeout=TIMEOUT
        )

    def _write(self, response: Any, start: int) -> None:
        length = response.headers.get("Content-Length")
        with self.part.open("ab" if start else "wb") as file:
            while chunk := response.read(CHUNK):
                file.write(chunk)
            size = file.seek(0, os.SEEK_END)
        if length is not None and size < start + int(length):
            raise OSError(f"the connection ended after {size} of {start + int(length)} bytes")


def _continues(response: Any, start: int) -> bool:
    partial = response.status == http.HTTPStatus.PARTIAL_CONTENT
    content_range = str(response.headers.get("Content-Range", ""))
    return partial and content_range.startswith(f"bytes {start}-")
