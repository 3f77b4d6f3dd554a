"""What well-known endpoints take: `profile: ollama` in the models file sets it at once.

A profile is never guessed from an address. What a person sets beside it counts more.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is sent to an endpoint of one make."""

    base_url: str | None
    """Where it usually is; empty if each customer has an address of its own, None for OpenAI's,
    which OPENAI_BASE_URL may redirect."""
    key: str
    """The environment variable that usually holds its key."""
    token_cap: str = "max_tokens"
    """The name under which it knows the cap on an answer's tokens."""
    unsupported: tuple[str, ...] = ()
    """What it refuses, or ignores without a word."""
    tool_choice: str | None = None
    source: str
    """Where that is said."""


PROFILES = {
    "openai": Profile(
        base_url=None,
        key="OPENAI_API_KEY",
        token_cap="max_completion_tokens",
        source="platform.openai.com/docs/api-reference/chat/create: `max_tokens` is deprecated",
    ),
    "azure": Profile(
        base_url="",
        key="AZURE_OPENAI_API_KEY",
        token_cap="max_completion_tokens",
        source="learn.microsoft.com, Azure OpenAI v1 API: https://NAME.openai.azure.com/openai/v1",
    ),
    "anthropic": Profile(
        base_url="https://api.anthropic.com/v1",
        key="ANTHROPIC_API_KEY",
        unsupported=("response_format", "seed"),
        source="platform.claude.com/docs/en/api/openai-sdk: both are ignored",
    ),
    "google": Profile(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key="GEMINI_API_KEY",
        source="ai.google.dev/gemini-api/docs/openai",
    ),
    "vllm": Profile(
        base_url="http://localhost:8000/v1",
        key="VLLM_API_KEY",
        source="docs.vllm.ai, OpenAI-compatible server: tools take --enable-auto-tool-choice",
    ),
    "ollama": Profile(
        base_url="http://localhost:11434/v1",
        key="OLLAMA_API_KEY",
        unsupported=("tool_choice",),
        source="docs.ollama.com/api/openai-compatibility; ollama/ollama issue 7125: the newer name "
        "of the cap is ignored",
    ),
    "llama.cpp": Profile(
        base_url="http://localhost:8080/v1",
        key="LLAMA_API_KEY",
        source="ggml-org/llama.cpp, tools/server/README.md: tools take --jinja",
    ),
    "llama-cpp-python": Profile(
        base_url="http://localhost:8000/v1",
        key="LLAMA_API_KEY",
        unsupported=("response_format", "developer", "null_content"),
        tool_choice="auto",
        source="abetlen/llama-cpp-python issue 1907 (the cap); 0.3.36 refuses schemas, the role "
        "`developer` and messages without text with status 500, and shows no tools without "
        "`tool_choice`",
    ),
    "lm-studio": Profile(
        base_url="http://localhost:1234/v1",
        key="LMSTUDIO_API_KEY",
        source="lmstudio.ai/docs/developer/openai-compat",
    ),
    "litellm": Profile(
        base_url="http://localhost:4000",
        key="LITELLM_API_KEY",
        source="docs.litellm.ai/docs/completion/input: translated for each provider; "
        "drop_params there: what a provider lacks is refused else",
    ),
}
