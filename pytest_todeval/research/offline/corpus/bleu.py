"""BLEU of delexicalised responses, through sacrebleu (the extra `pytest-todeval[bleu]`)."""

import re
from collections.abc import Sequence

from pytest_todeval.errors import UsageError

DEFINITION = "delexicalised-bleu 1"
PLACEHOLDER = re.compile(r"\[(?:\w+?_)?([\w\s]+)\](?:-?e?s\b)?")
"""`[value_name]`, `[hotel_name]`, `[name]` and `[name]s` are one word in any system's style."""


def corpus_bleu(responses: Sequence[str], references: Sequence[str]) -> float:
    """BLEU of all responses against one reference each, 0 to 100 (sacrebleu's defaults).

    Both are lower-cased, and placeholders lose the prefix that tells a system's style. Published
    numbers detokenise before; they may differ by some tenths. Raises UsageError if sacrebleu is
    not installed.
    """
    try:
        import sacrebleu
    except ImportError as error:
        raise UsageError(
            "BLEU needs sacrebleu, which is not installed: pip install 'pytest-todeval[bleu]'"
        ) from error
    spelt = [[_spelling(text) for text in texts] for texts in (responses, references)]
    return float(sacrebleu.corpus_bleu(spelt[0], [spelt[1]]).score)


def _spelling(text: str) -> str:
    words = PLACEHOLDER.sub(lambda found: found[1].replace(" ", "").upper(), text.lower())
    return words.replace("-ly", "").replace("-s", "")
