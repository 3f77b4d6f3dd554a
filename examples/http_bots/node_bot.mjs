// A bot behind HTTP in JavaScript, with the official client; knows nothing of tests.
// It has the model's answer streamed, as chat windows do.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import OpenAI from "openai";

const INSTRUCTIONS =
  "You take table bookings for the Olive Press. Ask for day, time and guests, then book.";

const client = new OpenAI();

async function answer({ text, history }) {
  const messages = [
    { role: "system", content: INSTRUCTIONS },
    ...history,
    { role: "user", content: text },
  ];
  const stream = await client.chat.completions.create({ model: "stand-in", messages, stream: true });
  let said = "";
  for await (const event of stream) {
    said += event.choices[0]?.delta?.content ?? "";
  }
  return { text: said };
}

createServer(async (request, response) => {
  try {
    const body = JSON.stringify(await answer(await json(request)));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  } catch (error) {
    response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
