"""What it means that a user says its previous words again, though it was asked for others.

An answer may fit two questions ("Yes, please"), a farewell may be answered by a farewell, and a bot
may go round in circles: none of these is the simulator's fault. Nothing here knows a language.
"""

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.llm_user.conversation import Conversation, asks, plain
from pytest_todeval.simulation.user import Utterance

MOST = 3
"""Times the same words are said in a row."""


def repeated(text: str, goal: Goal, heard: Conversation) -> Utterance | None:
    """Returns what becomes of the repeated words; None if nothing explains them but a fault.

    Words that hold no question, no number and nothing of the goal are an answer if the bot asked
    something new, else a farewell, which ends the dialogue. Others may be said to a bot that
    repeats itself. Either goes on for three times at most.
    """
    often = heard.times_in_a_row() + 1 >= MOST
    if _is_about_nothing(text, goal):
        if often or heard.bot_repeats or not asks(heard.bot[-1]):
            return Utterance(text, StopReason.USER_DONE, "said the same farewell twice")
        return Utterance(text)
    if not heard.bot_repeats:
        return None
    if often:
        why = f"the bot keeps giving the same answer: {heard.bot[-1]!r:.200}"
        return Utterance(text, StopReason.USER_GAVE_UP, why)
    return Utterance(text)


def _is_about_nothing(text: str, goal: Goal) -> bool:
    said = f" {plain(text)} "
    wanted = [
        word
        for part in goal.parts
        for word in (part.domain, *part.inform.values(), *part.first_book.values(), *part.request)
    ]
    named = any(f" {plain(word)} " in said for word in wanted if plain(word))
    return not (asks(text) or named or any(each.isdigit() for each in said))
