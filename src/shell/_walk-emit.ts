import { isOneOf } from "../core/one-of.ts";
import { resolve } from "node:path";
import type { Run } from "./model.ts";
import { aboutOf } from "./_texts.ts";
import type { Walk } from "./_walk.ts";
import { outputOf, textOf } from "./output.ts";

export function emit(walk: Walk, run: Run): Run {
  const [from, to] = isOneOf(run.program, "cp ln install mv")
    ? run.args.filter((arg) => !arg.text.startsWith("-"))
    : [];
  const program = from && /^\/(?:usr\/)?(?:local\/)?s?bin\/([\w.-]+)$/.exec(from.text)?.[1];
  if (program !== undefined && to && run.cwd !== undefined)
    walk.copies.set(resolve(run.cwd, to.text), program);
  for (const { mode, target } of run.redirects) {
    const text =
      mode === "read" || run.cwd === undefined || !target.known
        ? undefined
        : outputOf([{ ...run, redirects: [] }]);
    if (text !== undefined && run.cwd !== undefined) walk.files.set(resolve(run.cwd, target.text), text);
  }
  if (run.program === "tee" && run.cwd !== undefined) {
    const text = textOf(run.stdin);
    for (const arg of run.args)
      if (text !== undefined && !arg.text.startsWith("-")) walk.files.set(resolve(run.cwd, arg.text), text);
  }
  const about = aboutOf(run);
  if (about) {
    const marked = { ...run, about };
    walk.runs.push(marked);
    return marked;
  }
  walk.runs.push(run);
  // What is written to the shell's own name for a connection goes there.
  for (const { mode, target } of run.redirects) {
    const [, kind, host = "", port = ""] = /^\/dev\/(tcp|udp)\/([^/]*)\/?(.*)$/.exec(target.text) ?? [];
    if (kind === undefined || mode === "read" || run.program === "exec") continue;
    const words = [host, port].map((text) => ({ text, known: target.known, glob: false }));
    const stdin = { from: "commands", commands: [{ ...run, redirects: [] }] } as const;
    walk.runs.push({
      program: "/dev/tcp",
      called: target.text,
      args: words,
      redirects: [],
      via: run.via,
      stdin,
    });
  }
  return run;
}
