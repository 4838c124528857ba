import { pathBelow } from "../../core/paths.ts";
import { plainName } from "../../core/plain-name.ts";
import type { HookDefinition } from "../../core/hook.ts";
import { forgetIndex } from "../../sources/hook-index.ts";
import { filesNamed, pin, seenIn, trustOf, unpin, type Trust } from "../../sources/trust.ts";
import { redactText } from "../../secrets/redact.ts";
import { agreed } from "./_ask.ts";
import { abilitiesToTrust } from "../abilities/trusted-abilities.ts";
import { defineCommand, UsageError } from "./_command.ts";
import { allHooks, describeHandler, type Registry } from "./_hooks.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Look at the hooks and abilities that came with the workspace, and let them run as they are now.",
  usage: ["trust [ID…] [--yes] [--json]", "trust --revoke [ID…]"],
  details:
    "A hook or an ability (ability:ID) runs only while its definition and every file it names are as they were when you agreed.\n" +
    "The digests lie in your own state folder, never in the repository. --yes is for scripts; without it you are asked.",
  flags: {
    yes: { type: "boolean", summary: "Agree to all that is shown." },
    revoke: { type: "boolean", summary: "Take trust back." },
    json: {
      type: "boolean",
      summary: "Print what there is as JSON; agrees to nothing unless --yes is given.",
    },
  },
  async run(given) {
    const hooks = await allHooks();
    const abilities = abilitiesToTrust(hooks.root, process.env);
    const registry = { ...hooks, definitions: [...hooks.definitions, ...abilities] };
    const chosen = choose(registry, given.words);
    const json = given.flags["json"] === true;
    if (given.flags["revoke"] === true) return revoke(chosen, registry, json);
    const shown = chosen.map((definition) => ({
      definition,
      trust: trustOf(definition, registry.root, process.env),
    }));
    // Before anybody looks: what is exchanged while a person reads is not what they agree to.
    const open = shown
      .filter(({ trust }) => trust.state !== "trusted")
      .map((each) => ({ ...each, seen: seenIn(each.definition, registry.root) }));
    if (!json) show(shown, registry.root);
    if (open.length === 0) {
      if (json) printJson(shown, registry.root);
      else
        console.log(
          shown.length === 0
            ? "There are no hooks and no abilities here."
            : "All of them are trusted as they are.",
        );
      return 0;
    }
    if (given.flags["yes"] !== true && json) {
      printJson(shown, registry.root);
      return 1;
    }
    if (given.flags["yes"] !== true && !agreedTo(open.length)) {
      console.error("hookline: nothing was trusted.");
      return 1;
    }
    for (const { definition, seen } of open) pin(definition, registry.root, process.env, seen);
    forgetIndex(registry.root, process.env);
    if (json)
      printJson(
        shown.map(({ definition }) => ({ definition, trust: { state: "trusted" } })),
        registry.root,
      );
    else console.log(`${countOf(open)} trusted as they are now.`);
    return 0;
  },
});

function countOf(shown: readonly Shown[]): string {
  const abilities = shown.filter(({ definition }) => definition.id.startsWith("ability:")).length;
  const several = (count: number, one: string, more: string): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  return [
    ...several(shown.length - abilities, "hook", "hooks"),
    ...several(abilities, "ability", "abilities"),
  ].join(" and ");
}

function choose({ definitions }: Registry, ids: readonly string[]): readonly HookDefinition[] {
  if (ids.length === 0) return definitions;
  return ids.flatMap((id) => {
    const found = definitions.filter((definition) => definition.id === id);
    if (found.length === 0)
      throw new UsageError(
        `no hook is called "${id}" (hookline hooks list), and no ability (hookline ability list)`,
      );
    return found;
  });
}

function revoke(chosen: readonly HookDefinition[], { root }: Registry, json: boolean): number {
  const gone = chosen.filter((definition) => unpin(definition, root, process.env)).map(({ id }) => id);
  console.log(
    json ? JSON.stringify({ revoked: gone }) : `Trust taken back from ${gone.length} of ${chosen.length}.`,
  );
  return 0;
}

type Shown = { readonly definition: HookDefinition; readonly trust: Trust };

function printJson(shown: readonly Shown[], root: string): void {
  const rows = shown.map(({ definition, trust }) => ({
    id: definition.id,
    source: definition.source,
    file: definition.file,
    line: definition.line,
    events: definition.events,
    runs: `${describeHandler(definition, root)}${detailOf(definition)}`,
    with: settingsOf(definition, root),
    files: filesNamed(definition, root).map((file) => pathBelow(root, file) ?? file),
    trust: trust.state,
    ...(trust.why === undefined ? {} : { why: trust.why }),
  }));
  console.log(JSON.stringify(rows, null, 2));
}

function show(shown: readonly Shown[], root: string): void {
  // Whoever agrees must see what it is, whatever the repository would like it to look like.
  for (const { definition, trust } of shown) {
    const files = filesNamed(definition, root).map((file) => pathBelow(root, file) ?? file);
    const state = trust.state === "trusted" ? paint("trusted", "green") : paint(trust.state, "yellow");
    console.log(
      `${paint(definition.id, "bold")}  ${state}${trust.why === undefined ? "" : `: ${plainName(trust.why)}`}`,
    );
    console.log(
      `  at ${definition.events.join(", ")}, from ${plainName(definition.file)}:${definition.line}`,
    );
    console.log(`  runs ${plainName(`${describeHandler(definition, root)}${detailOf(definition)}`)}`);
    for (const setting of settingsOf(definition, root)) console.log(`  ${plainName(setting)}`);
    if (files.length > 0) console.log(`  files ${plainName(files.join(", "))}`);
  }
}

/** What else decides about what it does: where it runs, what is set for it, and which variables of the person's are sent. */
function settingsOf({ handler }: HookDefinition, root: string): string[] {
  if (handler.kind === "http") return (handler.allowedEnvVars ?? []).map((name) => `sends $${name}`);
  if (handler.kind !== "command") return [];
  const { cwd = root, env = {} } = handler;
  return [
    ...(cwd === root ? [] : [`in ${pathBelow(root, cwd) ?? cwd}`]),
    ...Object.entries(env).map(([name, value]) => `with ${name}=${redactText(value).text}`),
  ];
}

const agreedTo = (count: number): boolean =>
  agreed(
    `Let ${count === 1 ? "it" : `these ${count}`} run from now on?`,
    "look at the hooks above and say --yes to let them run",
  );

/** What an ability asks a server for, which no hook has. */
const detailOf = ({ id, match }: HookDefinition): string => {
  const tool = id.startsWith("ability:") ? match?.fields?.["tool"] : undefined;
  return tool ? `, tool ${tool.join(", ")}` : "";
};
