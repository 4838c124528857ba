#!/usr/bin/env bun
// Hook: session_stop_build_check
// Event: SessionStop
// Description: One build a service that has changed; tells how each went and which file to open.
import { readFileSync } from "node:fs";

interface Outcome {
  readonly service: string;
  readonly ok: boolean;
  /** Where the first error is, if the build says so. */
  readonly at?: { readonly path: string; readonly line: number };
}

const { changed_files } = JSON.parse(readFileSync(0, "utf8")) as { changed_files?: readonly string[] };
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

const services = new Set(
  (changed_files ?? []).map((file) => /^services\/([a-z0-9-]+)\//.exec(file)?.[1] ?? ""),
);
const outcomes = await Promise.all([...services].filter((name) => `build:${name}` in scripts).map(build));
const failed = outcomes.filter(({ ok }) => !ok);

console.log(
  JSON.stringify({
    messages_to_user: outcomes.length === 0 ? [] : [headline(), ...outcomes.map(toLine)],
    follow_up_actions: failed.flatMap(({ at }) => (at ? [{ kind: "open_file", payload: { ...at } }] : [])),
  }),
);

async function build(service: string): Promise<Outcome> {
  const child = Bun.spawn(["npm", "run", "--silent", `build:${service}`], { stdout: "pipe", stderr: "pipe" });
  const said = (await Promise.all([child.stdout.text(), child.stderr.text()])).join("\n");
  const ok = (await child.exited) === 0;
  const [, path, line] = /(services\/[\w./-]+\.\w+):(\d+)/.exec(said) ?? [];
  return { service, ok, ...(ok || path === undefined ? {} : { at: { path, line: Number(line) } }) };
}

function headline(): string {
  return `Ran ${outcomes.map(({ service }) => `\`npm run build:${service}\``).join(" and ")} for modified services.`;
}

function toLine({ service, ok, at }: Outcome): string {
  const name = service.charAt(0).toUpperCase() + service.slice(1);
  if (ok) return `${name} build: success.`;
  return `${name} build: failed${at ? ` at ${at.path}:${at.line}` : ""}.`;
}
