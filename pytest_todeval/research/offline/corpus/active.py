"""Which domain the bot speaks of in each turn, guessed from changes of its dialogue state."""

from collections.abc import Mapping, Sequence

State = Mapping[str, Mapping[str, str]]
"""`{domain: {slot: value}}`, normalised."""


def active_domains(states: Sequence[State]) -> list[tuple[str, ...]]:
    """Returns one domain per turn, or none before the state first holds anything.

    Placeholders such as `[value_name]` do not tell their domain; the domain whose state changed
    does. If several changed, the present one stays if it is among them, else the fullest takes
    over; if none changes in the turn after, the talk goes on to the next of the others.
    """
    tracker = _Tracker()
    return [tracker.follow(state) for state in states]


class _Tracker:
    def __init__(self) -> None:
        self.current: str | None = None
        self.state: State = {}
        self.changed: list[str] = []

    def follow(self, state: State) -> tuple[str, ...]:
        changed = [domain for domain in state if self._has_news(domain, state)]
        if not changed and self.current is None:
            return ()
        if not changed:
            self._go_on(state)
        elif self.current not in changed:
            self.current = max(changed, key=lambda domain: len(state[domain]))
        self.state, self.changed = state, changed
        return (str(self.current),)

    def _has_news(self, domain: str, state: State) -> bool:
        """Slots added or changed; removed ones do not count."""
        return bool(state[domain].items() - self.state.get(domain, {}).items())

    def _go_on(self, state: State) -> None:
        if len(self.changed) > 1:
            others = [d for d in self.changed if d in state and d != self.current]
            self.current = others[0] if others else self.current
