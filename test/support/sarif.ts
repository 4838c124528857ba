import { isObject, type Json } from "../../src/core/json.ts";

/** What an object of SARIF 2.1.0 (OASIS, section 3) may have: keys that must be there are marked `!`. */
type Shape = Readonly<Record<string, Check>>;
type Check = (value: unknown, path: string) => string[];

const wrong = (path: string, what: string): string[] => [`${path}: ${what}`];

const text: Check = (value, path) => (typeof value === "string" ? [] : wrong(path, "no text"));
const oneOf =
  (...words: readonly string[]): Check =>
  (value, path) =>
    words.includes(value as string) ? [] : wrong(path, `none of ${words.join(", ")}`);
const atLeast =
  (least: number): Check =>
  (value, path) =>
    Number.isInteger(value) && (value as number) >= least ? [] : wrong(path, `no whole number from ${least}`);
const listOf =
  (each: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, at) => each(item, `${path}[${at}]`))
      : wrong(path, "no list");
const bag: Check = (value, path) => (isObject(value) ? [] : wrong(path, "no property bag"));

/** RFC 3986: nothing but what may stand in a reference, and neither query nor fragment in a file's. */
const fileUri: Check = (value, path) =>
  typeof value === "string" && /^(?:file:\/\/\/)?(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/i.test(value)
    ? []
    : wrong(path, `no address of a file: ${String(value)}`);

const shaped =
  (shape: Shape): Check =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, "no object");
    const given: Json = value;
    const known = new Map(Object.entries(shape).map(([key, check]) => [key.replace("!", ""), check]));
    const missing = Object.keys(shape)
      .filter((key) => key.endsWith("!") && given[key.slice(0, -1)] === undefined)
      .flatMap((key) => wrong(path, `${key.slice(0, -1)} is missing`));
    const found = Object.entries(given).flatMap(([key, each]) =>
      // No object of the format but a property bag has keys of one's own.
      (known.get(key) ?? ((_, at) => wrong(at, "is no property of it")))(each, `${path}.${key}`),
    );
    return [...missing, ...found];
  };

const levels = oneOf("none", "note", "warning", "error");
const said = shaped({ "text!": text, markdown: text });

const rule = shaped({
  "id!": text,
  name: text,
  shortDescription: said,
  fullDescription: said,
  help: said,
  helpUri: text,
  defaultConfiguration: shaped({ level: levels, enabled: bag, rank: atLeast(-1) }),
  properties: bag,
});

const result = shaped({
  "message!": shaped({ "text!": text, markdown: text }),
  ruleId: text,
  ruleIndex: atLeast(0),
  level: levels,
  locations: listOf(
    shaped({
      physicalLocation: shaped({
        "artifactLocation!": shaped({ "uri!": fileUri, uriBaseId: text, index: atLeast(-1) }),
        region: shaped({ startLine: atLeast(1), startColumn: atLeast(1), endLine: atLeast(1) }),
      }),
    }),
  ),
  properties: bag,
});

const log = shaped({
  $schema: text,
  "version!": oneOf("2.1.0"),
  "runs!": listOf(
    shaped({
      "tool!": shaped({
        "driver!": shaped({ "name!": text, semanticVersion: text, version: text, rules: listOf(rule) }),
      }),
      columnKind: oneOf("utf16CodeUnits", "unicodeCodePoints"),
      results: listOf(result),
    }),
  ),
});

/** What is wrong with a log, each with its place. Only those parts of the format that we use are known here. */
export const sarifProblems = (value: unknown): string[] => log(value, "log");
