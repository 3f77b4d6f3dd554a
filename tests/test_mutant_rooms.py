"""No module is left out when it is measured what the tests would notice."""

import runpy
from collections import Counter

from tests.conftest import PROJECT


def test_each_module_is_in_one_room_of_mutants_and_no_pattern_is_idle() -> None:
    rooms = runpy.run_path(str(PROJECT / "benchmarks" / "mutants.py"))["ROOMS"].values()
    found = {
        pattern: [path.relative_to(PROJECT) for path in PROJECT.glob(pattern)]
        for room in rooms
        for pattern in (*room.modules, *room.tests)
    }

    assert [pattern for pattern, paths in found.items() if not paths] == []
    held = Counter(path for room in rooms for path in room.files(PROJECT))
    package = set((PROJECT / "pytest_todeval").rglob("*.py"))
    assert {path: held[path] for path in package if held[path] != 1} == {}
