import { describe, expect, test } from "bun:test";
import { fit, type Answer, type Call, type Host } from "../src/core/host.ts";
import { isObject, type Json } from "../src/core/json.ts";
import { outcomes } from "../src/core/outcome.ts";
import claudeCode from "../src/hosts/claude-code/host.ts";
import codexCli from "../src/hosts/codex/host.ts";
import copilot from "../src/hosts/copilot/host.ts";
import geminiCli from "../src/hosts/gemini-cli/host.ts";
import qwenCode from "../src/hosts/qwen-code/host.ts";
import { abilitiesAt, verdictOf, type Meaning } from "../src/testing/host-tester.ts";

/** What the contract sheets list for one event, written down here on its own, not taken from the hosts. */
interface Contract {
  /** How a refusal looks; absent where nothing can be refused. */
  readonly refusal?:
    | "permission"
    | "behavior"
    | "flat-behavior"
    | "decision"
    | "nested"
    | "twice"
    | "decline"
    | "deny"
    | "stop"
    | 1
    | 2;
  /** Something is about to happen that a stop alone would not prevent. */
  readonly gate?: true;
  readonly top?: string;
  readonly nested?: string;
  readonly plain?: true;
  /** A changed output can only be written as a refusal of the real one. */
  readonly rewrites?: true;
  readonly discarded?: true;
}

const said = "continue stopReason systemMessage suppressOutput terminalSequence";
const permission = "permissionDecision permissionDecisionReason";
const context = "additionalContext";

const claude: Record<string, Contract> = {
  SessionStart: { nested: `${context} initialUserMessage sessionTitle watchPaths reloadSkills` },
  Setup: { nested: context },
  UserPromptSubmit: {
    refusal: "decision",
    gate: true,
    nested: `${context} sessionTitle suppressOriginalPrompt`,
  },
  UserPromptExpansion: { refusal: "decision", gate: true, nested: `${context} suppressOriginalPrompt` },
  // The flat pair is for Copilot; Claude Code tolerates it.
  PreToolUse: {
    refusal: "permission",
    gate: true,
    top: permission,
    nested: `${permission} updatedInput ${context}`,
  },
  PermissionRequest: { refusal: "behavior", gate: true, nested: "decision" },
  PermissionDenied: { nested: "retry" },
  PostToolUse: {
    refusal: "decision",
    nested: `${context} updatedToolOutput updatedMCPToolOutput classifierContext`,
  },
  PostToolUseFailure: { nested: context },
  PostToolBatch: { refusal: "decision", gate: true, nested: context },
  Notification: { nested: context },
  MessageDisplay: { nested: "displayContent" },
  SubagentStart: { nested: context },
  SubagentStop: { refusal: "decision", nested: context },
  Stop: { refusal: "decision", nested: context },
  StopFailure: { discarded: true },
  TaskCreated: { refusal: "decision", gate: true },
  TaskCompleted: { refusal: 2 },
  TeammateIdle: { refusal: 2 },
  PreCompact: { refusal: "decision", plain: true },
  PostCompact: {},
  PreModelSwitch: { refusal: "permission", nested: permission },
  PostModelSwitch: { nested: context },
  Elicitation: { refusal: "decline", nested: "action content" },
  ElicitationResult: { refusal: "decline", nested: "action content" },
  ConfigChange: { refusal: "decision", gate: true },
  InstructionsLoaded: { discarded: true },
  CwdChanged: { nested: "watchPaths" },
  FileChanged: { nested: "watchPaths" },
  DirectoryAdded: {},
  WorktreeCreate: { refusal: 1, plain: true },
  WorktreeRemove: { discarded: true },
  SessionEnd: { discarded: true },
};

const cli: Record<string, Contract> = {
  sessionStart: { top: context },
  sessionEnd: { discarded: true },
  userPromptSubmitted: { refusal: "decision", top: `${context} modifiedPrompt` },
  userPromptTransformed: { top: "modifiedTransformedPrompt" },
  preToolUse: { refusal: "permission", top: `${permission} modifiedArgs ${context}` },
  permissionRequest: { refusal: "flat-behavior", top: "behavior message interrupt" },
  preMcpToolCall: { top: "metaToUse" },
  postToolUse: { top: `modifiedResult ${context}` },
  postToolUseFailure: { top: context },
  agentStop: { refusal: "decision" },
  subagentStart: { top: context },
  subagentStop: { refusal: "decision", top: "modifiedResponse" },
  preCompact: { discarded: true },
  errorOccurred: { discarded: true },
  notification: { top: context },
};

const pascalNames: Record<string, string> = { userPromptSubmitted: "UserPromptSubmit", agentStop: "Stop" };
const toPascal = (name: string): string =>
  pascalNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const pascal: Record<string, Contract> = {
  ...Object.fromEntries(Object.entries(cli).map(([name, contract]) => [toPascal(name), contract])),
  // Read from `.claude/settings.json` the nested form counts.
  PreToolUse: { ...cli["preToolUse"], nested: `${permission} updatedInput ${context}` },
};

const vscode: Record<string, Contract> = {
  SessionStart: { nested: context },
  UserPromptSubmit: { refusal: "decision", gate: true, nested: context },
  // The flat pair is for the CLI; VS Code ignores it.
  PreToolUse: {
    refusal: "permission",
    gate: true,
    top: permission,
    nested: `${permission} updatedInput ${context}`,
  },
  PostToolUse: { refusal: "decision", nested: context },
  PreCompact: { discarded: true },
  SubagentStart: { nested: context },
  SubagentStop: { refusal: "twice", nested: "decision reason" },
  Stop: { refusal: "nested", nested: "decision reason" },
};

const gemini: Record<string, Contract> = {
  SessionStart: { nested: context },
  SessionEnd: { discarded: true },
  BeforeAgent: { refusal: "deny", gate: true, nested: context },
  AfterAgent: { refusal: "deny", nested: "clearContext" },
  BeforeModel: { refusal: "deny", gate: true, nested: "llm_request llm_response" },
  AfterModel: { refusal: "deny", gate: true, nested: "llm_response" },
  BeforeToolSelection: { nested: "toolConfig" },
  BeforeTool: { refusal: "deny", gate: true, nested: "tool_input" },
  // The reason of a refusal is what the model reads instead of the output.
  AfterTool: { refusal: "deny", rewrites: true, nested: `${context} tailToolCallRequest` },
  PreCompress: { discarded: true },
  Notification: { discarded: true },
};

const qwen: Record<string, Contract> = {
  SessionStart: { nested: context },
  InstructionsLoaded: { discarded: true },
  UserPromptSubmit: { refusal: "decision", gate: true, nested: context },
  UserPromptExpansion: { refusal: "decision", nested: context },
  PreToolUse: { refusal: "permission", gate: true, top: "decision reason", nested: permission },
  PermissionRequest: { refusal: "behavior", nested: "decision" },
  PermissionDenied: { discarded: true },
  PostToolUse: { nested: context },
  PostToolUseFailure: { nested: context },
  PostToolBatch: { refusal: "decision", nested: context },
  MessageDisplay: { discarded: true },
  Stop: { refusal: "decision" },
  StopFailure: { discarded: true },
  SubagentStart: { nested: context },
  SubagentStop: { refusal: "decision" },
  PreCompact: { nested: context },
  PostCompact: { discarded: true },
  Notification: { discarded: true },
  SessionEnd: { discarded: true },
  SessionDelete: { discarded: true },
  TodoCreated: { refusal: "decision" },
  TodoCompleted: { refusal: "decision" },
};

const codex: Record<string, Contract> = {
  SessionStart: { nested: context },
  UserPromptSubmit: { refusal: "decision", gate: true, nested: context },
  PreModelRequest: { discarded: true },
  PostModelRequest: { discarded: true },
  PreToolUse: { refusal: "permission", gate: true, nested: `${permission} updatedInput ${context}` },
  PermissionRequest: { refusal: "behavior", nested: "decision" },
  PostToolUse: { refusal: "decision", rewrites: true, nested: context },
  PreCompact: { refusal: "stop" },
  PostCompact: {},
  SubagentStart: { nested: context },
  SubagentStop: { refusal: "decision" },
  Stop: { refusal: "decision" },
  Interrupt: { discarded: true },
  SessionEnd: { discarded: true },
};

const iso = "2026-11-16T02:13:20.000Z";
const dialects: readonly [
  host: Host,
  dialect: string,
  Record<string, Contract>,
  common: string,
  (event: string) => Json,
][] = [
  [claudeCode, "settings", claude, said, (event) => ({ hook_event_name: event })],
  [
    copilot,
    "cli",
    cli,
    "",
    (event) => ({
      sessionId: "s",
      timestamp: 1,
      ...(event === "permissionRequest" ? { hookName: event } : {}),
    }),
  ],
  [copilot, "pascal", pascal, "", (event) => ({ hook_event_name: event, session_id: "s", timestamp: iso })],
  [
    copilot,
    "vscode",
    vscode,
    "continue stopReason systemMessage",
    (event) => ({ hookEventName: event, sessionId: "s", timestamp: iso }),
  ],
  [
    geminiCli,
    "settings",
    gemini,
    "continue stopReason systemMessage",
    (event) => ({ hook_event_name: event, timestamp: iso }),
  ],
  [
    qwenCode,
    "settings",
    qwen,
    "continue stopReason systemMessage",
    (event) => ({ hook_event_name: event, timestamp: iso, permission_mode: "default", prompt: "p" }),
  ],
  [
    codexCli,
    "hooks",
    codex,
    "continue stopReason systemMessage",
    (event) => ({ hook_event_name: event, turn_id: "t", model: "m" }),
  ],
];

/** Every key any event has, so that each event is offered all that is foreign to it. */
const everyKey = {
  initialUserMessage: "x",
  sessionTitle: "x",
  watchPaths: ["/x"],
  reloadSkills: true,
  suppressOriginalPrompt: true,
  updatedPermissions: [],
  interrupt: true,
  retry: true,
  updatedMCPToolOutput: "x",
  classifierContext: "x",
  displayContent: "x",
  action: "accept",
  content: { x: 1 },
  terminalSequence: "\u0007",
  worktreePath: "/x",
  additionalContext: "x",
  modifiedPrompt: "x",
  modifiedTransformedPrompt: "x",
  metaToUse: null,
  permissionDecision: "allow",
  behavior: "allow",
  decision: "approve",
  continue: true,
};

const extras: Record<string, Meaning> = {
  "nothing else": {},
  "texts for model and person": { context: "for the model", notice: "for the person" },
  "a rewritten input": { input: { command: "ls" } },
  "a rewritten output": { output: "[redacted]" },
  "a stop": { stop: "locked" },
  "every native key": { native: everyKey },
  everything: { context: "c", notice: "n", input: { a: 1 }, output: "o", stop: "s", native: everyKey },
};

for (const [host, dialect, events, common, payloadOf] of dialects) {
  describe(`${host.title}, ${dialect}`, () => {
    test("the host knows the contract's events and no others", () => {
      expect(Object.keys(host.can[dialect] ?? {}).toSorted()).toEqual(Object.keys(events).toSorted());
    });

    for (const [event, contract] of Object.entries(events)) {
      const call = host.decode(payloadOf(event), event);
      test(`${event} is answered in its own terms only`, () => {
        expect([call.native, call.dialect]).toEqual([event, dialect]);
        for (const outcome of outcomes) {
          for (const [name, extra] of Object.entries(extras)) {
            const problems = problemsWith(
              answerTo(host, call, { outcome, reason: "why", ...extra }),
              event,
              contract,
              common,
            );
            expect({ outcome, name, problems }).toEqual({ outcome, name, problems: [] });
          }
        }
      });

      test(`${event} without a verdict gets no answer`, () => {
        expect(answerTo(host, call, {})).toEqual({ exitCode: 0 });
      });

      test(`${event} is refused by a block and by nothing milder`, () => {
        for (const [name, extra] of Object.entries(extras)) {
          const stopped = contract.gate === true && extra.stop !== undefined;
          for (const outcome of outcomes) {
            const answer = answerTo(host, call, { outcome, reason: "why", ...extra });
            // Where a host cannot ask, ask is a block.
            const asks = outcome === "ask" && !abilitiesAt(host, call).includes("ask");
            // Where a stop is how a refusal is written, and where an output is replaced by one, they look the same.
            const alike =
              (contract.refusal === "stop" && extra.stop !== undefined) ||
              (contract.rewrites === true && extra.output !== undefined);
            const refuses =
              contract.refusal !== undefined && (outcome === "block" || asks || stopped || alike);
            expect({ outcome, name, refuses: isRefusal(answer, contract) }).toEqual({
              outcome,
              name,
              refuses,
            });
          }
        }
      });
    }
  });
}

describe("Codex drops an answer for one thing too many, and goes ahead", () => {
  /** What its source lists, and what was seen with 0.166.0. */
  function voids(event: string, { exitCode, stdout }: Answer): string[] {
    if (stdout === undefined) return [];
    if (exitCode !== 0 || !isObject(stdout)) return ["only JSON with exit 0 is sent"];
    const { hookSpecificOutput, decision, reason } = stdout;
    const nested = isObject(hookSpecificOutput) ? hookSpecificOutput : {};
    const blank = (value: unknown): boolean => typeof value !== "string" || value.trim() === "";
    const found: string[] = [];
    if (decision !== undefined && (decision !== "block" || blank(reason)))
      found.push("a block needs a reason");
    if (reason !== undefined && decision === undefined) found.push("a reason without a decision");
    if ((event === "Stop" || event === "SubagentStop") && hookSpecificOutput !== undefined)
      found.push("no hookSpecificOutput here");
    if (event === "PermissionRequest" && ("continue" in stdout || "stopReason" in stdout))
      found.push("no stop at a permission request");
    if (event !== "PreToolUse") return found;
    if ("continue" in stdout || "stopReason" in stdout) found.push("no stop before a tool");
    const said = nested["permissionDecision"];
    if (said !== undefined && said !== "allow" && said !== "deny") found.push("an unknown decision");
    if (said === "deny" && blank(nested["permissionDecisionReason"])) found.push("a refusal needs a reason");
    if (said === "allow" && nested["updatedInput"] === undefined) found.push("a bare approval");
    if (nested["updatedInput"] !== undefined && said !== "allow") found.push("a rewrite without an approval");
    if (nested["permissionDecisionReason"] !== undefined && said !== "deny")
      found.push("a reason without a refusal");
    return found;
  }

  for (const event of Object.keys(codex)) {
    test(event, () => {
      const call = codexCli.decode({ hook_event_name: event, turn_id: "t", model: "m" }, event);
      for (const outcome of outcomes)
        for (const reason of ["why", "", " "])
          for (const [name, extra] of Object.entries(extras))
            expect({
              outcome,
              name,
              voids: voids(event, answerTo(codexCli, call, { outcome, reason, ...extra })),
            }).toEqual({
              outcome,
              name,
              voids: [],
            });
    });
  }
});

function answerTo(host: Host, call: Call, meaning: Meaning): Answer {
  return host.encode(fit(verdictOf(meaning), abilitiesAt(host, call)).reply, call);
}

function problemsWith(answer: Answer, event: string, contract: Contract, common: string): string[] {
  const { exitCode, stdout, stderr } = answer;
  if (contract.discarded)
    return exitCode === 0 && stdout === undefined && !stderr ? [] : ["the host discards this answer"];
  const problems: string[] = [];
  if (exitCode !== 0 && exitCode !== contract.refusal) problems.push(`exit ${exitCode} means nothing here`);
  if (typeof stdout === "string" && (!contract.plain || stdout.startsWith("{")))
    problems.push("plain text is not read here");
  if (!isObject(stdout)) return problems;
  const decision = ["decision", "twice", "deny"].includes(String(contract.refusal)) ? "decision reason" : "";
  const allowed = words(`${common} ${decision} ${contract.top ?? ""}`);
  const { hookSpecificOutput, ...top } = stdout;
  for (const key of Object.keys(top)) if (!allowed.has(key)) problems.push(`foreign key ${key}`);
  if (hookSpecificOutput === undefined) return problems;
  const { hookEventName, ...nested } = hookSpecificOutput as Json;
  if (hookEventName !== event) problems.push(`named ${String(hookEventName)}`);
  for (const key of Object.keys(nested))
    if (!words(contract.nested ?? "").has(key)) problems.push(`foreign nested key ${key}`);
  return problems;
}

const words = (text: string): Set<string> => new Set(text.split(" "));

/** Judged as the host would: by the form it obeys at this event. */
function isRefusal(
  { exitCode, stdout }: Answer,
  { refusal, top: flatKeys, nested: nestedKeys }: Contract,
): boolean {
  const top = isObject(stdout) ? stdout : {};
  const nested = isObject(top["hookSpecificOutput"]) ? top["hookSpecificOutput"] : {};
  const denied = (keys: Json): boolean => keys["permissionDecision"] === "deny";
  const blocked = (keys: Json): boolean => keys["decision"] === "block" && keys["reason"] !== "";
  switch (refusal) {
    case 1:
    case 2:
      return exitCode === refusal;
    case "permission":
      // Flat and nested together where the contract lists both, so that the denial holds whoever reads it.
      return [
        ...(flatKeys?.includes("permissionDecision") ? [top] : []),
        ...(nestedKeys ? [nested] : []),
      ].every(denied);
    case "behavior":
      return isObject(nested["decision"]) && nested["decision"]["behavior"] === "deny";
    case "flat-behavior":
      return top["behavior"] === "deny";
    case "decision":
      return blocked(top);
    case "deny":
      return top["decision"] === "deny" && top["reason"] !== "";
    case "stop":
      return top["continue"] === false;
    case "nested":
      return blocked(nested);
    case "twice":
      return blocked(top) && blocked(nested);
    case "decline":
      return nested["action"] === "decline";
    default:
      return exitCode !== 0;
  }
}
