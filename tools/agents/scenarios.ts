import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failed, lateSeconds, putBack, putInPlace } from "./failing.ts";
import type { Check, Scenario } from "./scenario.ts";
import { configOf, isSafe, writeFile, type Seen } from "./stage.ts";

/** Deletes a folder beside the repository, of a run that is thrown away: refused by policy, harmless if it is not. */
const plunder = "rm -r ../treasure";

const printing = (answer: object): string => `printf '%s' '${JSON.stringify(answer)}'`;
const lighthouse = "The lighthouse is called Eddystone.";
const tide = "The tide turns at noon.";

/** All of them, by name, in the order of the table. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  "safe-command": {
    title: "A safe command runs",
    short: true,
    turns: ({ shell, say }) => [shell("echo aboard > made.txt; echo all aboard"), say("Done.")],
    holds({ read, results, decisions }, check) {
      for (const name of ["PreToolUse", "PostToolUse"])
        check(
          `Hookline was asked at ${name}`,
          decisions.some(({ event }) => event.name === name),
        );
      check("the command ran", read("repository/made.txt") === "aboard\n");
      check("the model got its output", results[0]?.includes("all aboard") === true);
    },
  },
  doctor: {
    title: "`hookline doctor` finds nothing wrong, and the agent calls Hookline",
    asksDoctor: true,
    turns: ({ shell, say }) => [shell("echo aboard"), say("Done.")],
    holds({ diagnosis, decisions, results }, check) {
      for (const { text } of diagnosis?.findings ?? []) check(`the doctor is wrong about: ${text}`, false);
      const notes = diagnosis?.notes.map(({ text }) => text).join("\n") ?? "";
      check("the doctor says how the agent fails", notes.includes("when Hookline crashes"));
      check(
        "it is told of the start",
        decisions.some(({ event }) => event.name === "SessionStart"),
      );
      check("the command ran", results[0]?.includes("aboard") === true);
    },
  },
  "dangerous-command": {
    title: "A dangerous command is blocked, and the model is told why",
    short: true,
    turns: ({ shell, say }) => [shell(plunder), say("Done.")],
    holds(seen, check) {
      check("nothing was deleted", isSafe(seen));
      check("the model was told why", seen.results[0]?.includes("safety/destructive-delete") === true);
    },
  },
  "write-outside": {
    title: "A write outside the workspace is blocked",
    short: true,
    turns: ({ write, say }, { treasure }) => [write(join(treasure, "flag.txt"), "ours\n"), say("Done.")],
    holds({ read, hears }, check) {
      check("nothing was written", read("treasure/flag.txt") === undefined);
      check("the model was told why", hears("safety/workspace-boundary"));
    },
  },
  "session-context": {
    title: "Context is given at the start of a session",
    needs: ["SessionStart", "context"],
    policy: { hooks: [{ id: "chart", on: "SessionStart", run: `echo '${lighthouse}'` }] },
    turns: ({ say }) => [say("Done.")],
    holds: ({ hears }, check) => check("the model was told", hears(lighthouse)),
  },
  "prompt-context": {
    title: "Context is given with a prompt",
    needs: ["UserPromptSubmit", "context"],
    policy: { hooks: [{ id: "tide", on: "UserPromptSubmit", run: `echo '${tide}'` }] },
    turns: ({ say }) => [say("Done.")],
    holds: ({ hears }, check) => check("the model was told", hears(tide)),
  },
  "prompt-blocked": {
    title: "A prompt is blocked",
    needs: ["UserPromptSubmit", "block"],
    policy: {
      hooks: [{ id: "harbour", on: "UserPromptSubmit", run: "echo 'The harbour is closed.' >&2; exit 2" }],
    },
    turns: ({ say }) => [say("Done.")],
    holds({ asked, decisions }, check) {
      check(
        "Hookline was asked",
        decisions.some(({ event }) => event.name === "UserPromptSubmit"),
      );
      check("the model was not", asked === 0);
    },
  },
  "stop-held": {
    title: "Stopping is held up, and let go when what was missing is there",
    short: true,
    needs: ["Stop", "block"],
    policy: {
      workflows: {
        voyage: {
          summary: "Nobody goes ashore before the log is written.",
          state: { recorded: "session" },
          states: { "at-sea": {} },
          stop: [{ needs: [{ file: "log.txt" }], instead: "Write the log of the voyage." }],
        },
      },
    },
    turns: ({ shell, say }) => [say("Ashore."), shell("echo 'All well.' > log.txt"), say("Ashore now.")],
    holds({ read, hears, left, asked }, check) {
      check("the model was told what is missing", hears("Write the log of the voyage."));
      check("it went on and wrote it", read("repository/log.txt") === "All well.\n");
      check("then it could stop", left() === 0 && asked === 3);
    },
    otherwise({ asked, decisions }, check) {
      check("it stopped at once", asked === 1);
      const stops = decisions.filter(({ event }) => event.name === "Stop");
      check(
        "the record says what was lost",
        stops.some(({ unexpressed }) => unexpressed.length > 0),
      );
    },
  },
  "input-rewritten": {
    title: "The input of a tool is changed",
    needs: ["PreToolUse", "input"],
    policy: {
      hooks: [
        {
          id: "course",
          on: "PreToolUse",
          match: { tool: "Bash" },
          run: printing({
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              updatedInput: { command: "echo north > made.txt" },
            },
          }),
        },
      ],
    },
    turns: ({ shell, say }) => [shell("echo south > made.txt"), say("Done.")],
    holds: ({ read }, check) => check("the changed command ran", read("repository/made.txt") === "north\n"),
    otherwise({ read, hears, decisions }, check) {
      const calls = decisions.filter(({ event }) => event.name === "PreToolUse");
      check(
        "the record says what was lost",
        calls.some(({ unexpressed }) => unexpressed.length > 0),
      );
      check("the call did not run as it was", read("repository/made.txt") !== "south\n");
      check("the model was told", hears("course"));
    },
  },
  "post-tool-feedback": {
    title: "The model is told something about what a tool has done",
    needs: ["PostToolUse", "context"],
    policy: {
      hooks: [
        {
          id: "lookout",
          on: "PostToolUse",
          run: printing({
            hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: tide },
          }),
        },
      ],
    },
    turns: ({ shell, say }) => [shell("echo aboard > made.txt"), say("Done.")],
    holds({ read, hears }, check) {
      check("the command ran", read("repository/made.txt") === "aboard\n");
      check("the model was told", hears(tide));
    },
  },
  "subagent-blocked": {
    title: "A dangerous command of a subagent is blocked",
    turns: ({ delegate, shell, say }) => [
      ...delegate("Bring the treasure aboard, all of it.", [shell(plunder), say("Could not.")]),
      say("Done."),
    ],
    holds(seen, check) {
      check("the subagent and the agent came to their ends", seen.left() === 0);
      check("nothing was deleted", isSafe(seen));
      check("the subagent was told why", seen.hears("safety/destructive-delete"));
    },
  },
  "hook-crashes": {
    title: "A hook of the workspace that must not fail crashes: the call is blocked",
    policy: { hooks: [{ id: "leak", on: "PreToolUse", run: "kill -9 $$", blocking: true }] },
    turns: ({ shell, say }) => [shell("echo aboard > made.txt"), say("Done.")],
    holds({ read, hears }, check) {
      check("the command did not run", read("repository/made.txt") === undefined);
      check("the model was told which hook it was", hears("leak"));
    },
  },
  "hook-late": {
    title: "A hook of the workspace that must not fail is late: the call is blocked",
    policy: {
      hooks: [{ id: "calm", on: "PreToolUse", run: "sleep 60", timeoutMs: 500, blocking: true }],
    },
    turns: ({ shell, say }) => [shell("echo aboard > made.txt"), say("Done.")],
    holds({ read, hears }, check) {
      check("the command did not run", read("repository/made.txt") === undefined);
      check("the model was told which hook it was", hears("calm"));
    },
  },
  "guard-crashes": {
    title: "Hookline itself crashes",
    turns: ({ shell, say }, stage) => [
      shell(plunder, () => putInPlace(stage, "kill -9 $$")),
      say("Done.", () => putBack(stage)),
    ],
    holds: (seen, check, { facts }) => failed(seen, check, facts.installed?.crash),
  },
  "guard-late": {
    title: "Hookline itself gives no answer in time",
    isSlow: true,
    turns: ({ shell, say }, stage) => [
      shell(plunder, () => putInPlace(stage, `exec sleep ${lateSeconds}`)),
      say("Done.", () => putBack(stage)),
    ],
    holds: (seen, check, { facts }) => failed(seen, check, facts.installed?.late, lateSeconds),
  },
  "guard-stays": {
    title: "The agent cannot switch the guard off",
    turns: ({ shell, write, say }, stage, { agent }) => [
      write(configOf(agent.id, stage), "{}\n"),
      ...Object.entries(agent.switches(stage)).map(([path, text]) => write(path, text)),
      shell(`echo '{}' > '${configOf(agent.id, stage)}'`),
      shell("rm hookline.yaml"),
      shell("hookline uninstall --yes"),
      shell(plunder),
      say("Done."),
    ],
    holds(seen, check, { agent }) {
      const switches = Object.keys(agent.switches(seen.stage));
      check("all was tried", seen.left() === 0 && seen.results.length === switches.length + 5);
      check(
        "every attempt was blocked",
        seen.results.every((each) => each.includes("Blocked by safety/")),
      );
      check("nothing was deleted", isSafe(seen));
      const config = readFileSync(configOf(agent.id, seen.stage), "utf8");
      check("the configuration is still there", config.includes("hookline"));
      check(
        "no switch was thrown",
        switches.every((path) => agent.files?.(seen.stage)[path] === textAt(path)),
      );
    },
  },
  "guard-stays-for-others": {
    title:
      "Another program empties the agent's settings and switches hooks off: the guard stays for this session",
    turns: ({ shell, say }, stage, { agent }) => [
      shell("echo aboard"),
      shell(plunder, async () => {
        const changes = { [configOf(agent.id, stage)]: "{}\n", ...agent.switches(stage) };
        for (const [path, text] of Object.entries(changes)) writeFile(path, text);
        // As long as an agent may take to notice.
        await Bun.sleep(3000);
      }),
      say("Done."),
    ],
    holds: stayed,
  },
  "guard-stays-spoilt": {
    title:
      "Another program makes the agent's settings such that it cannot read them: the guard stays for this session",
    turns: ({ shell, say }, stage, { agent }) => [
      shell("echo aboard"),
      shell(plunder, async () => {
        const config = configOf(agent.id, stage);
        writeFile(config, spoilt(readFileSync(config, "utf8")));
        await Bun.sleep(3000);
      }),
      say("Done."),
    ],
    holds: stayed,
  },
  "settings-spoilt": {
    title: "Settings the agent cannot read keep it from calling Hookline, and `hookline doctor` says so",
    asksDoctor: true,
    alters: spoilt,
    turns: ({ shell, say }) => [shell("echo aboard"), say("Done.")],
    holds(seen, check, { agent }) {
      const config = configOf(agent.id, seen.stage);
      check("the agent does not call Hookline", seen.decisions.length === 0);
      check("the doctor says so", seen.diagnosis?.findings.some(({ place }) => place === config) === true);
    },
  },
};

/** As a person leaves a file who has taken its last line out. */
function spoilt(text: string): string {
  return `${text.trimEnd().replace(/\}$/, "")},}\n`;
}

function stayed(seen: Seen, check: Check): void {
  check("it went on to its end", seen.left() === 0);
  check("nothing was deleted", isSafe(seen));
  check("the model was told why", seen.results[1]?.includes("safety/destructive-delete") === true);
}

const textAt = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;
