"""The prompt of a user simulator, filled in for one goal."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.models.prompt import Message, Prompt, Prompts
from pytest_todeval.simulation.llm_user.calling import Messages, last_heard
from pytest_todeval.simulation.llm_user.checks import instructions_of

ROLES = ("system", "user", "user")
HISTORY = "history"
"""The place of a document that is sent whole in each turn, as a single text with all that was said:
it needs no message for the bot's answers."""
ANSWER = "answer"


@dataclass(frozen=True)
class Script:
    """A document `user_*.md`: `# system`, `# user` for the opening, `# user` for each answer.

    The messages of one turn stay as they are in the next: a provider's cache hits all but the last.
    A document with a place for the history is filled in anew in each turn.
    """

    prompt: Prompt
    again: Prompt
    """What is added if a draft cannot be used."""
    values: dict[str, str]
    """What stays the same for a whole dialogue."""
    tools: str = ""
    """What is said of the user's own tools, if it has some."""
    example: str = ""
    """The in-context example that is shipped, if it is shown."""

    @classmethod
    def of(
        cls,
        prompts: Prompts,
        name: str | Path,
        *,
        goal: str,
        persona: str,
        language: str,
        examples: Sequence[str] | None,
        token: str,
        example: str = "",
        reference: str = "",
        has_tools: bool = False,
    ) -> "Script":
        """`examples` are dialogues as text; without any, the document `example` has one.

        Raises UsageError if a document of one's own is not built as a user's prompt is.
        """
        prompt = prompts.get(name)
        _check(prompt)
        about = _only(prompts, "user_persona", persona=persona) if persona else ""
        own = _only(prompts, example, token=token) if example and examples is None else ""
        told = "\n\n".join(examples or ([own] if own else []))
        shown = _only(prompts, "user_examples", examples=told) if told else ""
        led = _only(prompts, "user_reference", reference=reference) if reference else ""
        values = {"goal": goal, "persona": about, "examples": shown, "reference": led}
        values |= {"language": language, "token": token}
        if has_tools and HISTORY in prompt.places:
            raise UsageError(
                f"prompt {prompt.name}: a user with tools needs one without {{{{history}}}}, since "
                "what the tools told it stands between the messages"
            )
        tools = _only(prompts, "user_tools") if has_tools else ""
        return cls(prompt, prompts.get("user_again"), values, tools, own)

    @property
    def instructions(self) -> tuple[str, ...]:
        """Returns the sentences that a user must not say."""
        texts = (text for _, text in self.prompt.messages)
        return instructions_of([*texts, self.tools, _said_in(self.example)])

    @property
    def tells_all(self) -> bool:
        """Says whether all that was said is filled in anew in each turn."""
        return HISTORY in self.prompt.places

    @property
    def tells_answer(self) -> bool:
        """Says whether the bot's last answer has a place of its own."""
        return ANSWER in self.prompt.places

    def opening(self, **values: str) -> list[Message]:
        """Returns the messages before the user's first words."""
        if self.tells_all:
            return self.whole("", "", **values)
        system, first, _ = self._rendered(answer="", **values)
        return [_noted(system, self.tools), first]

    def whole(self, history: str, answer: str, **values: str) -> list[Message]:
        """Returns the messages of a turn, of a document with a place for all that was said."""
        return self._rendered(history=history, answer=answer, **values)

    def answer(self, answer: str, **values: str) -> Message:
        """Returns the message that brings the bot's answer (fenced)."""
        return self._rendered(answer=answer, **values)[2]

    def note(self, why: str) -> str:
        """Returns what is said of a draft that cannot be used."""
        return self.again.render(why=why, **self.values)[0]["content"]

    def _rendered(self, **values: str) -> list[Message]:
        return self.prompt.render(**self.values, **values)


def reminded(messages: Messages, note: str) -> Messages:
    """Returns the messages with a note at the end of the bot's last one.

    Two messages of the same role in a row are refused by some, the user's after a tool's too.
    """
    last = last_heard(messages)
    return [*messages[:last], _noted(messages[last], note), *messages[last + 1 :]]


def _noted(message: Mapping[str, Any], note: str) -> dict[str, Any]:
    return {**message, "content": f"{message['content']}\n\n{note}" if note else message["content"]}


def _said_in(example: str) -> str:
    """Returns the words of an example's two sides, without their labels."""
    return re.sub(r"^\w+: ", "", example, flags=re.MULTILINE)


def _only(prompts: Prompts, name: str, **values: str) -> str:
    return prompts.get(name).render(**values)[0]["content"]


def _check(prompt: Prompt) -> None:
    roles = tuple(role for role, _ in prompt.messages)
    if HISTORY in prompt.places and roles[-1] == "user":
        if "goal" not in prompt.places:
            raise UsageError(f"prompt {prompt.name}: it lacks {{{{goal}}}}")
        return
    if roles != ROLES:
        raise UsageError(
            f"prompt {prompt.name}: got the messages {', '.join(roles)}; expected `# system`, "
            "`# user` (before the first words) and `# user` (for each answer of the bot); or a "
            "last `# user` and a place {{history}}, for all that was said"
        )
    for place, text, where in (
        ("goal", prompt.messages[0][1], "# system"),
        ("answer", prompt.messages[2][1], "the last # user"),
    ):
        if f"{{{{{place}}}}}" not in text.replace(" ", ""):
            raise UsageError(f"prompt {prompt.name}: {where} lacks {{{{{place}}}}}")
