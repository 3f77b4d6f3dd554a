"""The prompt of a user simulator, filled in for one goal."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.llm.prompt import Message, Prompt, Prompts
from pytest_todeval.simulation.llm_user.calling import Messages
from pytest_todeval.simulation.llm_user.checks import instructions_of

__all__ = ["Script", "reminded"]

ROLES = ("system", "user", "user")


@dataclass(frozen=True)
class Script:
    """A document `user_*.md`: `# system`, `# user` for the opening, `# user` for each answer.

    The messages of one turn stay as they are in the next: a provider's cache hits all but the last.
    """

    prompt: Prompt
    again: Prompt
    """What is added if a draft cannot be used."""
    values: dict[str, str]
    """What stays the same for a whole dialogue."""
    tools: str = ""
    """What is said of the user's own tools, if it has some."""

    @classmethod
    def of(
        cls,
        prompts: Prompts,
        name: str | Path,
        *,
        goal: str,
        persona: str,
        language: str,
        examples: tuple[str, ...],
        token: str,
        has_tools: bool = False,
    ) -> "Script":
        """Raises UsageError if a document of one's own is not built as a user's prompt is."""
        prompt = prompts.get(name)
        _check(prompt)
        about = _only(prompts, "user_persona", persona=persona) if persona else ""
        shown = _only(prompts, "user_examples", examples="\n\n".join(examples)) if examples else ""
        values = {"goal": goal, "persona": about, "examples": shown}
        values |= {"language": language, "token": token}
        tools = _only(prompts, "user_tools") if has_tools else ""
        return cls(prompt, prompts.get("user_again"), values, tools)

    @property
    def instructions(self) -> tuple[str, ...]:
        """The sentences that a user must not say."""
        return instructions_of([*(text for _, text in self.prompt.messages), self.tools])

    def opening(self, **values: str) -> list[Message]:
        """The messages before the user's first words."""
        system, first, _ = self._rendered(answer="", **values)
        return [_noted(system, self.tools), first]

    def answer(self, answer: str, **values: str) -> Message:
        """The message that brings the bot's answer (fenced)."""
        return self._rendered(answer=answer, **values)[2]

    def note(self, why: str) -> str:
        """What is said of a draft that cannot be used."""
        return self.again.render(why=why, **self.values)[0]["content"]

    def _rendered(self, **values: str) -> list[Message]:
        return self.prompt.render(**self.values, **values)


def reminded(messages: Messages, note: str) -> Messages:
    """The messages with a note at the end of the bot's last one, which calls of tools may follow.

    Two messages of the same role in a row are refused by some, the user's after a tool's too.
    """
    last = max(at for at, message in enumerate(messages) if message["role"] == "user")
    return [*messages[:last], _noted(messages[last], note), *messages[last + 1 :]]


def _noted(message: Mapping[str, Any], note: str) -> dict[str, Any]:
    return {**message, "content": f"{message['content']}\n\n{note}" if note else message["content"]}


def _only(prompts: Prompts, name: str, **values: str) -> str:
    return prompts.get(name).render(**values)[0]["content"]


def _check(prompt: Prompt) -> None:
    roles = tuple(role for role, _ in prompt.messages)
    if roles != ROLES:
        raise UsageError(
            f"prompt {prompt.name}: got the messages {', '.join(roles)}; expected `# system`, "
            "`# user` (before the first words) and `# user` (for each answer of the bot)"
        )
    for place, text, where in (
        ("goal", prompt.messages[0][1], "# system"),
        ("answer", prompt.messages[2][1], "the last # user"),
    ):
        if f"{{{{{place}}}}}" not in text.replace(" ", ""):
            raise UsageError(f"prompt {prompt.name}: {where} lacks {{{{{place}}}}}")
