// An MCP server with one tool, which asks the user something before it answers. Spoken to over standard input, line by line.
import { isObject, type Json } from "../../src/core/json.ts";

const tool = {
  name: "create_issue",
  description: "Opens a ticket",
  inputSchema: { type: "object", properties: { title: { type: "string" } } },
};
const question = {
  message: "Which project?",
  requestedSchema: { type: "object", properties: { project: { type: "string" } }, required: ["project"] },
};
const questionId = "el-9";
let waiting: unknown;

const send = (message: object): void => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const answer = (id: unknown, result: object): void => send({ id, result });

function take({ id, method, params }: Json): void {
  if (method === "initialize")
    answer(id, {
      protocolVersion: isObject(params) ? params["protocolVersion"] : undefined,
      capabilities: { tools: {} },
      serverInfo: { name: "tickets", version: "1" },
    });
  else if (method === "tools/list") answer(id, { tools: [tool] });
  else if (method === "tools/call") {
    waiting = id;
    send({ id: questionId, method: "elicitation/create", params: question });
  } else if (id === questionId) answer(waiting, { content: [{ type: "text", text: "Opened." }] });
  else if (id !== undefined) answer(id, {});
}

for await (const line of console) {
  const message: unknown = JSON.parse(line);
  if (isObject(message)) take(message);
}
