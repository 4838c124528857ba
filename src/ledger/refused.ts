import { isObject, type Json } from "../core/json.ts";
import { append, nodeFs, readText } from "../platform/files.ts";
import { dirname } from "node:path";
import { executedRule } from "./append.ts";
import { locked } from "./segment.ts";

/**
 * Refused calls with what they would have left behind, kept beside the head: to search the ledger for them at every
 * prompt would cost the more, the more is in it. A line is either such a call or `{said}`, the records of those that
 * somebody has been told about. The records themselves have all of it, too.
 */
export async function noteRefused(path: string, record: Json): Promise<void> {
  const said = saidIn(record);
  const { id, time, trace, event } = record;
  const { session, tool } = isObject(event) ? event : {};
  const lines = [
    ...(Array.isArray(trace) ? [{ id, time, session, tool, trace }] : []),
    ...(said.length > 0 ? [{ said }] : []),
  ];
  if (lines.length > 0) await add(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function add(path: string, text: string): Promise<void> {
  const file = await locked(path);
  if (file === "missing") {
    nodeFs().mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    append(path, text, 0o600);
    return;
  }
  try {
    file.append(new TextEncoder().encode(text));
    // Whoever has it open still writes to it, whatever it is called: nothing falls between.
    if (file.size > largest) nodeFs().renameSync(path, older(path));
  } finally {
    file.close();
  }
}

const older = (path: string): string => `${path}.old`;
const largest = 128 * 1024;

/** The calls of a session that were refused lately, the latest last, without those that somebody has been told about. */
export function refusedIn(path: string, session: string): Json[] {
  const lines = [older(path), path].flatMap((each) => (readText(each, 4 * largest) ?? "").split("\n"));
  const said = new Set(lines.filter((line) => line.startsWith('{"said"')).flatMap((line) => told(line)));
  const mark = `"session":${JSON.stringify(session)}`;
  return lines
    .filter((line) => line.includes(mark))
    .flatMap((line) => {
      const call = parsed(line);
      return call?.["session"] === session && !said.has(call["id"]) ? [call] : [];
    });
}

function told(line: string): unknown[] {
  const { said } = parsed(line) ?? {};
  return Array.isArray(said) ? said : [];
}

/** Nothing for a line that somebody died while writing. */
function parsed(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The records a finding has told somebody about. */
export function saidIn({ findings }: Json): unknown[] {
  const all = Array.isArray(findings) ? findings.filter(isObject) : [];
  return all
    .filter(({ rule }) => rule === executedRule)
    .map(({ data }) => (isObject(data) ? data["record"] : undefined));
}
