"""The clients, by name."""

from client_matrix import chat, frameworks, plain_http, providers

__all__ = ["CLIENTS"]

CLIENTS = {
    **chat.CLIENTS,
    **providers.CLIENTS,
    **frameworks.CLIENTS,
    **plain_http.CLIENTS,
}
