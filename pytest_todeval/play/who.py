"""Who may play which part."""

__all__ = ["JUDGES", "STRATEGIES", "USERS"]

STRATEGIES = (
    *("vanilla", "thought", "state_tracking", "clem_todd", "autoeval_tod"),
    *("llm", "react", "verify", "reflection"),
)
"""The prompts with which a model plays the user."""

USERS = ("agenda", "recorded", *STRATEGIES)
"""Who may play the user."""

JUDGES = ("rules", "model", "fused")
"""Who may judge."""
