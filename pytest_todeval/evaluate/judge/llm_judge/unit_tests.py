"""Natural-language unit tests: sentences that a model scores, shipped or of one's own.

A file holds, under `turn` and `dialogue`, names with one sentence each, or several:

    turn:
      politeness:
        - Does the reply address the user politely?
        - Does the reply do without slang?
    dialogue:
      recap: Has the bot summed up what was booked, before the end?
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.core.documents import FILE_NAME, Document, read_document
from pytest_todeval.errors import InvalidFile, UsageError, known_names

PER = ("turn", "dialogue")
"""What a test may be put to."""
SHIPPED = Path(__file__).parent / "unit_tests.yaml"


@dataclass(frozen=True, slots=True)
class UnitTest:
    """One or several sentences under a name; its score is their mean."""

    name: str
    sentences: tuple[str, ...]


def unit_tests(
    source: "Sequence[str] | str | Path | None", per: str = "turn"
) -> tuple[UnitTest, ...]:
    """Returns the unit tests for every turn or for the dialogue, as `per` says.

    `source` is a sentence, several, or a file (a Path, or text that ends in `.yaml`, `.yml` or
    `.json`); None stands for the shipped ones. A sentence is its own name.

    Raises UsageError if there is no such file and no test, InvalidFile, with `path:line`, if
    a file is not as the head of this module says.
    """
    if per not in PER:
        raise UsageError(f"per is {per!r}, expected one of {', '.join(PER)}")
    if source is None:
        return _read(SHIPPED, per)
    if isinstance(source, Path) or (isinstance(source, str) and FILE_NAME.fullmatch(source)):
        return _read(Path(source), per)
    sentences = [source] if isinstance(source, str) else list(source)
    wrong = [each for each in sentences if not isinstance(each, str) or not each.strip()]
    if wrong or not sentences:
        got = repr(wrong[0]) if wrong else "nothing"
        raise UsageError(f"unit tests are sentences, or a file of them; got {got:.80}")
    return tuple(UnitTest(each, (each,)) for each in dict.fromkeys(map(_plain, sentences)))


def _read(path: Path, per: str) -> tuple[UnitTest, ...]:
    if not path.is_file():
        raise UsageError(f"no unit tests {str(path)!r}: there is no such file")
    document = read_document(path)
    groups = _group(document)
    tests = tuple(_test(document, per, name, given) for name, given in groups[per].items())
    if not tests:
        raise UsageError(f"{path}: it has no unit tests under `{per}`")
    return tests


def _group(document: Document) -> dict[str, Mapping[str, Any]]:
    """Returns the tests under `turn` or under `dialogue` in a file."""
    value = document.value
    if not isinstance(value, Mapping) or not value:
        _fail(document, (), "expected a mapping with the key `turn` or `dialogue`")
    for key, given in value.items():
        if key not in PER:
            _fail(document, (key,), f"unknown key {key!r:.80}; {known_names(str(key), PER)}")
        if not isinstance(given, Mapping):
            _fail(document, (key,), "expected names, each with a sentence or a list of them")
    return {each: value.get(each, {}) for each in PER}


def _test(document: Document, per: str, name: Any, given: Any) -> UnitTest:
    if not isinstance(name, str):
        _fail(document, (per, name), f"the name of a test is {name!r:.80}, expected text")
    sentences = given if isinstance(given, list) else [given]
    texts = [_plain(each) for each in sentences if isinstance(each, str)]
    if len(texts) < len(sentences) or not texts or not all(texts):
        _fail(document, (per, name), f"{name}: expected a sentence, or a list of sentences")
    return UnitTest(name, tuple(dict.fromkeys(texts)))


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _fail(document: Document, keys: tuple[Any, ...], message: str) -> NoReturn:
    raise InvalidFile(f"{document.where(*keys)}: {message}")
