import type { EventName } from "../../core/event.ts";
import { decides, type HookDefinition, type Match } from "../../core/hook.ts";
import { defined, isObject } from "../../core/json.ts";
import { plainName } from "../../core/plain-name.ts";
import { showHookProblem, type HookProblem } from "../../sources/source.ts";
import { trustOf } from "../../sources/trust.ts";
import { environmentOf } from "../hooks.ts";
import { missingOf } from "../linting/subjects.ts";
import { actionOf, defineCommand, textFlag, type Given } from "./_command.ts";
import { allHooks, describeHandler, isOn, type Registry } from "./_hooks.ts";
import { environmentFlag } from "./_input.ts";
import { paint, table } from "./_table.ts";

const command = defineCommand({
  summary: "The hooks of the workspace, whatever they are written in.",
  usage: ["hooks list [--json]", "hooks register [--env ENV] [--minimal]", "hooks validate [--json]"],
  details:
    "register prints JSON by event, of the hooks that are on for an environment. validate exits 1 when it finds anything, be it\n" +
    "a mistake or only a warning.",
  flags: {
    env: environmentFlag,
    minimal: { type: "boolean", summary: "register: id and handler only." },
    json: { type: "boolean", summary: "Print JSON." },
  },
  actions: {
    list: "every hook with its events, whether it is on, trusted and blocking, and where it stands",
    register: "the registration an orchestrator reads",
    validate: "what is wrong with the hook files",
  },
  async run(given) {
    const action = actionOf("hooks", command, given);
    const registry = await allHooks();
    if (action === "validate") return validate(registry, given);
    const done = action === "register" ? register(registry, given) : list(registry, given);
    for (const problem of registry.problems)
      if (problem.level === "error") console.error(`hookline: ${showHookProblem(problem)}`);
    return done;
  },
});

export default command;

/** By event; `id` and `handler` first as the document has them, then what an orchestrator needs besides. */
function register(registry: Registry, given: Given): number {
  const environment = environmentOf(textFlag(given, "env"), process.env);
  const minimal = given.flags["minimal"] === true;
  const groups: Record<string, object[]> = {};
  for (const definition of registry.definitions) {
    if (!isActive(definition, registry, environment)) continue;
    for (const event of definition.events)
      (groups[event] ??= []).push(entryOf(definition, minimal, registry.root));
  }
  const inOrder = Object.fromEntries(
    [...new Set([...order, ...Object.keys(groups)])].flatMap((event) =>
      groups[event] ? [[event, groups[event]]] : [],
    ),
  );
  console.log(JSON.stringify(inOrder, null, 2));
  return 0;
}

/** As they come in a session, which is how the documents of all formats have them. */
const order: readonly string[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreAbilityCall",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PostAbilityCall",
  "Notification",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "ErrorOccurred",
  "SessionStop",
  "SessionEnd",
] satisfies EventName[];

const isActive = (definition: HookDefinition, { policy }: Registry, environment: string): boolean =>
  definition.enabled && isOn(definition, policy) && (definition.environments?.includes(environment) ?? true);

function entryOf(definition: HookDefinition, minimal: boolean, root: string): object {
  const { id, written, blocking, summary, environments, source } = definition;
  const own = isObject(written?.["handler"]) ? written["handler"] : undefined;
  const kind = definition.handler.kind === "command" ? "script" : definition.handler.kind;
  // The other formats have no handler of this shape; what they run is told in the same words.
  const handler = own ?? { kind, command: describeHandler(definition, root) };
  if (minimal) return { id, handler: defined({ kind: handler["kind"], command: handler["command"] }) };
  return {
    id,
    handler,
    ...defined({ match: source === "registry" ? written?.["match"] : definition.match }),
    blocking,
    ...defined({ summary, environments }),
    source,
  };
}

function list(registry: Registry, given: Given): number {
  const rows = registry.definitions.map((definition) => ({
    definition,
    trust: trustOf(definition, registry.root, process.env),
    on: isOn(definition, registry.policy),
  }));
  if (given.flags["json"] === true) {
    const all = rows.map(({ definition, trust, on }) => ({
      id: definition.id,
      events: definition.events,
      enabled: definition.enabled,
      blocking: definition.blocking,
      decides: definition.events.some((event) => decides(definition, event)),
      match: definition.match ?? {},
      source: definition.source,
      on,
      file: definition.file,
      line: definition.line,
      profile: definition.profile,
      handler: definition.handler,
      timeoutMs: definition.timeoutMs,
      failMode: definition.failMode,
      ...defined({ environments: definition.environments, summary: definition.summary }),
      trust: trust.state,
      ...(trust.why === undefined ? {} : { why: trust.why }),
    }));
    console.log(JSON.stringify(all, null, 2));
    return 0;
  }
  if (rows.length === 0) {
    console.log("There are no hooks here.");
    return 0;
  }
  const head = ["id", "events", "enabled", "blocking", "trust", "match", "source"].map((name) =>
    paint(name, "bold"),
  );
  const lines = rows.map(({ definition, trust, on }) => [
    definition.id,
    definition.events.join(","),
    definition.enabled ? (on ? "yes" : `source ${definition.source} is off`) : "no",
    blockingOf(definition),
    trust.state === "trusted" ? "trusted" : `${trust.state}, inert`,
    plainName(showMatch(definition.match)),
    `${plainName(definition.file)}:${definition.line}`,
  ]);
  console.log(table([head, ...lines]));
  for (const { definition, trust } of rows)
    if (trust.state === "changed")
      console.log(`${definition.id}: ${plainName(trust.why ?? "")}; see \`hookline trust\`.`);
  return 0;
}

/** Whether it stops something, and if it does not, whether it is asked at all. */
const blockingOf = (definition: HookDefinition): string => {
  if (definition.blocking) return "yes";
  return definition.events.some((event) => decides(definition, event)) ? "no" : "no, takes notes";
};

const showMatch = (match: Match | undefined): string =>
  match === undefined || Object.keys(match).length === 0
    ? "all"
    : Object.entries(match)
        .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
        .join(" ");

function validate(registry: Registry, given: Given): number {
  const { definitions } = registry;
  const problems = [
    ...registry.problems,
    ...definitions.flatMap((each) => handlerProblem(each, registry.root)),
  ];
  const errors = problems.filter(({ level }) => level === "error").length;
  if (given.flags["json"] === true)
    console.log(
      JSON.stringify({ ok: problems.length === 0, hooks: definitions.length, findings: problems }, null, 2),
    );
  else {
    for (const problem of problems) console.log(showHookProblem(problem));
    const warnings = problems.length - errors;
    console.log(`${definitions.length} hooks, ${errors} errors, ${warnings} warnings`);
  }
  return problems.length === 0 ? 0 : 1;
}

/** A handler that is not there is a mistake of the hook that names it. */
function handlerProblem(definition: HookDefinition, root: string): HookProblem[] {
  const missing = missingOf(definition, root);
  if (missing === undefined) return [];
  const { file, line, id: hook } = definition;
  const hint = "Put the file in place, or take the hook out; `chmod +x` makes a script executable.";
  return [
    { file, line, hook, level: "error", text: `${hook}: ${missing}`, hint, code: "HL_HOOK_NOT_EXECUTABLE" },
  ];
}
