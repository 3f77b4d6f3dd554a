"""The policy that a bot is held against: its own, else TD-Eval's (figures 8, 12 and 13).

The paper speaks of prompts for each domain; those that it released have one policy for all of them,
and differ in the slots.
"""

import hashlib
from dataclasses import dataclass

from pytest_todeval.llm.fence import fenced
from pytest_todeval.llm.prompt import Prompts

__all__ = ["Policy"]

DEFAULT = "turn_policy_default"


@dataclass(frozen=True)
class Policy:
    """What the bot has to keep to."""

    prompts: Prompts
    own: str = ""
    """The bot's own; empty for TD-Eval's."""

    @property
    def shown(self) -> str:
        """As a judge is shown it: fenced, for it gives orders to the bot, none to the judge."""
        if self.own.strip():
            return fenced("policy", self.own)
        return fenced("policy", self.prompts.get(DEFAULT).render()[0]["content"])

    @property
    def definition(self) -> str:
        """Which it is, with a hash."""
        if self.own.strip():
            digest = hashlib.sha256(self.own.encode(errors="replace")).hexdigest()[:12]
            return f"own policy ({digest})"
        return self.prompts.get(DEFAULT).definition
