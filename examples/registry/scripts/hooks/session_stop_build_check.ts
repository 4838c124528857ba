#!/usr/bin/env bun
// Hook: session_stop_build_check
// Event: SessionStop
// Description: Builds the services whose files have changed and says what failed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const context = JSON.parse(readFileSync(0, "utf8")) as { changed_files?: unknown };
const changed = Array.isArray(context.changed_files)
  ? context.changed_files.filter((file): file is string => typeof file === "string")
  : [];
const scripts =
  (JSON.parse(readFileSync("package.json", "utf8")) as { scripts?: Record<string, string> }).scripts ?? {};

// A name from outside becomes a word of a command only if package.json has a script for it.
const services = [
  ...new Set(changed.flatMap((file) => /^(?:\.\/)?(?:services|apps)\/([\w.-]+)\//.exec(file)?.[1] ?? [])),
]
  .filter((name) => Object.hasOwn(scripts, `build:${name}`))
  .toSorted();

const results = services.map((name) => {
  const { status, stdout, stderr, error } = spawnSync("npm", ["run", "--silent", `build:${name}`], {
    encoding: "utf8",
    timeout: 120_000,
  });
  return { name, ok: status === 0, output: error ? error.message : `${stdout}\n${stderr}` };
});

const failed = results
  .filter(({ ok }) => !ok)
  .map((result) => ({ ...result, place: placeIn(result.output) }));

console.log(
  JSON.stringify({
    messages_to_user:
      results.length === 0
        ? []
        : [
            `Ran ${results.map(({ name }) => `\`npm run build:${name}\``).join(" and ")} for modified services.`,
            ...results.map(({ name, ok, output }) => {
              if (ok) return `${titled(name)} build: success.`;
              const place = placeIn(output);
              return `${titled(name)} build: failed${place ? ` in ${place.path}:${place.line}` : ""}: ${reasonIn(output)}`;
            }),
            ...(failed.length > 0 ? ["Recommend fixing the errors before merging."] : []),
          ],
    follow_up_actions: failed.flatMap(({ place }) =>
      place ? [{ kind: "open_file", payload: { path: place.path, line: place.line } }] : [],
    ),
    logs: results.map(({ name, ok }) => ({
      level: ok ? "info" : "error",
      message: `build:${name} ${ok ? "passed" : "failed"}`,
    })),
  }),
);

/** The first file of ours a build complains about: `services/auth/src/login.js:58`. */
function placeIn(output: string): { path: string; line: number } | undefined {
  for (const [, path = "", line = "1"] of output.matchAll(/((?:services|apps)\/[\w./-]+\.\w+)[:(](\d+)/g))
    if (existsSync(path)) return { path, line: Number(line) };
  return undefined;
}

function reasonIn(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "no output";
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
