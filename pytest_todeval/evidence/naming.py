"""What the names and values in a clause are there for: offered, told, denied, or in passing."""

from collections.abc import Iterator, Sequence

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.mentions import Mention

__all__ = ["told"]


def told(found: Sequence[Mention], domain: str | None) -> Iterator[Claim]:
    """The claims that a clause makes by its names and values."""
    for mention in found:
        act = Act.OFFER if mention.slot in ("name", "trainID") else Act.INFORM
        about = mention.domain if act is Act.OFFER and mention.domain else domain
        yield Claim(act, about, mention.slot, mention.value)
