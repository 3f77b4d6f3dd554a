"""Tables and plots of a run as files, for papers and talks."""

from collections.abc import Iterator
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.table import counted
from pytest_todeval.runs.viewer.page import page_of
from pytest_todeval.runs.viewer.plots import plots_of
from pytest_todeval.runs.viewer.run_data import Shown, index_of
from pytest_todeval.runs.viewer.tables import FORMS, tables_of


def write_figures(folder: Path, shown: Shown) -> Iterator[str]:
    """Writes them, tables first, which need no browser; yields a line on what was written.

    Raises UsageError if the folder cannot be written to, or plots cannot be drawn.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = list(tables_of(index_of(shown)))
        for name, rows in tables:
            for ending, written in FORMS.items():
                (folder / f"{name}.{ending}").write_text(written(rows), encoding="utf-8")
        yield f"{folder}: {counted(len(tables), 'table')}, each as Markdown and LaTeX"
        plots = list(plots_of(page_of(shown)))
        for plot in plots:
            (folder / f"{plot.name}.svg").write_text(plot.svg, encoding="utf-8")
            (folder / f"{plot.name}.png").write_bytes(plot.png)
        yield f"{folder}: {counted(len(plots), 'plot')}, each as SVG and PNG"
    except OSError as error:
        raise UsageError(f"--figures {folder}: cannot be written: {error}") from None
