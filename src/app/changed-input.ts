import type { Json } from "../core/json.ts";

/** Where hosts put a tool's input. */
const keys = ["tool_input", "toolInput", "toolArgs", "arguments", "args"];

/** A payload as it would have come with another tool input. */
export function withInput(payload: Json, input: Json): Json {
  const key = keys.find((each) => each in payload) ?? "tool_input";
  return { ...payload, [key]: typeof payload[key] === "string" ? JSON.stringify(input) : input };
}
