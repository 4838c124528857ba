import { join, relative } from "node:path";
import { nearest } from "../../core/nearest.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { isSessionId, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { ralphMachines } from "../../workflow/ralph-machine.ts";
import { ralphProfileNames, type RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { carryOut } from "../effects.ts";
import { actionOf, defineCommand, textFlag, UsageError, type Command, type Given } from "./_command.ts";
import { chosenSession, rootHere, sessionFlag } from "./_ralph.ts";
import { paint } from "./_table.ts";
import signal from "./signal.ts";

const command: Command = defineCommand({
  summary: "Ralph sessions: start one, see where it stands, take a step, mend it.",
  usage: [
    "ralph new [--id ID] [--targets GLOBS] [--hooks]",
    "ralph status [--session ID] [--json]",
    "ralph transition --to STATE [--expect VERSION] [--session ID] [--json]",
    "ralph review [--session ID] [--json]",
    "ralph signals [--all] [--session ID] [--json]",
    "ralph doctor [--fix] [--session ID] [--json]",
  ],
  actions: {
    new: "Makes a session with its folders, metadata, first iteration and instructions, and makes it the active one.",
    status: "A board: state, iteration, tasks by status, waves, signals, denials, failures.",
    transition:
      "Takes a step of the orchestrator: checked, written at once or not at all, logged. Exit 1 when it is refused.",
    review: "Whether the session may be reviewed, and what its logs hold for that. Exit 1 when it may not.",
    signals: "What waits to be handled (hookline signal list).",
    doctor:
      "What is wrong with the session's files; --fix mends it, never without a backup. Exit 1 when something is left.",
  },
  details:
    "What status and review print is made from the session's files, which have the last word. docs/ralph.md says more.",
  flags: {
    session: sessionFlag,
    id: { type: "string", value: "ID", summary: "new: YYMMDD-HHmmss; the time when not given." },
    targets: {
      type: "string",
      value: "GLOBS",
      summary: "new: what the session may edit, separated by commas.",
    },
    hooks: {
      type: "boolean",
      summary: "new: also write .github/hooks/ralph.json, with Bash and PowerShell commands.",
    },
    to: { type: "string", value: "STATE", summary: "transition: the state to go to." },
    expect: {
      type: "string",
      value: "VERSION",
      summary: "transition: refuse if metadata.yaml has another version.",
    },
    profile: {
      type: "string",
      value: "PROFILE",
      summary: `The Ralph version (${ralphProfileNames.join(", ")}); as the policy says when not given.`,
      values: () => ralphProfileNames,
    },
    fix: { type: "boolean", summary: "doctor: mend what can be mended." },
    all: { type: "boolean", summary: "signals: also what was handled." },
    json: { type: "boolean", summary: "Print JSON." },
  },
  run: async (given) => actions[actionOf("ralph", command, given)]?.(given) ?? 2,
});

export default command;

const actions: Readonly<Record<string, (given: Given) => number | Promise<number>>> = {
  new: create,
  status,
  transition,
  review,
  signals: (given) => signal.run({ ...given, words: ["list"] }),
  doctor,
};

const wantsJson = (given: Given): boolean => given.flags["json"] === true;

async function create(given: Given): Promise<number> {
  const { createEffects, idNow } = await import("../ralph/create.ts");
  const world = liveWorld(process.env);
  const root = rootHere(world);
  const id = textFlag(given, "id") ?? idNow(world);
  if (!isSessionId(id)) {
    const { rejectedId } = await import("../../workflow/ralph-logs.ts");
    const command = `hookline ralph new --id ${id}`;
    carryOut([rejectedId(root, id, { source: "ralph new", command, cwd: root }, world).effect], root, world);
    throw new UsageError(
      `Session ID '${id}' does not match required format YYMMDD-HHmmss, for example ${idNow(world)}`,
    );
  }
  if (world.stat(join(root, sessionsFolder, id, "metadata.yaml")))
    throw new UsageError(`there is a session ${id} already (hookline ralph status --session ${id})`);
  const targets = (textFlag(given, "targets") ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const effects = createEffects(root, id, { targets, profile: profileIn(given) ?? "v2.2.0" }, world);
  if (given.flags["hooks"] === true) {
    const { hookManifest } = await import("../ralph/hook-manifest.ts");
    const path = join(root, ".github/hooks/ralph.json");
    if (world.stat(path))
      throw new UsageError(`${path} is there already; remove it yourself to have it made anew`);
    effects.push({ do: "replace", path, text: hookManifest(process.execPath), was: null });
  }
  const done = carryOut(effects, root, world);
  const failed = done.find(({ error }) => error !== undefined);
  if (failed) throw new UsageError(`the session could not be made: ${failed.error}`);
  const made = effects.filter((effect) => effect.do === "replace").map(({ path }) => relative(root, path));
  if (wantsJson(given))
    console.log(JSON.stringify({ session: id, path: join(root, sessionsFolder, id), made }));
  else
    console.log(
      [`Made session ${id}; it is the active one now.`, ...made.map((path) => `  ${path}`)].join("\n"),
    );
  return 0;
}

async function status(given: Given): Promise<number> {
  const { boardOf } = await import("../ralph/board.ts");
  const board = boardOf(chosenSession(given));
  if (wantsJson(given)) console.log(JSON.stringify(board));
  else console.log((await import("./_ralph-board.ts")).showBoard(board));
  return 0;
}

async function transition(given: Given): Promise<number> {
  const session = chosenSession(given);
  const profile = profileIn(given);
  const to = stateIn(given, profile);
  const expect = textFlag(given, "expect");
  if (expect !== undefined && !/^\d+$/.test(expect))
    throw new UsageError("--expect wants the version of metadata.yaml, a number");
  const { takeStep } = await import("../ralph/transition.ts");
  const taken = await takeStep(session, {
    to,
    ...(profile === undefined ? {} : { profile }),
    ...(expect === undefined ? {} : { expected: Number(expect) }),
  });
  if (wantsJson(given)) console.log(JSON.stringify({ session: session.id, ...taken }));
  else {
    for (const warning of taken.warnings) console.error(`${paint("warning", "yellow")}  ${warning}`);
    for (const refusal of taken.refusals) console.error(`${paint("refused", "red")}  ${refusal}`);
    if (taken.done)
      console.log(
        `${session.id}: ${taken.from ?? "nothing"} → ${taken.to} (version ${taken.version ?? "?"})`,
      );
  }
  return taken.done ? 0 : 1;
}

function stateIn(given: Given, profile: RalphProfileName | undefined): string {
  const names = profile === undefined ? ralphProfileNames : [profile];
  const states = [...new Set(names.flatMap((name): readonly string[] => ralphMachines[name].states))];
  const to = (textFlag(given, "to") ?? given.words[1] ?? "").toUpperCase();
  if (states.includes(to)) return to;
  const near = to === "" ? undefined : nearest(to, states);
  throw new UsageError(
    `${to === "" ? "name the state with --to STATE" : `unknown state "${to}"`}; expected one of ${states.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`,
  );
}

function profileIn(given: Given): RalphProfileName | undefined {
  const name = textFlag(given, "profile");
  const found = ralphProfileNames.find((each) => each === name);
  if (name !== undefined && !found)
    throw new UsageError(`unknown profile "${name}"; expected ${ralphProfileNames.join(" or ")}`);
  return found;
}

async function review(given: Given): Promise<number> {
  const { reviewOf } = await import("../ralph/review.ts");
  const found = reviewOf(chosenSession(given));
  const isOpen = found.findings.every(({ kind }) => kind !== "gate");
  if (wantsJson(given)) console.log(JSON.stringify({ ...found, open: isOpen }));
  else {
    console.log(
      `Session ${found.session}, iteration ${found.iteration ?? "none"}, ${found.state ?? "unknown state"}`,
    );
    for (const { kind, text } of found.findings)
      console.log(`  ${kind === "gate" ? paint("✗", "red") : paint("!", "yellow")} ${text}`);
    console.log(`  review.md is ${found.written ? "written" : "not written yet"}`);
    console.log(
      isOpen ? paint("SESSION_REVIEW is open.", "green") : paint("SESSION_REVIEW is closed.", "red"),
    );
    console.log(paint(found.label, "dim"));
  }
  return isOpen ? 0 : 1;
}

async function doctor(given: Given): Promise<number> {
  const { examine, mend } = await import("../ralph/doctor.ts");
  const session = chosenSession(given);
  const before = await examine(session);
  const isFixing = given.flags["fix"] === true && before.some(({ fix }) => fix !== undefined);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const backup = join(session.folder, "logs/backups", stamp);
  const errors = isFixing ? await mend(session, backup) : [];
  const left = isFixing ? await examine(session) : before;
  const mended = before.filter(
    (flaw) => !left.some((each) => each.file === flaw.file && each.text === flaw.text),
  );
  const said = left.map(({ file, text, fix }) => ({ file, text, fixable: fix !== undefined }));
  if (wantsJson(given)) {
    const kept = isFixing && session.world.stat(backup) ? { backup } : {};
    const done = mended.map(({ file, text }) => ({ file, text }));
    console.log(
      JSON.stringify({
        ok: left.length === 0,
        session: session.id,
        findings: said,
        mended: done,
        errors,
        ...kept,
      }),
    );
  } else {
    for (const { file, text } of mended) console.log(`${paint("mended", "green")}  ${file}: ${text}`);
    for (const { file, text, fixable } of said)
      console.log(
        `${paint("✗", "red")} ${file}: ${text}${fixable && !isFixing ? paint("  (--fix)", "dim") : ""}`,
      );
    for (const error of errors) console.log(`${paint("✗", "red")} could not be mended: ${error}`);
    if (isFixing && session.world.stat(backup))
      console.log(`What was there before is in ${relative(session.root, backup)}`);
    console.log(left.length === 0 ? `Session ${session.id} is well.` : `${left.length} left.`);
  }
  return left.length === 0 ? 0 : 1;
}
