"""What calls cost, from a file of prices: models and their prices change, so none are shipped."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile, UsageError, known_names

__all__ = ["PRICES_FILE", "Prices"]

PRICES_FILE = "todeval_prices.yaml"
"""Where an error proposes to write them."""
PER_TOKENS = 1_000_000
MOST_TOKENS = 10**12
"""No answer takes more; what a server says beyond that is not believed."""
PARTS = {
    "prompt": ("prompt_tokens", "input_tokens"),
    "completion": ("completion_tokens", "output_tokens"),
}
"""The parts of a price, and how the answers of the services name the tokens counted for each."""


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens, by model and part (`prompt`, `completion`)."""

    path: Path | None = None
    """The file; None where none is given."""
    by_model: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Prices":
        """Read `{model: {prompt: USD, completion: USD}}` from a YAML or JSON file.

        Raises InvalidFile with `path:line`.
        """
        from pytest_todeval.documents import read_document

        document = read_document(path)
        found = document.value
        if not isinstance(found, dict) or not found:
            raise InvalidFile(f"{document.where()}: expected models with their prices\n{_lines()}")
        for model, price in found.items():
            wrong = _wrong(price)
            if not isinstance(model, str):
                wrong = (), f"the model {model!r} is no text: put it in quotes"
            if wrong is not None:
                keys, what = wrong
                raise InvalidFile(f"{document.where(model, *keys)}: {what}")
        return cls(path, found)

    def require(self, *models: str) -> str:
        """The first of the models that has a price. Raises UsageError with the lines to write."""
        for model in models:
            if model in self.by_model:
                return model
        file = self.path or Path(PRICES_FILE)
        use = "" if self.path else f" and name the file with --todeval-prices={file}"
        raise UsageError(
            f"--todeval-max-cost: the model {models[0]!r} has no price, so what a call costs is "
            f"unknown. Write to {file}{use} (US dollars per million tokens):\n{_lines(models[0])}"
        )

    def cost(self, model: str, usage: Mapping[str, Any]) -> float | None:
        """US dollars of a call, or None where its usage does not say how many tokens it took.

        Tokens that a service counts apart, as cached, count as the service adds them up.
        """
        tokens = {part: _tokens(usage, names) for part, names in PARTS.items()}
        prompt, completion = tokens["prompt"], tokens["completion"]
        if prompt is None:
            return None
        price = self.by_model[model]
        # Embeddings have no completion, and their answers do not name one.
        spent = prompt * price["prompt"] + (completion or 0) * price["completion"]
        return spent / PER_TOKENS


def _tokens(usage: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    counts = (usage.get(name) for name in names)
    return next((count for count in counts if _is_count(count)), None)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_TOKENS


def _wrong(price: object) -> tuple[tuple[str, ...], str] | None:
    """Where in the price of a model something is wrong, and what."""
    if not isinstance(price, dict):
        return (), f"got {price!r:.60}, expected {{prompt: USD, completion: USD}}"
    for part in price:
        if part not in PARTS:
            return (str(part),), f"unknown part {part!r}; {known_names(str(part), PARTS)}"
    for part in PARTS:
        if part not in price:
            return (), f"no price for the {part}; write `{part}: USD`, per million tokens"
        value = price[part]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value < float("inf"):
            return (part,), f"got {value!r:.60}, expected US dollars per million tokens, 0 or more"
    return None


def _lines(model: str = "MODEL") -> str:
    """What to write for a model; `USD` stands for a number, and is refused as it stands."""
    return "\n".join([f"{json.dumps(model)}:", *(f"  {part}: USD" for part in PARTS)])
