"""Goals that transcripts name, or tell in words, found in goal sets."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.worlds.registry import load

TAG = re.compile(r"<[^<>]{0,100}>")


class KnownGoals:
    """The goals of goal sets, by name, by id and by message.

    `sources` are names of goal sets (`multiwoz`, `demo`) or goal files; `split` is that of all;
    `settings` are the run's options (`data`, `tau-home`). Raises what `worlds.registry.load` does.
    """

    def __init__(
        self,
        sources: Sequence[str] = (),
        *,
        split: str | None = None,
        settings: Mapping[str, str | Path | None] | None = None,
    ) -> None:
        self.settings: Mapping[str, str | Path | None] = settings or {}
        self.sets = [load(source, split=split, settings=self.settings) for source in sources]

    @cached_property
    def _by_name(self) -> Mapping[str, Goal]:
        goals = [goal for found in reversed(self.sets) for goal in found.goals]
        return {**{goal.id: goal for goal in goals}, **{goal.name: goal for goal in goals}}

    @cached_property
    def _by_message(self) -> Mapping[str, Goal | None]:
        found: dict[str, Goal | None] = {}
        for goal in (goal for each in self.sets for goal in each.goals):
            told = _words(" ".join(goal.message))
            found[told] = None if told in found else goal
        return found

    def named(self, name: str, where: str) -> Goal | None:
        """Returns the goal of this name (`multiwoz/MUL0148`) or id; None if no goal set was given.

        Raises InvalidFile, which says where, if none of the goal sets has it.
        """
        if not self.sets:
            return None
        if name not in self._by_name:
            hint = known_names(name[:100], list(self._by_name)[:10])
            names = ", ".join(each.name for each in self.sets)
            raise InvalidFile(
                f"{where}: goal: got {name[:100]!r}, which is not in {names}; {hint}, ..."
            )
        return self._by_name[name]

    def told(self, message: str) -> Goal | None:
        """Returns the goal with this message; None if there is none, or more than one.

        Tags, punctuation and case aside.
        """
        return self._by_message.get(_words(message)) if self.sets else None


def _words(message: str) -> str:
    plain = TAG.sub("", message).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())
