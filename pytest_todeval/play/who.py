"""Who may play which part."""

STRATEGIES = (
    *("vanilla", "thought", "state_tracking"),
    *("vanilla_published", "thought_published", "state_tracking_published"),
    *("clem_todd", "clem_todd_published", "autotod", "autoeval_tod"),
    *("llm", "react", "verify", "reflection"),
)
"""The built-in prompts with which a model plays the user."""

OWN_USERS = (
    *("tau_bench", "tau_bench_react", "tau_bench_verify", "tau_bench_reflection"),
    "tau2",
)
"""The benchmarks' own users, whose prompts are read from a checkout of theirs."""

USERS = ("agenda", "recorded", *STRATEGIES, *OWN_USERS)
"""Who may play the user, besides the strategies of installed packages."""

JUDGES = ("rules", "model", "fused", "published")
"""Who may judge."""

NO_VARIATION = "none"
"""What a marker says against the option: the bot hears what the user says."""


def check_user(name: str, where: str) -> None:
    """Raises UsageError, which says where, if nobody of this name plays users."""
    if name in USERS:
        return
    from pytest_todeval.errors import UsageError, known_names
    from pytest_todeval.simulation.llm_user.strategy import strategy_names

    known = (*USERS[:2], *strategy_names(), *OWN_USERS)
    if name not in known:
        raise UsageError(f"{where}: no user {name!r}; {known_names(str(name), known)}")


def check_variation(name: str, where: str) -> None:
    """Raises UsageError, which says where, if there is no such variation of a user's words."""
    if name == NO_VARIATION:
        return
    from pytest_todeval.simulation.variation import levels

    levels.check_variation(name, where)
