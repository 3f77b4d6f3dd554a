"""The bot, whatever shape it has: function, object, class, factory, URL."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.errors import SystemContractError
from pytest_todeval.simulation.history import History, turn_after
from pytest_todeval.simulation.reply import checked, described
from pytest_todeval.simulation.session import BotSession, session_id
from pytest_todeval.simulation.worker import Worker

GIVEN = ("history", "opening", "backend", "goal_id", "dialogue_id", "session")
"""The keyword arguments a bot may declare; it is passed those it declares."""
TELLING = ("history", "opening")
"""Those that tell of turns before the dialogue's first."""

MAX_FACTORIES = 3
"""How often what a factory makes may itself be a factory or class."""

SHAPES = """\
`tod_system` may be a class or factory (called once per dialogue), an object with `respond`, a
function, or a URL. Paste one of these into conftest.py:

    @pytest.fixture(scope="session")
    def tod_system():
        return MyBot                        # class MyBot: def respond(self, text, history): ...

    @pytest.fixture(scope="session")
    def tod_system():
        def respond(text, history):         # or `async def`; or only `respond(text)`
            return "Which area?"
        return respond

    @pytest.fixture(scope="session")
    def tod_system():
        return "http://localhost:8000/chat"

`respond` takes the text first; it and a factory are passed those of history, opening, backend,
goal_id and dialogue_id that they declare, `respond` also session."""


def said_in(turns: Iterable[Turn]) -> list[dict[str, str]]:
    """Returns the words of both in the form in which a bot is told what was said before.

    A bot that spoke first answered nobody: endpoints refuse messages without words.
    """
    said = ((("user", turn.user), ("assistant", turn.system)) for turn in turns)
    told = (each for both in said for each in both if each != ("user", ""))
    return [{"role": role, "content": text} for role, text in told]


class System:
    """A bot of any shape, for one dialogue."""

    def __init__(
        self,
        bot: Any,
        respond: Callable[..., Any],
        given: Mapping[str, Any],
        worker: Worker,
        known_as: Any,
    ) -> None:
        names = _declared(respond, given)
        self.known_as = _known(known_as)
        """Whose name the bot goes by: what answers, or the class or object that made it."""
        shown = getattr(bot, "shown_url", None)
        self.place = f"the bot at {shown}" if isinstance(shown, str) else "the bot"
        """For messages: who answers, and where."""
        self._respond = respond
        self._opens = _method(bot, "open_session")
        self._closes = _method(bot, "close_session")
        self.hands_out_sessions = False
        """Whether it made up the id of this dialogue's session itself."""
        self._before = len(given["opening"])
        self._wants_history = "history" in names
        self._all = given
        self._given = {name: given[name] for name in names if name != "history"}
        self._worker = worker

    async def open(self, session: BotSession) -> None:
        """Opens the dialogue's session, if the bot keeps sessions; else it is the dialogue's id.

        Raises Raised with what the bot raised, or with a SystemContractError if it gave no id.
        """
        await self._worker.call(self._opening, session)

    def _opening(self, session: BotSession) -> Awaitable[None] | None:
        opens = self._opens
        if opens is None:
            self._opened(session, session.own_id)
            return None
        found = opens(**_by_name(opens, {**self._all, "session": session.own_id}))
        if inspect.isawaitable(found):
            return self._when_opened(session, found)
        self._opened(session, found)
        return None

    async def _when_opened(self, session: BotSession, opening: Awaitable[Any]) -> None:
        self._opened(session, await opening)

    def _opened(self, session: BotSession, value: object) -> None:
        found = session_id(value, "what the bot's `open_session` returned")
        self.hands_out_sessions = found not in (session.own_id, session.dialogue_id)
        if "session" in self._given:
            self._given["session"] = found
        closes = self._closes
        if closes is not None:
            given = _by_name(closes, {**self._all, "session": found})
            session.opened(found, functools.partial(closes, **given))
        else:
            session.opened(found, None)

    async def respond(self, text: str, history: History) -> Reply:
        """Returns the bot's answer to `text`, in a thread unless the bot is asynchronous.

        Raises Raised with what the bot raised, SystemContractError for an answer of the wrong type.
        """
        given = dict(self._given)
        if self._wants_history:
            given["history"] = [dict(message) for message in history]  # the bot's own, to change
        answer = await self._worker.call(self._respond, text, **given)
        return checked(answer, f"turn {turn_after(history, self._before)}")


async def adapt(
    tod_system: Any,
    *,
    backend: Any,
    goal_id: str,
    dialogue_id: str,
    opening: tuple[Turn, ...] = (),
    worker: Worker | None = None,
) -> System:
    """Returns the bot of one dialogue; classes and factories are called here.

    Plain functions run on `worker` (one of its own, if none is given). Raises
    SystemContractError if `tod_system`, or what a factory made, has none of the accepted
    shapes, and if there is an `opening` that the bot does not want to be told of; Raised with
    what a class or factory raised.
    """
    worker = worker or Worker(f"todeval {dialogue_id}")
    given = {
        "history": said_in(opening),
        "opening": opening,
        "backend": backend,
        "goal_id": goal_id,
        "dialogue_id": dialogue_id,
    }
    with_session = {**given, "session": dialogue_id}  # a factory comes before the session
    bot, made_by, told = tod_system, "", set[str]()
    made: list[Any] = []
    for _ in range(MAX_FACTORIES):
        made.append(bot)
        answering = _answering(bot, made_by)
        if answering is not None:
            bot, respond = answering
            _check_text_parameter(respond)
            told.update(_declared(respond, with_session))
            if opening and told.isdisjoint(TELLING):
                raise _untold(respond, goal_id, len(opening))
            return System(bot, respond, with_session, worker, next(filter(_has_class, made), bot))
        passed = {name: given[name] for name in _declared(bot, given)}
        told.update(passed)
        made_by = f", made by the factory {described_callable(bot)}"
        bot = await worker.call(bot, **passed)
    raise SystemContractError(
        f"`tod_system` is a factory of factories: after {MAX_FACTORIES} calls there is still "
        f"{described(bot)} instead of a bot.\n\n{SHAPES}"
    )


def _untold(respond: Callable[..., Any], goal_id: str, turns: int) -> SystemContractError:
    before = "a turn" if turns == 1 else f"{turns} turns"
    return SystemContractError(
        f"{goal_id} goes on from {before} before the first, and {described_callable(respond)} "
        "would not know of it: let it, or what makes it, declare `history` (what was said) or "
        "`opening` (the turns with their tool calls)"
    )


def described_callable(bot: Any) -> str:
    """Returns the name a person knows it by, with its parameters if it tells them."""
    name = getattr(bot, "__qualname__", None) or type(bot).__qualname__
    signature = _signature(bot)
    return f"`{name}`" if signature is None else f"`{name}({', '.join(signature.parameters)})`"


def _answering(bot: Any, made_by: str) -> tuple[Any, Callable[..., Any]] | None:
    """The bot and what of it answers, or None if `bot` is a class or factory that makes the bot."""
    if isinstance(bot, str) and bot.startswith(("http://", "https://")):
        from pytest_todeval.simulation.http import HttpSystem

        bot = HttpSystem(bot)
    if isinstance(_called(bot), type):
        return None
    respond: Callable[..., Any] | None = _method(bot, "respond")
    if respond is not None:
        return bot, respond
    if not callable(bot):
        raise SystemContractError(
            f"`tod_system` is {described(bot)}{made_by}, which is not a bot.\n\n{SHAPES}"
        )
    return None if is_factory(bot) else (bot, bot)


def _known(bot: Any) -> Any:
    """What people know it by: what a `partial` calls, and the object or class of a method."""
    called = _called(bot)
    return called.__self__ if inspect.ismethod(called) else called


def _has_class(made: Any) -> bool:
    """Says whether it is known by its class: any object, or a class itself, but no function."""
    return not inspect.isroutine(_known(made))


def _called(bot: Any) -> Any:
    return _called(bot.func) if isinstance(bot, functools.partial) else bot


def _method(bot: Any, name: str) -> Callable[..., Any] | None:
    found = getattr(bot, name, None)
    return found if callable(found) else None


def _by_name(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns those of the given names that `function` declares, with their values."""
    signature = _signature(function)
    names = () if signature is None else signature.parameters
    return {name: given[name] for name in names if name in given}


def is_factory(function: Callable[..., Any]) -> bool:
    """Whether it takes nothing but what we give by name: then it cannot be told what was said."""
    signature = _signature(function)
    if signature is None:
        return False
    return all(p.name in GIVEN or _is_optional_name(p) for p in signature.parameters.values())


def _is_optional_name(parameter: inspect.Parameter) -> bool:
    """Whether it can be left out, and takes no word by its place, as what a `partial` has set."""
    by_name = parameter.kind is inspect.Parameter.KEYWORD_ONLY and not _is_required(parameter)
    return by_name or parameter.kind is inspect.Parameter.VAR_KEYWORD


def _check_text_parameter(respond: Callable[..., Any]) -> None:
    signature = _signature(respond)
    if signature is None:
        return
    kinds = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
    )
    first = next(iter(signature.parameters.values()), None)
    if first is None or first.name in GIVEN or first.kind not in kinds:
        raise SystemContractError(
            f"`tod_system`: {described_callable(respond)} does not take the text of the user as "
            f"its first argument.\n\n{SHAPES}"
        )


def _declared(function: Callable[..., Any], given: Mapping[str, Any]) -> list[str]:
    """Which of the given names `function` declares; SystemContractError if it needs others."""
    signature = _signature(function)
    if signature is None:
        return []
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].name not in given and not isinstance(_called(function), type):
        parameters = parameters[1:]  # the text
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    passed = [p.name for p in parameters if p.name in given and p.kind in by_name]
    others = [p.name for p in parameters if _is_required(p) and p.name not in passed]
    if others:
        raise SystemContractError(
            f"`tod_system`: {described_callable(function)} needs {', '.join(map(repr, others))}, "
            f"which nobody passes; give it a default, or wrap it in a factory.\n\n{SHAPES}"
        )
    return passed


def _is_required(parameter: inspect.Parameter) -> bool:
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in variadic


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # builtins and some C extensions do not tell
        return None
