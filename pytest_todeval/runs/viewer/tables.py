"""What the page shows of a run, as tables for papers: Markdown and LaTeX."""

from collections.abc import Callable, Iterator, Sequence

from pytest_todeval.runs.reports.comparison.text import markdown_table
from pytest_todeval.runs.reports.table import NONE
from pytest_todeval.runs.viewer.run_data import JSONObject
from pytest_todeval.shown import in_latex

Cells = list[tuple[str, ...]]


def tables_of(index: JSONObject) -> Iterator[tuple[str, Cells]]:
    """Each table by its name, of which the first row is the head; `index`: see `run_data`."""
    values = index["values"]
    head = ("value", "mean", "90 % interval", "goals")
    yield "values", [head, *((*_level(v, _ends(v)), str(v["goals"])) for v in values)]
    for part in index["parts"]:
        shown = [v for v in values if any(v["name"] in row["values"] for row in part["rows"])]
        rows = [
            (
                str(row["name"]),
                str(row["dialogues"]),
                *(_told(v, row["values"].get(v["name"], [None])[0]) for v in shown),
            )
            for row in part["rows"]
        ]
        title = part["title"].removeprefix("by ")
        yield part["name"], [(title, "dialogues", *map(_name, shown)), *rows]
    if groups := index["groups"]:
        rows = [(", ".join(g["names"]), g["shape"], str(len(g["keys"]))) for g in groups]
        yield "causes", [("failed", "why", "dialogues"), *rows]
    if found := index["comparison"]:
        head_of_changes = ("value", "before", "now", "change", "90 % interval", "p", "finding")
        yield "comparison", [head_of_changes, *map(_change, found["changes"])]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    return markdown_table(rows)


def latex(rows: Sequence[Sequence[str]]) -> str:
    """For the package booktabs."""
    head, *body = [" & ".join(map(in_latex, row)) + r" \\" for row in rows]
    columns = "l" + "r" * (len(rows[0]) - 1)
    begin = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    return "\n".join([*begin, *body, r"\bottomrule", r"\end{tabular}", ""])


FORMS: dict[str, Callable[[Sequence[Sequence[str]]], str]] = {"md": markdown, "tex": latex}
"""By the ending of a file."""


def _name(value: JSONObject) -> str:
    return str(value["name"]).replace("_", " ")


def _told(value: JSONObject, number: float | None) -> str:
    """Returns a score as it is, a rate in percent."""
    if number is None:
        return NONE
    return f"{number:.2f}" if value["score"] else f"{100 * number:.1f} %"


def _ends(value: JSONObject) -> str:
    return f"{_told(value, value['low'])} to {_told(value, value['high'])}"


def _level(value: JSONObject, interval: str) -> tuple[str, str, str]:
    return _name(value), _told(value, value["mean"]), interval


def _change(change: JSONObject) -> tuple[str, ...]:
    return (
        _name(change),
        f"{change['before']:.3f}",
        f"{change['now']:.3f}",
        f"{change['mean']:+.3f}",
        f"{change['low']:+.3f} to {change['high']:+.3f}",
        f"{change['chance']:.3f}",
        change["finding"],
    )
