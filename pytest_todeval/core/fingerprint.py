"""A short hash by which results say which data they rest on."""

import hashlib
from collections.abc import Iterable


def fingerprint(parts: Iterable[bytes]) -> str:
    """12 hex digits of the sha256 over the parts, each delimited by its length."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:12]
