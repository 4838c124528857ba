import { checklist, type LintFinding, type Severity } from "./lint.ts";
import { lints } from "./lints.ts";

const levels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "note" };

/** Findings as SARIF 2.1.0, which code hosts show beside the lines they are about. */
export function toSarif(findings: readonly LintFinding[], version: string): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Hookline",
            semanticVersion: version,
            rules: lints.map(({ id, severity, summary, why, fix, item }) => ({
              id,
              shortDescription: { text: summary },
              fullDescription: { text: why },
              help: { text: fix },
              defaultConfiguration: { level: levels[severity] },
              ...(item === undefined ? {} : { properties: { checklist: checklist[item] } }),
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map(({ rule, severity, file, line, message, fix, hook }) => ({
          ruleId: rule,
          ruleIndex: lints.findIndex(({ id }) => id === rule),
          level: levels[severity],
          message: { text: `${message}. ${fix}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: addressOf(file),
                region: { startLine: line },
              },
            },
          ],
          ...(hook === undefined ? {} : { properties: { hook } }),
        })),
      },
    ],
  };
}

/** A path below the workspace is relative to its root; one outside is an address of its own. */
const addressOf = (file: string): object =>
  file.startsWith("/") ? { uri: `file://${encoded(file)}` } : { uri: encoded(file), uriBaseId: "%SRCROOT%" };

/** Each name by itself: `#` and `?` have a meaning of their own in an address. */
const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
