// The official SDK of JavaScript, behind HTTP: the same talk as in bots.py.
import http from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.env.NODE_MODULES}/here.js`));
const from = async (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await from("client/index.js");
const { StreamableHTTPClientTransport } = await from("client/streamableHttp.js");
const { StdioClientTransport } = await from("client/stdio.js");
const { ElicitRequestSchema } = await from("types.js");

async function connect() {
  const client = new Client({ name: "node bot", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { day: "friday" } }));
  const [command, ...args] = JSON.parse(process.env.STDIO);
  await client.connect(
    process.env.OVER === "stdio"
      ? new StdioClientTransport({ command, args })
      : new StreamableHTTPClientTransport(new URL(process.env.HOTEL_BASE_URL)),
  );
  return client;
}

const kept = process.env.KEPT ? await connect() : null;

async function answer() {
  const client = kept ?? (await connect());
  const told = [];
  const onprogress = (each) => told.push(each.message);
  const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  const found = await call("find_hotel", { area: process.env.AREA ?? "north" });
  const booked = await call("book", { name: process.env.NAME ?? "acorn" }, { onprogress });
  const bad = await call("book", { name: "nowhere" });
  const day = await call("ask_day", {});
  if (!kept) await client.close();
  const texts = [found, booked, day].map((each) => each.content[0].text).join("; ");
  return `${names.join(", ")}; ${texts}; [${told.map((each) => `'${each}'`)}]; ${bad.isError ? "True" : "False"}`;
}

http
  .createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", async () => {
      try {
        response.end(await answer());
      } catch (error) {
        console.error(error);
        response.statusCode = 500;
        response.end(String(error));
      }
    });
  })
  .listen(process.env.PORT, "127.0.0.1");
