"""Where a benchmark lies on this machine: a checkout, or an installation, of the user's own."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pytest_todeval.errors import DataMissing

GIVEN = "the place given"
INSTALLED = "the installed package"


@dataclass(frozen=True, kw_only=True)
class ProjectHome:
    """A project whose folder is looked for, and by what."""

    project: str
    """Its repository, e.g. `tau-bench`."""
    package: str
    """The package that may be installed instead."""
    variable: str
    """The environment variable that names the folder."""
    option: str
    """The option that names it, e.g. `tau-home`."""
    mark: str
    """The folder by which its home is known."""
    above: int
    """How many folders the home is above the package's own."""

    def find(self, given: str | Path | None = None) -> Path:
        """Returns the folder: `given`, else the environment's, else that of the installed package.

        Only the first of these that is set is looked into; it may also be the package's own folder.
        Nothing is imported. Raises DataMissing, with the command that brings it, if there is none.
        """
        where = ""
        for origin, place in self._places(given):
            for folder in (place, *place.parents[self.above - 1 : self.above]):
                if (folder / self.mark).is_dir():
                    return folder
            where = self._lacking(origin, place)
        raise DataMissing(
            f"{self.project} is needed; it does not come with pytest-todeval. {where}"
            f"Get it with\n    git clone https://github.com/sierra-research/{self.project}\n"
            f"and name its folder (the one with {self.mark}) by --todeval-{self.option} "
            f"(`todeval` commands: --{self.option}) or by {self.variable}."
        )

    def _lacking(self, origin: str, place: Path) -> str:
        if origin == INSTALLED:
            what = "is not whole, or another project's"
            return f"The package {self.package} in {place} has no {self.mark}: it {what}. "
        return f"There is {'none in' if place.is_dir() else 'no folder'} {place} ({origin}). "

    def _places(self, given: str | Path | None) -> Iterator[tuple[str, Path]]:
        """Where to look: in the folder that was named, else in each of the installed package."""
        if given:
            yield GIVEN, Path(given).expanduser().absolute()
        elif os.environ.get(self.variable):
            yield self.variable, Path(os.environ[self.variable]).expanduser().absolute()
        else:
            yield from ((INSTALLED, folder) for folder in installed(self.package))


def installed(package: str) -> list[Path]:
    """Returns the folders of an installed package; found without running any of it."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # a module of that name that has no spec
        return []
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
