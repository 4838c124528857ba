import { pathBelow } from "../../core/paths.ts";
import type { HookDefinition } from "../../core/hook.ts";
import { filesNamed, pin, trustOf, unpin, type Trust } from "../../sources/trust.ts";
import { defineCommand, UsageError } from "./_command.ts";
import { allHooks, describeHandler, type Registry } from "./_hooks.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Look at the hooks that came with the workspace, and let them run as they are now.",
  usage: ["trust [ID…] [--yes] [--json]", "trust --revoke [ID…]"],
  details:
    "A hook runs only while its definition and every file it names are as they were when you agreed. The digests lie in your\n" +
    "own state folder, never in the repository. --yes is for scripts; without it you are asked.",
  flags: {
    yes: { type: "boolean", summary: "Agree to all that is shown." },
    revoke: { type: "boolean", summary: "Take trust back." },
    json: {
      type: "boolean",
      summary: "Print what there is as JSON; agrees to nothing unless --yes is given.",
    },
  },
  async run(given) {
    const registry = await allHooks();
    const chosen = choose(registry, given.words);
    const json = given.flags["json"] === true;
    if (given.flags["revoke"] === true) return revoke(chosen, registry, json);
    const shown = chosen.map((definition) => ({
      definition,
      trust: trustOf(definition, registry.root, process.env),
    }));
    const open = shown.filter(({ trust }) => trust.state !== "trusted");
    if (!json) show(shown, registry.root);
    if (open.length === 0) {
      if (json) printJson(shown, registry.root);
      else
        console.log(shown.length === 0 ? "There are no hooks here." : "All of them are trusted as they are.");
      return 0;
    }
    if (given.flags["yes"] !== true && json) {
      printJson(shown, registry.root);
      return 1;
    }
    if (given.flags["yes"] !== true && !agreed(open.length)) {
      console.error("hookline: nothing was trusted.");
      return 1;
    }
    for (const { definition } of open) pin(definition, registry.root, process.env);
    if (json)
      printJson(
        shown.map(({ definition }) => ({ definition, trust: { state: "trusted" } })),
        registry.root,
      );
    else console.log(`${open.length} hook${open.length === 1 ? "" : "s"} trusted as they are now.`);
    return 0;
  },
});

function choose({ definitions }: Registry, ids: readonly string[]): readonly HookDefinition[] {
  if (ids.length === 0) return definitions;
  return ids.flatMap((id) => {
    const found = definitions.filter((definition) => definition.id === id);
    if (found.length === 0) throw new UsageError(`no hook is called "${id}" (hookline hooks list)`);
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
    runs: describeHandler(definition, root),
    files: filesNamed(definition, root).map((file) => pathBelow(root, file) ?? file),
    trust: trust.state,
    ...(trust.why === undefined ? {} : { why: trust.why }),
  }));
  console.log(JSON.stringify(rows, null, 2));
}

function show(shown: readonly Shown[], root: string): void {
  for (const { definition, trust } of shown) {
    const files = filesNamed(definition, root).map((file) => pathBelow(root, file) ?? file);
    const state = trust.state === "trusted" ? paint("trusted", "green") : paint(trust.state, "yellow");
    console.log(
      `${paint(definition.id, "bold")}  ${state}${trust.why === undefined ? "" : `: ${trust.why}`}`,
    );
    console.log(`  at ${definition.events.join(", ")}, from ${definition.file}:${definition.line}`);
    console.log(`  runs ${describeHandler(definition, root)}`);
    if (files.length > 0) console.log(`  files ${files.join(", ")}`);
  }
}

/** Asks at the terminal; where there is none, nobody can agree. */
function agreed(count: number): boolean {
  if (!process.stdin.isTTY)
    throw new UsageError(
      "there is nobody to ask here; look at the hooks above and say --yes to let them run",
    );
  const answer = prompt(`Let ${count === 1 ? "it" : `these ${count}`} run from now on? [y/N]`);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
