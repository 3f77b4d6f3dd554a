"""Who may play which part."""

__all__ = ["JUDGES", "STRATEGIES", "USERS", "check_user"]

STRATEGIES = (
    *("vanilla", "thought", "state_tracking"),
    *("vanilla_published", "thought_published", "state_tracking_published"),
    *("clem_todd", "clem_todd_published", "autotod", "autoeval_tod"),
    *("llm", "react", "verify", "reflection"),
)
"""The built-in prompts with which a model plays the user."""

USERS = ("agenda", "recorded", *STRATEGIES)
"""Who may play the user, besides the strategies of installed packages."""

JUDGES = ("rules", "model", "fused", "published")
"""Who may judge."""


def check_user(name: str, where: str) -> None:
    """Raise UsageError, which says where, if nobody of this name plays users."""
    if name in USERS:
        return
    from pytest_todeval.errors import UsageError, known_names
    from pytest_todeval.simulation.llm_user.strategy import strategy_names

    known = (*USERS[:2], *strategy_names())
    if name not in known:
        raise UsageError(f"{where}: no user {name!r}; {known_names(str(name), known)}")
