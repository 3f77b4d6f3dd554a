"""Which of several bots is better: dialogues over the same goals, compared pair by pair."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from pytest_todeval.commands.judge_asking import Asking, OtherDialogues
from pytest_todeval.commands.judge_source import (
    Source,
    SourceDialogue,
    add_source_arguments,
    read_source,
)
from pytest_todeval.commands.judging import (
    Findings,
    add_model_arguments,
    by_model,
    check_model,
    judge_of,
    judged_at_once,
    why_not,
)
from pytest_todeval.commands.output import check_output, say, write_json, write_output
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.evaluate.judge.judge import find_question
from pytest_todeval.research.arena.games import Said
from pytest_todeval.research.arena.preference import preferred
from pytest_todeval.research.arena.standings import standings
from pytest_todeval.research.arena.text import standing_lines, standings_data
from pytest_todeval.runs.reports.baseline import NO_TURNS, is_baseline
from pytest_todeval.runs.viewer.page import page_with

PREFER = ("reward", "success", "booking", "inform")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval arena`."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="results files or transcripts, one for each bot, over the same goals",
    )
    parser.add_argument(
        "--prefer",
        nargs="+",
        default=list(PREFER),
        metavar="NAME",
        help="without --model: the verdicts and scores that decide, the first that differs "
        f"(default: {' '.join(PREFER)})",
    )
    add_model_arguments(parser)
    parser.set_defaults(fused=False, language=None)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the standings there, too")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write them as a page, too")
    add_source_arguments(parser)


@dataclass
class _Season:
    """All games of an arena."""

    by_goal: dict[str, Counter[Said]] = field(default_factory=dict)
    unread: int = 0
    """Answers that could not be read, and so are no games."""
    unpaired: int = 0
    """Dialogues that no other file has over the same goal, or whose outcome is nobody's."""

    def add(self, goal: str, said: Said | None) -> None:
        """A game; None if its answer could not be read."""
        if said is None:
            self.unread += 1
        else:
            self.by_goal.setdefault(goal, Counter())[said] += 1


def run(args: argparse.Namespace) -> int:
    """Plays the games and print the standings.

    Raises TodevalError on wrong options and files, and if a model could not be asked.
    """
    if len(args.files) < 2:
        raise UsageError(f"expected two or more files, one for each bot; got {args.files[0]}")
    check_model(args)
    check_output("--json", args.json, args.files)
    check_output("--html", args.html, args.files)
    sources = {name: read_source(path, args) for name, path in _names(args.files).items()}
    for path, source in zip(args.files, sources.values(), strict=True):
        if is_baseline([each.entry for each in source.dialogues]):
            raise UsageError(f"{path}: {NO_TURNS}")
    if not by_model(args):
        _check_preferred(args.prefer, sources)
    season = _Season()
    for one, other in combinations(sources, 2):
        _play(args, season, (one, sources[one]), (other, sources[other]))
    if not season.by_goal:
        raise UsageError(
            "no game was played: the files have no dialogue over the same goal and trial that "
            "passed or failed in both"
        )
    found = standings(season.by_goal)
    by = f"by {args.model or args.models}" if by_model(args) else f"by {', '.join(args.prefer)}"
    notes = list(_notes(season))
    say(standing_lines(found, by, notes))
    if args.json:
        told = {"by": by, "unread": season.unread, "unpaired": season.unpaired, **asdict(found)}
        write_json("--json", args.json, told)
    if args.html:
        page = page_with("Arena", "arena", standings_data(found, by, notes))
        write_output("--html", args.html, page)
    return 0


def _check_preferred(names: Sequence[str], sources: Mapping[str, Source]) -> None:
    entries = [each.entry for source in sources.values() for each in source.dialogues]
    known = {*PREFER, *(n for e in entries for kind in ("metrics", "scores") for n in e[kind])}
    for name in names:
        if name not in known:
            told = known_names(name, sorted(known))
            raise UsageError(f"--prefer: got {name!r}, which no dialogue has; {told}")


def _names(paths: Sequence[Path]) -> dict[str, Path]:
    """The files by what their bots are called: the file's name, with its folder if need be."""
    stems = Counter(path.stem for path in paths)
    named = {path.stem if stems[path.stem] == 1 else str(path): path for path in paths}
    if len(named) < len(paths):
        raise UsageError("a file is there twice; name each once")
    return named


def _play(
    args: argparse.Namespace,
    season: _Season,
    one: tuple[str, Source],
    other: tuple[str, Source],
) -> None:
    pairs = list(_paired(one[1], other[1]))
    season.unpaired += len(one[1].dialogues) - len(pairs)
    if by_model(args):
        for pair, found in zip(pairs, _asked(args, one[0], other, pairs), strict=True):
            for said in _games(found, one[0], other[0]):
                season.add(pair[0].place, said)
        return
    for first, second in pairs:
        better = preferred(first.entry, second.entry, args.prefer)
        season.add(first.place, _said(better, one[0], other[0]))


def _paired(one: Source, other: Source) -> Iterator[tuple[SourceDialogue, SourceDialogue]]:
    """Returns the dialogues of both over one goal and trial, if each tells something of its bot."""
    there = {each.place: each for each in other.dialogues if _counts(each)}
    for each in one.dialogues:
        if _counts(each) and each.place in there:
            yield each, there[each.place]


def _counts(each: SourceDialogue) -> bool:
    return why_not(each.entry, each.dialogue) is None


def _asked(
    args: argparse.Namespace,
    name: str,
    other: tuple[str, Source],
    pairs: Sequence[tuple[SourceDialogue, SourceDialogue]],
) -> list[Findings | None]:
    judge, _ = judge_of(args)
    beside = OtherDialogues(Path(other[0]), {each.place: each.dialogue for _, each in pairs})
    asking = Asking(find_question("compare"), {"other": beside})
    # a cassette for each pair of bots: dialogues of different pairs have one goal
    folder = args.cassette / f"{name}-{other[0]}" if args.cassette else None
    played = argparse.Namespace(**{**vars(args), "cassette": folder})
    judged = judged_at_once(played, [first for first, _ in pairs], judge, [asking])
    if judged.stopped is not None:
        raise judged.stopped
    return list(judged.found)


def _games(found: Findings | None, one: str, other: str) -> Iterator[Said | None]:
    """Each model's answers, in each order that it was asked in; None for what cannot be read."""
    comparisons = found.comparisons.values() if found is not None else ()
    if not comparisons:
        yield None
    for comparison in comparisons:
        for game in comparison["games"]:
            orders = ["first"] if game.get("once") else ["first", "second"]
            yield from (_said(game[order], one, other) for order in orders)


def _said(winner: str | None, one: str, other: str) -> Said | None:
    sides: Mapping[str | None, Said | None] = {
        "this": Said(one, other),
        "other": Said(other, one),
        "tie": Said(one, other, tie=True),
    }
    return sides.get(winner)


def _notes(season: _Season) -> Iterator[str]:
    if season.unread:
        yield f"{season.unread} answers could not be read, or preferred nothing; they are no games"
    if season.unpaired:
        yield (
            f"{season.unpaired} dialogues have no other over the same goal and trial, or an "
            "outcome that is not the bot's; they are left out"
        )
