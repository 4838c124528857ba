import { basename, join } from "node:path";
import { isObject } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { roleOf, type Role } from "./ralph-roles.ts";
import { readYaml } from "./yaml.ts";

// This module brings the YAML library along: import it only when there are signals.

/** What a person tells a running session, as its file says it. */
export interface Signal {
  readonly type: string;
  /** `ALL`, a role, or a name nobody here has. */
  readonly target: string;
  readonly message: string;
  readonly iteration?: number;
}

/** One place where a signal breaks its schema. */
export interface SignalFlaw {
  readonly severity: "block" | "warn";
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
  readonly text: string;
}

export interface CheckedSignal {
  readonly flaws: readonly SignalFlaw[];
  /** Absent when a flaw is a reason to refuse it. */
  readonly signal?: Signal;
}

/** Reads a signal file by its schema. `path` is where it lies or shall lie. */
export function checkSignal(path: string, text: string, types: readonly string[]): CheckedSignal {
  const parsed = readYaml(text);
  if ("error" in parsed)
    return refuse("(file)", "valid YAML", parsed.error, `Signal file is not valid YAML (${parsed.error})`);
  const data = parsed.value ?? {};
  if (!isObject(data))
    return refuse("(file)", "a YAML mapping", show(data), "Signal file must be a YAML mapping");
  const flaws = [
    ...typeFlaws(data["type"], types),
    ...messageFlaws(data["message"]),
    ...targetFlaws(data["target"]),
    ...iterationFlaws(data["iteration"]),
    ...nameFlaws(path),
  ];
  if (flaws.some(({ severity }) => severity === "block")) return { flaws };
  const iteration = data["iteration"];
  const signal: Signal = {
    type: String(data["type"]),
    target:
      typeof data["target"] === "string" && data["target"].trim() !== "" ? data["target"].trim() : "ALL",
    message: scalar(data["message"]).trim(),
    ...(isCount(iteration) ? { iteration } : {}),
  };
  return { flaws, signal };
}

const refuse = (field: string, expected: string, actual: string, text: string): CheckedSignal => ({
  flaws: [{ severity: "block", field, expected, actual, text }],
});

function typeFlaws(type: unknown, types: readonly string[]): SignalFlaw[] {
  if (typeof type === "string" && types.includes(type)) return [];
  const allowed = types.join(", ");
  const text =
    type === undefined || type === null
      ? `Signal type is missing. Must be one of: ${allowed}`
      : `Invalid signal type '${show(type)}'. Must be one of: ${allowed}`;
  return [{ severity: "block", field: "type", expected: allowed, actual: show(type), text }];
}

function messageFlaws(message: unknown): SignalFlaw[] {
  if (scalar(message).trim() !== "") return [];
  const text = "Signal message must be non-empty";
  return [{ severity: "block", field: "message", expected: "a non-empty text", actual: show(message), text }];
}

function targetFlaws(target: unknown): SignalFlaw[] {
  if (typeof target === "string" && target.trim() !== "") return [];
  const text =
    target === undefined || target === null || target === ""
      ? "Signal target is missing; defaulting to ALL"
      : `Signal target '${show(target)}' is not a name; defaulting to ALL`;
  return [{ severity: "warn", field: "target", expected: "ALL or an agent", actual: show(target), text }];
}

function iterationFlaws(iteration: unknown): SignalFlaw[] {
  if (iteration === undefined || isCount(iteration)) return [];
  const text = `Signal iteration must be a positive integer, got '${show(iteration)}'`;
  return [
    { severity: "warn", field: "iteration", expected: "a positive integer", actual: show(iteration), text },
  ];
}

function nameFlaws(path: string): SignalFlaw[] {
  const name = nameOf(path);
  if (/^signal\.\d{6}-\d{6}\.yaml$/.test(name)) return [];
  const expected = "signal.<YYMMDD-HHmmss>.yaml";
  const text = `Signal filename '${name}' does not match ${expected}`;
  return [{ severity: "warn", field: "filename", expected, actual: name, text }];
}

const nameOf = (path: string): string => basename(path.replaceAll("\\", "/"));

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0;

const scalar = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

function show(value: unknown): string {
  if (value === undefined) return "(missing)";
  const text = typeof value === "string" ? value : asJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** An alias of YAML can make a value a part of itself. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "(a value that contains itself)";
  }
}

/** `ALL`, a role, or the name as it stands: `Ralph-v2-Executor` and `executor` are the `Executor`. */
export function normalTarget(target: string): string {
  if (/^(?:all|everyone|\*)?$/i.test(target.trim())) return "ALL";
  return roleOf(target) ?? target.trim();
}

/** A signal in its place. */
export interface PlacedSignal extends Signal {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Sorts signals by their time. */
  readonly order: string;
  readonly state: "pending" | "processed";
}

export interface BrokenSignal {
  readonly name: string;
  readonly path: string;
  readonly flaws: readonly SignalFlaw[];
}

export interface Signals {
  /** Oldest first. */
  readonly all: readonly PlacedSignal[];
  /** Files that say nothing anybody could follow. */
  readonly broken: readonly BrokenSignal[];
}

/** The signals of a session, oldest first; one that somebody has taken is processed, even if its old name is still there. */
export function signalsOf(session: string, types: readonly string[], world: World): Signals {
  const all: PlacedSignal[] = [];
  const broken: BrokenSignal[] = [];
  const handled = new Map<string, string>();
  for (const [state, folder] of [
    ["processed", "signals/processed"],
    ["pending", "signals/inputs"],
  ] as const) {
    for (const name of signalNames(join(session, folder), world)) {
      const path = join(session, folder, name);
      const text = textOf(path, world);
      if (text === undefined) {
        broken.push({ name, path, flaws: [unreadable] });
        continue;
      }
      if (state === "processed") handled.set(name, text);
      else if (handled.get(name)?.startsWith(text) === true) continue;
      const { signal, flaws } = checkSignal(path, text, types);
      if (!signal) broken.push({ name, path, flaws });
      else all.push({ ...signal, name, path, text, order: orderOf(path, world), state });
    }
  }
  return { all: all.toSorted(byOrder), broken };
}

/** A folder or a file nobody may read must not hide the signals beside it. */
export function textOf(path: string, world: World): string | undefined {
  try {
    return world.read(path) ?? "";
  } catch {
    return undefined;
  }
}

const unreadable: SignalFlaw = {
  severity: "block",
  field: "(file)",
  expected: "a readable file",
  actual: "something else",
  text: "Signal file cannot be read",
};

const byOrder = (a: PlacedSignal, b: PlacedSignal): number =>
  a.order < b.order ? -1 : a.order > b.order ? 1 : a.name < b.name ? -1 : 1;

/** The names of the signals in a folder. What begins with a dot is somebody's unfinished file. */
export const signalNames = (folder: string, world: World): string[] =>
  (world.list(folder) ?? []).filter((name) => /^[^.].*\.ya?ml$/i.test(name));

/** The time in a signal's name, or of its file, as digits that sort: `260215180000000`. */
export function orderOf(path: string, world: World): string {
  const found = /(?:^|\D)(?:20)?(\d{6})[-T_]?(\d{6})(?:[-.](\d{1,3})(?!\d))?/.exec(nameOf(path));
  if (found) return `${found[1]}${found[2]}${(found[3] ?? "").padEnd(3, "0")}`;
  return timeDigits(world.stat(path)?.modified ?? world.now());
}

/** A moment as the digits of local time, as people name their signals. */
export function timeDigits(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${two(at.getFullYear() % 100)}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
  return `${day}${time}${String(at.getMilliseconds()).padStart(3, "0")}`;
}

export const isFor = ({ target }: Signal, consumer: Role | undefined): boolean => {
  const normal = normalTarget(target);
  return normal === "ALL" || normal === consumer;
};
