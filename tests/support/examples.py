"""How many examples a property is tried on: a tenth of the full number, unless all are asked for.

`pytest --thorough` tries all of them. One state of the code gives one result, in CI as here: the
examples are drawn from the test itself. `pytest --thorough --hypothesis-seed=7` looks for new ones.
"""

from typing import Any

from hypothesis import settings

settings.register_profile("thorough", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("random", settings.get_profile("thorough"), derandomize=False)
settings.load_profile("quick")


def examples(count: int, **others: Any) -> settings:
    """So many examples if all are tried; `others` are hypothesis' settings."""
    of_hundred = settings().max_examples  # of the profile
    return settings(max_examples=max(1, count * of_hundred // 100), deadline=None, **others)
