"""What gates and tests ask for, looked at before a dialogue is played and paid for."""

import ast
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_todeval.core.satisfaction import DECISIVE, NAME
from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.integration.case import Case, case_of
from pytest_todeval.integration.fixtures import is_ours
from pytest_todeval.integration.settings import Settings

ASKING = frozenset({"rules", "approves"})
"""The judge's questions that take rules."""
ELSEWHERE = frozenset({"monkeypatch", "tmp_path", "tmp_path_factory", "tmpdir", "pytester"})
"""A test with these may write its rules, or go to their folder, as it runs."""


def require_gates(settings: Settings, items: Sequence[pytest.Item]) -> None:
    """Raises UsageError for a gate on a misspelt value, beyond its scale, or on goals that no test
    has.

    Worlds, judges and questions of one's own may bring values of any name: there the end tells.
    """
    if not settings.gates:
        return
    from pytest_todeval.runs.reports.gates.deciding import gates_of, refuse_beyond

    cases = [case for case in map(case_of, items) if case is not None]
    if not cases:
        return
    own = any(not _is_built_in(case) for case in cases)
    own |= any("judge" in _fixtures(item) and not is_ours(item, "judge") for item in items)
    names = () if own else _names()
    for gate in gates_of(settings.gates):
        meant = _meant(gate.name, names)
        if meant and gate.name not in _of_baseline(settings):
            raise UsageError(
                f"gate {gate.text!r}: no dialogue will have {gate.name!r}; did you mean {meant!r}?"
            )
        if gate.name in _verdicts() and not own:
            refuse_beyond(gate, 0.0, 1.0)
        for key, value in gate.scope:
            known = sorted({each for case in cases for each in _of_scope(case, key)})
            if known and value not in known:
                told = known_names(value, known)
                raise UsageError(f"gate {gate.text!r}: no goal is of {key} {value}; {told}")


def require_rules(items: Sequence[pytest.Item]) -> None:
    """Raises UsageError for rules that a test names, and that are not there or cannot be read.

    Only of names that stand in the call or in the test's module; others are known as it runs.
    """
    functions = {
        item.function: item
        for item in items
        if isinstance(item, pytest.Function)
        and "judge" in item.fixturenames
        and not ELSEWHERE & set(item.fixturenames)
        and is_ours(item, "judge")
    }
    for function, item in functions.items():
        if ASKING & set(function.__code__.co_names):
            for source in _rules_of(function):
                _require(source, item.nodeid.partition("[")[0])


def _require(source: str | Path, test: str) -> None:
    from pytest_todeval.evaluate.rules.load import load_rules

    try:
        load_rules(source)
    except (UsageError, InvalidFile) as error:
        raise UsageError(f"{test}: {error}") from None


def _rules_of(function: object) -> Iterator[str | Path]:
    try:
        tree = ast.parse(dedent(inspect.getsource(function)))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError):
        return
    known = getattr(function, "__globals__", {})
    for call in ast.walk(tree):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="judge"), attr=name)):
                given = [each.value for each in call.keywords if each.arg == "rules"]
                for each in [*call.args[1:2], *given] if name in ASKING else ():
                    yield from _sources(each, known)


def _sources(given: ast.expr, known: dict[str, object]) -> Iterator[str | Path]:
    match given:
        case ast.Constant(value=str(source)):
            yield source
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _sources(part, known)
        case ast.Name(id=name) if isinstance(found := known.get(name), str | Path):
            yield found


def _names() -> tuple[str, ...]:
    from pytest_todeval.runs.reports.answer_summary import DIMENSIONS
    from pytest_todeval.runs.reports.gates.quantities import FACTS

    return (*_verdicts(), *FACTS, *DIMENSIONS)


def _verdicts() -> tuple[str, ...]:
    from pytest_todeval.runs.reports.comparison.values import PASSED

    return (*DECISIVE, "inform", "refusal", NAME, PASSED)


def _meant(name: str, names: Sequence[str]) -> str:
    """Returns the name that one letter or two of this one are wrong in, if any."""
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), names, n=1, cutoff=0.8)
    return close[0] if name not in names and close and abs(len(close[0]) - len(name)) <= 2 else ""


def _of_baseline(settings: Settings) -> set[str]:
    if settings.baseline is None:
        return set()
    from pytest_todeval.runs.reports.comparison.values import worth_of
    from pytest_todeval.runs.reports.results import read_results

    return {
        name
        for entry in read_results(Path(settings.baseline))["dialogues"]
        for name in worth_of(entry)
    }


def _is_built_in(case: Case) -> bool:
    return type(case.goal_set.world).__module__.startswith("pytest_todeval.")


def _fixtures(item: pytest.Item) -> Sequence[str]:
    return getattr(item, "fixturenames", ())


def _of_scope(case: Case, key: str) -> Sequence[str]:
    """What a goal has of a scope; nothing of who plays, which is known once it is played."""
    if key == "domain":
        return [part.domain for part in case.goal.domains]
    if key == "label":
        return list(case.goal.labels)
    return [case.goal.name.rpartition("/")[0]] if key == "goals" else []
