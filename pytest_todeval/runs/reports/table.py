"""The summary of a results file as a plain-text table: metrics across, domains down."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_todeval.runs.reports.schema import MetricSummary, Results
from pytest_todeval.shown import LINE, in_line

DIALOGUES = "dialogues"
DOMAINS = "domains"
NONE = "-"


def score_table(title: str, results: Results, notes: Sequence[str] = ()) -> str:
    """Rates with their counts, per metric: of whole dialogues, of all domains, of each domain.

    A column per metric of the dialogue that applies anywhere; `inform/hotel` is the row `hotel` of
    column `inform`. Notes and definitions follow. Ends in a newline.
    """
    found = results["summary"]["metrics"]
    columns = [name for name in found if "/" not in name and found[name]["total"]]
    domains = sorted({name.partition("/")[2] for name in found} - {""})
    rows = [["", *columns], *_body(columns, domains, found)]
    definitions = sorted(results["environment"]["metrics"].items())
    lines = [
        f"{title}: {_outcomes(results)}",
        "",
        *([*aligned(rows), ""] if columns else []),
        *(f"{name}: {definition}" for name, definition in definitions),
        *(f"note: {note}" for note in notes),
    ]
    return "\n".join(in_line(line) for line in lines) + "\n"


def listed(lines: Sequence[str], most: int, rest: str) -> Iterator[str]:
    """Returns the first lines; if there are more, `rest`, with their number in place of `{}`."""
    yield from lines[:most]
    if len(lines) > most:
        yield rest.format(len(lines) - most)


def named(names: Sequence[str], most: int) -> str:
    """Returns the first names, and how many more there are: `a, b and 3 more`."""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{rest}"


def one_line(text: str, most: int = LINE) -> str:
    """As a terminal may show it, without repeated blanks; cut if it is longer than `most`."""
    line = " ".join(text.split())
    return in_line(line if len(line) <= most else f"{line[:most]} ...", most + 4)


def number(value: float | None, form: str = ".2f") -> str:
    """Returns a number in a format; `-` if there is none."""
    return NONE if value is None else format(value, form)


def percent(rate: float | None) -> str:
    """With one digit after the point, and never 100 % for less than all; `-` if there is none."""
    if rate is None:
        return NONE
    text = f"{100 * rate:.1f}"
    return "99.9 %" if text == "100.0" and rate < 1 else f"{text} %"


def counted(count: int, what: str) -> str:
    """`1 goal`, `2 goals`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _outcomes(results: Results) -> str:
    counts = results["summary"]["outcomes"]
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    return f"{results['summary']['dialogues']} dialogues" + (f" ({told})" if told else "")


def _body(
    columns: Sequence[str], domains: Sequence[str], found: Mapping[str, MetricSummary]
) -> Iterable[list[str]]:
    yield [DIALOGUES, *(_cell([found[name]]) for name in columns)]
    by_domain = {d: [found.get(f"{name}/{d}") for name in columns] for d in domains}
    if len(domains) > 1:
        across = zip(*by_domain.values(), strict=True)
        yield [DOMAINS, *(_cell(cells) for cells in across)]
    for domain, cells in by_domain.items():
        yield [domain, *(_cell([cell]) for cell in cells)]


def _cell(counted: Iterable[MetricSummary | None]) -> str:
    known = [cell for cell in counted if cell and cell["total"] and cell["rate"] is not None]
    total = sum(cell["total"] for cell in known)
    if not total:
        return NONE
    rate = sum((cell["rate"] or 0) * cell["total"] for cell in known) / total
    hits = [cell["hits"] for cell in known]
    if None in hits:
        return f"{100 * rate:.1f}% of {total}"
    return f"{100 * rate:.1f}% {sum(hit or 0 for hit in hits)}/{total}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right."""
    rows = [[in_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
