import { isMask, mask } from "./_mask.ts";
import { maskAssignments } from "./_secret-assignment.ts";
import { maskEncoded } from "./_secret-encoded.ts";
import { isWorkingFolder, secretName, stems } from "./_secret-name.ts";
import { mayHoldSecret } from "./secret-hint.ts";
import { hasLongRun, maskLasting, maskShapes, shortLiterals } from "./_secret-shape.ts";
import { sqlStem } from "./_secret-sql.ts";

export type Redacted = {
  value: unknown;
  masked: string[];
  /** The texts that were taken out, for finding them again where nothing but themselves gives them away. */
  secrets: readonly string[];
};

/**
 * A deep copy of a JSON-like value with its secrets masked, and the paths where something was masked:
 * `redact({ env: { API_TOKEN: "abc" } })` is
 * `{ value: { env: { API_TOKEN: "[masked:token]" } }, masked: ["env.API_TOKEN"] }`.
 */
export function redact(value: unknown): Redacted {
  const trail: Trail = { keys: [], above: [], masked: [], secrets: new Set() };
  try {
    return { value: copy(value, undefined, trail), masked: trail.masked, secrets: [...trail.secrets] };
  } catch {
    // Only an exotic object can do this, one with a getter that throws. Nothing of it may be kept.
    return { value: "[unreadable]", masked: [""], secrets: [] };
  }
}

/** The text with its secrets masked: `redactText("PASSWORD=abc")` gives `"PASSWORD=[masked:password]"`. */
export function redactText(text: string): { text: string; masked: boolean } {
  if (!hint.test(text) && !hasLongRun(text)) return { text, masked: false };
  let now = text;
  // A mask can complete a pattern around it, so a text that changed is read again until it is stable.
  for (let round = 0; round < mostRounds; round++) {
    const next = maskAssignments(maskShapes(now));
    if (next === now) break;
    now = next;
  }
  now = maskEncoded(now, (plain) => maskAssignments(maskShapes(plain)) !== plain);
  return { text: now, masked: now !== text };
}

// Most texts hold nothing that could be a secret, and this one pattern is all they cost.
const hint = new RegExp([...stems, sqlStem, ...shortLiterals].join("|"), "i");
const mostRounds = 5;
const deepest = 200;

type Trail = { keys: (string | number)[]; above: object[]; masked: string[]; secrets: Set<string> };

// `kind` is set below a secret name: there every text is a secret, whatever it looks like.
function copy(value: unknown, kind: string | undefined, trail: Trail): unknown {
  switch (typeof value) {
    case "string":
      return copyText(value, kind, trail);
    case "number":
      // A small number is a count or an index, not a secret.
      return kind !== undefined && Math.abs(value) >= 1000 ? masked(kind, trail) : value;
    case "bigint":
      return copyText(String(value), kind, trail);
    case "boolean":
      return value;
    case "object":
      return value === null ? null : nested(value, kind, trail);
    default:
      return undefined;
  }
}

function copyText(text: string, kind: string | undefined, trail: Trail): string {
  if (kind !== undefined) {
    if (text === "" || isMask(text)) return text;
    trail.secrets.add(text);
    return masked(kind, trail);
  }
  const result = redactText(text);
  if (result.masked) {
    trail.masked.push(trail.keys.join("."));
    for (const secret of takenOut(text, result.text)) trail.secrets.add(secret);
  }
  return result.text;
}

/** What stood where the masks stand now. */
function takenOut(text: string, redacted: string): string[] {
  const kept = redacted.split(/\[masked:[a-z-]{1,40}\]/);
  const found: string[] = [];
  let at = kept[0]?.length ?? 0;
  for (const part of kept.slice(1)) {
    const next = part === "" ? text.length : text.indexOf(part, at);
    if (next === -1) return found;
    found.push(text.slice(at, next));
    at = next + part.length;
  }
  return found;
}

function masked(kind: string, trail: Trail): string {
  trail.masked.push(trail.keys.join("."));
  return mask(kind);
}

function nested(value: object, kind: string | undefined, trail: Trail): unknown {
  if (trail.above.length >= deepest) return "[too deep]";
  if (trail.above.includes(value)) return "[circular]";
  trail.above.push(value);
  const result = Array.isArray(value) ? copyList(value, kind, trail) : copyObject(value, kind, trail);
  trail.above.pop();
  return result;
}

function copyList(list: readonly unknown[], kind: string | undefined, trail: Trail): unknown[] {
  const result: unknown[] = [];
  for (const [at, item] of list.entries()) {
    trail.keys.push(at);
    // ["--password", "abc"] is a command line.
    result.push(copy(item, kind ?? flagKind(result[at - 1]), trail));
    trail.keys.pop();
  }
  return result;
}

function flagKind(before: unknown): string | undefined {
  if (typeof before !== "string" || !/^--?[\w-]{2,40}$/.test(before)) return undefined;
  return secretName(before)?.kind;
}

function copyObject(object: object, kind: string | undefined, trail: Trail): object {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(object)) {
    const name = safeKey(key, result);
    trail.keys.push(name);
    const named = kind ?? keyKind(name, item) ?? (name === "value" ? pairKind(result) : undefined);
    const copied = copy(item, named, trail);
    trail.keys.pop();
    if (name === "__proto__") {
      // An assignment would set the prototype and lose the field.
      Object.defineProperty(result, name, {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      result[name] = copied;
    }
  }
  return result;
}

function keyKind(name: string, value: unknown): string | undefined {
  if (name.includes("[masked:")) return undefined;
  if (typeof value === "string" && isWorkingFolder(name, value)) return undefined;
  return secretName(name)?.kind;
}

// { name: "API_TOKEN", value: "abc" }
function pairKind(object: Record<string, unknown>): string | undefined {
  const name = object["name"] ?? object["key"];
  return typeof name === "string" ? keyKind(name, undefined) : undefined;
}

// A secret may have become a key, and two keys may then look alike.
function safeKey(key: string, taken: object): string {
  if (key.length < 16) return key;
  const { text, masked } = redactText(key);
  if (!masked) return key;
  let name = text;
  for (let n = 2; Object.hasOwn(taken, name); n++) name = `${text}#${n}`;
  return name;
}

/** Does a text hold something that looks like a real key or token, wherever it stands? */
export const holdsToken = (text: string): boolean =>
  mayHoldSecret(text) &&
  (maskLasting(text) !== text || /aws_secret_access_key["']?\s*[=:]\s*["']?[\w/+]{30,}/i.test(text));
