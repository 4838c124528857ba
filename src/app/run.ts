import type { Answer } from "../core/host.ts";
import { appendRecord } from "../ledger/append.ts";
import { bareRecord, toRecord, type Decision } from "../ledger/record.ts";
import { liveWorld } from "../platform/live-world.ts";
import { InputTooLarge, readStdin } from "../platform/stdin.ts";
import { carryOut } from "./effects.ts";
import { hostFor } from "./choose-host.ts";
import { answerFailure } from "./failure.ts";
import { parsePayload, pass, PayloadTrouble, type Passed, type Setting } from "./pass.ts";
import { workspaceRoot } from "./workspace.ts";

export interface RunOptions {
  readonly host?: string;
  readonly event?: string;
  readonly verbose?: boolean;
}

/** What agents call: payload in, the host's contract out, a record left behind. Always answers. */
export async function run(options: RunOptions): Promise<number> {
  const setting: Setting = { ...options, env: process.env, cwd: process.cwd() };
  const started = performance.now();
  let text = "";
  try {
    const bytes = await readStdin();
    const read = performance.now() - started;
    text = new TextDecoder().decode(bytes.subarray(0, 100_000));
    const passed = await pass(parsePayload(bytes), setting);
    const answer = await conclude(passed, setting, read);
    if (options.verbose)
      console.error(
        `hookline: ${passed.host.how}, ${passed.event.dialect}; event ${passed.event.native}; ${passed.verdict.outcome}`,
      );
    return print(answer);
  } catch (error) {
    return await fail(error, text, setting);
  }
}

async function conclude(passed: Passed, setting: Setting, read: number): Promise<Answer> {
  const { event, loaded, judgement, verdict, fitted } = passed;
  const effects = carryOut(judgement.effects, event.root, liveWorld(setting.env));
  const decision: Decision = {
    time: Date.now(),
    event,
    host: passed.host.id,
    policy: policyOf(loaded),
    findings: judgement.findings,
    verdict: {
      outcome: verdict.outcome,
      ...(verdict.would === undefined ? {} : { would: verdict.would }),
      told: fitted.reply.outcome,
    },
    unexpressed: fitted.unexpressed,
    effects,
    observations: passed.world.observations,
    notes: passed.notes,
    ms: { read, ...passed.ms },
  };
  await record(event.root, decision, setting);
  return passed.answer;
}

const policyOf = ({ digest, policy, origin, problems }: Passed["loaded"]): Decision["policy"] => ({
  digest,
  mode: policy.mode,
  origin,
  trouble: problems.map((problem) => `${problem.code} ${problem.file}:${problem.line} ${problem.key}`),
});

async function record(root: string, decision: Decision, { env }: Setting): Promise<void> {
  try {
    const { file, trouble, lost } = await appendRecord(root, await toRecord(decision), env);
    if (lost !== undefined) console.error(`hookline: no record could be written: ${trouble}; ${lost}`);
    else if (trouble !== undefined) console.error(`hookline: the record went to ${file}: ${trouble}`);
  } catch (error) {
    await recordWithout(root, decision, env, error);
  }
}

/** A payload too strange to be written down must not take its verdict with it. */
async function recordWithout(
  root: string,
  { host, findings, verdict, policy }: Decision,
  env: Setting["env"],
  error: unknown,
): Promise<void> {
  const detail = `the event could not be recorded (${error instanceof Error ? error.message : String(error)})`;
  try {
    await appendRecord(
      root,
      bareRecord({ host: { name: host }, failure: { kind: "internal", detail }, policy, findings, verdict }),
      env,
    );
  } catch (second) {
    console.error(
      `hookline: no record could be written: ${second instanceof Error ? second.message : String(second)}`,
    );
  }
}

/** Nothing may leave the agent without an answer: not a garbled payload, and not a mistake of ours. */
async function fail(error: unknown, text: string, setting: Setting): Promise<number> {
  const kind = error instanceof PayloadTrouble || error instanceof InputTooLarge ? "payload" : "internal";
  const detail = error instanceof Error ? error.message : String(error);
  try {
    const { finding, answer, told } = answerFailure(detail, text, setting);
    await record(
      rootOf(setting),
      {
        time: Date.now(),
        failure: { kind, detail, sample: await maskedStart(text) },
        host: setting.host ?? "unknown",
        policy: { digest: "", mode: "enforce", origin: "none", trouble: [] },
        findings: [finding],
        verdict: { outcome: finding.outcome, told },
        unexpressed: [],
        effects: [],
        observations: [],
        notes: kind === "internal" && error instanceof Error && error.stack ? [error.stack] : [],
        ms: {},
      },
      setting,
    );
    return print(answer);
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

function rootOf({ host, cwd, env }: Setting): string {
  try {
    return workspaceRoot(cwd, hostFor(host), liveWorld(env));
  } catch {
    return cwd;
  }
}

function print({ exitCode, stdout, stderr }: Answer): number {
  if (stdout !== undefined) console.log(typeof stdout === "string" ? stdout : JSON.stringify(stdout));
  if (stderr !== undefined && stderr !== "") console.error(stderr);
  return exitCode;
}
