"""The policy that a bot is held against: its own, else TD-Eval's (figures 8, 12 and 13)."""

import hashlib
from dataclasses import dataclass

from pytest_todeval.llm.fence import fenced
from pytest_todeval.llm.prompt import Prompt, Prompts

__all__ = ["Policy"]

DEFAULT = "turn_policy_default"
DOMAINS = ("restaurant", "hotel", "train", "attraction", "taxi")
"""The domains for which TD-Eval has policies of their own."""


@dataclass(frozen=True)
class Policy:
    """What the bot has to keep to.

    As published, each of `DOMAINS` has a document of its own, `turn_policy_DOMAIN`.
    """

    prompts: Prompts
    own: str = ""
    """The bot's own; empty for TD-Eval's."""

    def shown(self, domain: str | None = None) -> str:
        """As a judge is shown it: fenced, for it gives orders to the bot, none to the judge."""
        if self.own.strip():
            return fenced("policy", self.own)
        by_domain = self.prompts.published and domain in DOMAINS
        name = f"turn_policy_{domain}" if by_domain else DEFAULT
        return fenced("policy", _text(self.prompts.get(name)))

    @property
    def definition(self) -> str:
        """Which it is; that of the domains is one, whichever of them a dialogue is about."""
        if self.own.strip():
            return f"own policy ({_digest(self.own)})"
        default = self.prompts.get(DEFAULT)
        if not self.prompts.published:
            return default.definition
        parts = [default, *(self.prompts.get(f"turn_policy_{domain}") for domain in DOMAINS)]
        return f"published policies ({_digest(' '.join(part.digest for part in parts))})"


def _text(note: Prompt) -> str:
    return note.render()[0]["content"]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]
