"""What a user's model is sent of the dialogue: its own words with the thoughts, and the bot's."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.llm.fence import fenced
from pytest_todeval.simulation.llm_user.calling import Messages
from pytest_todeval.simulation.llm_user.conversation import Conversation, shown
from pytest_todeval.simulation.llm_user.script import Script
from pytest_todeval.simulation.llm_user.strategy import Form

__all__ = ["MessageMemory"]


@dataclass
class MessageMemory:
    """The messages of one dialogue; `values` fill the places of the script that change."""

    script: Script
    conversation: Conversation
    form: Form
    messages: Messages = field(default_factory=list)
    """Up to the user's last words; none before its first."""

    def first(self, **values: str) -> Messages:
        """What the model is sent before the user's first words."""
        return self.script.opening(**values)

    def next(self, **values: str) -> Messages:
        """What it is sent once the bot has answered."""
        heard = fenced("chatbot", self.conversation.bot[-1])
        return [*self.messages, self.script.answer(heard, **values)]

    def keep(self, messages: Messages, text: str, thought: str = "") -> None:
        """Remember what the user said to these messages."""
        self.conversation.user.append(text)
        own = text if self.form is Form.PLAIN else f"Thought: {thought}\nResponse: {text}"
        self.messages = [*messages, {"role": "assistant", "content": own}]

    def recall(self, opening: Sequence[Turn], **values: str) -> None:
        """Take the turns before the first for the user's own; the last answer is still to come.

        Its words there were written by others: what acts in them is taken out, as of the bot's.
        """
        self.conversation.before = len(opening)
        for turn in opening:
            said = shown(turn.user)
            if turn is not opening[0]:
                self.keep(self.next(**values), said)
            elif said:
                self.keep(self.first(**values), said)
            else:  # the bot spoke first
                self.conversation.user.append("")
                self.messages = self.first(**values)[:-1]
            if turn is not opening[-1]:
                self.conversation.bot.append(shown(turn.system))
