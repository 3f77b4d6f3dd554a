"""Where tau-bench and tau2 lie on this machine: checkouts or installations of the user's own."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pytest_todeval.errors import DataMissing

__all__ = ["TAU2_VARIABLE", "TAU_BENCH_VARIABLE", "find_tau2", "find_tau_bench"]

TAU_BENCH_VARIABLE = "TAU_BENCH_HOME"
TAU2_VARIABLE = "TAU2_BENCH_HOME"
GIVEN = "the place given"
INSTALLED = "the installed package"


@dataclass(frozen=True)
class _Sought:
    """A project that is looked for."""

    project: str
    package: str
    variable: str
    option: str
    mark: str
    """The folder by which its home is known."""
    above: int
    """How many folders the home is above the package's own."""

    def home(self, given: str | Path | None) -> Path:
        where = ""
        for origin, place in self._places(given):
            for folder in (place, *place.parents[self.above - 1 : self.above]):
                if (folder / self.mark).is_dir():
                    return folder
            where = self._lacking(origin, place)
        raise DataMissing(
            f"{self.project} is needed, which does not come with pytest-todeval. {where}"
            f"Get it with\n    git clone https://github.com/sierra-research/{self.project}\n"
            f"and name its folder (the one that holds {self.mark}) with "
            f"--todeval-{self.option} (of the command `todeval`: --{self.option}) or "
            f"{self.variable}."
        )

    def _lacking(self, origin: str, place: Path) -> str:
        if origin == INSTALLED:
            what = "is not whole, or another project's"
            return f"The package {self.package} in {place} has no {self.mark}: it {what}. "
        return f"There is {'none in' if place.is_dir() else 'no folder'} {place} ({origin}). "

    def _places(self, given: str | Path | None) -> Iterator[tuple[str, Path]]:
        """Where to look: only where someone said, else in each folder of the installed package."""
        if given:
            yield GIVEN, Path(given).expanduser().absolute()
        elif os.environ.get(self.variable):
            yield self.variable, Path(os.environ[self.variable]).expanduser().absolute()
        else:
            yield from ((INSTALLED, folder) for folder in _installed(self.package))


TAU_BENCH = _Sought(
    "tau-bench", "tau_bench", TAU_BENCH_VARIABLE, "tau-home", "tau_bench/envs", above=1
)
TAU2 = _Sought("tau2-bench", "tau2", TAU2_VARIABLE, "tau2-home", "data/tau2/domains", above=2)


def find_tau_bench(given: str | Path | None = None) -> Path:
    """The folder that holds the package `tau_bench`: a checkout, or where it is installed.

    `given`, else TAU_BENCH_HOME, else an installed `tau_bench`, which is not imported. Only the
    first of these that is set is looked into; it may also be the package's own folder. Raises
    DataMissing, with the command that brings it, where there is none.
    """
    return TAU_BENCH.home(given)


def find_tau2(given: str | Path | None = None) -> Path:
    """The folder that holds `data/tau2` (tau2's tasks, tables and policies): a checkout.

    `given`, else TAU2_BENCH_HOME, else the checkout that an installed `tau2` runs from, which is
    not imported; a package of that name without these data (there is an unrelated one) is none.
    Raises DataMissing, with the command that brings it, where there is none.
    """
    return TAU2.home(given)


def _installed(package: str) -> list[Path]:
    """The folders of an installed package; found without running any of it."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # a module of that name that has no spec
        return []
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
