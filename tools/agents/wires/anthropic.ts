import { list, nothingHere, streamOf, textOf, type Move, type Wire } from "./wire.ts";

const usage = { input_tokens: 100, output_tokens: 10 };
const isMessages = (path: string): boolean => path.endsWith("/v1/messages");

/** Anthropic's Messages. */
export const anthropic: Wire = {
  isTurn: (path, body) => isMessages(path) && list(body["tools"]).length > 0,
  hear(body) {
    const said = list(body["messages"]).filter(({ role }) => role !== "assistant");
    const blocks = said.flatMap(({ content }) =>
      typeof content === "string" ? [{ type: "text", text: content }] : list(content),
    );
    const results = blocks.filter(({ type }) => type === "tool_result");
    const others = blocks.filter(({ type }) => type !== "tool_result");
    return {
      opening: textOf(said[0]?.["content"]),
      texts: [textOf(body["system"]), ...others.map(textOf)],
      results: results.map((each) => ({ id: String(each["tool_use_id"]), text: textOf(each["content"]) })),
    };
  },
  answer: (move, body) => reply(move, body["model"], body["stream"] === true),
  aside(path, body) {
    if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
    if (isMessages(path))
      return reply({ text: '{"title":"A voyage"}', calls: [] }, body["model"], body["stream"] === true);
    return nothingHere();
  },
};

function reply({ text, calls }: Move, model: unknown, streams: boolean): Response {
  const content = [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ];
  const stop = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  const message = { id: "msg_1", type: "message", role: "assistant", model, content, ...stop, usage };
  if (!streams) return Response.json(message);
  const event = (type: string, fields: object) => ({ event: type, data: { type, ...fields } });
  return streamOf([
    event("message_start", { message: { ...message, content: [], stop_reason: null } }),
    ...content.flatMap((block, index) => {
      const isText = "text" in block;
      return [
        event("content_block_start", {
          index,
          content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
        }),
        event("content_block_delta", {
          index,
          delta: isText
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        }),
        event("content_block_stop", { index }),
      ];
    }),
    event("message_delta", { delta: stop, usage }),
    event("message_stop", {}),
  ]);
}
