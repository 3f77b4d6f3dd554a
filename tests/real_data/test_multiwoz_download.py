"""The pinned checksums are those of the real files."""

import hashlib
from pathlib import Path

import pytest

from pytest_todeval.worlds.multiwoz.download import MULTIWOZ_FILES


@pytest.mark.parametrize("name", MULTIWOZ_FILES)
def test_the_checksum_is_that_of_the_file(shared_data: Path, name: str) -> None:
    content = (shared_data / "multiwoz" / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == MULTIWOZ_FILES[name]
