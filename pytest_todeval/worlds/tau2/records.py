"""Tables of tau2's records, shared by all dialogues: a record is copied when it is handed out."""

import copy
import io
import pickle
from typing import Any

from pytest_todeval.backends.copy_on_write import UNCHANGING, TableView

Packed = tuple[bytes, tuple[type, ...]]
"""A record, and the classes in it by number: those of a private import cannot be found by name."""


class RecordTable:
    """A table as it is on file, never changed, and its records in packed form.

    Unpacking takes a half to a third of the time of `copy.deepcopy`. What is packed never leaves
    the process.
    """

    def __init__(self, records: dict[str, Any]) -> None:
        self.records = records
        self._packed: dict[str, Packed | None] = {}

    def own_copy(self, id: str) -> Any:
        """Returns a deep copy of a record."""
        if id not in self._packed:
            self._packed[id] = _pack(self.records[id])
        packed = self._packed[id]
        return copy.deepcopy(self.records[id]) if packed is None else _Unpickler(packed).load()


class RecordsView(TableView):
    """One dialogue's view of a table. A record is its own from when it is handed out.

    What reads it in C sees the shared records: pydantic's serializer does, and copies. A tool that
    validated a new model from a whole table would hold them; none of tau2's does.
    """

    __slots__ = ("table",)

    def __init__(self, table: RecordTable) -> None:
        super().__init__(table.records, {})
        self.table = table

    def __getitem__(self, id: str) -> Any:
        record = dict.__getitem__(self, id)
        if not isinstance(record, UNCHANGING) and record is self.table.records.get(id):
            record = self[id] = self.table.own_copy(id)
        return record


def _pack(record: Any) -> Packed | None:
    """None if something in it can only be copied in its own way, if at all."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    try:
        pickler.dump(record)
    except Exception:
        return None
    return file.getvalue(), tuple(pickler.classes)


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.classes: dict[type, int] = {}

    def persistent_id(self, value: Any) -> int | None:
        if isinstance(value, type):
            return self.classes.setdefault(value, len(self.classes))
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, packed: Packed) -> None:
        super().__init__(io.BytesIO(packed[0]))
        self._classes = packed[1]

    def persistent_load(self, number: int) -> type:
        return self._classes[number]
