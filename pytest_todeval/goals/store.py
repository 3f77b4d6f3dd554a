"""Where data sets lie on this machine."""

import os
from pathlib import Path

from pytest_todeval.errors import DataMissing
from pytest_todeval.goals.corpus import open_corpus

DEMO = Path(__file__).parents[1] / "worlds" / "demo" / "data"
VARIABLE = "TODEVAL_DATA"


def cache_folder() -> Path:
    """The user's cache for data sets, e.g. `~/.cache/todeval` on Linux; not created here."""
    import pooch  # type: ignore[import-untyped]

    return Path(pooch.os_cache("todeval"))


def place_of_data(data: str | Path | None = None) -> tuple[str, Path]:
    """Where to look, with what says so: the first of option, environment and the user's cache.

    Only one: what someone asked for and is not there must not be replaced silently.
    """
    if data:
        return "--todeval-data / todeval_data", Path(data).expanduser()
    if os.environ.get(VARIABLE):
        return VARIABLE, Path(os.environ[VARIABLE]).expanduser()
    return "the user's cache", cache_folder()


def find_multiwoz(data: str | Path | None = None) -> Path:
    """Returns the MultiWOZ folder or zip: the place itself, or `multiwoz/` in it.

    Raises DataMissing, saying what to run, if there is none; InvalidFile on a broken zip.
    """
    origin, place = place_of_data(data)
    for folder in (place / "multiwoz", place):
        if open_corpus(folder) is not None:
            return folder.absolute()  # tests change the working directory
    raise DataMissing(
        f"MultiWOZ is not in {place} (named by {origin}). To download it to the user's cache, run\n"
        "    todeval data get multiwoz\n"
        f"or name a folder or zip that holds it with --todeval-data or {VARIABLE}. "
        "The goal set `demo` needs no data."
    )
