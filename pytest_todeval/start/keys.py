"""Which keys the models of a project want, by what its modules import and name."""

import ast
from collections.abc import Sequence

from pytest_todeval.start.project import Module

_KEYS = {
    "OPENAI_API_KEY": ("openai", "agents", "langchain_openai"),
    "ANTHROPIC_API_KEY": ("anthropic", "langchain_anthropic"),
    "GOOGLE_API_KEY": ("google", "langchain_google_genai", "google-gla"),
    "MISTRAL_API_KEY": ("mistralai", "mistral", "langchain_mistralai"),
    "GROQ_API_KEY": ("groq", "langchain_groq"),
}
"""Variable -> packages, and prefixes of models (`openai:gpt-...`), that want it."""


def keys_of(modules: Sequence[Module]) -> list[str]:
    """Variables that a replay fills with something, as clients refuse to start without."""
    named = {name for module in modules for name in _named(module)}
    return [key for key, names in _KEYS.items() if named & {*names}]


def _named(module: Module) -> set[str]:
    heads = {name.partition(".")[0] for name in module.imported.values()}
    return heads | {
        node.value.partition(":")[0]
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value[:20]
    }
