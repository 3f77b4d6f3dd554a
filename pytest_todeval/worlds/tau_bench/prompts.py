"""The prompts of tau-bench's own users, read from its code and never run."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from pytest_todeval.goals.code_texts import CheckoutCode, TextTemplate

__all__ = ["OwnPrompts", "own_prompts"]

PLACE = "tau_bench/envs/user.py"
LLM, REACT = "LLMUserSimulationEnv", "ReactUserSimulationEnv"


@dataclass(frozen=True)
class OwnPrompts:
    """What tau-bench asks its users' models."""

    llm: TextTemplate
    """The system prompt, of `instruction_display`."""
    react: TextTemplate
    """Likewise, of the strategy that has the model think first."""
    instruction: TextTemplate
    """How both have a task's `instruction`."""
    greeting: str
    """What the agent is taken to have said before the user's first words."""
    verify: TextTemplate
    """The supervisor's question, of `transcript` and `response`."""
    reflect: TextTemplate
    """What it is asked for in place of a response that it rejected; likewise."""
    labels: dict[str, str]
    """How a transcript calls the roles of messages."""
    verify_attempts: int
    reflect_attempts: int
    definition: str
    """A hash of the file."""


@lru_cache(maxsize=8)
def own_prompts(home: Path) -> OwnPrompts:
    """Those of the checkout in the folder `home`. Raises InvalidFile if its code holds others."""
    code = CheckoutCode(home / PLACE)
    shown, said = "instruction_display", ("transcript", "response")
    return OwnPrompts(
        llm=code.returned(f"{LLM}.build_system_prompt", shown),
        react=code.returned(f"{REACT}.build_system_prompt", shown),
        instruction=code.bound(shown, "instruction", place=f"{LLM}.build_system_prompt"),
        greeting=code.message(f"{LLM}.reset", "user"),
        verify=code.bound("prompt", *said, place="verify"),
        reflect=code.bound("prompt", *said, place="reflect"),
        labels=code.cases("map_role_label"),
        verify_attempts=code.default("VerifyUserSimulationEnv.__init__", "max_attempts"),
        reflect_attempts=code.default("ReflectionUserSimulationEnv.__init__", "max_attempts"),
        definition=f"tau-bench's own {sha256(code.path.read_bytes()).hexdigest()[:12]}",
    )
