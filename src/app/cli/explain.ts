import type { Action } from "../../core/action.ts";
import { type Considered, consideredIn } from "../../core/considered.ts";
import { decides } from "../../core/hook.ts";
import { plainName } from "../../core/plain-name.ts";
import type { Observation } from "../../core/world.ts";
import { showProblem } from "../../policy/policy.ts";
import { parsePayload, pass, PayloadTrouble, type Passed } from "../pass.ts";
import { environmentOf } from "../hooks.ts";
import { limitsAt } from "../components/limits.ts";
import { activeDuring } from "../components/active.ts";
import { selectHooks } from "../select-hooks.ts";
import { mayHaveHooks } from "../../sources/places.ts";
import { realRoot, trustOf } from "../../sources/trust.ts";
import { fromPass } from "../verdict-json.ts";
import { defineCommand, UsageError } from "./_command.ts";
import { describeHandler } from "./_hooks.ts";
import { eventFlag, hostFlag, readInput, settingOf } from "./_input.ts";
import { paint, table } from "./_table.ts";

export default defineCommand({
  summary: "Every rule considered, what it saw, what it said, and how the verdict came about.",
  usage: ["explain [FILE] [--host HOST] [--event EVENT] [--json]"],
  details: "Reads a payload from FILE or standard input. Writes nothing and carries nothing out.",
  flags: {
    host: hostFlag,
    event: eventFlag,
    json: { type: "boolean", summary: "Print it all as JSON." },
  },
  async run(given) {
    const passed = await explained(await readInput(given.words[0]), settingOf(given));
    const hooks = await hooksFor(passed);
    console.log(
      given.flags["json"] === true ? JSON.stringify(asJson(passed, hooks), null, 2) : asText(passed, hooks),
    );
    return 0;
  },
});

async function explained(bytes: Uint8Array, setting: ReturnType<typeof settingOf>): Promise<Passed> {
  try {
    return await pass(parsePayload(new TextDecoder().decode(bytes)), setting);
  } catch (error) {
    if (error instanceof PayloadTrouble)
      throw new UsageError(`${error.message}; expected one JSON object as an agent sends it`);
    throw error;
  }
}

function asJson(passed: Passed, hooks: readonly ConcernedHook[]): Record<string, unknown> {
  return {
    ...fromPass(passed),
    rules: consideredIn(passed.judgement, passed.event).map(({ rule, skipped, asked, findings, ms }) => ({
      rule,
      ...(skipped === undefined ? { looked: [...new Set(asked)].map(question), findings, ms } : { skipped }),
    })),
    hooks,
    effects: passed.judgement.effects,
    notes: passed.notes,
    problems: passed.loaded.problems,
    ms: passed.ms,
  };
}

interface ConcernedHook {
  readonly hook: string;
  readonly source: string;
  readonly place: string;
  readonly runs: string;
  readonly trust: string;
  /** Whether it is asked to decide: such a one is stopped when one before it refuses. */
  readonly decides: boolean;
}

/** The hooks that `run` would put the event to. Nothing is run here. */
async function hooksFor({ event: asked, loaded: { policy } }: Passed): Promise<ConcernedHook[]> {
  const { env } = process;
  const event = { ...asked, root: realRoot(asked.root) };
  if (policy.hooks.length === 0 && !mayHaveHooks(policy.sources, event.root)) return [];
  const active = policy.sources.components === "off" ? [] : activeDuring(event, env);
  const { wanted } = await selectHooks(event, policy, environmentOf(undefined, env), env, active);
  const definitions = wanted.map(({ definition }) => definition);
  const limits = limitsAt(event, active).map(({ rule, message }) => ({
    hook: rule.replace(/^hooks\//, ""),
    source: "components",
    place: "its page",
    runs: message.split("\n")[0] ?? message,
    trust: "trusted",
    decides: true,
  }));
  const hooks = definitions.map((definition) => ({
    hook: definition.id,
    source: definition.source,
    place: `${plainName(definition.file)}:${definition.line}`,
    runs: plainName(describeHandler(definition, event.root)),
    trust: trustOf(definition, event.root, env).state,
    decides: decides(definition, event.name),
  }));
  return [...limits, ...hooks];
}

const hooksSection = (hooks: readonly ConcernedHook[]): string[] =>
  hooks.length === 0
    ? []
    : [
        section(
          "Hooks, which run only in `hookline run` and `emit`; when one refuses, those behind it that decide are stopped",
          hooks.map(({ hook, trust, decides: isAsked, runs, place }) => [
            hook,
            isAsked ? "decides" : "takes notes",
            trust === "trusted" ? trust : `${trust}, inert`,
            runs,
            place,
          ]),
        ),
      ];

function asText(passed: Passed, hooks: readonly ConcernedHook[]): string {
  const { event, loaded, judgement, verdict, fitted, answer } = passed;
  const { policy, digest, origin, files, problems } = loaded;
  const parts = [
    section("Event", [
      ["event", `${event.name}${event.native === event.name ? "" : ` (${event.native})`}`],
      ["host", `${passed.host.id}, ${event.dialect}: ${passed.host.how}`],
      ["workspace", event.root],
      ["cwd", event.cwd],
      ...(event.agent ? [["subagent", [event.agent.type, event.agent.id].filter(Boolean).join(" ")]] : []),
      ...(event.tool ? [["tool", event.tool.name]] : []),
      ...event.actions.map((action) => [action.kind, objectOf(action)]),
    ]),
    section("Policy", [
      ["files", files.length === 0 ? "none; the recommended preset" : files.join(", ")],
      ["presets", policy.extends.join(", ")],
      ["mode", policy.mode],
      ["digest", `${digest.slice(0, 12)} (${origin})`],
      ...problems.map((problem) => ["problem", showProblem(problem).replace("\n ", "")]),
    ]),
    `${paint("Rules", "bold")}\n${consideredIn(judgement, event).map(ruleText).join("\n")}`,
    ...hooksSection(hooks),
    section("Merge", [
      ...verdict.findings.map((finding) => [finding.rule, finding.outcome]),
      [
        "verdict",
        verdict.would === undefined
          ? `${verdict.outcome} (the strictest)`
          : `${verdict.outcome}; ${verdict.would} if the policy enforced`,
      ],
      [
        "told",
        `${fitted.reply.outcome}${fitted.unexpressed.length > 0 ? `; the host cannot be told: ${fitted.unexpressed.join(", ")}` : ""}`,
      ],
      ["exit code", String(answer.exitCode)],
      [
        "stdout",
        answer.stdout === undefined
          ? "(nothing)"
          : typeof answer.stdout === "string"
            ? answer.stdout
            : JSON.stringify(answer.stdout),
      ],
      ...(answer.stderr ? [["stderr", answer.stderr]] : []),
      ...judgement.effects.map((effect) => ["effect", `${effect.do} ${effect.path}`]),
      ...passed.notes.map((note) => ["note", note]),
    ]),
    section(
      "Time",
      Object.entries(passed.ms).map(([step, ms]) => [step, `${ms.toFixed(3)} ms`]),
    ),
  ];
  return parts.join("\n\n");
}

const section = (title: string, rows: readonly (readonly string[])[]): string =>
  `${paint(title, "bold")}\n${table(rows, "  ")}`;

function ruleText({ rule, skipped, asked, findings, ms }: Considered): string {
  if (skipped !== undefined) return `  ${rule}  ${paint(`skipped: ${skipped}`, "dim")}`;
  const lines = [
    `  ${rule}  ${findings.length === 0 ? "pass" : findings.map((finding) => finding.outcome).join(", ")}  ${ms.toFixed(3)} ms`,
  ];
  for (const seen of new Set(asked)) lines.push(`    looked at ${question(seen)}`);
  for (const finding of findings) lines.push(...finding.message.split("\n").map((line) => `    ${line}`));
  return lines.join("\n");
}

const question = ({ ask, of, answer, error }: Observation): string => {
  const said =
    error ??
    (answer === undefined
      ? "nothing there"
      : typeof answer === "string" && ask === "read"
        ? `${answer.length} characters`
        : show(JSON.stringify(answer)));
  return `${ask}${of === undefined ? "" : ` ${of}`}: ${said}`;
};

function objectOf(action: Action): string {
  if (action.kind === "exec") return show(action.command);
  if (action.kind === "fetch") return show(action.url ?? "(an address nobody can tell)");
  if (action.kind === "delegate") return show(action.prompt);
  if (action.kind === "todo") return `${action.items.filter(({ done }) => !done).length} open`;
  const { target } = action;
  if (!target) return "(a path nobody can tell)";
  return target.given === target.real ? target.real : `${target.given} → ${target.real}`;
}

const show = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
