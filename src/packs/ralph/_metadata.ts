import { isObject } from "../../core/json.ts";
import { isoTime } from "../../workflow/iso-time.ts";
import { ralphMachines } from "../../workflow/ralph-machine.ts";
import type { RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { readYaml } from "../../workflow/yaml.ts";
import type { Violation } from "./_progress.ts";

export interface MetadataShape {
  /** Whose states there are. */
  readonly profile: RalphProfileName;
  /** Keys a whole file must have. */
  readonly required: readonly string[];
}

/** Judges a metadata file, or a piece of one: of a piece only what can be read counts. */
export function checkMetadata(text: string, whole: boolean, shape: MetadataShape): Violation[] {
  const parsed = readYaml(text);
  if ("error" in parsed || !isObject(parsed.value)) {
    if (!whole) return [];
    const actual = "error" in parsed ? parsed.error : "not a mapping";
    return [
      broken(
        "metadata.yaml",
        "a YAML mapping",
        actual,
        `metadata.yaml is not a valid YAML mapping (${actual})`,
      ),
    ];
  }
  const data = parsed.value;
  const state = isObject(data["orchestrator"]) ? data["orchestrator"]["state"] : undefined;
  const missing = shape.required.filter(
    (key) => (key === "orchestrator.state" ? state : data[key]) === undefined,
  );
  const found = whole
    ? missing.map((key) => broken(key, "a value", "missing", `Required field '${key}' is missing`))
    : [];
  const { states } = ralphMachines[shape.profile];
  if (state !== undefined && !states.includes(state as string)) {
    const expected = states.join(", ");
    found.push(
      broken(
        "orchestrator.state",
        expected,
        show(state),
        `Invalid orchestrator.state '${show(state)}'. Allowed: ${expected}`,
      ),
    );
  }
  const iteration = data["iteration"];
  if (iteration !== undefined && !(Number.isInteger(iteration) && (iteration as number) > 0)) {
    const text = `Invalid iteration '${show(iteration)}'. Expected a positive integer`;
    found.push(broken("iteration", "a positive integer", show(iteration), text));
  }
  return [...found, ...checkTimes(data, "")];
}

const show = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))).slice(0, 120);

const broken = (field: string, expected: string, actual: string, text: string): Violation => ({
  severity: "block",
  text,
  field,
  expected,
  actual,
});

function checkTimes(data: Readonly<Record<string, unknown>>, above: string): Violation[] {
  return Object.entries(data).flatMap(([key, value]): Violation[] => {
    const field = above === "" ? key : `${above}.${key}`;
    if (isObject(value) && above.length < 200) return checkTimes(value, field);
    if (!key.endsWith("_at") || value === null || isoTime(value) !== undefined) return [];
    const text = `Timing field '${field}' is not ISO8601: '${show(value)}'`;
    return [{ severity: "warn", text, field, expected: "an ISO8601 time", actual: show(value) }];
  });
}
