"""What a user's model is sent of the dialogue: its own words with the thoughts, and the bot's."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.models.fence import fenced
from pytest_todeval.simulation.llm_user.calling import Messages
from pytest_todeval.simulation.llm_user.conversation import Conversation, shown
from pytest_todeval.simulation.llm_user.script import Script
from pytest_todeval.simulation.llm_user.strategy import Form, Strategy


@dataclass
class MessageMemory:
    """The messages of one dialogue; `values` fill the places of the script that change."""

    script: Script
    conversation: Conversation
    strategy: Strategy
    messages: Messages = field(default_factory=list)
    """Up to the user's last words; none before its first."""
    thoughts: list[str] = field(default_factory=list)
    """What the user noted for itself, by what it said."""

    def next(self, **values: str) -> Messages:
        """Returns what it is sent once the bot has answered."""
        heard = fenced("chatbot", self.conversation.bot[-1])
        if self.script.tells_all:
            return list(self.script.whole(self._history(), heard, **values))
        return [*self.messages, self.script.answer(heard, **values)]

    def keep(self, messages: Messages, text: str, thought: str = "") -> None:
        """Remember what the user said to these messages."""
        self.conversation.user.append(text)
        self.thoughts.append(thought)
        plain = self.strategy.form is Form.PLAIN
        own = text if plain else f"Thought: {thought}\nResponse: {text}"
        self.messages = [*messages, {"role": "assistant", "content": own}]

    def _history(self) -> str:
        """All that was said, in lines; without the last answer if that has a place of its own."""
        answers = self.conversation.bot[:-1] if self.script.tells_answer else self.conversation.bot
        label = self.strategy.stop.removesuffix(":") or "Chatbot"
        lines: list[str] = []
        for said, thought, heard in zip_longest(self.conversation.user, self.thoughts, answers):
            lines += [thought] if thought and self.strategy.form is not Form.PLAIN else []
            lines += [f"User: {said}"] if said else []
            lines += [f"{label}: {fenced('chatbot', heard)}"] if heard is not None else []
        return "\n".join(lines)

    def recall(self, opening: Sequence[Turn], **values: str) -> None:
        """Takes the turns before the first for the user's own; the last answer is still to come.

        Its words there were written by others: what acts in them is taken out, as of the bot's.
        """
        self.conversation.before = len(opening)
        for turn in opening:
            said = shown(turn.user)
            if turn is not opening[0]:
                self.keep(self.next(**values), said)
            elif said:
                self.keep(self.script.opening(**values), said)
            else:  # the bot spoke first
                self.conversation.user.append("")
                self.thoughts.append("")
                self.messages = self.script.opening(**values)[:-1]
            if turn is not opening[-1]:
                self.conversation.bot.append(shown(turn.system))
