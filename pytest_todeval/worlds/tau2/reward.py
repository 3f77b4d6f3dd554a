"""tau2's reward: the product of what the task's `reward_basis` names, each reported apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, OracleFault, SimulatorFault
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.domain import ReplayedCall
from pytest_todeval.worlds.tau2.environment import Criteria, Environment, ExpectedAction
from pytest_todeval.worlds.tau2.environment import Task as Tau2Task
from pytest_todeval.worlds.tau2.failures import task_failures
from pytest_todeval.worlds.tau2.state import differences
from pytest_todeval.worlds.world import SentenceJudge

ENDED = (StopReason.USER_DONE, StopReason.USER_GAVE_UP, StopReason.SYSTEM_DONE)
"""What tau2 calls `user_stop` and `agent_stop`; anything else is a premature end."""
MAX_ERRORS = 10
"""Failed calls at which tau2 ends a dialogue (`too_many_errors`)."""
NO_CRITERIA = "the task states no criteria"
SHOWN = 5
"""Differences that a reason names."""


def tau2_rewards(
    dialogue: Dialogue,
    backend: Tau2Backend,
    task: Mapping[str, Any],
    judge: SentenceJudge | None = None,
) -> dict[str, Verdict]:
    """Returns the verdict `reward`, and one per component of the task's `reward_basis`.

    These are `reward_db`, `reward_env_assertion`, `reward_action`, `reward_communicate` and
    `reward_nl_assertion`, with the values that tau2's own evaluators (tau2-bench,
    `src/tau2/evaluator`) give the same messages: the end state is that of a fresh environment in
    which the calls were played again. A dialogue that neither side ended, that had more steps than
    the backend allows, or in which ten of the bot's calls failed, has `reward` alone.
    Two differences: an assertion that breaks (the record it asks for is missing) stops tau2's
    evaluation; here it does not hold. And if ten failed calls are reached only with those that
    the simulated user made of its own tools, tau2 gives 0, whosever failure it is.

    Raises SimulatorFault for such a dialogue; JudgeFault if the reward hangs on sentences that
    a judge must read and none is given; OracleFault if an assertion breaks even after the task's
    reference solution.
    """
    if why := _premature(dialogue, backend):
        return {"reward": _lost(why)}
    found = rewards_as_said(dialogue, backend, task, [t.system for t in dialogue.turns], judge)
    if "reward" not in found:
        sentences = len(task["evaluation_criteria"]["nl_assertions"])
        raise JudgeFault(
            f"the reward of task {task.get('id')!r} depends on {sentences} sentence(s) that a "
            "judge must check, but no judge is set: name a model with --todeval-model=judge:MODEL"
        )
    return found


def rewards_as_said(
    dialogue: Dialogue,
    backend: Tau2Backend,
    task: Mapping[str, Any],
    said: Sequence[str],
    judge: SentenceJudge | None = None,
) -> dict[str, Verdict]:
    """Returns the verdicts of `tau2_rewards` for a dialogue that came to its end.

    `said` are all texts of the agent: of a stored dialogue tau2 takes those beside a call for
    communicated, too. There is no `reward` if it hangs on sentences that a judge must read, and
    none is given. Raises OracleFault as `tau2_rewards` does.
    """
    parsed = backend.domain.task(task)
    criteria = parsed.evaluation_criteria
    if criteria is None:
        return {"reward": _verdict("reward", True, NO_CRITERIA)}
    evaluation = _Evaluation(dialogue, backend, task, parsed, criteria, said)
    parts = _computed(evaluation)
    if "NL_ASSERTION" in evaluation.basis:
        if judge is not None or not criteria.nl_assertions:
            parts.append(evaluation.sentences(judge))
        elif all(parts):  # else what is lost stays lost, whatever the judge says
            return {part.name: part for part in parts}
    return {"reward": evaluation.product(parts), **{part.name: part for part in parts}}


def premature_verdict(ended: str) -> Verdict:
    """Returns the reward 0 of a dialogue that tau2 ended, for its own reason (`max_steps`, ...)."""
    return _lost(f"the dialogue ended prematurely ({ended:.80})")


def _premature(dialogue: Dialogue, backend: Tau2Backend) -> str:
    if dialogue.stop_reason not in ENDED:
        return f"the dialogue ended prematurely ({dialogue.stop_reason})"
    steps = sum(bool(turn.system) for turn in dialogue.turns) + backend.counted_calls
    if steps > backend.max_steps:  # the last of them the user's, before it left
        return f"{steps} replies and calls were made: tau2 ends a dialogue at {backend.max_steps}"
    bots, users = (
        sum(call.error is not None for call in trace)
        for trace in (backend.trace, backend.user_trace)
    )
    if bots >= MAX_ERRORS:
        return f"{bots} of the bot's calls failed: tau2 ends a dialogue at {MAX_ERRORS}"
    if bots + users >= MAX_ERRORS:
        raise SimulatorFault(
            f"{bots + users} calls failed, {users} of them the simulated user's and {bots} the "
            f"bot's. At {MAX_ERRORS} tau2 ends a dialogue with reward 0, but a bot that made fewer "
            "is not to blame. See the user's calls in the turns (`user_calls`), and try a "
            "stronger model or another strategy for the user"
        )
    return ""


def _computed(evaluation: "_Evaluation") -> list[Verdict]:
    """Returns all but the sentences."""
    computed = {  # the databases first: an assertion may change them
        "DB": evaluation.database,
        "ENV_ASSERTION": evaluation.assertions,
        "ACTION": evaluation.actions,
        "COMMUNICATE": evaluation.communicated,
    }
    if unknown := set(evaluation.basis) - computed.keys() - {"NL_ASSERTION"}:
        known = ", ".join((*computed, "NL_ASSERTION"))
        raise OracleFault(
            f"task {evaluation.given.get('id')}: its `reward_basis` names "
            f"{', '.join(sorted(unknown))}, expected of {known}"
        )
    return [part() for name, part in computed.items() if name in evaluation.basis]


@dataclass(frozen=True)
class _Evaluation:
    dialogue: Dialogue
    backend: Tau2Backend
    given: Mapping[str, Any]
    task: Tau2Task
    criteria: Criteria
    said: Sequence[str]

    @property
    def basis(self) -> list[str]:
        return [str(part.value) for part in self.criteria.reward_basis]

    def product(self, parts: list[Verdict]) -> Verdict:
        """Returns the reward: whether all of them hold, and else what went wrong, by kind."""
        failed = {part.name: part.reason for part in parts if not part}
        judged = dict.fromkeys(part.basis for part in parts if part.basis != "verified")
        why = "; ".join(f"{name} failed: {reason}" for name, reason in failed.items())
        told = why or "everything in the task's reward_basis holds"
        reward = _verdict("reward", not failed, told, basis=", ".join(judged) or "verified")
        if not failed:
            return reward
        found = task_failures(self.dialogue, self.backend, self.given, self.unmade, failed)
        return replace(reward, failures=tuple(found))

    @property
    def unmade(self) -> list[ExpectedAction]:
        """Reference calls that tau2 finds no call of the dialogue for."""
        made = self._calls()
        return [
            action
            for action in self.criteria.actions or ()
            if not any(action.compare_with_tool_call(call) for call in made)
        ]

    @cached_property
    def _replayed(self) -> Environment:
        return self.backend.domain.replayed(self.given, self.backend.calls)

    def database(self) -> Verdict:
        if self.criteria.actions is None and self.criteria.env_assertions is None:
            why = "the task states neither actions nor assertions: tau2 then looks at no database"
            return _verdict("reward_db", True, why)
        domain, environment = self.backend.domain, self._replayed
        gold = domain.gold(self.given)
        if gold.hashes == domain.hashes(environment):
            return _verdict("reward_db", True, "the databases are as the reference leaves them")
        found = differences(gold.changes, domain.changes(environment))
        found = found or ("equal values written differently (5 is not 5.0)",)
        return _verdict("reward_db", False, _listed(found))

    def assertions(self) -> Verdict:
        environment = self._replayed
        found = [
            self._unmet(environment, assertion) for assertion in self.criteria.env_assertions or ()
        ]
        broken = [why for why in found if why]
        return _verdict(
            "reward_env_assertion", not broken, _listed(broken, "does not hold: ") or "all hold"
        )

    def _unmet(self, environment: Environment, assertion: Any) -> str:
        """Empty if it holds. One that breaks (say, a record is missing) does not hold."""
        text = _assertion_text(assertion)
        try:
            holds = environment.run_env_assertion(assertion, raise_assertion_error=False)
        except Exception as error:
            self._must_be_checkable(assertion)
            return f"{text} ({error})"
        return "" if holds else text

    def _must_be_checkable(self, assertion: Any) -> None:
        solved, _ = self.backend.domain.solved(self.given)
        try:
            solved.run_env_assertion(assertion, raise_assertion_error=False)
        except Exception as error:
            raise OracleFault(
                f"the assertion {_assertion_text(assertion)} of task {self.given.get('id')!r} "
                f"cannot be checked even after its reference solution: {error}"
            ) from error

    def actions(self) -> Verdict:
        missing = [
            f"{action.name}({', '.join(f'{k}={v!r}' for k, v in action.arguments.items())})"
            for action in self.unmade
        ]
        return _verdict(
            "reward_action", not missing, _listed(missing, "not called: ") or "all made"
        )

    def _calls(self) -> list[Any]:
        """Those of the task's message history, the agent's, the user's; refused ones too."""
        earlier = [
            call
            for message in self._history
            for call in (getattr(message, "tool_calls", None) or ())
        ]
        agent = [
            ReplayedCall("assistant", call.name, call.arguments) for call in self.backend.trace
        ]
        user = [ReplayedCall("user", call.name, call.arguments) for call in self.backend.user_trace]
        return earlier + [self.backend.domain.call(call) for call in (*agent, *user)]

    def communicated(self) -> Verdict:
        before = [m.content for m in self._history if m.role == "assistant" and m.content]
        heard = [text.lower().replace(",", "") for text in (*self.said, *before)]
        missing = [
            repr(wanted)
            for wanted in self.criteria.communicate_info or ()
            if not any(wanted.lower() in text for text in heard)
        ]
        return _verdict(
            "reward_communicate", not missing, _listed(missing, "not said: ") or "all said"
        )

    def sentences(self, judge: SentenceJudge | None) -> Verdict:
        name = "reward_nl_assertion"
        wanted = self.criteria.nl_assertions or ()
        if judge is None or not wanted:
            return _verdict(name, True, "the task states no sentence to judge")
        asked = [(sentence, judge(sentence, self.dialogue)) for sentence in wanted]
        broken = [f"{sentence} ({verdict.reason})" for sentence, verdict in asked if not verdict]
        turns = {number for _, verdict in asked if not verdict for number in verdict.turns}
        return Verdict(
            name,
            not broken,
            _listed(broken, "does not hold: ") or "all hold",
            turns=tuple(sorted(turns)),
            basis=", ".join(dict.fromkeys(verdict.basis for _, verdict in asked)),
            metric_set="tau2",
        )

    @property
    def _history(self) -> list[Any]:
        initial = self.task.initial_state
        return list((initial and initial.message_history) or ())


def _assertion_text(assertion: Any) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in assertion.arguments.items())
    return f"{assertion.func_name}({given}) is {assertion.assert_value}"


def _listed(found: list[str] | tuple[str, ...], start: str = "") -> str:
    if not found:
        return ""
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return start + "; ".join(found[:SHOWN]) + more


def _lost(why: str) -> Verdict:
    lost = _verdict("reward", False, f"{why}, which is reward 0")
    return replace(lost, failures=(Failure(FailureKind.UNFINISHED, why),))


def _verdict(name: str, passed: bool, reason: str, basis: str = "verified") -> Verdict:
    value = float(passed) if name == "reward" else None
    return Verdict(name, passed, reason, basis=basis, metric_set="tau2", value=value)
