import { nearest } from "../core/nearest.ts";
import { highKinds, lowKinds, type AbilityKind, type AbilityRow, type Level } from "./ability.ts";
import { fileNamed, folderOf, type Files, type Text } from "./_files.ts";
import type { RoutingCode, RoutingProblem } from "./problem.ts";
import { tablesIn, type Row, type Table } from "./_tables.ts";

export interface AbilityRows {
  readonly rows: readonly AbilityRow[];
  readonly problems: readonly RoutingProblem[];
}

/** What the columns of the two tables are called. */
const shapes = {
  high: { id: "id", kind: "type", scope: "scope", use: "when to use", registry: "registry path" },
  low: { id: "operation key", kind: "kind", scope: "scope", use: "summary", registry: "registry path" },
} as const;

const kinds: Readonly<Record<Level, readonly AbilityKind[]>> = { high: highKinds, low: lowKinds };

/** What an id and an operation key look like. */
export const abilityId = /^[A-Za-z0-9][\w.-]{0,199}$/;

/** The rows of both tables of an `ABILITY.md`. A row with a mistake is reported and left out; the others count. */
export function readAbilityDocument({ file, text }: Text, root: string, files: Files): AbilityRows {
  const problems: RoutingProblem[] = [];
  const report =
    (line: number, level: RoutingProblem["level"] = "error") =>
    (code: RoutingCode, said: string, hint: string): undefined => {
      problems.push({ file, line, level, text: said, hint, code });
    };
  const tables = tablesIn(text).flatMap((table) => {
    const level = levelOf(table, report(table.line));
    return level === undefined ? [] : [{ table, level }];
  });
  if (tables.length === 0 && problems.length === 0)
    report(1)(
      "HL_ROUTING_TABLE",
      "no table of abilities",
      `Expected a table with the columns ${headOf("high")}, or ${headOf("low")}.`,
    );
  const rows = tables.flatMap(({ table, level }) =>
    table.rows.flatMap((row) => toRow(row, table, level, file, root, files, report(row.line)) ?? []),
  );
  return { rows: unique(rows, report), problems };
}

type Report = (code: RoutingCode, text: string, hint: string) => undefined;

const headOf = (level: Level): string => Object.values(shapes[level]).join(" | ");

/** Which of the two a table is; nothing for a table about something else. */
function levelOf({ columns }: Table, report: Report): Level | undefined {
  const fits = (level: Level): number =>
    Object.values(shapes[level]).filter((name) => columns.includes(name)).length;
  const level: Level = fits("low") > fits("high") ? "low" : "high";
  const names = Object.values(shapes[level]);
  const missing = names.filter((name) => !columns.includes(name));
  if (missing.length === 0) return level;
  // Of five columns three are no accident.
  if (fits(level) < 3) return undefined;
  const near = missing.flatMap((name) => {
    const found = nearest(
      name,
      columns.filter((column) => !names.includes(column as never)),
    );
    return found === undefined ? [] : [`"${found}" looks like "${name}"`];
  });
  return report(
    "HL_ROUTING_TABLE",
    `the table lacks the column${missing.length > 1 ? "s" : ""} ${missing.map((name) => `"${name}"`).join(", ")}; none of its rows count`,
    `Expected ${headOf(level)}.${near.length > 0 ? ` ${near.join(", ")}.` : ""}`,
  );
}

function toRow(
  { cells, line }: Row,
  { columns }: Table,
  level: Level,
  file: string,
  root: string,
  files: Files,
  report: Report,
): AbilityRow | undefined {
  if (cells.every((cell) => cell === "")) return undefined;
  const cell = (name: string): string => plain(cells[columns.indexOf(name)] ?? "");
  const shape = shapes[level];
  if (cells.length < columns.length)
    return report(
      "HL_ROUTING_TABLE",
      `the row has ${cells.length} cells, and the table ${columns.length} columns`,
      `Expected ${headOf(level)}; write a bar inside a cell as \\|.`,
    );
  const id = cell(shape.id);
  if (!abilityId.test(id))
    return report(
      "HL_ROUTING_FIELD",
      id === "" ? `no ${shape.id}` : `${JSON.stringify(id)} is no ${shape.id}`,
      "Expected letters, digits, `_`, `-` and `.`, for example `billing_regression`.",
    );
  const kind = kinds[level].find((each) => each === cell(shape.kind).toLowerCase());
  if (!kind)
    return report(
      "HL_ROUTING_KIND",
      `${id}: ${JSON.stringify(cell(shape.kind))} is no ${shape.kind}`,
      `Expected ${kinds[level].join(" or ")}.`,
    );
  const use = cell(shape.use);
  if (use === "")
    report("HL_ROUTING_FIELD", `${id}: no ${shape.use}`, "Say in a sentence what it is there for.");
  const path = cells[columns.indexOf(shape.registry)] ?? "";
  const registry = registryOf(id, plain(path, "target"), file, root, files, report);
  return {
    level,
    id,
    kind,
    scopes: cell(shape.scope)
      .split(",")
      .map((scope) => scope.trim())
      .filter((scope) => scope !== ""),
    use,
    ...(registry === undefined ? {} : { registry }),
    file,
    line,
  };
}

function registryOf(
  id: string,
  given: string,
  file: string,
  root: string,
  files: Files,
  report: Report,
): string | undefined {
  if (given === "")
    return report(
      "HL_ROUTING_MISSING",
      `${id}: no registry path`,
      `Expected a path such as .system/registry/high-level/${id}.yaml.`,
    );
  const named = fileNamed(given, folderOf(file), root, files);
  if ("found" in named) return named.found;
  if ("outside" in named)
    return report(
      "HL_ROUTING_OUTSIDE",
      `${id}: the registry path ${JSON.stringify(given)} is not followed: ${named.outside}`,
      "Expected a file of this workspace.",
    );
  return report(
    "HL_ROUTING_MISSING",
    `${id}: there is no registry file ${given}`,
    "Write the file, or take the row out.",
  );
}

/** Without the marks of code and emphasis; of a link its text, or where it leads. */
const plain = (cell: string, of: "text" | "target" = "text"): string =>
  cell
    .replace(/\[([^[\]]*)\]\(([^()]*)\)/g, of === "text" ? "$1" : "$2")
    .replace(/^[*_`]+|[*_`]+$/g, "")
    .trim();

/** The first row keeps an id. */
function unique(rows: readonly AbilityRow[], report: (line: number) => Report): AbilityRow[] {
  const first = new Map<string, AbilityRow>();
  return rows.filter((row) => {
    const before = first.get(row.id);
    if (!before) {
      first.set(row.id, row);
      return true;
    }
    report(row.line)(
      "HL_ROUTING_DUPLICATE",
      `"${row.id}" stands in line ${before.line} already`,
      "Give it an id of its own, or take one of the rows out; the first counts.",
    );
    return false;
  });
}
