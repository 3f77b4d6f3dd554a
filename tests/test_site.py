"""The site is built without a warning, and each of its links leads somewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from tests.conftest import PROJECT

pytestmark = pytest.mark.thorough


class PageLinks(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value and not re.match(r"\w+:|//", value):
                self.targets.append(value)


def broken(pages: dict[Path, PageLinks], path: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    wrong = []
    for link in pages[path].targets:
        target, place = urldefrag(link)
        there = (path.parent / unquote(target.split("?")[0])).resolve() if target else path
        known = pages[there].places if there in pages else None
        if not there.is_file() or (place and known is not None and unquote(place) not in known):
            wrong.append(link)
    return wrong


def test_the_site_is_built_and_no_link_is_broken(tmp_path: Path) -> None:
    pytest.importorskip("furo", reason="pip install -e '.[docs]'")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, str(PROJECT / "docs"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    pages = {path: PageLinks(path) for path in tmp_path.resolve().rglob("*.html")}
    assert len(pages) > 30
    assert sum(len(page.targets) for page in pages.values()) > 1000
    wrong = {path.name: broken(pages, path) for path in pages}
    assert {name: links for name, links in wrong.items() if links} == {}


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text('<p id="here"><a href="#here"></a><a href="#there"></a><img src="no.png">')
    assert broken({path: PageLinks(path)}, path) == ["#there", "no.png"]
