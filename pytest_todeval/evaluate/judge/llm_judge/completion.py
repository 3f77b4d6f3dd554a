"""Judges task completion: by what the user asked, by the goal, or by a checker that knows the
solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, OracleFault
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns, utterances
from pytest_todeval.evaluate.judge.llm_judge.conversation import PROMPT as TOGETHER
from pytest_todeval.evaluate.judge.llm_judge.named import NO_GOAL, shown_goal
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.llm_judge.places import dialogue_places
from pytest_todeval.evaluate.judge.llm_judge.votes import (
    METRIC_SET,
    sample_of,
    verdict_by_vote,
    yes_or_no,
)
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.prompt import Prompt, Prompts
from pytest_todeval.models.reading.replies import yes_no_reader
from pytest_todeval.simulation.llm_user.oracle import CHECKER, solutions_of, whether_offered

PROMPT, FULFILMENT = "completion", "fulfilment"
NO_REQUEST = "the user asked for nothing"
SHOWN = 80


def judge_completion(bench: ModelBench, dialogue: Dialogue) -> Verdict:
    """Judges whether the bot did all that the user asked; the reason is feedback for its makers.

    Kazi et al., section 3.3.1: the bot is judged "solely based on the dialogues", so that neither
    goal nor tools are shown: a user may ask for other things than its goal says. Their "fails to
    complete any requests" is read as "one of them or more". One call per sample; more than half of
    the answers decide.

    Raises JudgeFault on a dialogue without turns, if the answers do not tell, and, unless asked as
    published, if the user asked for nothing; ModelUnavailable if a model could not be asked.
    """
    shown = utterances(dialogue)
    prompt = bench.prompts.get(PROMPT)
    places = dialogue_places(bench, dialogue)
    messages = prompt.render(**{**places, "dialogue": shown, "response": shown})
    idle = "" if bench.published else NO_REQUEST
    return verdict_by_vote("completion", dialogue, bench.panel, prompt, messages, idle=idle)


def judge_fulfilment(bench: ModelBench, dialogue: Dialogue) -> Verdict:
    """Judges whether every intention of the user's goal is fulfilled in the dialogue.

    clem:todd, template A.7.4, which shows goal and dialogue and asks for several things at once: so
    it is asked as published, by the document of `conversation`. Else it is a question of its own,
    and the judge sees what tools gave back, too, and goes by it. One call per sample; more than
    half of the answers decide.

    Raises OracleFault if the goal says nothing, JudgeFault on a dialogue without turns and if the
    answers do not tell, ModelUnavailable if a model could not be asked.
    """
    judged_turns(dialogue)
    goal = _stated(dialogue.goal)
    prompt = _for_fulfilment(bench.prompts)
    places = dialogue_places(bench, dialogue)
    shown = places["utterances" if bench.published else "dialogue"]
    messages = prompt.render(**{**places, "goal": goal, "dialogue": shown})
    return verdict_by_vote("fulfilment", dialogue, bench.panel, prompt, messages)


def _for_fulfilment(prompts: Prompts) -> Prompt:
    """Returns the prompt document that asks whether the goal is fulfilled."""
    together = prompts.get(TOGETHER)
    own = prompts.get(FULFILMENT)
    printed = prompts.published and (own.reply, together.reply) == ("json", "row")
    return together if printed else own


def judge_goal_completion(
    bench: ModelBench, dialogue: Dialogue, solution: str | None = None
) -> Verdict:
    """Judges whether the bot offered the solution; `Verdict.turns[-1]` is the turn that did.

    AutoEval-ToD, section 3.2: goal completion and turns to resolution. `solution` defaults to the
    goal's own, else to a row from the backend's `query` that meets the goal; the paper's goals have
    one domain, here each domain has a row, and the goal is completed once all
    are offered. The checker is shown one reply at a time, never the user, and no reply after the
    first that holds what it looks for. `turns` is empty if an answer about an earlier turn could
    not be read.

    Raises OracleFault if there is no solution, JudgeFault on a dialogue without turns and if
    the answers do not tell, ModelUnavailable if a model could not be asked.
    """
    turns = judged_turns(dialogue)
    wanted = _wanted(bench, dialogue, solution)
    panel, prompt = bench.panel, bench.prompts.get(CHECKER)
    offers = panel.each([partial(_offer, panel, prompt, turns, each) for each in wanted])
    passed, reason = _all_offered(dialogue.goal, offers)
    certain = passed and not any(offer.untold for offer in offers)
    return Verdict(
        "goal_completion",
        passed,
        reason,
        tuple(sorted({offer.turn for offer in offers if offer.turn})) if certain else (),
        basis=panel.basis,
        version=panel.definition(prompt),
        metric_set=METRIC_SET,
    )


def _stated(goal: Goal) -> str:
    shown = shown_goal(goal)
    if shown == NO_GOAL:
        raise OracleFault(
            f"{goal.name}: the goal says nothing, so that nothing can be fulfilled; give it a "
            "message or domains, or ask judge.completion(dialogue), which goes by the dialogue"
        )
    return shown


def _wanted(bench: ModelBench, dialogue: Dialogue, solution: str | None) -> list[str]:
    """Returns the solution: one text, or one row for each domain."""
    if solution:
        return [solution]
    query = getattr(bench.backend, "query", None)
    # The user looks for the same rows: its seed is the trial, too.
    wanted = list(solutions_of(dialogue.goal, query, dialogue.trial))
    if not wanted:
        raise OracleFault(
            f"{dialogue.goal.name}: no solution to look for: the goal states none, and no row of "
            "the backend meets it; pass `solution=`"
        )
    return wanted


@dataclass(frozen=True)
class _Offer:
    """The result of looking for a solution in the replies."""

    turn: int | None
    """The first that holds it, as far as can be told; None if none does."""
    reason: str
    untold: tuple[str, ...]
    """What could not be told of the turns before."""


def _all_offered(goal: Goal, offers: Sequence[_Offer]) -> tuple[bool, str]:
    missing = [offer for offer in offers if offer.turn is None]
    surely = next((offer for offer in missing if not offer.untold), None)
    if surely is not None:
        return False, surely.reason
    if missing:
        raise JudgeFault(f"{goal.name}: {missing[0].untold[0]}")
    return True, "; ".join(each for offer in offers for each in (offer.reason, *offer.untold))


def _offer(panel: Panel, prompt: Prompt, turns: Sequence[Turn], solution: str) -> _Offer:
    """Finds the turn that first offers a solution; later turns are not asked about."""
    untold: list[str] = []
    for turn in turns:
        held, reason = _held(panel, prompt, solution, turn)
        if held:
            why = reason or f"turn {turn.index} holds the solution ({solution:.{SHOWN}})"
            return _Offer(turn.index, why, tuple(untold))
        if held is None:
            untold.append(f"turn {turn.index} could not be judged: {reason}")
    why = f"none of the {len(turns)} replies holds the solution ({solution:.{SHOWN}})"
    return _Offer(None, why, tuple(untold))


def _held(panel: Panel, prompt: Prompt, solution: str, turn: Turn) -> tuple[bool | None, str]:
    if not turn.system.strip():
        return False, "the bot says nothing"
    messages = whether_offered(prompt, solution, turn.system)
    return yes_or_no([sample_of(each) for each in panel.ask(messages, yes_no_reader(prompt))])
