"""Post-import hooks: a client library is patched when somebody imports it, never imported by us."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_imported(actions: Mapping[str, Callable[[], None]]) -> None:
    """Does what stands with a module's name, now if it is imported already, else when it is.

    It is done before the import statement returns, so nobody uses the module without it.
    """
    later = {name: act for name, act in actions.items() if name not in sys.modules}
    if later:
        sys.meta_path.insert(0, _Finder(later))
    for name, act in actions.items():
        if name not in later:
            act()


class _Finder(MetaPathFinder):
    def __init__(self, actions: Mapping[str, Callable[[], None]]) -> None:
        self._actions = actions

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns what the other finders find, with a loader that acts after the real one."""
        act = self._actions.get(name)
        if act is None:
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _WatchingLoader(spec.loader, act)
                return spec
        return None


class _WatchingLoader(Loader):
    """Loads as the real one does, leaves the module to it, then acts."""

    def __init__(self, real: Any, act: Callable[[], None]) -> None:
        self._real, self._act = real, act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        created: ModuleType | None = self._real.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._real
        vars(module)["__spec__"].loader = self._real
        self._real.exec_module(module)
        self._act()
