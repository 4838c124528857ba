import type { DoneEffect } from "../core/effect.ts";
import type { Contribution } from "../core/finding.ts";
import type { Answer, Reply } from "../core/host.ts";
import { appendRecord, type Beside } from "../ledger/append.ts";
import { bareRecord, toRecord, type Decision } from "../ledger/record.ts";
import type { SegmentLimits } from "../ledger/segment.ts";
import { usualLedger, type LedgerSettings } from "../policy/policy.ts";
import { liveWorld } from "../platform/live-world.ts";
import { version } from "../platform/version.ts";
import { InputTooLarge, readStdin } from "../platform/stdin.ts";
import { isStdoutNowhere, writeStdout } from "../platform/stdout.ts";
import { hostFor } from "./choose-host.ts";
import type { HookOptions } from "./hook-options.ts";
import { parsePayload, pass, PayloadTrouble, type Passed, type Setting } from "./pass.ts";
import { workspaceRoot } from "./workspace.ts";

export interface RunOptions extends HookOptions, Pick<Setting, "caller" | "policyOf"> {
  /** The workspace's hooks stay out of it. */
  readonly rulesOnly?: true;
  /** Which hooks are meant, for those that say where they belong. */
  readonly environment?: string;
  /** Hooks get the time they want: nobody goes ahead without our answer. */
  readonly patient?: boolean;
  /** The payload, where it is not on standard input. */
  readonly text?: string;
}

/** Well within the time limits agents give their hooks: what they do then is mostly to go ahead. */
export const patienceMs = 5000;

/** What agents call: payload in, the host's contract out, a record left behind. Always answers. */
export async function run(options: RunOptions): Promise<number> {
  const { environment, patient = false, text: given, rulesOnly, ...rest } = options;
  const hooks = rulesOnly
    ? {}
    : { hooks: { patient, ...(environment === undefined ? {} : { environment }) } };
  const setting: Setting = { ...rest, ...hooks, env: process.env, cwd: process.cwd() };
  const started = performance.now();
  let text = "";
  try {
    text = given ?? new TextDecoder().decode(await readStdin({ patienceMs }));
    const read = performance.now() - started;
    const { passed, decision } = await decide(text, setting, read);
    if (options.verbose)
      console.error(
        `hookline: ${passed.host.how}, ${passed.event.dialect}; event ${passed.event.native}; ${passed.verdict.outcome}`,
      );
    const code = await give(passed.answer, passed.fitted.reply, passed.event.root, decision, setting);
    await send(passed, setting);
    return code;
  } catch (error) {
    return await fail(error, text.slice(0, 100_000), setting);
  }
}

export interface Decided {
  readonly passed: Passed;
  readonly decision: Decision;
}

/**
 * From the payload to the record; what is left is to give the answer. `complain` gets what a person should know,
 * `before` can still call it off.
 */
export async function decide(
  text: string,
  setting: Setting,
  read: number,
  complain: Complain = console.error,
  before?: (passed: Passed) => void,
): Promise<Decided> {
  const first = await pass(parsePayload(text), setting);
  before?.(first);
  const { passed, taken } = await take(first, setting);
  return { passed, decision: await conclude(passed, taken, setting, read, complain) };
}

type Complain = (line: string) => void;

/** Records go where the policy says in a process of its own, which is started when the agent pauses anyway. */
export async function send({ event, loaded }: Passed, { env }: Setting): Promise<void> {
  if (!loaded.policy.ledger.export) return;
  const { isPause, sendLater } = await import("./send-later.ts");
  if (isPause(event.name)) sendLater(event.root, env);
}

/** What only one may say is taken before it is said; who comes too late leaves it unsaid. */
export async function take(
  passed: Passed,
  { env }: Setting,
): Promise<{ readonly passed: Passed; readonly taken: readonly DoneEffect[] }> {
  const parts: Contribution[] = [];
  for (const part of passed.fitted.told) if (part.after !== undefined) parts.push(part);
  if (parts.length === 0) return { passed, taken: [] };
  const { carryOut } = await import("./effects.ts");
  const effects = parts.flatMap(({ after }) => (after ? [after] : []));
  const taken = carryOut(effects, passed.event.root, liveWorld(env));
  const late = parts.filter((_, at) => taken[at]?.error !== undefined);
  return { passed: late.length === 0 ? passed : passed.without(late), taken };
}

/** Carries out what follows from a pass, and leaves a record of it. */
export async function conclude(
  passed: Passed,
  taken: readonly DoneEffect[],
  setting: Setting,
  read: number,
  complain: Complain = console.error,
): Promise<Decision> {
  const { event, loaded, judgement, verdict, fitted, called, routed } = passed;
  const effects = [...taken, ...(await effectsOf(passed, setting))];
  const decision: Decision = {
    time: Date.now(),
    event,
    host: passed.host.id,
    hostVersion: passed.host.host.version?.((name) => setting.env[name]),
    policy: policyOf(loaded),
    findings: verdict.findings,
    ...(called ? { hooks: called.runs } : {}),
    ...(called?.input ? { changed: called.input } : {}),
    ...(routed ? { routing: routed.record } : {}),
    verdict: {
      outcome: verdict.outcome,
      ...(verdict.would === undefined ? {} : { would: verdict.would }),
      told: fitted.reply.outcome,
    },
    unexpressed: fitted.unexpressed,
    effects,
    observations: passed.world.observations,
    notes: passed.notes,
    ...(fitted.reply.outcome === "block" && event.tool
      ? { trace: (await import("../ledger/trace.ts")).traceOf(event.actions, passed.world) }
      : {}),
    ms: { read, ...passed.ms },
    ruleMs: judgement.looked,
  };
  await record(event.root, decision, setting, loaded, complain);
  passed.keep?.();
  return decision;
}

/** Few events have any. */
async function effectsOf(
  { judgement, called, event, fitted }: Passed,
  { env }: Setting,
): Promise<readonly DoneEffect[]> {
  const all = called ? [...judgement.effects, ...called.effects] : judgement.effects;
  if (all.length === 0) return [];
  const isDenied = fitted.reply.outcome === "block";
  const effects = all.filter(
    (effect) => !(effect.do === "log" && ((isDenied && effect.unlessDenied) || event.again)),
  );
  return (await import("./effects.ts")).carryOut(effects, event.root, liveWorld(env));
}

function policyOf({ digest, policy, origin, problems }: Passed["loaded"]): Decision["policy"] {
  const packs: Record<string, string> = {};
  // They are built in, so they are as old as the engine.
  for (const pack of policy.packs) packs[pack] = version;
  const trouble: string[] = [];
  for (const { code, file, line, key } of problems) trouble.push(`${code} ${file}:${line} ${key}`);
  return { digest, mode: policy.mode, origin, packs, trouble };
}

async function record(
  root: string,
  decision: Decision,
  { env }: Setting,
  loaded?: Passed["loaded"],
  complain: Complain = console.error,
): Promise<void> {
  const settings = loaded?.policy.ledger ?? usualLedger;
  try {
    const { record: line, contents } = await toRecord(decision, settings);
    const { file, trouble, lost } = await appendRecord(root, line, env, {
      contents,
      ...policyBeside(loaded),
      limits: limitsOf(settings),
    });
    if (lost !== undefined) complain(`hookline: no record could be written: ${trouble}; ${lost}`);
    else if (trouble !== undefined) complain(`hookline: the record went to ${file}: ${trouble}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const detail = `the event could not be recorded (${why})`;
    await recordFailure(root, decision, env, { kind: "internal", detail }, complain);
  }
}

/** A replay needs the policy that was in force. Our own defaults come with every version. */
const policyBeside = (loaded: Passed["loaded"] | undefined): Beside =>
  loaded && loaded.origin !== "default"
    ? { policy: { digest: loaded.digest, text: () => JSON.stringify(loaded.policy) } }
    : {};

const limitsOf = ({ segmentMb, segmentDays, keepDays }: LedgerSettings): SegmentLimits => ({
  bytes: segmentMb * 1024 * 1024,
  days: segmentDays,
  ...(keepDays === undefined ? {} : { keepDays }),
});

/**
 * A verdict without its event: for a payload too strange to be written down, and for an answer that could not be
 * given. What the findings say may hold anything, secrets too; their rules do not.
 */
export async function recordFailure(
  root: string,
  { host, findings, verdict, policy }: Decision,
  env: Setting["env"],
  failure: { readonly kind: "internal" | "answer"; readonly detail: string },
  complain: Complain = console.error,
): Promise<void> {
  const rules = findings.map(({ rule, outcome, id }) => ({ rule, outcome, id }));
  try {
    await appendRecord(
      root,
      bareRecord({ host: { name: host }, failure, policy, findings: rules, verdict }),
      env,
    );
  } catch (second) {
    complain(
      `hookline: no record could be written: ${second instanceof Error ? second.message : String(second)}`,
    );
  }
}

/** Nothing may leave the agent without an answer: not a garbled payload, and not a mistake of ours. */
async function fail(error: unknown, text: string, setting: Setting): Promise<number> {
  const kind = error instanceof PayloadTrouble || error instanceof InputTooLarge ? "payload" : "internal";
  const detail = error instanceof Error ? error.message : String(error);
  try {
    const { answerFailure } = await import("./failure.ts");
    const { finding, answer, told } = await answerFailure(detail, text, setting);
    const root = await rootOf(setting);
    const decision: Decision = {
      time: Date.now(),
      failure: { kind, detail, sample: await maskedStart(text) },
      host: setting.host ?? "unknown",
      policy: { digest: "", mode: "enforce", origin: "none", packs: {}, trouble: [] },
      findings: [finding],
      verdict: { outcome: finding.outcome, told },
      unexpressed: [],
      effects: [],
      observations: [],
      notes: kind === "internal" && error instanceof Error && error.stack ? [error.stack] : [],
      ms: {},
    };
    await record(root, decision, setting);
    return await give(answer, { outcome: told, reason: finding.message }, root, decision, setting);
  } catch (second) {
    console.error(`hookline: ${detail}; ${second instanceof Error ? second.message : String(second)}`);
    return 2;
  }
}

/** The beginning of a payload, masked before it is cut. */
async function maskedStart(text: string): Promise<string> {
  const { redactText } = await import("../secrets/redact.ts");
  return redactText(text.slice(0, 20_000)).text.slice(0, 500);
}

async function rootOf({ host, cwd, env }: Setting): Promise<string> {
  try {
    return workspaceRoot(cwd, await hostFor(host), liveWorld(env));
  } catch {
    return cwd;
  }
}

/** What stands on standard output. */
export const textOf = (stdout: Answer["stdout"]): string =>
  stdout === undefined ? "" : `${typeof stdout === "string" ? stdout : JSON.stringify(stdout)}\n`;

/** What must not be lost on its way. */
export const isRefusal = (outcome: Reply["outcome"]): boolean => outcome === "block" || outcome === "ask";

/** Gives the answer; a refusal that cannot be given as the host wants it is given by the exit code. */
async function give(
  { exitCode, stdout, stderr }: Answer,
  { outcome, reason }: Pick<Reply, "outcome" | "reason">,
  root: string,
  decision: Decision,
  { env }: Setting,
): Promise<number> {
  const text = textOf(stdout);
  const refuses = isRefusal(outcome);
  const nobody = text !== "" && refuses && isStdoutNowhere() ? "standard output leads nowhere" : undefined;
  const trouble = writeStdout(text) ?? nobody;
  if (stderr !== undefined && stderr !== "") console.error(stderr);
  if (trouble === undefined) return exitCode;
  await recordFailure(root, decision, env, { kind: "answer", detail: trouble });
  if (!refuses) {
    console.error(`hookline: the answer could not be given: ${trouble}`);
    return exitCode;
  }
  // Claude Code and Copilot both take this for a refusal, and stderr for its reason.
  console.error(reason);
  return 2;
}
