"""The batteries of sentences: what is misheard and missed stays within bounds.

Whoever works on the ear looks at `open*.yaml`; the second opinion learns from them, and from
`voices/`, to which no rule was fitted. `apart2.yaml`, `apart3.yaml` and `apart4.yaml` are held out:
their figures tell what other people's words come to, and only their totals are told.
`misleading*.yaml` were written to mislead a model of words; it learns from the first three.
`apart.yaml` was held out before them, with 6.5 % wrong and 12.7 % missed then; it may be opened.
Bounds are a little above what was measured: a change that makes the ear worse fails here.
"""

import pytest

from benchmarks.hearing.counts import OPEN, counts_of, kept, short
from pytest_todeval.core.dialogue_act import Act

DECISIVE = (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER)
"""Claims on which verdicts hang."""


def rates(name: str) -> tuple[float, float]:
    """Shares of wrong claims among those heard, and of missed ones among those expected.

    Claims heard with a doubt are neither heard nor wrong; they are missed if they were expected.
    """
    acts = counts_of(name)
    counts = [acts[act.value] for act in DECISIVE]
    wrong, heard = sum(c.wrong for c in counts), sum(c.heard for c in counts)
    missed, expected = sum(c.missed for c in counts), sum(c.expected for c in counts)
    assert min(heard, expected) > 150
    return wrong / heard, missed / expected


@pytest.mark.parametrize(
    ("name", "most_wrong", "most_missed"),
    [
        ("open", 0.05, 0.045),
        ("open2", 0.1, 0.12),
        ("open3", 0.155, 0.15),
        ("open4", 0.115, 0.125),
        ("open5", 0.13, 0.185),
        ("open6", 0.155, 0.27),
        ("open7", 0.165, 0.225),
        ("open8", 0.15, 0.12),
        ("open9", 0.135, 0.12),
        ("apart", 0.105, 0.12),
        ("apart2", 0.135, 0.14),
        ("apart3", 0.17, 0.21),
        ("apart4", 0.1, 0.25),
    ],
)
def test_a_battery_is_heard_within_bounds(name: str, most_wrong: float, most_missed: float) -> None:
    wrong, missed = rates(name)
    assert wrong <= most_wrong
    assert missed <= most_missed


@pytest.mark.parametrize("name", OPEN)
def test_no_kind_of_claim_is_heard_worse_than_it_was(name: str) -> None:
    """After a change of the ear that is better in all: `python -m benchmarks.hearing.counts`."""
    worse = {
        act: (before, now)
        for act, now in short(name).items()
        for before in [kept()[name].get(act, [0, 0])]
        if now[0] > before[0] or now[1] > before[1]
    }
    assert worse == {}
