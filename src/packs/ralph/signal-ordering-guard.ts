import { basename } from "node:path";
import type { Action } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { placeOf, sessionFolder, type Place } from "../../workflow/ralph-layout.ts";
import { ralphProfileNames, ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { roleOf, type Role } from "../../workflow/ralph-roles.ts";
import { logHookError } from "./_hook-errors.ts";

const inputs = ".ralph-sessions/260215-173319/signals/inputs";
const processed = ".ralph-sessions/260215-173319/signals/processed";

export default defineRule({
  summary: "Lets live signals be handled in the order of their times only.",
  why: "A later signal may take an earlier one back; whoever handles them the other way round does the opposite.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: { events: beforeTool, actions: ["write", "delete"] },
  options: (v) =>
    v.strictObject({
      profile: v.pipe(
        v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
        v.description("The Ralph version whose signal types count."),
      ),
    }),
  catalogue: {
    number: 30,
    title: "Signal Ordering Guard",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    skips: {
      what: "Signal '{name}' is out of order: '{older}' is older and still waits.",
      instead: "Handle the signals oldest first; `hookline signal poll` takes them in that order.",
    },
    late: {
      what: "Signal '{name}' is out of order: '{newer}' is newer and was handled already.",
      instead: "Send it with `hookline signal send`, which gives it the next time.",
    },
  },
  examples: {
    catches: [
      { files: two(), shell: `mv ${inputs}/signal.260215-180500.yaml ${processed}/` },
      { files: two(), delete: `${inputs}/signal.260215-180500.yaml` },
      {
        files: { [`${processed}/signal.260215-180500.yaml`]: text("STEER") },
        write: `${inputs}/signal.260215-180000.yaml`,
        text: text("STEER"),
      },
    ],
    allows: [
      { files: two(), shell: `mv ${inputs}/signal.260215-180000.yaml ${processed}/` },
      {
        files: { ...two(), [`${inputs}/signal.260215-180000.yaml`]: text("STEER", "Nobody") },
        shell: `mv ${inputs}/signal.260215-180500.yaml ${processed}/`,
      },
      {
        files: { [`${processed}/signal.260215-180500.yaml`]: text("STEER") },
        write: `${inputs}/signal.260215-181000.yaml`,
        text: text("STEER"),
      },
    ],
  },
  onFailure: logHookError(30),
  load: (event, world) =>
    event.actions.some((action) => signalAt(event, action, world)) ? modules() : undefined,
  *check({ event, world, options, loaded }) {
    if (!loaded) return;
    const said = new Set<string>();
    for (const action of event.actions) {
      const place = signalAt(event, action, world);
      if (!place || action.kind === "exec") continue;
      const name = basename(place.path);
      if (said.has(name)) continue;
      said.add(name);
      const session = sessionFolder(event.root, place.session);
      const { all } = loaded.signalsOf(session, ralphProfiles[options.profile].signalTypes, world);
      const own = all.find((each) => each.name === name && each.state === "pending");
      const path = "target" in action ? (action.target?.real ?? name) : name;
      const order = own?.order ?? loaded.orderOf(path, world);
      const isOlder = (each: { order: string; name: string }): boolean =>
        each.order < order || (each.order === order && each.name < name);
      // One that is written into inputs and not there yet is new.
      if (place.kind === "signal" && action.kind === "write" && !own) {
        const newer = all.findLast(
          (each) => each.state === "processed" && !isOlder(each) && each.name !== name,
        );
        if (newer) yield { message: "late", data: { name, newer: newer.name } };
      } else if (action.kind === "delete" || place.kind === "processed-signal") {
        const taking = { role: consumerOf(event), state: loaded.stateOf(session, world) };
        const older = own && loaded.flowOf(all, taking).due.find((each) => isOlder(each));
        if (older) yield { message: "skips", data: { name, older: older.name } };
      }
    }
  },
});

const modules = async () => ({
  ...(await import("../../workflow/ralph-signals.ts")),
  ...(await import("../../workflow/ralph-signal-flow.ts")),
  ...(await import("../../workflow/ralph-metadata.ts")),
});

/** The main agent and whoever is none of Ralph's own may take what everybody may. */
const consumerOf = ({ agent }: Event): Role => roleOf(agent?.type ?? "") ?? "Orchestrator";

/** The signal a write or delete is about. */
function signalAt(event: Event, action: Action, world: World): Place | undefined {
  if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return undefined;
  const place = placeOf(world.realPath(event.root), action.target.real);
  return (place?.kind === "signal" || place?.kind === "processed-signal") && /\.ya?ml$/i.test(place.path)
    ? place
    : undefined;
}

function text(type: string, target = "ALL"): string {
  return `type: ${type}\ntarget: ${target}\nmessage: go\n`;
}

function two(): Record<string, string> {
  return {
    [`${inputs}/signal.260215-180000.yaml`]: text("STEER"),
    [`${inputs}/signal.260215-180500.yaml`]: text("INFO"),
  };
}
