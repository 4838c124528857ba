import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, EventName, Trouble } from "../core/event.ts";
import type { Contribution } from "../core/finding.ts";
import { abilitiesAt as tellable, fit, type Answer, type Call, type Host } from "../core/host.ts";
import { isObject, type Json } from "../core/json.ts";
import type { Operation } from "../core/operation.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Verdict } from "../core/verdict.ts";

/** One payload of a host, and what the host understands as answers to it. */
export interface Fixture {
  readonly name: string;
  readonly event: string;
  readonly stdin: Json;
  readonly responses: readonly Response[];
}

interface Response {
  readonly name: string;
  readonly exitCode: number;
  readonly stdout: Json | string | null;
  readonly stderr: string;
}

/** As much of a decoded call as a test states; what is left out must be absent. */
export interface Decoded {
  readonly name: EventName;
  readonly native?: string;
  readonly dialect?: string;
  readonly session?: string | undefined;
  readonly cwd?: string;
  readonly tool?: string;
  readonly agent?: Agent;
  readonly prompt?: string;
  readonly said?: string;
  readonly heldBefore?: boolean;
  readonly error?: Trouble;
  readonly again?: true;
  readonly settings?: true;
  readonly operations?: readonly Operation[];
}

/** What we want to say, in no host's language. */
export interface Meaning extends Contribution {
  readonly outcome?: Outcome;
  readonly reason?: string;
}

/** How a response of the contract comes about. */
export interface Saying {
  readonly means: Meaning | ((stdout: Json) => Meaning);
  /** The answer we give instead of the contract's, and why. Absent: ours is the contract's, to the letter. */
  readonly instead?: { readonly answer: Answer; readonly because: string };
  /** What the event cannot be told. */
  readonly lost?: readonly string[];
}

export interface HostTester {
  readonly fixtures: readonly Fixture[];
  /** One row for every fixture, by its name. `common` holds what all rows share. */
  decodes(rows: Readonly<Record<string, Decoded>>, common?: Partial<Decoded>): void;
  /** One row for every response of every fixture, by the beginning of the fixture's name and the response's name. */
  says(rows: Readonly<Record<string, Readonly<Record<string, Saying>>>>): void;
}

/**
 * Tests a host on the fixtures of its folder. A fixture or response without a row, and a row without a
 * fixture, fail as well: nothing of the contract is left out unnoticed.
 *
 * @example
 * hostTester(gemini, "src/hosts/gemini/fixtures").decodes({ BeforeTool: { name: "PreToolUse", tool: "ls" } });
 */
export function hostTester(host: Host, folder: string): HostTester {
  const fixtures = readFixtures(folder);
  return {
    fixtures,
    decodes(rows, common = {}) {
      describe(`${host.title} understands`, () => {
        test("every fixture has a row", () =>
          expect(Object.keys(rows).toSorted()).toEqual(fixtures.map(({ name }) => name).toSorted()));
        for (const { name, event, stdin } of fixtures) {
          test(name, () => {
            const expected = { ...common, native: event, operations: [], ...rows[name] };
            expect(summary(decode(host, stdin, undefined)) as object).toEqual(expected);
            expect(summary(decode(host, stdin, event)) as object).toEqual(expected);
          });
        }
      });
    },
    says(rows) {
      describe(`${host.title} is told`, () => {
        const used = new Set<string>();
        for (const { name, event, stdin, responses } of fixtures) {
          const group = groupOf(name, Object.keys(rows));
          for (const response of responses) {
            used.add(`${group} ${response.name}`);
            test(`${name} ${response.name}`, () => {
              const saying = rows[group]?.[response.name];
              if (!saying) throw new Error(`no row says how "${response.name}" of ${name} comes about`);
              checkSaying(host, decode(host, stdin, event), response, saying);
            });
          }
        }
        test("every row has a response", () => {
          const written = Object.entries(rows).flatMap(([group, sayings]) =>
            Object.keys(sayings).map((name) => `${group} ${name}`),
          );
          expect(written.filter((row) => !used.has(row))).toEqual([]);
        });
      });
    },
  };
}

/** A verdict of one finding and one contribution. */
export function verdictOf({ outcome = "pass", reason = "", ...contribution }: Meaning): Verdict {
  const finding = { rule: "test/rule", outcome, message: reason, id: "said", data: {} };
  return {
    outcome,
    findings: outcome === "pass" ? [] : [finding],
    contributions: Object.keys(contribution).length === 0 ? [] : [contribution],
  };
}

/** What a host may be told at an event. */
export const abilitiesAt = (host: Host, call: Call): Host["can"][string][string] =>
  tellable(host, call) ?? [];

export function readFixtures(folder: string): Fixture[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
  if (names.length === 0) throw new Error(`there are no fixtures in ${folder}`);
  // Fixtures are ours and looked at by every test; a wrong shape shows at once.
  return names.map((file) => ({
    ...(JSON.parse(readFileSync(join(folder, file), "utf8")) as Fixture),
    // A recorded one has the version of the agent that sent it in its name.
    name: file.replace(/(?:@[\d.]+)?\.json$/, ""),
  }));
}

/** Decodes a frozen payload: a host that changes what it was given fails here. */
function decode(host: Host, payload: Json, event: string | undefined): Call {
  return host.decode(freeze(structuredClone(payload)), event);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

const summary = (call: Call): unknown => {
  const { transcript: _path, permissionMode: _mode, tool, ...rest } = call;
  return tool === undefined ? rest : { ...rest, tool: tool.name };
};

/** The longest beginning of the fixture's name that has rows. */
const groupOf = (name: string, groups: readonly string[]): string =>
  groups.filter((group) => `${name}.`.startsWith(`${group}.`)).toSorted((a, b) => b.length - a.length)[0] ??
  name;

function checkSaying(
  host: Host,
  call: Call,
  response: Response,
  { means, instead, lost = [] }: Saying,
): void {
  const meaning =
    typeof means === "function" ? means(isObject(response.stdout) ? response.stdout : {}) : means;
  const { reply, unexpressed } = fit(verdictOf(meaning), abilitiesAt(host, call));
  const contract = plainAnswer({
    exitCode: response.exitCode,
    ...(response.stdout === null ? {} : { stdout: response.stdout }),
    stderr: response.stderr,
  });
  const answer = plainAnswer(host.encode(freeze(reply), call));
  expect(unexpressed).toEqual([...lost]);
  if (!instead) {
    expect(answer).toEqual(contract);
    return;
  }
  expect(answer).toEqual(plainAnswer(instead.answer));
  expect(answer).not.toEqual(contract);
  expect(instead.because).not.toBe("");
}

const plainAnswer = ({ exitCode, stdout, stderr }: Answer): object => ({
  exitCode,
  ...(stdout === undefined ? {} : { stdout }),
  ...(stderr === undefined || stderr === "" ? {} : { stderr }),
});
