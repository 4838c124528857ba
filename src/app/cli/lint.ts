import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { HookDefinition } from "../../core/hook.ts";
import { checklist, type LintFinding, type Severity } from "../../lint/lint.ts";
import { lints } from "../../lint/lints.ts";
import { isFailing, runLints } from "../../lint/run-lints.ts";
import { toSarif } from "../../lint/sarif.ts";
import { version } from "../../platform/version.ts";
import type { HookProblem } from "../../sources/source.ts";
import { hooksIn, isHookFile, type FoundHook } from "../linting/found-hooks.ts";
import { scriptSubject, subjectOf } from "../linting/subjects.ts";
import { timingsOf } from "../linting/timings.ts";
import { defineCommand, UsageError, type Given } from "./_command.ts";
import { allHooks } from "./_hooks.ts";
import { paint, table } from "./_table.ts";

export default defineCommand({
  summary: "Security lint of hook files, ours and foreign, and of the scripts they run.",
  usage: ["lint [PATH…] [--json | --sarif]", "lint --rules [--json]"],
  details:
    "Without a path: all hooks of the workspace. A file or folder is read as what it looks like, wherever it lies. Exit 1 when there is more than a note. docs/lint.md has every rule.",
  flags: {
    json: { type: "boolean", summary: "Print the findings as JSON." },
    sarif: { type: "boolean", summary: "Print the findings as SARIF 2.1.0, for code hosts." },
    rules: { type: "boolean", summary: "List the rules instead." },
  },
  async run(given) {
    if (given.flags["rules"] === true) return listRules(given);
    const linted = await lintAll(given.words);
    const { hooks, findings } = linted;
    if (given.flags["sarif"] === true) console.log(JSON.stringify(toSarif(findings, version), null, 2));
    else if (given.flags["json"] === true)
      console.log(JSON.stringify({ ok: !isFailing(findings), hooks, findings }));
    else console.log(asText(linted));
    return isFailing(findings) ? 1 : 0;
  },
});

interface Linted {
  readonly hooks: number;
  readonly scripts: number;
  readonly findings: LintFinding[];
}

async function lintAll(paths: readonly string[]): Promise<Linted> {
  const env = process.env;
  const { root, definitions: own, problems: told } = await allHooks();
  const ours = (hooks: readonly HookDefinition[]): FoundHook[] => hooks.map((hook) => ({ hook, base: root }));
  const hooks: FoundHook[] = paths.length === 0 ? ours(own) : [];
  const problems: HookProblem[] = paths.length === 0 ? [...told] : [];
  const scripts: string[] = [];
  for (const given of paths) {
    const path = resolve(given);
    if (!existsSync(path))
      throw new UsageError(`there is no ${given}; expected a hook file, a script or a folder`);
    const found = hooksIn(path, root);
    const isNothing = found.hooks.length + found.problems.length + found.scripts.length === 0;
    if (isNothing && statSync(path).isFile() && !isHookFile(path))
      throw new UsageError(`${given} is neither a hook file of a known format nor a script`);
    hooks.push(...found.hooks);
    problems.push(...found.problems);
    // A script is judged by what runs it, where something does.
    for (const script of found.scripts) {
      const users = own.filter(({ handler }) => handler.kind === "command" && handler.script === script);
      if (users.length > 0) hooks.push(...ours(users));
      else scripts.push(script);
    }
  }
  const timings = timingsOf(root);
  const subjects = await Promise.all([
    ...hooks.map(({ hook, base }) => subjectOf(hook, root, env, timings, base)),
    ...scripts.map((script) => scriptSubject(script, root, env)),
  ]);
  return {
    hooks: hooks.length,
    scripts: scripts.length,
    findings: runLints(
      subjects.flatMap((subject) => subject ?? []),
      problems,
    ),
  };
}

const colours = { error: "red", warning: "yellow", note: "dim" } as const satisfies Record<Severity, string>;

function asText({ findings, hooks, scripts }: Linted): string {
  const lines = findings.flatMap(({ rule, severity, file, line, message, fix }) => [
    `${file}:${line}  ${paint(severity, colours[severity])} ${rule}: ${message}`,
    `  ${fix}`,
  ]);
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  const counts = `${count("error")} errors, ${count("warning")} warnings, ${count("note")} notes`;
  const looked = `${hooks} hooks${scripts === 0 ? "" : ` and ${scripts} scripts`} looked at`;
  return [...lines, `${looked}: ${counts}.`].join("\n");
}

function listRules(given: Given): number {
  if (given.flags["json"] === true)
    console.log(
      JSON.stringify(
        lints.map(({ id, severity, summary, why, fix, item }) => ({
          id,
          severity,
          summary,
          why,
          fix,
          ...(item ? { checklist: checklist[item] } : {}),
        })),
      ),
    );
  else
    console.log(
      table([
        ["ID", "SEVERITY", "SUMMARY"],
        ...lints.map(({ id, severity, summary }) => [id, severity, summary]),
      ]),
    );
  return 0;
}
