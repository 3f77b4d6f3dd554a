"""Whatever tools do to a view, a deep copy would become the same; the shared tables stay."""

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.backends.copy_on_write import view
from pytest_todeval.backends.state_hash import StateHash, base_hash
from pytest_todeval.backends.tool_domain import ToolDomain
from tests.support.examples import examples
from tests.support.json_values import JSON_VALUES
from tests.support.tau_world import consistent_hash

IDS = ("a", "b", "c", "d")
Table = dict[str, Any]


def mutate(record: Any, value: Any) -> Any:
    """Change a record as deep inside as it goes."""
    if isinstance(record, list):
        for inner in record[:1]:
            mutate(inner, value)
        record.append(copy.deepcopy(value))
    elif isinstance(record, dict):
        for inner in list(record.values())[:1]:
            mutate(inner, value)
        record["changed"] = copy.deepcopy(value)
    return record


def shrink(record: Any) -> Any:
    if isinstance(record, list | dict):
        record.clear()
    return record


OPERATIONS: dict[str, Callable[[Table, str, str, Any], Any]] = {
    "read": lambda t, i, j, v: t[i],
    "get": lambda t, i, j, v: t.get(i, v),
    "in": lambda t, i, j, v: (i in t, len(t), list(t), list(reversed(t))),
    "mutate": lambda t, i, j, v: mutate(t[i], v),
    "mutate got": lambda t, i, j, v: mutate(t.get(i), v),
    "shrink": lambda t, i, j, v: shrink(t[i]),
    "set": lambda t, i, j, v: t.__setitem__(i, v),
    "delete": lambda t, i, j, v: t.__delitem__(i),
    "pop": lambda t, i, j, v: mutate(t.pop(i, v), v),
    "popitem": lambda t, i, j, v: mutate(t.popitem()[1], v),
    "setdefault": lambda t, i, j, v: mutate(t.setdefault(i, v), v),
    "update": lambda t, i, j, v: t.update({i: v}),
    "or in place": lambda t, i, j, v: t.__ior__({i: v}) is t,
    "or": lambda t, i, j, v: mutate((t | {j: v})[i], v),
    "or from the left": lambda t, i, j, v: mutate(({j: v} | t)[i], v),
    "alias": lambda t, i, j, v: t.__setitem__(j, t[i]),
    "mutate all": lambda t, i, j, v: [mutate(r, v) for r in t.values()],
    "mutate items": lambda t, i, j, v: {k: mutate(r, v) for k, r in t.items()},
    "mutate one found": lambda t, i, j, v: [mutate(r, v) for k, r in t.items() if k == i],
    "shallow copy": lambda t, i, j, v: mutate(t.copy().get(i), v),
    "unpacked": lambda t, i, j, v: mutate({**t}.get(i), v),
    "deep copy": lambda t, i, j, v: mutate(copy.deepcopy(t).get(i), v),
    "json": lambda t, i, j, v: json.dumps(t),
    "clear": lambda t, i, j, v: t.clear(),
}
STEPS = st.tuples(
    st.sampled_from(sorted(OPERATIONS)), st.sampled_from(("one", "two")),
    st.sampled_from(IDS), st.sampled_from(IDS), JSON_VALUES,
)  # fmt: skip
TABLES = st.fixed_dictionaries(
    dict.fromkeys(("one", "two"), st.dictionaries(st.sampled_from(IDS[:3]), JSON_VALUES))
)


def outcome(data: dict[str, Any], step: tuple[str, str, str, str, Any]) -> str:
    operation, table, id, other, value = step
    try:
        return repr(OPERATIONS[operation](data[table], id, other, copy.deepcopy(value)))
    except KeyError as error:
        return repr(error)


@examples(60)
@given(tables=TABLES, steps=st.lists(STEPS, max_size=12))
def test_a_view_is_a_deep_copy(
    tables: dict[str, Any], steps: list[tuple[str, str, str, str, Any]]
) -> None:
    domain = ToolDomain("any", copy.deepcopy(tables), {}, "")
    before = base_hash(domain)
    data, plain = view(domain), copy.deepcopy(tables)
    state = StateHash(domain, data)
    for step in steps:
        assert outcome(data, step) == outcome(plain, step)
        assert state.hexdigest() == consistent_hash(plain)
    assert repr(data) == repr(plain)
    assert repr(domain.tables) == repr(tables)
    assert repr(view(domain)) == repr(tables)
    assert base_hash(domain) == before == consistent_hash(tables)


@examples(40)
@given(tables=TABLES, steps=st.lists(STEPS, max_size=8))
def test_changes_are_what_differs(
    tables: dict[str, Any], steps: list[tuple[str, str, str, str, Any]]
) -> None:
    domain = ToolDomain("any", copy.deepcopy(tables), {}, "")
    data = view(domain)
    for step in steps:
        outcome(data, step)
    expected: dict[str, Any] = {}
    for name, table in copy.deepcopy(data).items():
        for id in {**tables[name], **table}:
            old, new = ([t[name][id]] if id in t[name] else [] for t in (tables, {name: table}))
            if consistent_hash(old) != consistent_hash(new):
                expected.setdefault(name, {})[id] = new[0] if new else None
    assert StateHash(domain, data).changes() == expected
