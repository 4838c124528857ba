import { variableOf } from "../../core/agent-variables.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { isOneOf } from "../../core/one-of.ts";
import type { Remark } from "../../core/rule.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { agents, isMoved, isSession, isUnwatched, switchesOff } from "./_agents.ts";
import { asksForHelp, hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Stops an agent from uninstalling the guard, approving hooks, or starting an agent without hooks.",
  why: "What one agent may not do, it must not have done by another that nobody watches.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    programs: [
      ..."hookline* npm pnpm yarn bun brew apt apt-get dpkg winget scoop choco".split(" "),
      ..."claude* copilot* codex* gemini* qwen* opencode* cursor-agent @anthropic-ai/* @openai/* @github/* @google/* @qwen-code/*".split(
        " ",
      ),
      ..."agent-variable setx launchctl systemctl tmux reg defaults".split(" "),
    ],
  },
  options: (v) => v.strictObject({}),
  messages: {
    removes: { what: "`{command}` takes the guard away.", instead: "Ask the user to do it." },
    approves: {
      what: "`{command}` changes what the guard lets run.",
      instead: "Ask the user to look at it and to run it.",
    },
    answers: {
      what: "`{command}` starts what answers in the guard's place.",
      instead: "Leave it alone; it is started when it is needed.",
    },
    bare: {
      what: "`{command}` starts an agent without its hooks.",
      instead: "Start it as it is set up, with the hooks of this workspace.",
    },
    unwatched: {
      what: "`{command}` starts an agent that does not ask the guard where it works.",
      instead: "Do it yourself, or ask the user to set that agent up there (`hookline init`).",
    },
    replaces: {
      what: "`{command}` puts another version in the guard's place.",
      instead: "Ask the user to do it.",
    },
    switches: {
      what: "`{command}` switches hooks or what brings them off.",
      instead: "Ask the user to do it.",
    },
  },
  examples: {
    catches: [
      { shell: "npx hookline uninstall --yes" },
      { shell: "hookline trust --yes" },
      { shell: "hookline ability run task-20260514-3f9a1c2b --ask allow" },
      { shell: "hookline ability run task-20260514-3f9a1c2b --ask deny --ask allow" },
      { shell: "hookline ability run task-20260514-3f9a1c2b --caller manual_cli" },
      { shell: "yes | script -qc 'hookline ability run task-20260514-3f9a1c2b' /dev/null" },
      { shell: "npm rm -g hookline" },
      { shell: "LD_PRELOAD=./x.so hookline serve --hooks" },
      { shell: "claude --bare -p 'clean up'" },
      { shell: `claude --settings '{"disableAllHooks":true}' -p go` },
      { shell: "codex exec -c features.hooks=false go" },
      { shell: "OPENCODE_PURE=1 opencode run go" },
      { shell: "claude plugin disable hookline" },
      { shell: "export CODEX_HOME=/tmp/x" },
      { shell: "npm install -g hookline@0.0.1" },
      { shell: "npm i -g ./vendor/hookline" },
      {
        shell: "codex exec go",
        files: {
          ".claude/settings.json": '{"hooks":{"PreToolUse":[{"hooks":[{"command":"hookline run"}]}]}}',
        },
      },
    ],
    allows: [
      { shell: "hookline doctor" },
      { shell: "hookline log --json" },
      { shell: "hookline serve --hooks --stop" },
      { shell: "hookline ability run task-20260514-3f9a1c2b --json" },
      { shell: "hookline ability run task-20260514-3f9a1c2b --ask deny --caller=ai_session" },
      { shell: "npm uninstall left-pad" },
      { shell: "claude -p 'what does hookline uninstall do?'" },
      { shell: "codex exec 'explain --disable hooks'" },
      { shell: "claude plugin list" },
      { shell: "npm install hookline" },
    ],
  },
  *check({ event, world }) {
    for (const action of event.actions) {
      if (action.kind !== "exec") continue;
      for (const run of runsOf({ ...event, actions: [action] })) {
        if (run.elsewhere !== undefined) continue;
        const found = judge(run, action.command, event, world);
        const command =
          run.program === "agent-variable" ? `${run.called}=${wordsOf(run).join("")}` : shown(run);
        if (found !== undefined) yield { ...found, data: { command } };
      }
    }
  },
});

type Found = Pick<
  Remark<"removes" | "approves" | "answers" | "bare" | "unwatched" | "replaces" | "switches">,
  "message" | "outcome"
>;

function judge(run: Run, text: string, event: Event, world: World): Found | undefined {
  const words = wordsOf(run);
  const name = nameOf(run.program);
  if (name === "hookline" || name === "hookline-warm") return ofOurs(name, words, run.via);
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent === undefined) return ofOthers(run, words, text);
  const isOff = switchesOff(agent, run, event.cwd, world);
  if (agent.isBare?.(words) || isOff) return { message: "bare" };
  if (manages(words)) return { message: "switches" };
  if (!isSession(words)) return undefined;
  // Other settings may have no hooks; whether they do is not known here.
  const isUnclear = isOff === undefined || isMoved(name, text) || hasFlag(words, ...(agent.leaves ?? []));
  if (isUnclear) return { message: "bare", outcome: "ask" };
  return isUnwatched(name, agent, run, event, world) ? { message: "unwatched", outcome: "ask" } : undefined;
}

/** `codex features disable hooks`, `claude config set disableAllHooks true` */
function manages(words: readonly string[]): boolean {
  const [noun, verb] = plainWords(words);
  const isManaged = /^(?:plugins?|extensions?|ext|hooks?|features?|config|mcp)$/.test(noun ?? "");
  const off = /^(?:uninstall|remove|rm|disable|disable-all|delete|unlink)$/.test(verb ?? "");
  const names = words.some((word) => /hookline|^hooks?$|^--all$/i.test(word)) || verb === "disable-all";
  const sets =
    words.includes("set") &&
    words.some((word) => /disableAllHooks|hooksConfig|useHooks|features\.(?:codex_)?hooks/.test(word));
  return isManaged && ((off && names) || sets);
}

/** Package managers, and whatever sets a variable or a setting of the machine's. */
function ofOthers(run: Run, words: readonly string[], text: string): Found | undefined {
  if (removesPackage(words)) return { message: "removes" };
  if (replacesPackage(run.program, words)) return { message: "replaces", outcome: "ask" };
  const set = isTrust(run.called, words) ? undefined : variableOf(run.called);
  // Somebody may need it for an agent that is started otherwise; one in the same line is judged by itself.
  if (set)
    return set.does === "off" && startsOne(text, set.agent)
      ? { message: "bare" }
      : { message: "switches", outcome: "ask" };
  const names = words.map((word) => word.replace(/=.*$/s, ""));
  if (isOneOf(run.program, "setx launchctl systemctl tmux") && names.some((word) => variableOf(word)))
    return { message: "switches", outcome: "ask" };
  const isPolicy = /claudecode|github\\?[\\/]copilot|opencode\.managed|qwencode|geminicli/i;
  const changes = /^(?:add|delete|import|copy|write|rename)$/i;
  return isOneOf(run.program, "reg defaults") &&
    changes.test(words[0] ?? "") &&
    isPolicy.test(words.join(" "))
    ? { message: "switches", outcome: "ask" }
    : undefined;
}

/** The one variable that is as good as it can be bad. */
const isTrust = (name: string, [value]: readonly string[]): boolean =>
  name === "GEMINI_CLI_TRUST_WORKSPACE" && value === "true";

const startsOne = (text: string, agent: string): boolean => new RegExp(`\\b${agent}\\b`).test(text);

/** What `npx -y hookline@latest` and `npx @openai/codex` start. */
const nameOf = (program: string): string =>
  program
    .replace(/^@[\w-]+\//, "")
    .replace(/(?!^)@.*$/, "")
    .replace(/-(?:code|cli|ai)$/, "");

function ofOurs(name: string, words: readonly string[], via: readonly string[]): Found | undefined {
  if (asksForHelp(words)) return undefined;
  switch (plainWords(words)[0]) {
    case "uninstall":
      return { message: "removes" };
    case "trust":
      return { message: "approves" };
    // A server lives on, and what it was started with would be part of every answer.
    case "serve":
      return hasFlag(words, "--hooks") && !hasFlag(words, "--stop") ? { message: "answers" } : undefined;
    case "run":
      return name === "hookline-warm" || hasFlag(words, "--warm") ? { message: "answers" } : undefined;
    case "ability":
      return answersForPerson(words, via) ? { message: "approves" } : undefined;
    // Puts hooks in or in order; a person may have asked for it.
    case "init":
    case "update":
      return hasFlag(words, "--dry-run") ? undefined : { message: "approves", outcome: "ask" };
    case "doctor":
      return hasFlag(words, "--fix") ? { message: "approves", outcome: "ask" } : undefined;
    default:
      return undefined;
  }
}

/** Answers in the place of the person who is asked: by saying so, by saying that one is that person, or at a terminal of one's own. */
function answersForPerson(words: readonly string[], via: readonly string[]): boolean {
  if (plainWords(words)[1] !== "run") return false;
  const isMade = via.some((each) => isOneOf(each, "script unbuffer faketty expect winpty"));
  const says = (flag: string, harmless: string): boolean =>
    valuesOf(words, flag).some((value) => value !== harmless);
  return isMade || says("--ask", "deny") || says("--caller", "ai_session");
}

/** All values of a flag, however they are written: the last one counts, and where that is not known, any. */
const valuesOf = (words: readonly string[], flag: string): string[] =>
  words.flatMap((word, at) => {
    if (word === flag) return [words[at + 1] ?? ""];
    return word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [];
  });

const removesPackage = (words: readonly string[]): boolean =>
  plainWords(words)
    .slice(0, 3)
    .some((word) => /^(?:uninstall|un|unlink|remove|rm|r|purge|--purge|-r|autoremove)$/.test(word)) &&
  words.some((word) => /^(?:@hookline\/[\w-]+|hookline)(?:@.*)?$/.test(word));

/** Another version of it, one from elsewhere, or one for all that is started from now on. */
function replacesPackage(program: string, words: readonly string[]): boolean {
  if (
    !isOneOf(program, "npm pnpm yarn bun") ||
    !words.some((word) => isOneOf(word, "install i add in link ln"))
  )
    return false;
  const isForAll = words.some((word) => isOneOf(word, "-g --global global link ln"));
  return words.some(
    (word) =>
      /^(?:@hookline\/[\w-]+|hookline)@.|[/:](?:@hookline\/[\w-]+|hookline)(?:-[\d.]+)?(?:\.git|\.tgz)?\/?(?:#.*)?$/.test(
        word,
      ) ||
      (isForAll && /^(?:@hookline\/[\w-]+|hookline)$/.test(word)),
  );
}
