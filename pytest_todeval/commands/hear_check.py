"""`todeval hear --check`: sentences against what should be heard in them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple
from pathlib import Path

from pytest_todeval.commands.output import say, say_json
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.notation import notation
from pytest_todeval.nlu.check.check_file import CheckFile, read_check
from pytest_todeval.nlu.check.comparing import HeardItem, KindCount, by_act, by_kind, check
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.worlds import registry

TOTAL = "all"
NEXT = (
    "next step: if the expectation is wrong, mend it in the file; if your bot speaks like that, "
    "teach it with `hearing:` (docs/hearing.md)"
)


def run_check(
    paths: Sequence[Path], *, summary: bool, as_json: bool, data: str | Path | None = None
) -> int:
    """Checks the files and print what differs; 1 if anything does. All files are read first."""
    files = [(path, read_check(path)) for path in paths]
    found = [each for path, file in files for each in findings_of(file, path, data=data)]
    if as_json:
        say_json(_plain(found, summary))
    else:
        differing = [] if summary else [each for each in found if not each.right]
        say(line for each in differing for line in _lines(each))
        say([*check_table(found), *([NEXT] if differing else [])])
    return int(not all(each.right for each in found))


def findings_of(file: CheckFile, path: Path, *, data: str | Path | None = None) -> list[HeardItem]:
    """Returns what is heard in each sentence of a file that was read from `path`."""
    known = file.vocabulary
    if file.goals:
        known = vocabulary_of(file.goals, beside=path.parent, data=data).merged(known)
    return [check(wording, known) for wording in file.wordings]


def vocabulary_of(
    source: str, *, beside: Path | None = None, data: str | Path | None = None
) -> Vocabulary:
    """Returns the names, values and examples that a goal set or goal file knows."""
    goal_set = registry.load(source, settings={"data": data}, beside=beside)
    known = goal_set.world.vocabulary()
    taught = [example for goal in goal_set.goals for example in goal.hearing]
    own = Vocabulary()
    for goal in goal_set.goals if known is None else ():
        found = Vocabulary.from_goal(goal)
        own = own.merged(Vocabulary(found.names, found.values))
    own = Vocabulary(own.names, own.values, tuple(dict.fromkeys(taught)))
    return (known or Vocabulary()).merged(own)


def _lines(finding: HeardItem) -> Iterator[str]:
    """Returns what differs in one sentence, for a person."""
    wording = finding.wording
    kind = f" [{wording.kind}]" if wording.kind else ""
    yield f"{wording.where}:{kind} {' '.join(wording.text.split())}"
    if wording.user:
        yield f"    user said:     {' '.join(wording.user.split())}"
    if finding.wrong:
        yield f"    wrongly heard: {_shown(finding.wrong)}"
    if finding.missed:
        yield f"    missed:        {_shown(finding.missed)}"
    yield f"    expected:      {_shown(wording.hears)}"
    yield f"    heard:         {_shown(finding.heard)}"
    yield ""


def _shown(claims: Sequence[DialogueAct]) -> str:
    return "; ".join(dict.fromkeys(map(notation, claims))) or "nothing"


def check_table(found: Sequence[HeardItem]) -> list[str]:
    """Returns the figures: sentences by kind, then claims by act."""
    kinds = by_kind(found)
    totals = map(sum, zip(*map(astuple, kinds.values()), strict=True))
    kinds = {**kinds, TOTAL: KindCount(*totals)}
    acts = by_act(found)
    width = max(len(name) for name in (*kinds, *acts, "sentences of kind"))
    lines = [_row("sentences of kind", "number", "wrong", "missed", "doubtful", width=width)]
    lines += [
        _row(name or "(none)", c.sentences, c.wrong, c.missed, c.doubtful, width=width)
        for name, c in kinds.items()
    ]
    lines += ["", _row("claims", "expected", "wrong", "missed", "doubtful", width=width)]
    lines += [
        _row(name, c.expected, c.wrong, c.missed, c.doubtful, width=width)
        for name, c in acts.items()
    ]
    return lines


def _row(name: str, *cells: str | int, width: int) -> str:
    return f"{name:<{width}}" + "".join(f"  {cell:>8}" for cell in cells)


def _plain(found: Sequence[HeardItem], summary: bool) -> dict[str, object]:
    figures: dict[str, object] = {
        "kinds": {name: asdict(count) for name, count in by_kind(found).items()},
        "claims": {name: asdict(count) for name, count in by_act(found).items()},
    }
    if not summary:
        figures["differences"] = [
            {
                "where": each.wording.where,
                "kind": each.wording.kind,
                "text": each.wording.text,
                "wrong": [notation(claim) for claim in each.wrong],
                "missed": [notation(claim) for claim in each.missed],
                "heard": [notation(claim) for claim in each.heard],
            }
            for each in found
            if not each.right
        ]
    return figures
