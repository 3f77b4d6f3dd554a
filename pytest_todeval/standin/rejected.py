"""A request that the stand-in does not serve."""

from http import HTTPStatus
from typing import Any

__all__ = ["Rejected", "error_body"]


class Rejected(Exception):
    """A request answered with an error status; not a fault of the stand-in or of its script."""

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        status: int = HTTPStatus.BAD_REQUEST,
    ) -> None:
        super().__init__(message)
        self.status = int(status)
        self.body = error_body(message, "invalid_request_error", param=param, code=code)


def error_body(
    message: str, kind: str, *, param: str | None = None, code: str | None = None
) -> dict[str, Any]:
    """An error in the shape of OpenAI's."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}
