import { isOneOf } from "../core/one-of.ts";
import type { Feed, Run } from "./model.ts";

/** What a command prints, when that follows from its own words: `echo`, `printf`, and decoders of known text. */
export function outputOf(runs: readonly Run[], depth = 0): string | undefined {
  if (runs.length === 0 || depth > 8) return undefined;
  // `$(< file)`
  if (runs.length === 1 && runs[0]?.program === "" && runs[0].redirects.some(({ mode }) => mode === "read"))
    return undefined;
  const outputs = runs
    .filter((run) => run.program !== "" && !isPiped(run, runs))
    .map((run) => printed(run, depth));
  return outputs.every((text) => text !== undefined) ? outputs.join("") : undefined;
}

/** The text that is fed to a command, when it can be told. */
export function textOf(feed: Feed | undefined, depth = 0): string | undefined {
  if (!feed) return undefined;
  return feed.from === "text" ? feed.text : outputOf(feed.commands, depth + 1);
}

// What another command of the same list reads is not printed.
const isPiped = (run: Run, runs: readonly Run[]): boolean =>
  runs.some((other) => other.stdin?.from === "commands" && other.stdin.commands.includes(run));

function printed(run: Run, depth: number): string | undefined {
  if (run.redirects.some((redirect) => redirect.mode !== "read" && redirect.fd === undefined)) return "";
  if (!run.args.every((arg) => arg.known)) return undefined;
  const args = run.args.map((arg) => arg.text);
  const input = () => textOf(run.stdin, depth);
  switch (run.program) {
    case "echo":
      return echoed(args);
    case "printf":
      return args[0] === undefined ? "" : formatted(args[0] === "--" ? args.slice(1) : args);
    case "cat":
    case "tee":
      return args.every((arg) => arg === "-" || arg === "/dev/stdin") || run.program === "tee"
        ? input()
        : undefined;
    case "base64":
    case "gbase64":
      return args.some((arg) => isOneOf(arg, "-d -D --decode -di -id"))
        ? map(input(), fromBase64)
        : undefined;
    case "base32":
      return args.some((arg) => isOneOf(arg, "-d --decode")) ? map(input(), fromBase32) : undefined;
    case "openssl":
      return args.includes("base64") && args.includes("-d") ? map(input(), fromBase64) : undefined;
    case "xxd":
      return args.some((arg) => arg.startsWith("-r")) ? map(input(), fromHex) : undefined;
    case "rev":
      return map(input(), (text) =>
        text
          .split("\n")
          .map((line) => [...line].toReversed().join(""))
          .join("\n"),
      );
    case "tac":
      return map(input(), (text) => text.split("\n").toReversed().join("\n"));
    case "tr":
      return map(input(), (text) => translated(text, args));
    case "sed":
      return map(input(), (text) => substituted(text, args));
    case "true":
    case ":":
    case "cd":
    case "sleep":
    case "wait":
    case "mkdir":
    case "touch":
      return "";
    case "pwd":
      return run.cwd === undefined ? undefined : `${run.cwd}\n`;
    default:
      return undefined;
  }
}

const map = (text: string | undefined, change: (text: string) => string | undefined): string | undefined =>
  text === undefined ? undefined : change(text);

function echoed(args: readonly string[]): string {
  let at = 0;
  let escapes = false;
  let newline = true;
  while (/^-[neE]+$/.test(args[at] ?? "")) {
    if (args[at]?.includes("e")) escapes = true;
    if (args[at]?.includes("n")) newline = false;
    at++;
  }
  const text = args.slice(at).join(" ");
  return (escapes ? unescaped(text) : text) + (newline ? "\n" : "");
}

/** What `printf` makes of a format and its values. */
export function formatted(args: readonly string[]): string {
  const [format = "", ...values] = args;
  let next = 0;
  let out = "";
  // The format is used again until the values are used up.
  for (let round = 0; round < 1000 && (round === 0 || next < values.length); round++) {
    const before = next;
    out += unescaped(format).replace(
      /%(?:%|-?\d*(?:\.\d+)?([sbdiqcxX]))/g,
      (_whole, kind: string | undefined) => {
        if (kind === undefined) return "%";
        const value = values[next++] ?? "";
        if (kind === "b") return unescaped(value);
        if (kind === "x") return Number(value).toString(16);
        return kind === "c" ? value.slice(0, 1) : value;
      },
    );
    if (next === before) break;
  }
  return out;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole: string, ...groups: (string | undefined)[]) => {
      const [hex, unicode, octal, plain = ""] = groups;
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(parseInt(unicode, 16));
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      return simpleEscapes[plain] ?? whole;
    },
  );

function fromBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
}

function fromBase32(text: string): string | undefined {
  let bits = "";
  for (const char of text.replace(/[\s=]+/g, "").toUpperCase()) {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char);
    if (value === -1) return undefined;
    bits += value.toString(2).padStart(5, "0");
  }
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(parseInt(byte, 2))).join("");
}

function fromHex(text: string): string | undefined {
  const digits = text.replace(/^[\da-f]+:\s*/gim, "").replace(/[^\da-fA-F]/g, "");
  const pairs = digits.match(/../g);
  return pairs?.map((pair) => String.fromCharCode(parseInt(pair, 16))).join("");
}

function translated(text: string, args: readonly string[]): string | undefined {
  const [from, to] = args.filter((arg) => !arg.startsWith("-"));
  const isDeleting = args.some((arg) => arg.startsWith("-") && arg.includes("d"));
  return from === undefined ? undefined : transliterated(text, from, isDeleting ? undefined : (to ?? ""));
}

/** Every character of one set by that of another in its place, as `tr` does; without another they are left out. */
export function transliterated(text: string, set: string, by: string | undefined): string | undefined {
  const from = ranges(set);
  if (by === undefined) return [...text].filter((char) => !from.includes(char)).join("");
  const to = ranges(by);
  if (to === "") return undefined;
  return [...text]
    .map((char) => (from.includes(char) ? (to[from.indexOf(char)] ?? to.at(-1) ?? char) : char))
    .join("");
}

const ranges = (set: string): string =>
  unescaped(set).replace(/(.)-(.)/gs, (_, from: string, to: string) => {
    const start = from.charCodeAt(0);
    const length = Math.min(256, to.charCodeAt(0) - start + 1);
    return length <= 0 ? "" : Array.from({ length }, (_each, at) => String.fromCharCode(start + at)).join("");
  });

/** What `sed` makes of a text by plain substitutions, one after the other. */
function substituted(text: string, args: readonly string[]): string | undefined {
  const scripts = args.filter((arg) => !arg.startsWith("-"));
  return scripts
    .flatMap((script) => script.split(/;\s*(?=s[^\w\s])/))
    .reduce<string | undefined>((before, script) => map(before, (each) => replacedIn(each, script)), text);
}

function replacedIn(text: string, script: string): string | undefined {
  const match = /^\s*s(.)((?:(?!\1).)*)\1((?:(?!\1).)*)\1(g?)$/s.exec(script);
  if (!match || /[[\]*+?(){}|^$.\\]/.test(match[2] ?? "")) return undefined;
  const [, , from = "", to = "", all] = match;
  return all === "g"
    ? text.split(from).join(to)
    : text
        .split("\n")
        .map((line) => line.replace(from, () => to))
        .join("\n");
}
