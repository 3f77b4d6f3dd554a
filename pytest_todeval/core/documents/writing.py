"""Where files can be written: asked before a run or a command, not after its work is done."""

import tempfile
from pathlib import Path


def unwritable(path: Path) -> str:
    """Says why no file can be written there; empty if one can. Folders that lack are made, but none
    in the root of the file system, where nobody means to have one.
    """
    if path.is_dir():
        return f"{path} is a folder"
    folder = next((each for each in path.absolute().parents if each.exists()), path.parent)
    if not folder.is_dir():
        return f"{folder} is no folder"
    if folder == Path(folder.anchor) and path.absolute().parent != folder:
        return f"there is no folder {path.absolute().parent}"
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"{folder} cannot be written to ({error.strerror or error})"
