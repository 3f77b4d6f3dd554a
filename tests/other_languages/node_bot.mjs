// A bot behind HTTP in plain Node: its model streams, by fetch.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const INSTRUCTIONS = "You book hotels.";

async function answer(text) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer no-key-needed" },
    body: JSON.stringify({
      model: "stand-in",
      stream: true,
      messages: [
        { role: "system", content: INSTRUCTIONS },
        { role: "user", content: text },
      ],
    }),
  });
  let said = "";
  for (const line of (await response.text()).split("\n")) {
    if (line.startsWith("data: {")) {
      said += JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "";
    }
  }
  return said;
}

createServer(async (request, response) => {
  const text = await answer((await json(request)).text);
  response.writeHead(200, { "content-type": "text/plain" }).end(text);
}).listen(Number(process.env.PORT), "127.0.0.1");
