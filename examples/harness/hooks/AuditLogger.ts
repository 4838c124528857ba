#!/usr/bin/env bun
// Hook: AuditLogger
// Event: PreToolUse, Stop
// Description: Adds every event to a hash-chained audit log, in which nothing can be changed unnoticed.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from "node:fs";

const payload = JSON.parse(readFileSync(0, "utf8")) as Record<string, unknown>;
const now = new Date().toISOString();
const folder = `MEMORY/SECURITY/${now.slice(0, 4)}/${now.slice(5, 7)}`;
const file = `${folder}/audit.jsonl`;
mkdirSync(folder, { recursive: true });

const lock = `${file}.lock`;
for (let attempt = 0; ; attempt++) {
  try {
    mkdirSync(lock);
    break;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST" || attempt > 100) throw error;
    // Whoever was ended while holding it will not come back for it.
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > 10_000) rmdirSync(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}
try {
  const last = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").at(-1) : undefined;
  const prev_hash = last ? (JSON.parse(last) as { hash: string }).hash : "genesis";
  const entry = {
    ts: now,
    session_id: payload["session_id"],
    event: payload["hook_event_name"],
    tool: payload["tool_name"],
    // What it was about can be told from its digest; the text itself may hold secrets.
    detail: payload["tool_input"] === undefined ? undefined : sha256(JSON.stringify(payload["tool_input"])),
    prev_hash,
  };
  appendFileSync(file, `${JSON.stringify({ ...entry, hash: sha256(JSON.stringify(entry)) })}\n`);
} finally {
  rmdirSync(lock);
}
process.exit(0);

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
