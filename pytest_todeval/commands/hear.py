"""Show what is heard in a bot's words, or check it against what should be heard."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from pytest_todeval.commands.hear_check import run_check, vocabulary_of
from pytest_todeval.commands.output import say, say_json
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.documents import FILE_NAME
from pytest_todeval.core.notation import notation
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.facts.ear import RULES
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.runs.reports.results_file import read_results
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.runs.reports.table import one_line

STANDARD_INPUT = "-"
LONGEST_SENTENCE = 100
"""Characters of a sentence that are shown beside its claim."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval hear`."""
    parser.add_argument(
        "what",
        nargs="?",
        metavar="TEXT|FILE|-",
        help="the bot's words, a results file (.json), or - for standard input: a turn per line, "
        "or turns of several lines with an empty line between them",
    )
    parser.add_argument("--domain", metavar="D", help="what the user talks about")
    parser.add_argument("--user", metavar="TEXT", help="what the user said before")
    parser.add_argument(
        "--goals",
        metavar="SOURCE",
        help="know the names, values and `hearing:` of a goal set or goal file",
    )
    parser.add_argument("--data", metavar="DIR", help="MultiWOZ folder or zip, for --goals")
    parser.add_argument("--test", metavar="GLOB", help="of a results file: only these tests")
    parser.add_argument("--goal", metavar="GLOB", help="of a results file: only these goals")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--check",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="files of sentences with what should be heard; 1 if anything differs",
    )
    parser.add_argument(
        "--summary", action="store_true", help="with --check: figures, and no sentence"
    )


def run(arguments: argparse.Namespace) -> int:
    """Does what the arguments say; 1 if `--check` found a difference.

    Raises TodevalError if the person must act.
    """
    if arguments.check:
        names = ("what", "domain", "user", "goals", "test", "goal")
        _refuse(arguments, names, "cannot be combined with --check; leave it out")
        return run_check(arguments.check, summary=arguments.summary, as_json=arguments.json,
                         data=arguments.data)  # fmt: skip
    _refuse(arguments, ("summary",), "needs --check FILE")
    turns = list(_turns(arguments))
    if arguments.json:
        say_json([turn.plain() for turn in turns])
    else:
        lines = [line for turn in turns for line in turn.lines()]
        say(lines[:-1])  # each turn ends in an empty one
    return 0


def _refuse(arguments: argparse.Namespace, names: Sequence[str], why: str) -> None:
    for name in names:
        if getattr(arguments, name):
            raise UsageError(f"{'TEXT' if name == 'what' else f'--{name}'} {why}")


class _HeardTurn(NamedTuple):
    """One turn of a bot with what is heard in it."""

    text: str
    claims: Sequence[DialogueAct]
    place: str = ""
    """Dialogue and turn."""
    by: str = ""
    """Who told the claims, if the ear did not hear them."""

    def lines(self) -> Iterator[str]:
        """For a person: the text, and under it each claim with the words that make it."""
        first, *rest = self.text.strip().splitlines() or [""]
        yield f"{self.place}: {first}" if self.place else first
        yield from rest
        told = f" (told by {self.by})" if self.by else ""
        if not self.claims:
            yield f"    nothing{told}"
        width = max((len(notation(claim)) for claim in self.claims), default=0)
        for claim in self.claims:
            said = one_line(claim.sentence, LONGEST_SENTENCE)
            doubt = f"doubtful: {claim.doubt}" if claim.doubt else ""
            beside = "  ".join(part for part in (said, doubt) if part)
            yield f"    {notation(claim):<{width}}  {beside}".rstrip() + told
        yield ""

    def plain(self) -> dict[str, Any]:
        heard = [
            {
                "claim": notation(claim),
                "act": claim.act.value,
                "domain": claim.domain,
                "slot": claim.slot,
                "value": claim.value,
                "of": claim.of,
                "factuality": claim.factuality.value,
                "doubt": claim.doubt,
                "sentence": claim.sentence,
            }
            for claim in self.claims
        ]
        return {
            "turn": self.place,
            "text": self.text,
            "heard": heard,
            "heard_by": self.by or "rules",
        }


def _turns(arguments: argparse.Namespace) -> Iterator[_HeardTurn]:
    what = arguments.what
    if what is None and not sys.stdin.isatty():
        what = STANDARD_INPUT
    if what is None:
        raise UsageError(
            "nothing to listen to: give a text, a results file, or - for standard input"
        )
    if what != STANDARD_INPUT and FILE_NAME.fullmatch(what):
        return _stored(arguments, Path(what))
    _refuse(arguments, ("test", "goal"), "selects dialogues of a results file; name one")
    texts = _of_input(sys.stdin.read()) if what == STANDARD_INPUT else [what]
    return _heard(arguments, texts)


def _of_input(text: str) -> list[str]:
    """Returns the turns in a text: its blocks if it has empty lines, else its lines."""
    lines = text.strip().splitlines()
    blocks = re.split(r"\n\s*\n", "\n".join(lines))
    return blocks if len(blocks) > 1 else lines


def _heard(arguments: argparse.Namespace, texts: Sequence[str]) -> Iterator[_HeardTurn]:
    known = _vocabulary(arguments)
    for text in texts:
        claims = listen(text, known, domain=arguments.domain, user_said=arguments.user or "")
        yield _HeardTurn(text, claims)


def _vocabulary(arguments: argparse.Namespace) -> Vocabulary:
    known = Vocabulary()
    if arguments.goals:
        known = vocabulary_of(arguments.goals, data=arguments.data)
    if arguments.domain and arguments.domain not in known.names:
        known = known.merged(Vocabulary({arguments.domain: ()}))
    return known


def _stored(arguments: argparse.Namespace, path: Path) -> Iterator[_HeardTurn]:
    """Returns every turn of the chosen dialogues of a results file, heard as metrics hear it."""
    _refuse(arguments, ("domain", "user"), "is for a text; a results file holds it already")
    if path.suffix.lower() != ".json":
        raise UsageError(
            f"{path} is not a results file (.json); to check expectations: --check {path}"
        )
    taught = _vocabulary(arguments)
    known = SimpleNamespace(vocabulary=lambda: taught) if arguments.goals else None
    entries = read_results(path)["dialogues"]
    wanted = [
        entry
        for entry in entries
        if fnmatchcase(entry["test"], arguments.test or "*")
        and fnmatchcase(entry["goal"], arguments.goal or "*")
    ]
    if not wanted:
        names = sorted({entry["goal"] for entry in entries})[:20]
        raise UsageError(
            f"{path} holds no such dialogue; {known_names(arguments.goal or '', names)}"
        )
    for entry in wanted:
        trial = f"#{entry['trial']}" if entry["trial"] else ""
        for facts in gather(dialogue_of(entry), known).told:
            by = facts.turn.claims_by
            place = f"{entry['goal']}{trial}, turn {facts.index}"
            yield _HeardTurn(facts.turn.system, facts.heard, place, "" if by in ("", RULES) else by)
