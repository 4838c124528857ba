// Written by tools/generate.ts; do not edit.
import type { Command } from "./_command.ts";

export const commands: Readonly<Record<string, () => Promise<{ default: Command }>>> = {
  check: () => import("./check.ts"),
  checkpoint: () => import("./checkpoint.ts"),
  complete: () => import("./complete.ts"),
  completion: () => import("./completion.ts"),
  demo: () => import("./demo.ts"),
  doctor: () => import("./doctor.ts"),
  emit: () => import("./emit.ts"),
  eval: () => import("./eval.ts"),
  explain: () => import("./explain.ts"),
  export: () => import("./export.ts"),
  extract: () => import("./extract.ts"),
  hooks: () => import("./hooks.ts"),
  keys: () => import("./keys.ts"),
  log: () => import("./log.ts"),
  replay: () => import("./replay.ts"),
  rules: () => import("./rules.ts"),
  run: () => import("./run.ts"),
  schema: () => import("./schema.ts"),
  script: () => import("./script.ts"),
  signal: () => import("./signal.ts"),
  stats: () => import("./stats.ts"),
  trust: () => import("./trust.ts"),
  verify: () => import("./verify.ts"),
  watch: () => import("./watch.ts"),
};
