"""What the package index shows that pyproject.toml cannot say: addresses, and the README's links.

The addresses are those of the checkout's `origin`, if it is on GitHub. A wheel that is built from
an sdist takes over what the sdist says. Without an address, links of the README become plain text.
"""

import re
import subprocess
from email import message_from_string
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ORIGIN = re.compile(r"(?:https://|ssh://git@|git@)github\.com[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)]*)\)")


class Addresses(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling once per build."""
        root = Path(self.root)
        built = root / "PKG-INFO"
        if built.is_file():
            sdist = message_from_string(built.read_text(encoding="utf-8"))
            pairs = (line.split(", ", 1) for line in sdist.get_all("Project-URL") or ())
            metadata["urls"], text = dict(pairs), sdist.get_payload()
        else:
            repository = repository_of(origin(root))
            metadata["urls"] = urls(repository, metadata["version"]) if repository else {}
            readme = (root / "README.md").read_text(encoding="utf-8")
            text = with_absolute_links(readme, repository, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def origin(root: Path) -> str:
    """The address that the checkout was cloned from; empty if this is no checkout."""
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "config", "--get", "remote.origin.url"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def repository_of(address: str) -> str:
    """`OWNER/NAME` of a repository on GitHub, else an empty text."""
    match = ORIGIN.fullmatch(address)
    return f"{match[1]}/{match[2]}" if match else ""


def urls(repository: str, version: str) -> dict[str, str]:
    """The project's addresses; the site is that of GitHub Pages, which CI publishes."""
    owner, name = repository.split("/")
    source = f"https://github.com/{repository}"
    return {
        "Documentation": f"https://{owner.lower()}.github.io/{name}/",
        "Source": source,
        "Changelog": f"{source}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{source}/issues",
    }


def with_absolute_links(text: str, repository: str, version: str) -> str:
    """The README with links that work on a package index."""

    def link(match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        if not repository:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}](https://github.com/{repository}/{kind}/v{version}/{target})"

    return LINK.sub(link, text)
