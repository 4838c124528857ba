import type { HookProblem, HookProblemCode } from "../sources/source.ts";
import { severities, type Lint, type LintFinding, type Remark, type Subject } from "./lint.ts";
import { lints } from "./lints.ts";

/** The lint that stands for what a loader has found. */
const byCode: Readonly<Record<HookProblemCode, string>> = {
  HL_HOOK_UNREADABLE: "broken-file",
  HL_HOOK_TOO_LONG: "broken-file",
  HL_HOOK_TOO_MANY: "broken-file",
  HL_HOOK_SYNTAX: "broken-file",
  HL_HOOK_FIELD: "broken-file",
  HL_HOOK_HANDLER: "broken-file",
  HL_HOOK_DUPLICATE: "broken-file",
  HL_HOOK_NAME: "broken-file",
  HL_HOOK_EVENT: "never-fires",
  HL_HOOK_MATCHER: "never-fires",
  HL_HOOK_TIMEOUT: "timeout-unit",
  HL_HOOK_NOT_EXECUTABLE: "missing-script",
  HL_HOOK_POLICY: "broken-file",
};

/** Everything there is to say, by file and line. The same thing is said once, whichever hook it was found by. */
export function runLints(subjects: readonly Subject[], problems: readonly HookProblem[]): LintFinding[] {
  const found = [
    ...problems.map(fromProblem),
    ...subjects.flatMap((subject) =>
      lints.flatMap((lint) => [...lint.check(subject)].map((remark) => place(lint, subject, remark))),
    ),
  ];
  const once = new Map(
    found.map((finding) => [
      JSON.stringify([finding.rule, finding.file, finding.line, finding.message]),
      finding,
    ]),
  );
  return [...once.values()].toSorted(
    (a, b) =>
      compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule) || compare(a.message, b.message),
  );
}

/** Whether something was found that is more than a note. */
export const isFailing = (findings: readonly LintFinding[]): boolean =>
  findings.some(({ severity }) => severities.indexOf(severity) > 0);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function fromProblem({ file, line, level, text, hint, code, hook }: HookProblem): LintFinding {
  return {
    rule: byCode[code],
    severity: level,
    file,
    line,
    ...(hook === undefined ? {} : { hook }),
    message: `${text} (${code})`,
    fix: hint,
  };
}

function place(
  lint: Lint,
  { hook, script }: Subject,
  { text, in: where, line, severity }: Remark,
): LintFinding {
  const inScript = script !== undefined && (where === "script" || !hook);
  return {
    rule: lint.id,
    severity: severity ?? lint.severity,
    file: inScript ? script.file : (hook?.file ?? ""),
    line: line ?? (inScript ? 1 : (hook?.line ?? 1)),
    ...(hook ? { hook: hook.id } : {}),
    message: text,
    fix: lint.fix,
  };
}
