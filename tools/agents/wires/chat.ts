import type { Json } from "../../../src/core/json.ts";
import { list, nothingHere, streamOf, textOf, type Move, type Wire } from "./wire.ts";

const isChat = (path: string): boolean => path.endsWith("/chat/completions");

/** About as it would be: agents make room when they take a conversation to be long. */
function usageOf(body: Json): Json {
  const prompt_tokens = Math.ceil(JSON.stringify(body).length / 4);
  return { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 };
}

/** OpenAI's chat completions, which many speak. */
export const chat: Wire = {
  isTurn: (path, body) => isChat(path) && list(body["tools"]).length > 0,
  hear(body) {
    const messages = list(body["messages"]);
    const results = messages.filter(({ role }) => role === "tool");
    const others = messages.filter(({ role }) => role !== "tool" && role !== "assistant");
    return {
      opening: textOf(messages.find(({ role }) => role === "user")?.["content"]),
      texts: others.map(({ content }) => textOf(content)),
      results: results.map((each) => ({ id: String(each["tool_call_id"]), text: textOf(each["content"]) })),
    };
  },
  answer: (move, body) => reply(move, body),
  aside(path, body) {
    if (isChat(path)) return reply({ text: "A voyage", calls: [] }, body);
    return path.endsWith("/models") ? Response.json({ object: "list", data: [] }) : nothingHere();
  },
};

function reply({ text, calls }: Move, body: Json): Response {
  const called = calls.map(({ id, name, input }) =>
    typeof input === "string"
      ? { id, type: "custom", custom: { name, input } }
      : { id, type: "function", function: { name, arguments: JSON.stringify(input) } },
  );
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const head = { id: "chatcmpl-1", created: 0, model: body["model"] };
  const usage = usageOf(body);
  if (body["stream"] !== true) {
    const message = {
      role: "assistant",
      content: text ?? null,
      ...(called.length > 0 ? { tool_calls: called } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: finish }];
    return Response.json({ ...head, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    data: { ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
  });
  return streamOf([
    chunk({ role: "assistant", content: text ?? "" }),
    ...called.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finish),
    { data: { ...head, object: "chat.completion.chunk", choices: [], usage } },
    { data: "[DONE]" },
  ]);
}
