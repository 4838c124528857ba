#!/usr/bin/env bun
// Hook: SessionSummary
// Event: Stop
// Description: Writes down what the session has come to, from its transcript.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

interface Entry {
  readonly timestamp?: string;
  readonly message?: { readonly role?: string; readonly content?: unknown };
}

const payload = JSON.parse(readFileSync(0, "utf8")) as { session_id?: unknown; transcript_path?: unknown };
// The id becomes the name of a folder: nothing but a plain name will do.
const session =
  typeof payload.session_id === "string" && /^[\w-]+$/.test(payload.session_id) ? payload.session_id : "";
const transcript = typeof payload.transcript_path === "string" ? payload.transcript_path : "";
if (session === "" || !existsSync(transcript)) {
  console.error("SessionSummary: no session or no transcript; nothing written");
  process.exit(0);
}

const entries = readFileSync(transcript, "utf8").split("\n").flatMap(parsed);
const turns = entries.filter(
  ({ message }) => message?.role === "user" && typeof message.content === "string",
);
const blocks = entries.flatMap(({ message }) =>
  Array.isArray(message?.content) ? (message.content as unknown[]) : [],
);
const uses = blocks.filter(isToolUse);
const files = uses.flatMap(({ name, input }) =>
  /^(?:Write|Edit)$/.test(name) ? (input?.file_path ?? []) : [],
);
const counts = new Map<string, number>();
for (const { name } of uses) counts.set(name, (counts.get(name) ?? 0) + 1);

const date = (entries.find(({ timestamp }) => timestamp)?.timestamp ?? new Date().toISOString()).slice(0, 10);
const folder = `MEMORY/WORK/${/^\d{4}-\d\d-\d\d$/.test(date) ? date : "undated"}/${session}`;
const lines = [
  `# Session ${session}`,
  "",
  `- prompts: ${turns.length}`,
  `- tool calls: ${uses.length}${[...counts].map(([name, count]) => `, ${name} ${count}`).join("")}`,
  ...[...new Set(files)].map((file) => `- changed: ${file}`),
];
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/summary.md`, `${lines.join("\n")}\n`);
console.error(`SessionSummary: ${folder}/summary.md`);
process.exit(0);

/** A transcript is being written while it is read: half a line is no line. */
function parsed(line: string): Entry[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? [entry] : [];
  } catch {
    return [];
  }
}

function isToolUse(block: unknown): block is { name: string; input?: { file_path?: string } } {
  return (
    typeof block === "object" &&
    block !== null &&
    "type" in block &&
    block.type === "tool_use" &&
    "name" in block
  );
}
