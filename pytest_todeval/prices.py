"""What calls cost, from a file of prices: models and their prices change, so none are shipped.

    dollars_per_petaflop: 0.0045        # default: 0.05
    gpt-4o:
      prompt: 2.5                       # US dollars per million tokens
      completion: 10
      cached: 1.25                      # prompt tokens that the provider had in its cache
    qwen2.5-32b:
      prompt: 0.1
      completion: 0.3
      parameters: 32000000000           # for the cost by computation; alone, if there is no price

The cost by computation is that of clem:todd (appendix A.6): two floating-point operations per
parameter and token, prompt and completion alike, times a price per PetaFLOP. The paper's price of
0.05 US dollars does not follow from its own "A100 at about 2 dollars an hour": at 312 TeraFLOP/s
(bfloat16) such an hour computes 1123 PetaFLOP, which makes 0.0018 dollars each, and some 0.0045 at
the 40 % that good serving reaches. 0.05 stays the default, so that figures compare with the
paper's; `dollars_per_petaflop` sets another.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from pytest_todeval.errors import InvalidFile, UsageError, known_names

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Usage

__all__ = ["PRICES_FILE", "Prices"]

PRICES_FILE = "todeval_prices.yaml"
"""Where an error proposes to write them."""
PER_TOKENS = 1_000_000
PER_PETAFLOP = "dollars_per_petaflop"
PETA = 10**15
FLOP_PER_PARAMETER = 2
"""And token (Kaplan et al. 2020)."""
MOST_TOKENS = 10**12
"""No answer takes more; what a server says beyond that is not believed."""
PARTS = {
    "prompt": ("prompt_tokens", "input_tokens"),
    "completion": ("completion_tokens", "output_tokens"),
}
"""The parts of a price, and how the answers of the services name the tokens counted for each."""
DETAILS = ("prompt_tokens_details", "input_tokens_details")
"""Where they say how many of the tokens of the prompt, which count these in, were cached."""
KNOWN = (*PARTS, "cached", "parameters")
LEAST_PARAMETERS = 1_000_000
"""A smaller number means billions."""


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens, by model and part (`prompt`, `completion`, `cached`)."""

    path: Path | None = None
    """The file; None if none is given."""
    by_model: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Beside the prices, `parameters` is how many the model has."""
    dollars_per_petaflop: float = 0.05
    """Default: the paper's."""

    @classmethod
    def read(cls, path: Path) -> "Prices":
        """Reads `{model: {prompt: USD, completion: USD}}` and what else the module's text shows.

        The file is YAML or JSON.

        Raises InvalidFile with `path:line`.
        """
        from pytest_todeval.core.documents import read_document

        document = read_document(path)
        found = document.value
        if not isinstance(found, dict) or not found:
            raise InvalidFile(f"{document.where()}: expected models with their prices\n{_lines()}")
        computing = found.pop(PER_PETAFLOP, cls.dollars_per_petaflop)
        if not _is_price(computing):
            raise InvalidFile(
                f"{document.where(PER_PETAFLOP)}: got {computing!r:.60}, expected US dollars"
            )
        for model, price in found.items():
            wrong = _wrong(price)
            if not isinstance(model, str):
                wrong = (), f"the model {model!r} is not a text: put it in quotes"
            if wrong is not None:
                keys, what = wrong
                raise InvalidFile(f"{document.where(model, *keys)}: {what}")
        return cls(path, found, computing)

    def require(self, *models: str) -> str:
        """The first of the models that has a price. Raises UsageError with the lines to write."""
        for model in models:
            if self.has_price(model):
                return model
        file = self.path or Path(PRICES_FILE)
        use = "" if self.path else f" and name the file with --todeval-prices={file}"
        raise UsageError(
            f"--todeval-max-cost: the model {models[0]!r} has no price, so what a call costs is "
            f"unknown. Write to {file}{use} (US dollars per million tokens):\n{_lines(models[0])}"
        )

    def has_price(self, model: str) -> bool:
        """Says whether it is known what the model's tokens cost."""
        return all(part in self.by_model.get(model, {}) for part in PARTS)

    def cost(self, model: str, usage: Mapping[str, Any]) -> float | None:
        """US dollars of a call, or None if its usage does not say how many tokens it took.

        Tokens that a service counts apart, as cached, count as the service adds them up.
        """
        tokens = {part: _tokens(usage, names) for part, names in PARTS.items()}
        prompt, completion = tokens["prompt"], tokens["completion"]
        if prompt is None:
            return None
        price = self.by_model[model]
        cached = min(_cached(usage), prompt)
        spent = (prompt - cached) * price["prompt"] + cached * price.get("cached", price["prompt"])
        # Embeddings have no completion, and their answers do not name one.
        return (spent + (completion or 0) * price["completion"]) / PER_TOKENS

    def of_usage(self, usage: "Usage") -> float | None:
        """US dollars of what a bot reports: what it says itself, else its tokens by their price.

        None if it says neither what they cost nor whose they are, or the model has no price.
        """
        tokens = {name: getattr(usage, name) for name in ("prompt_tokens", "completion_tokens")}
        if usage.cost or not any(tokens.values()):
            return float(usage.cost)
        return self.cost(usage.model, tokens) if self.has_price(usage.model) else None

    def flop_cost(self, model: str, tokens: int) -> float | None:
        """US dollars of computing so many tokens (clem:todd, appendix A.6).

        None if the number of the model's parameters is not known.
        """
        parameters = self.by_model.get(model, {}).get("parameters")
        if parameters is None:
            return None
        return FLOP_PER_PARAMETER * parameters * tokens / PETA * self.dollars_per_petaflop


def _tokens(usage: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    counts = (usage.get(name) for name in names)
    return next((count for count in counts if _is_count(count)), None)


def _cached(usage: Mapping[str, Any]) -> int:
    details = (usage.get(name) for name in DETAILS)
    counts = (said.get("cached_tokens") for said in details if isinstance(said, Mapping))
    return next((count for count in counts if _is_count(count)), 0)


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS


def _wrong(price: object) -> tuple[tuple[str, ...], str] | None:
    """Returns where in the price of a model something is wrong, and what."""
    if not isinstance(price, dict):
        return (), f"got {price!r:.60}, expected {{prompt: USD, completion: USD}}"
    for part in price:
        if part not in KNOWN:
            return (str(part),), f"unknown part {part!r}; {known_names(str(part), KNOWN)}"
    needed = () if set(price) == {"parameters"} else tuple(PARTS)
    for part in needed:
        if part not in price:
            return (), f"no price for the {part}; write `{part}: USD`, per million tokens"
    for part, value in price.items():
        if part == "parameters" and not (_is_price(value) and value >= LEAST_PARAMETERS):
            return (part,), f"got {value!r:.60}, expected their number, such as 7000000000"
        if not _is_price(value):
            return (part,), f"got {value!r:.60}, expected US dollars per million tokens, 0 or more"
    return None


def _is_price(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < float("inf")


def _lines(model: str = "MODEL") -> str:
    """Returns what to write for a model; `USD` stands for a number, and is refused as it stands."""
    return "\n".join([f"{json.dumps(model)}:", *(f"  {part}: USD" for part in PARTS)])
