"""The jail: while a dialogue replays nothing reaches the network, and what tries is told.

Sockets of Python ask the router (`recording.network`). All else, in C code and in processes that
the dialogue starts, is held back by the kernel (`kernel`, `warden`); if it cannot be, known
clients are guarded and started processes are named (`guards`), and on Linux what got out all the
same is seen (`lookout`).
"""

__all__ = ["hold_back", "kept_by", "late", "told"]

LIMITS = "C code that is not known and started processes are not held back, {} (docs/clients.md)"
SEEN, UNSEEN = "but seen while a connection stands", "nor seen"


def hold_back(*, by_kernel: bool = True) -> None:
    """Has all connections of this process looked after from now on; says nothing if it is so."""
    from pytest_todeval.recording import network
    from pytest_todeval.recording.router import Router

    router = Router.of_process()
    network.install(router)
    if by_kernel:
        router.watch.jail.lock()
    if not router.watch.jail.by_kernel:
        from pytest_todeval.recording.jail import guards

        guards.install(router)
        router.watch.look_out()


def kept_by(jail: str | None) -> str:
    """What will hold the network back in replay, for the head of a run; `jail` is the option."""
    from pytest_todeval.recording.jail import kernel

    reason = "as asked" if jail == "python" else kernel.why_not()
    if reason is None:
        return "in replay the kernel holds back the network"
    limits = LIMITS.format(SEEN if kernel.can_look() else UNSEEN)
    return f"in replay Python's sockets and known clients are held back ({reason}); {limits}"


def told() -> tuple[str, ...]:
    """What the jail of this process did not hold back until now, a line each; not if all of it."""
    from pytest_todeval.recording.router import Router

    watch = Router.of_process().watch
    if watch.jail.by_kernel:
        return ()
    limits = LIMITS.format(SEEN if watch.looks_out else UNSEEN)
    lines = [f"not held back by the kernel ({watch.jail.why_not}): {limits}"]
    return (
        *lines,
        *(f"not held back: {name}, started in {at}" for name, at in watch.unheld.items()),
    )


def late() -> tuple[str, ...]:
    """Returns what was held back after the dialogues that had started it, a line each."""
    from pytest_todeval.recording.router import Router

    return tuple(Router.of_process().watch.late)
