"""The jail: while a dialogue replays nothing reaches the network, and what tries is told.

Sockets of Python ask the router (`recording.network`). All else, in C code and in processes that
the dialogue starts, is held back by the kernel (`kernel`, `warden`); if it cannot be, known
clients are guarded and started processes are named (`guards`).
"""

__all__ = ["hold_back"]


def hold_back(*, by_kernel: bool = True) -> None:
    """Have all connections of this process looked after from now on; says nothing if it is so."""
    from pytest_todeval.recording.router import Router

    router = Router.of_process()
    if by_kernel:
        router.watch.jail.lock()
    if not router.watch.jail.by_kernel:
        from pytest_todeval.recording.jail import guards

        guards.install(router)
