"""A bot that asks a model for every answer, through the openai client; knows nothing of tests."""

import os

import openai

INSTRUCTIONS = (
    "You take table bookings for the Olive Press. Ask for day, time and guests, then book."
)


class PressBot:
    """Keeps the dialogue and has the model continue it."""

    def __init__(self) -> None:
        self.client = openai.OpenAI(
            base_url=os.environ.get("MODEL_URL", "http://localhost/v1"),
            api_key=os.environ.get("MODEL_KEY", "no-key-needed"),
        )
        self.messages: list[openai.types.chat.ChatCompletionMessageParam] = [
            {"role": "system", "content": INSTRUCTIONS}
        ]

    def respond(self, text: str) -> str:
        self.messages.append({"role": "user", "content": text})
        answer = self.client.chat.completions.create(model="stand-in", messages=self.messages)
        said = answer.choices[0].message.content or ""
        self.messages.append({"role": "assistant", "content": said})
        return said
