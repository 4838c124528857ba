import { describe, expect, test } from "bun:test";
import { workspace } from "./support/hookline.ts";

const time = "2026-11-18T03:51:53.705Z";
const said = "Checked.\n<score>85</score>";
const lines = (...entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

/** As the real clients write them, with what they write behind the agent's last words. */
const transcripts: Readonly<Record<string, string>> = {
  // Codex 0.166.0
  codex: lines(
    {
      timestamp: time,
      type: "response_item",
      payload: {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "<score>1</score>" }],
      },
    },
    {
      timestamp: time,
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "<score>2</score>" }] },
    },
    {
      timestamp: time,
      type: "response_item",
      payload: { type: "function_call_output", call_id: "c", output: "<score>3</score>" },
    },
    {
      timestamp: time,
      type: "response_item",
      payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: said }] },
    },
    { timestamp: time, type: "event_msg", payload: { type: "token_count", info: {} } },
    {
      timestamp: time,
      type: "event_msg",
      payload: { type: "task_complete", last_agent_message: "<score>4</score>" },
    },
  ),
  // Gemini CLI 0.61.0
  "gemini-cli": lines(
    { sessionId: "s", projectHash: "h", startTime: time, lastUpdated: time, kind: "main" },
    { id: "1", timestamp: time, type: "gemini", content: "<score>1</score>", thoughts: [] },
    {
      id: "2",
      timestamp: time,
      type: "user",
      content: [{ functionResponse: { response: { output: "<score>2</score>" } } }],
    },
    { id: "3", timestamp: time, type: "gemini", content: said, thoughts: [], model: "gemini-2.5-flash" },
    { $set: { lastUpdated: time } },
  ),
  // Qwen Code 0.24.4
  "qwen-code": lines(
    {
      uuid: "1",
      type: "assistant",
      provenance: "assistant_output",
      message: { role: "model", parts: [{ text: "<score>1</score>" }] },
    },
    {
      uuid: "2",
      type: "tool_result",
      message: { role: "user", parts: [{ functionResponse: { response: { output: "<score>2</score>" } } }] },
    },
    {
      uuid: "3",
      type: "assistant",
      message: { role: "model", parts: [{ text: "<score>3</score>", thought: true }, { text: said }] },
    },
    { uuid: "4", type: "system", subtype: "ui_telemetry", systemPayload: {} },
  ),
};

describe.each(Object.entries(transcripts))("the transcript of %s", (id, text) => {
  test("gives what the agent said last, whoever is asked", async () => {
    using ws = workspace({ "t.jsonl": text });
    for (const flags of [["--host", id], []]) {
      const ran = await ws.run(["extract", "score", "--transcript", "t.jsonl", "--all", ...flags]);
      expect(ran).toMatchObject({ exitCode: 0, stdout: "85\n" });
    }
  });

  test("is nobody else's", async () => {
    using ws = workspace({ "t.jsonl": text });
    for (const other of ["claude-code", "copilot", ...Object.keys(transcripts)].filter(
      (each) => each !== id,
    )) {
      const { exitCode, stdout } = await ws.run([
        "extract",
        "score",
        "--transcript",
        "t.jsonl",
        "--host",
        other,
      ]);
      expect({ other, exitCode, stdout }).toEqual({ other, exitCode: 2, stdout: "" });
    }
  });
});
