"""The recorded user's turns against the bot of now: who says them, and where answers drifted."""

from typing import TYPE_CHECKING

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.words import in_shell, word_difference
from pytest_todeval.shown import in_line, in_terminal

if TYPE_CHECKING:
    from pytest_todeval.recording.tape import Tape
    from pytest_todeval.runs.reports.schema import DriftEntry
    from pytest_todeval.simulation.scripted import ScriptedUser

LINE_CHARACTERS = 200
"""Of a difference shown in the summary."""


def recorded_user(tape: "Tape") -> "ScriptedUser":
    """Returns the user of the recorded dialogue: says the same again, whatever the bot answers.

    Raises UsageError if the cassette holds no dialogue.
    """
    from pytest_todeval.simulation.scripted import ScriptedUser

    if tape.recorded_said:
        tape.user_recorded = True
        return ScriptedUser([said.user for said in tape.recorded_said])
    lacking = "holds no dialogue" if tape.has_cassette else "does not exist"
    raise UsageError(
        f"--todeval-user=recorded: the cassette {tape.path} {lacking}; record it first: "
        f"pytest {in_shell(tape.test)} --todeval-record=rewrite. A test that makes no HTTP call "
        "has no cassette: play it with --todeval-user=agenda"
    )


def drift_of(dialogue: Dialogue, tape: "Tape") -> "list[DriftEntry]":
    """Returns the turns whose answer differs from the recorded one.

    Turns that were not played, because the bot ended the dialogue earlier, are left out.
    """
    both = zip(dialogue.turns, tape.recorded_said, strict=False)
    return [
        {"turn": turn.index, "was": said.system, "now": turn.system}
        for turn, said in both
        if turn.system != said.system
    ]


def drift_text(drift: "list[DriftEntry]") -> str:
    """Returns each turn that drifted, with the difference by words."""
    return "\n".join(f"turn {each['turn']}: {_difference(each)}" for each in drift)


def drift_line(test: str, drift: "list[DriftEntry]", dialogue: Dialogue) -> str:
    """Returns that a dialogue drifted, how far, and how it began, in one line."""
    first = " ".join(_difference(drift[0]).split())
    if len(first) > LINE_CHARACTERS:
        first = f"{first[:LINE_CHARACTERS]}..."
    turns = f"{len(drift)} of {len(dialogue.turns)} turns drifted in test {in_line(test)}"
    return f"{turns}, first turn {drift[0]['turn']}: {first}"


def _difference(drift: "DriftEntry") -> str:
    return in_terminal(word_difference(drift["was"], drift["now"]))
