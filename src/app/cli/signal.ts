import { nearest } from "../../core/nearest.ts";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { roleOf, roles, type Role } from "../../workflow/ralph-roles.ts";
import { normalTarget, signalsOf } from "../../workflow/ralph-signals.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { registry } from "../registry.ts";
import { pollSignals, sendSignal } from "../signals.ts";
import { actionOf, defineCommand, textFlag, UsageError, type Command, type Given } from "./_command.ts";
import { chosenSession, sessionFlag } from "./_ralph.ts";
import { table } from "./_table.ts";

const types: readonly string[] = ralphProfiles["v2.2.0"].signalTypes;

const command: Command = defineCommand({
  summary: "Tell a running Ralph session something, or see and take what it was told.",
  usage: [
    'signal send STEER|PAUSE|ABORT|INFO|APPROVE|SKIP [--target T] [--session ID] "message"',
    "signal list [--all] [--session ID] [--json]",
    "signal poll [--as AGENT] [--max N] [--session ID] [--json]",
  ],
  actions: {
    send: "Writes a signal; the agent gets it at its next tool call or prompt.",
    list: "What waits, oldest first; with --all also what was handled.",
    poll: "Takes what an agent may take, oldest first; nobody else gets it then.",
  },
  details:
    "STEER and INFO reach the agent as context. PAUSE stops its tools until APPROVE, SKIP or STEER comes. ABORT fails the tasks\n" +
    "in progress and completes the session as aborted. APPROVE and SKIP decide about staged knowledge, or end a pause.\n" +
    "Targets: ALL, Orchestrator, Planner, Questioner, Executor, Reviewer, Librarian, in any spelling (Ralph-v2-Executor).",
  flags: {
    target: {
      type: "string",
      value: "T",
      summary: "Who it is for; ALL when not given.",
      values: () => ["ALL", ...roles],
    },
    session: sessionFlag,
    as: {
      type: "string",
      value: "AGENT",
      summary: "With poll: who takes them; the Orchestrator when not given.",
      values: () => roles,
    },
    max: { type: "string", value: "N", summary: "With poll: at most so many." },
    all: { type: "boolean", summary: "With list: also what was handled." },
    json: { type: "boolean", summary: "Print JSON." },
  },
  run: async (given) => actions[actionOf("signal", command, given)]?.(given) ?? 2,
});

export default command;

const actions: Readonly<Record<string, (given: Given) => number | Promise<number>>> = { send, list, poll };

async function send(given: Given): Promise<number> {
  const [, word = "", ...rest] = given.words;
  const type = word.toUpperCase();
  if (!types.includes(type)) {
    const near = nearest(type, types);
    const guess = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new UsageError(`Invalid signal type '${word}'. Must be one of: ${types.join(", ")}.${guess}`);
  }
  const message = rest.join(" ").trim();
  if (message === "")
    throw new UsageError(`Signal message must be non-empty (hookline signal send ${type} "message")`);
  const target = normalTarget(textFlag(given, "target") ?? "ALL");
  if (target !== "ALL" && roleOf(target) === undefined)
    throw new UsageError(`unknown target "${target}"; expected ALL, ${roles.join(", ")}`);
  const session = chosenSession(given);
  const { name, path } = sendSignal(session, { type, target, message });
  if (given.flags["json"] === true)
    console.log(JSON.stringify({ session: session.id, name, path, type, target, message }));
  else console.log(`Sent ${type} to ${target} in session ${session.id}: ${name}`);
  if (!(await isDelivered(session.root)))
    console.error(
      "hookline: no hook brings it to the agent, since the policy leaves live-signals/delivery out;\n" +
        "  extends: ralph/p0 in hookline.yaml turns it on. `hookline signal poll` still takes it.",
    );
  return 0;
}

async function isDelivered(root: string): Promise<boolean> {
  const { policy } = await loadPolicy(root, process.env, registry);
  return policy.rules.some(({ id, outcome }) => id === "live-signals/delivery" && outcome !== "pass");
}

function list(given: Given): number {
  const { folder, world, id } = chosenSession(given);
  const { all, broken } = signalsOf(folder, types, world);
  const shown = all.filter(({ state }) => given.flags["all"] === true || state === "pending");
  if (given.flags["json"] === true) {
    console.log(
      JSON.stringify({
        session: id,
        signals: shown.map(({ name, state, type, target, message, path }) => ({
          name,
          state,
          type,
          target: normalTarget(target),
          message,
          path,
        })),
        broken: broken.map(({ name, path, flaws }) => ({
          name,
          path,
          reasons: flaws.map(({ text }) => text),
        })),
      }),
    );
    return 0;
  }
  if (shown.length > 0)
    console.log(
      table([
        ["SIGNAL", "STATE", "TYPE", "TARGET", "MESSAGE"],
        ...shown.map(({ name, state, type, target, message }) => [
          name,
          state,
          type,
          normalTarget(target),
          message,
        ]),
      ]),
    );
  else console.log(`No signal ${given.flags["all"] === true ? "was sent" : "waits"} in session ${id}.`);
  for (const { name, flaws } of broken)
    console.log(`${name} cannot be read: ${flaws.map(({ text }) => text).join("; ")}`);
  return 0;
}

function poll(given: Given): number {
  const session = chosenSession(given);
  const most =
    textFlag(given, "max") === undefined ? Number.POSITIVE_INFINITY : Number(textFlag(given, "max"));
  if (!(most >= 1)) throw new UsageError("--max wants a number of 1 or more");
  const handled = pollSignals(session, consumerOf(given), types, most);
  if (given.flags["json"] === true) {
    console.log(
      JSON.stringify({
        session: session.id,
        signals: handled.map(({ signal: { name, type, target, message }, action }) => ({
          name,
          type,
          target: normalTarget(target),
          message,
          action,
        })),
      }),
    );
  } else if (handled.length === 0) console.log(`No signal to take in session ${session.id}.`);
  else
    console.log(
      table(
        handled.map(({ signal: { name, type, target, message }, action }) => [
          name,
          type,
          normalTarget(target),
          message,
          action,
        ]),
      ),
    );
  return 0;
}

function consumerOf(given: Given): Role {
  const name = textFlag(given, "as") ?? "Orchestrator";
  const role = roleOf(name);
  if (role) return role;
  throw new UsageError(`unknown agent "${name}"; expected one of ${roles.join(", ")}`);
}
