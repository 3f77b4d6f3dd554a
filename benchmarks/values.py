"""Whether what a bot tells is checked rightly: values of all kinds, in many people's words.

    python benchmarks/values.py                          # everything, 1 to 2 minutes
    python benchmarks/values.py --half open --show       # lists what was judged wrongly
    python benchmarks/values.py --half open --slot gate --setting text --show
    python benchmarks/values.py --part requests --part faults

Three parts, over domains that nobody teaches. Each case is played by the agenda user, judged by
`dialogue.success`, and listed by `--show` with the reason.

- `values`: a goal requests a slot, and the bot answers with one text. 40 slots by 12 right answers,
  each in a form of its own; right ones wrapped in courtesies, after a delay, or beside other values
  of the kind (`context`); wrong ones, also wrapped, and beside the true value (`lure`); the true
  value as a guess or denied (`hedge`); what answers nothing; and requests for `several` slots.
  The truth is known from `query()` (`rows`), from a tool's result (records, text, nested JSON, JSON
  in a text, blocks of text), or from nothing (`none`), where nobody can know a wrong value.
- `requests`: 20 requests answered by "Yes.", "Sure!" and questions; nothing else is known.
- `faults`: 24 seeded faults of bots that call a tool, each with two right variants, its result in
  each of these forms: which assertions catch them, and whom they blame.

The battery lies in `values_battery`, in two halves drawn by a seed. `held_out` is for measuring:
of it only totals are printed, unless `--show-held-out` asks for more.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval import (
    AgendaUser,
    Dialogue,
    DomainGoal,
    Goal,
    Reply,
    RuleJudge,
    ToolCall,
    run_dialogue,
)
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.metrics.task_success import evaluate

BATTERY = Path(__file__).parent / "values_battery"
HALVES = ("open", "held_out")
PARTS = ("values", "requests", "faults")
RESULTS = ("records", "text", "nested", "json text", "blocks")
SETTINGS = ("rows", *RESULTS, "none")
"""How the truth is known."""
RIGHT = ("right", "wrapped", "late", "context", "several")
WRONG = ("wrong", "wrong, wrapped", "lure", "several, wrong")
UNANSWERED = ("non-answer", "hedge", "several, in part")
OPENER = "Hello! Go ahead, please."
"""What the bot says before anybody has asked it for something."""
EMPTY = ("Yes.", "Sure!", "Of course. What would you like to know?", "What is your {slot}?")
PER_WAY = 2
"""Non-answers of each way that are tried on a slot."""
WRAPPED, HEDGES = 4, 3
"""Right answers that are wrapped, and hedges, of each slot; half as many wrong ones are wrapped."""
YES_NO = "yes/no"
NO_TO_A_QUESTION = ("The {slot} is not available.",)
"""What answers a question for yes or no."""
FINDINGS = ("success", "booking", "policy", "consistency", "rules")


@dataclass(frozen=True)
class Case:
    """One answer to one request."""

    half: str
    slot: Mapping[str, Any]
    expected: str
    """One of RIGHT, WRONG or UNANSWERED."""
    form: str
    answer: str
    delay: str = ""
    """What the bot says first."""

    @property
    def request(self) -> tuple[str, ...]:
        """The slots that the user asks for."""
        return tuple(self.slot.get("request") or [self.slot["slot"]])


@dataclass(frozen=True)
class Played:
    """What became of a case."""

    case: Case
    setting: str
    dialogue: Dialogue

    @property
    def outcome(self) -> str:
        """`passed`, `failed`, or `undecided` if simulator or judge is at fault."""
        return outcome_of(self.dialogue)

    @property
    def asked_again(self) -> bool:
        """Whether the user did not leave content."""
        return str(self.dialogue.stop_reason) != "user_done"

    @property
    def good(self) -> bool:
        """Whether it was judged as it should: wrong ones may stay undecided."""
        if self.case.expected in WRONG and self.setting == "none":
            return True
        return (self.outcome == "passed") == (self.case.expected in RIGHT)


class Catalogue:
    """A backend of the user's own, with rows to look into."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows = rows

    def bookings(self) -> Sequence[Mapping[str, str]]:
        """Nothing stands booked."""
        return []

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
        """The rows that have these values."""
        wanted = [(slot, value.lower()) for slot, value in constraints.items()]
        return [r for r in self.rows if all(str(r.get(s, "")).lower() == v for s, v in wanted)]


class Desk:
    """A backend of the user's own that shows what stands booked."""

    def __init__(self) -> None:
        self.made: list[Mapping[str, Any]] = []

    def bookings(self) -> Sequence[Mapping[str, Any]]:
        """What stands booked now."""
        return self.made


# What is played


@cache
def battery(name: str) -> Mapping[str, Any]:
    """A file of the battery."""
    data: Mapping[str, Any] = yaml.safe_load((BATTERY / f"{name}.yaml").read_text("utf-8"))
    return data


def cases(half: str) -> Iterator[Case]:
    """The cases of a half of the battery."""
    for slot in battery(half)["slots"]:
        for expected in ("right", "wrong"):
            for form, answer in slot[expected].items():
                yield Case(half, slot, expected, form, answer)
        for expected, key in (("context", "contexts"), ("lure", "lures")):
            for answer in slot.get(key, ()):
                yield Case(half, slot, expected, expected, answer)
        for expected, form, answer in variants_of(slot):
            yield Case(half, slot, expected, form, answer)
        delay = _draw(slot, "delays", 1)[0]
        yield Case(half, slot, "late", "late", slot["right"]["sentence"], delay)
        for way, answer in non_answers(slot):
            yield Case(half, slot, "non-answer", way, answer)
    for slot in battery(half)["several"]:
        for key, expected in (("right", ""), ("wrong", ", wrong"), ("partial", ", in part")):
            for answer in slot[key].values():
                yield Case(half, slot, f"several{expected}", "several", answer)


def variants_of(slot: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Answers wrapped in courtesies, and hedges around the true value."""
    right, wrong = slot["right"], slot["wrong"]
    wrappers = _draw(slot, "wrappers", WRAPPED)
    for at, wrapper in enumerate(wrappers):
        answer = right["before" if at % 2 else "sentence"]
        yield "wrapped", "wrapped", wrapper.format(answer=answer, slot=slot["slot"])
    for wrapper in wrappers[: WRAPPED // 2]:
        answer = wrong["another"]
        yield "wrong, wrapped", "wrapped", wrapper.format(answer=answer, slot=slot["slot"])
    if slot["kind"] != YES_NO:
        for hedge in _draw(slot, "hedges", HEDGES):
            value = right["bare"].rstrip(".")
            yield "hedge", "hedge", hedge.format(value=value, slot=slot["slot"])


def _draw(slot: Mapping[str, Any], key: str, count: int) -> list[str]:
    drawn = random.Random(f"{key} {slot['domain']} {slot['slot']}")
    return drawn.sample(battery("common")[key], count)


def non_answers(slot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Some of what answers nothing, drawn for a slot."""
    draw = random.Random(f"{slot['domain']} {slot['slot']}")
    for way, answers in battery("common")["non_answers"].items():
        if slot["kind"] == YES_NO:
            answers = [each for each in answers if each not in NO_TO_A_QUESTION]
        if slot["kind"] != YES_NO or way != "affirmed":
            for answer in draw.sample(answers, PER_WAY):
                yield way, answer.format(slot=slot["slot"])


def play(case: Case, setting: str) -> Played:
    """One case, end to end."""
    slot = case.slot
    goal = DomainGoal(slot["domain"], slot["inform"], request=case.request)
    rows = rows_of(slot) if setting != "none" else ()
    backend = Catalogue(rows) if setting == "rows" else None
    calls: tuple[ToolCall, ...] = ()
    if setting in RESULTS:
        result = result_as(setting, rows, slot["text"])
        calls = (ToolCall(f"find_{slot['domain'].replace(' ', '_')}", slot["inform"], result),)
    replies = (case.delay, case.answer) if case.delay else (case.answer,)
    bot = answering(case.request, replies, calls)
    return Played(case, setting, played(Goal("case", "values", (goal,)), bot, backend))


def rows_of(slot: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """What is true of the thing asked about, and of another."""
    told = {slot["slot"]: slot["value"]} if "value" in slot else {}
    return {**slot["record"], **told}, slot["other"]


def result_as(form: str, rows: Sequence[Mapping[str, Any]], text: str) -> Any:
    """A tool's result in a form."""
    if form == "text":
        return text
    if form == "blocks":
        return [{"type": "text", "text": text}]
    if form == "records":
        return list(rows) if len(rows) > 1 else rows[0]
    if form == "json text":
        return json.dumps([{_snake(key): row[key] for key in row} for row in rows])
    found = [{_camel(key): row[key] for key in row} for row in rows]
    items = [{"id": at, "attributes": row} for at, row in enumerate(found, 1)]
    return {"status": "ok", "data": {"items": items, "total": len(items)}}


def _snake(key: str) -> str:
    return re.sub(r"[ -]", "_", key)


def _camel(key: str) -> str:
    first, *others = _snake(key).split("_")
    return first + "".join(word.capitalize() for word in others)


def answering(
    request: Sequence[str], replies: Sequence[str], calls: tuple[ToolCall, ...]
) -> Callable[[str], Reply]:
    """A bot that answers a request with these replies, the last one as often as it is asked."""
    turn, pending, calling = 0, list(replies), list(calls)
    words = [slot.split()[-1] for slot in request]

    def respond(text: str) -> Reply:
        nonlocal turn
        turn += 1
        if turn == 1 and not any(word in text.lower() for word in words):
            return Reply(OPENER)
        answer = pending.pop(0) if len(pending) > 1 else pending[0]
        made, calling[:] = tuple(calling), []
        return Reply(answer, tool_calls=made)

    return respond


def played(goal: Goal, bot: Callable[[str], Reply], backend: Any) -> Dialogue:
    """A dialogue with its verdicts."""
    dialogue = run_dialogue(goal, AgendaUser(goal, seed=0), bot, backend=backend)
    return replace(dialogue, verdicts=evaluate(dialogue, backend))


def outcome_of(dialogue: Dialogue) -> str:
    """What became of a dialogue: passed, failed, or undecided."""
    verdicts = dialogue.verdicts.values()
    if dialogue.fault is not None or any(verdict.doubt for verdict in verdicts):
        sure = dialogue.fault is None and any(not v.passed and not v.doubt for v in verdicts)
        return "failed" if sure else "undecided"
    return "passed" if all(verdict.passed for verdict in verdicts) else "failed"


# Requests that get no answer


def request_cases() -> Iterator[Case]:
    """Each request by each empty reply."""
    for domain, slot in battery("common")["requests"]:
        asked = {"domain": domain, "slot": slot, "kind": "", "inform": {}}
        for answer in EMPTY:
            yield Case("open", asked, "non-answer", "empty", answer.format(slot=slot))


# Seeded faults


@dataclass(frozen=True)
class Checked:
    """What each assertion says of a bot with a tool."""

    half: str
    fault: str
    variant: str
    form: str
    found: Mapping[str, str]
    """By assertion: why it fails."""
    undecided: Mapping[str, str]
    dialogue: Dialogue


def checked(half: str, fault: Mapping[str, Any], variant: str, text: str, form: str) -> Checked:
    """Play a bot with a tool, and ask all assertions."""
    book = {slot: str(value) for slot, value in fault.get("book", {}).items()}
    requested = tuple(fault.get("request", ()))
    wanted = DomainGoal(fault["domain"], fault["inform"], book=book, request=requested)
    goal, desk = Goal("case", "values", (wanted,)), Desk() if book else None
    result = result_as(form, (fault["record"],), fault["text"])
    call = ToolCall(fault["tool"], {**fault["inform"], **book}, result)
    respond = (
        deed(fault, wanted, text, call, desk) if desk else answering(requested, (text,), (call,))
    )
    dialogue = played(goal, respond, desk)
    found: dict[str, str] = {}
    undecided: dict[str, str] = {}
    if dialogue.fault is not None:
        undecided["dialogue"] = f"{dialogue.fault}: {dialogue.detail}"
    for name in ("success", "booking"):
        verdict = dialogue.verdicts[name]
        if not verdict.passed or verdict.doubt:
            (undecided if verdict.doubt else found)[name] = verdict.doubt or verdict.reason
    judge = RuleJudge(backend=desk)
    scores = judge.turns(dialogue).scores
    for name, score in (("policy", "policy_compliance"), ("consistency", "backend_consistency")):
        try:
            if any(each.value is not None for each in scores[score]) and not scores[score] >= 4:
                found[name] = repr(scores[score])
        except JudgeFault as error:
            undecided[name] = str(error)
    for broken in judge.rules(dialogue).broken:
        found["rules"] = f"{broken.rule}: {broken.reason}"
    return Checked(half, fault["fault"], variant, form, found, undecided, dialogue)


def deed(
    fault: Mapping[str, Any], wanted: DomainGoal, confirmation: str, call: ToolCall, desk: Desk
) -> Callable[[str], Reply]:
    """A bot that asks for what it needs, does it once, and confirms it."""
    heard: list[str] = []
    record = fault["record"]
    reference = {"reference": record.get("reference") or record["confirmation_number"]}

    def respond(text: str) -> Reply:
        heard.append(text.lower())
        said = " ".join(heard)
        missing = [slot for slot, value in wanted.book.items() if value.lower() not in said]
        if missing and not desk.made:
            return Reply(f"Which {missing[0]} would you like?")
        if desk.made:
            return Reply(confirmation)
        desk.made.append({"domain": wanted.domain, **wanted.inform, **wanted.book, **reference})
        return Reply(confirmation, tool_calls=(call,))

    return respond


# What is printed


def values_table(found: Sequence[Played], half: str) -> Iterator[str]:
    """Totals by what is expected and setting."""
    settings = list(dict.fromkeys(each.setting for each in found))
    yield f"\n== values, {half}"
    yield f"{'':32}{'n':>6}" + "".join(f"{setting:>11}" for setting in settings)
    for expected in (*RIGHT, *WRONG, *UNANSWERED):
        these = [each for each in found if each.case.expected == expected]
        for what in ("failed" if expected in RIGHT else "passed", "undecided", "asked again"):
            if what == "asked again" and expected != "right":
                continue
            cells = [_number([each for each in these if each.setting == s], what) for s in settings]
            count = len(these) // max(len(settings), 1)
            line = f"{expected:19}{what:13}{count:>6}"
            yield line + "".join(f"{cell:>11}" for cell in cells)
    known = [each for each in found if each.setting != "none"]
    for name, group, counted in (("right", RIGHT, found), ("wrong", WRONG, known)):
        for classes in (group[:1], group[1:]):
            part = [each for each in counted if each.case.expected in classes]
            bad = "failed" if name == "right" else "passed"
            yield (
                f"{', '.join(classes)}: {bad} {_share(part, bad)}, "
                f"undecided {_share(part, 'undecided')}"
            )
    none = [each for each in found if each.case.expected in UNANSWERED]
    yield f"{', '.join(UNANSWERED)}: passed {_share(none, 'passed')}"


def breakdown(found: Sequence[Played], key: str) -> Iterator[str]:
    """Failed right ones, and wrong ones and non-answers that passed, by kind or form."""
    counts: dict[str, Counter[str]] = {}
    for each in found:
        group = each.case.slot["kind"] if key == "kind" else each.case.form
        count = counts.setdefault(group, Counter())
        group_of = {**dict.fromkeys(RIGHT, "right"), **dict.fromkeys(WRONG, "wrong")}
        name = group_of.get(each.case.expected, "unanswered")
        if name != "wrong" or each.setting != "none":
            count[name] += 1
            count[f"{name} {each.outcome}"] += 1
    yield f"\nby {key:10}{'right':>7}{'failed':>8}{'undec.':>8}" + "".join(
        f"{name:>12}{'passed':>8}" for name in ("wrong", "unanswered")
    )
    for group, count in counts.items():
        line = f"{group:13}{count['right']:>7}{count['right failed']:>8}"
        line += f"{count['right undecided']:>8}"
        for name in ("wrong", "unanswered"):
            line += f"{count[name]:>12}{count[f'{name} passed']:>8}"
        yield line


def faults_table(found: Sequence[Checked], half: str) -> Iterator[str]:
    """Faults caught and right variants blamed, by the form of the results."""
    yield f"\n== faults of bots with tools, {half}"
    for title, variants in (("faults caught", ("wrong",)), ("right ones blamed", ("0", "1"))):
        heads = "".join(f"{name:>13}" for name in (*FINDINGS, "any", "undecided"))
        yield f"{title:20}{'n':>4}{heads}"
        for form in RESULTS:
            these = [each for each in found if each.form == form and each.variant in variants]
            cells = [sum(name in each.found for each in these) for name in FINDINGS]
            cells.append(sum(bool(each.found) for each in these))
            cells.append(sum(bool(each.undecided) and not each.found for each in these))
            yield f"{form:20}{len(these):>4}" + "".join(f"{cell:>13}" for cell in cells)
    counts = ", ".join(f"{form} {len(_distinguished(found, form))}" for form in RESULTS)
    yield f"distinguished (an assertion fails for the fault and for neither right one): {counts}"


def _distinguished(found: Sequence[Checked], form: str) -> list[str]:
    blamed: dict[str, set[str]] = {}
    for each in found:
        if each.form == form and each.variant != "wrong":
            blamed.setdefault(each.fault, set()).update(each.found)
    wrong = [each for each in found if each.form == form and each.variant == "wrong"]
    return [each.fault for each in wrong if set(each.found) - blamed[each.fault]]


def shown(dialogue: Dialogue, title: str) -> str:
    """A dialogue, and what was said of it."""
    lines = [f"\n===== {title} | {dialogue.stop_reason} {dialogue.fault or ''} {dialogue.detail}"]
    for verdict in dialogue.verdicts.values():
        if not verdict.passed or verdict.doubt:
            lines.append(f"   !! {verdict.name}: {verdict.reason} {verdict.doubt}")
    for turn in dialogue.turns:
        lines += [f"U: {turn.user}", f"B: {turn.system}"]
    return "\n".join([*lines, f"U: {dialogue.last_words}"])


def _number(played: Sequence[Played], what: str) -> int:
    if what == "asked again":
        return sum(each.asked_again for each in played)
    return len(played) if what == "n" else _count(played, what)


def _count(played: Sequence[Played], outcome: str) -> int:
    return sum(each.outcome == outcome for each in played)


def _share(played: Sequence[Played], outcome: str) -> str:
    count = _count(played, outcome)
    return f"{count} of {len(played)} ({100 * count / max(len(played), 1):.1f} %)"


# The parts


def run_values(options: argparse.Namespace) -> Iterator[str]:
    """Right, wrong and empty answers, in each setting."""
    both: list[Played] = []
    for half in options.half or HALVES:
        found = []
        for case in cases(half):
            if not options.slot or case.slot["slot"] in options.slot:
                found += [play(case, setting) for setting in options.setting or SETTINGS]
        yield from values_table(found, half)
        if _may_show(half, options):
            yield from breakdown(found, "kind")
            yield from breakdown(found, "form")
        for each in found:
            if options.show and not each.good and _may_show(half, options):
                case = each.case
                title = f"{each.outcome}: {case.expected} {case.form} | {case.slot['domain']}"
                title += f" | {case.slot['slot']} | {each.setting}"
                yield shown(each.dialogue, title)
        both += found
    if not options.half:
        yield from values_table(both, "both halves")


def run_requests(options: argparse.Namespace) -> Iterator[str]:
    """Requests answered by nothing."""
    found = [play(case, "none") for case in request_cases()]
    yield "\n== requests answered by nothing: passed / undecided / failed"
    for at, empty in enumerate(EMPTY):
        these = found[at :: len(EMPTY)]
        counts = [_count(these, name) for name in ("passed", "undecided", "failed")]
        yield f"{empty:42}" + "".join(f"{count:>5}" for count in counts)
    for each in found:
        if options.show and not each.good:
            yield shown(each.dialogue, f"{each.outcome}: {each.case.slot['slot']}")


def run_faults(options: argparse.Namespace) -> Iterator[str]:
    """Seeded faults and right variants, with results in three forms."""
    for half in options.half or HALVES:
        found = []
        for fault in battery(half)["faults"]:
            variants = {str(at): text for at, text in enumerate(fault["right"])}
            for variant, text in {**variants, "wrong": fault["wrong"]}.items():
                found += [checked(half, fault, variant, text, form) for form in RESULTS]
        yield from faults_table(found, half)
        for each in found:
            bad = bool(each.found or each.undecided) == (each.variant != "wrong")
            if options.show and bad and _may_show(half, options):
                title = f"{each.fault} | {each.variant} | {each.form}"
                yield shown(each.dialogue, title)
                yield f"   found: {dict(each.found)}\n   undecided: {dict(each.undecided)}"


RUNS: Mapping[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "values": run_values,
    "requests": run_requests,
    "faults": run_faults,
}


def _may_show(half: str, options: argparse.Namespace) -> bool:
    return half == "open" or bool(options.show_held_out)


def main() -> None:
    options = _options()
    for part in options.part or PARTS:
        for line in RUNS[part](options):
            print(line)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--half", action="append", choices=HALVES)
    parser.add_argument("--slot", action="append", help="only this slot")
    parser.add_argument("--setting", action="append", choices=SETTINGS)
    parser.add_argument("--show", action="store_true", help="dialogues that were judged wrongly")
    parser.add_argument("--show-held-out", action="store_true", help="also of the half held out")
    return parser.parse_args()


if __name__ == "__main__":
    main()
