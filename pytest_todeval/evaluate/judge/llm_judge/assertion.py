"""Asks whether a sentence is true of a dialogue (tau2-bench, reward basis NL_ASSERTION)."""

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns, transcript
from pytest_todeval.evaluate.judge.llm_judge.named import digest
from pytest_todeval.evaluate.judge.llm_judge.votes import verdict_by_vote
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fence import fenced

PROMPT = "assertion"
SHOWN = 80
LONGEST_NAME = 200
"""Characters of the sentence that the verdict is named by."""


def judge_assertion(bench: ModelBench, dialogue: Dialogue, sentence: str) -> Verdict:
    """Judges whether the sentence is true of the dialogue; the reason says what decided it.

    Departs from tau2-bench, which asks about all of a task's assertions in one call and takes an
    answer that cannot be read for an error of the run: each is asked about by itself, so that none
    colours another. One call per sample; more than half of the answers decide. The goal is not
    shown: the sentence is about what was said and done.

    Raises UsageError for an empty sentence, JudgeFault on a dialogue without turns and if the
    answers do not tell, ModelUnavailable if a model could not be asked.
    """
    if not isinstance(sentence, str) or not sentence.strip():
        raise UsageError(
            f"judge.holds: got {sentence!r:.60}, expected a sentence about the dialogue, e.g. "
            '"The bot greets the user."'
        )
    judged_turns(dialogue)
    prompt = bench.prompts.get(PROMPT)
    messages = prompt.render(
        dialogue=transcript(dialogue), statement=fenced("statement", sentence.strip())
    )
    definition = f"{bench.panel.definition(prompt)}, statement ({digest([sentence.strip()])})"
    about = f"{sentence.strip()!r:.{SHOWN}}"
    name = f"holds: {' '.join(sentence.split()):.{LONGEST_NAME}}"
    return verdict_by_vote(
        name, dialogue, bench.panel, prompt, messages, definition=definition, about=about
    )
