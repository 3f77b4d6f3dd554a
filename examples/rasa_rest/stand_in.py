"""Speaks the protocol of Rasa's REST channel, with rules in place of a model.

A restaurant's bot: it asks with buttons, answers in several messages, and its custom action reports
what it did as `custom`.
"""

import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DAYS = ("friday", "saturday", "sunday")
trackers: dict[str, dict[str, str]] = {}
"""The slots of each sender."""


def messages(sender: str, text: str) -> list[dict[str, Any]]:
    slots = trackers.setdefault(sender, {})
    said = heard(slots, text.lower())
    return [{"recipient_id": sender, **message} for message in said]


def heard(slots: dict[str, str], text: str) -> list[dict[str, Any]]:
    if number := slots.get("number"):
        return [{"text": f"Your reference number is {number}."}, {"text": "Anything else?"}]
    found = {
        "day": re.search("|".join(DAYS), text),
        "time": re.search(r"\b\d{1,2}:\d{2}\b", text),
        "people": re.search(r"\b\d+(?= (?:people|person|guests|of us))", text),
    }
    slots |= {slot: match.group() for slot, match in found.items() if match}
    if "day" not in slots:
        buttons = [{"title": day, "payload": f'/inform{{"day": "{day}"}}'} for day in DAYS]
        return [{"text": "Welcome!"}, {"text": "Which day would you like?", "buttons": buttons}]
    if "time" not in slots:
        return [{"text": "What time would you like to come?"}]
    if "people" not in slots:
        return [{"text": "How many people will there be?"}]
    wanted = dict(slots)
    number = slots["number"] = f"RT{100 + len(trackers)}"
    result = {"success": True, "reference": number}
    return [
        {
            "text": f"I have booked a table for {wanted['people']} people on {wanted['day']} at "
            f"{wanted['time']}."
        },
        {"text": f"Your reference number is {number}."},
        {"custom": {"action": "book_table", "slots": wanted, "result": result}},
    ]


class Rasa(BaseHTTPRequestHandler):
    """Of Rasa's paths: `GET /` and the webhook of the REST channel."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(200, "Hello from Rasa: 3.6.20")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/webhooks/rest/webhook":
            self.answer(404, {"status": "failure", "message": "Not found"})
            return
        self.answer(200, messages(body["sender"], body["message"]))

    def answer(self, status: int, value: Any) -> None:
        body = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Rasa).serve_forever()
