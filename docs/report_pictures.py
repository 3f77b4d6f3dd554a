"""Makes the pictures of docs/report.md: views of one page, bright and dark, wide and narrow.

`python docs/report_pictures.py RESULTS BEFORE` needs Chromium and its driver.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from pytest_todeval.cli import main  # noqa: E402
from tests.support.browser import browser  # noqa: E402

WIDTHS = (1400, 400)


def pictures(now: str, before: str, history: str) -> None:
    """Write them to docs/images."""
    with TemporaryDirectory() as folder, browser() as window:
        page = Path(folder) / "report.html"
        main(["report", now, before, "--html", str(page), "--history", history])
        window.open(page.as_uri())
        first = window.run("return document.querySelector('.excerpt a').getAttribute('href')")
        views = {
            "summary": "#view=overview",
            "group": "#view=failures",
            "dialogue": first,
            "comparison": "#view=comparison",
            "history": "#view=charts",
        }
        for name, route in views.items():
            for width in WIDTHS:
                for dark in (False, True):
                    window.look(width=width, dark=dark)
                    window.open(f"{page.as_uri()}{route}")
                    if name == "history":
                        window.run(
                            "[...document.querySelectorAll('.plot')].at(-1).scrollIntoView()"
                        )
                    shade = "dark" if dark else "light"
                    window.wait("return document.readyState === 'complete'")
                    path = HERE / "images" / f"report_{name}_{width}_{shade}.png"
                    path.write_bytes(window.picture())


if __name__ == "__main__":
    pictures(*sys.argv[1:4])
