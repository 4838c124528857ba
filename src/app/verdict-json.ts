import { answerFailure } from "./failure.ts";
import { parsePayload, pass, type Passed, type Setting } from "./pass.ts";

/** The stable shape `eval` prints: one object a payload. */
export async function verdictJson(text: string, setting: Setting): Promise<Record<string, unknown>> {
  try {
    return fromPass(await pass(parsePayload(text), setting));
  } catch (error) {
    return await failureJson(error, text, setting);
  }
}

/** The same for a payload that could not be judged. */
export async function failureJson(
  error: unknown,
  text: string,
  setting: Setting,
): Promise<Record<string, unknown>> {
  const said = error instanceof Error ? error.message : String(error);
  const { finding } = await answerFailure(said, text.slice(0, 100_000), setting, "Send one JSON object.");
  const { rule, outcome, message } = finding;
  return {
    outcome,
    event: null,
    host: setting.host ?? null,
    findings: [{ rule, outcome, message }],
    error: said,
  };
}

export function fromPass({ verdict, event, host, loaded, fitted, answer }: Passed): Record<string, unknown> {
  return {
    outcome: verdict.outcome,
    ...(verdict.would === undefined ? {} : { would: verdict.would }),
    event: event.name,
    host: host.id,
    findings: verdict.findings.map(({ rule, outcome, message, failure }) => ({
      rule,
      outcome,
      message,
      ...(failure ? { failure } : {}),
    })),
    ...(event.name === "Other" ? { native: event.native } : {}),
    ...(event.tool ? { tool: event.tool.name } : {}),
    actions: event.actions.map((action) => ({
      kind: action.kind,
      ...("target" in action && action.target ? { path: action.target.real } : {}),
      ...(action.kind === "exec" ? { command: action.command } : {}),
      ...(action.kind === "fetch" ? { url: action.url } : {}),
    })),
    told: fitted.reply.outcome,
    ...(fitted.unexpressed.length > 0 ? { unexpressed: fitted.unexpressed } : {}),
    answer,
    policy: { digest: loaded.digest, mode: loaded.policy.mode, origin: loaded.origin },
  };
}
