"""What goes wrong between us and a bot's server."""


class BotNotReached(ConnectionError):
    """The bot could not be asked, or its answer did not come to its end: it is not at fault."""


class HttpStatusError(Exception):
    """The bot's server answered with a status, or streamed an event, that says it failed."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status
        """The status; 0 for an event."""
