"""A bot behind HTTP in Python; knows nothing of tests. Keeps no state: it is sent the history."""

from typing import Any

import openai
from fastapi import FastAPI

INSTRUCTIONS = (
    "You take table bookings for the Olive Press. Ask for day, time and guests, then book."
)

app = FastAPI()
client = openai.AsyncOpenAI()


@app.post("/chat")
async def chat(turn: dict[str, Any]) -> dict[str, str]:
    messages: Any = [
        {"role": "system", "content": INSTRUCTIONS},
        *turn["history"],
        {"role": "user", "content": turn["text"]},
    ]
    answer = await client.chat.completions.create(model="stand-in", messages=messages)
    return {"text": answer.choices[0].message.content or ""}
