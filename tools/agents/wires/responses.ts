import { list, nothingHere, streamOf, textOf, type Move, type Wire } from "./wire.ts";

const isResponses = (path: string): boolean => path.endsWith("/responses");
const isResult = ({ type }: { readonly type?: unknown }): boolean =>
  type === "function_call_output" || type === "custom_tool_call_output";
const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };

/** OpenAI's Responses. */
export const responses: Wire = {
  isTurn: (path, body) => isResponses(path) && list(body["tools"]).length > 0,
  hear(body) {
    const items = list(body["input"]);
    const others = items.filter((item) => item["role"] !== "assistant" && item["content"] !== undefined);
    return {
      // A subagent's task comes as a message of the agent that has started it.
      opening: others
        .filter(({ role, type }) => role === "user" || type === "agent_message")
        .map(({ content }) => textOf(content))
        .join("\n"),
      texts: [textOf(body["instructions"]), ...others.map(({ content }) => textOf(content))],
      results: items
        .filter(isResult)
        .map((each) => ({ id: String(each["call_id"]), text: textOf(each["output"]) })),
    };
  },
  answer: (move) => reply(move),
  aside(path) {
    if (isResponses(path)) return reply({ text: "A voyage", calls: [] });
    return path.endsWith("/models") ? Response.json({ models: [], object: "list", data: [] }) : nothingHere();
  },
};

function reply({ text, calls }: Move): Response {
  const items = [
    ...(text === undefined
      ? []
      : [{ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text }] }]),
    ...calls.map(({ id, input, ...call }) =>
      typeof input === "string"
        ? { type: "custom_tool_call", id: `item_${id}`, call_id: id, ...call, input }
        : { type: "function_call", id: `item_${id}`, call_id: id, ...call, arguments: JSON.stringify(input) },
    ),
  ];
  const event = (type: string, fields: object) => ({ event: type, data: { type, ...fields } });
  return streamOf([
    event("response.created", { response: { id: "resp_1" } }),
    ...items.map((item, at) => event("response.output_item.done", { output_index: at, item })),
    event("response.completed", { response: { id: "resp_1", usage } }),
  ]);
}
