"""The cassettes of a folder, as the commands take it."""

from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.location import SUFFIX


def require_folder(folder: Path) -> None:
    """Raises UsageError if nothing is there."""
    if not folder.exists():
        raise UsageError(
            f"no folder {folder}; give the folder set as `todeval_cassettes`, or record: pytest "
            "--todeval-record=missing"
        )


def cassette_files(folder: Path) -> list[Path]:
    """Returns the cassettes of a folder, sorted; of a file itself. Raises UsageError."""
    require_folder(folder)
    return [folder] if folder.is_file() else sorted(folder.rglob(f"*{SUFFIX}"))


def root_of(test: str) -> Path:
    """The folder that a node id starts from: pytest's root, the working folder or one above it."""
    here, file = Path.cwd().resolve(), test.partition("::")[0]
    above = (here, *here.parents)
    return next((folder for folder in above if (folder / file).is_file()), here)
