import type { Action } from "./action.ts";

/** The union of the life-cycle points of all agents, in the spelling users know. */
export const eventNames = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "Stop",
  "SessionStop",
  "SessionEnd",
  "PreAbilityCall",
  "PostAbilityCall",
  "ErrorOccurred",
  "StateTransition",
] as const;

/** `Other` carries a host's event that is none of the seventeen; `native` has its own name. */
export type EventName = (typeof eventNames)[number] | "Other";

/** The points at which a tool call can still be stopped. */
export const beforeTool = ["PreToolUse", "PermissionRequest"] as const satisfies EventName[];

export interface Tool {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
  readonly output?: unknown;
  readonly error?: string;
  /** How long it took, in milliseconds, where the host says so. */
  readonly duration?: number;
  /** Of a command that has ended. */
  readonly exitCode?: number;
  /** The MCP server that owns the tool. */
  readonly server?: string;
}

export interface Trouble {
  readonly message: string;
  /** Where or of which kind it was, in the host's word. */
  readonly kind?: string;
}

/** Set inside a subagent; absent for the main agent. */
export interface Agent {
  readonly id?: string;
  readonly type?: string;
}

/** What happened or is about to happen, in no host's language. */
export interface Event {
  readonly name: EventName;
  readonly native: string;
  readonly host: string;
  readonly dialect: string;
  readonly session?: string;
  readonly agent?: Agent;
  readonly cwd: string;
  /** The workspace root: the host's project directory, else the git root above `cwd`, else `cwd`. */
  readonly root: string;
  readonly transcript?: string;
  readonly permissionMode?: string;
  readonly prompt?: string;
  /** What the agent said last, where the host says so. */
  readonly said?: string;
  readonly tool?: Tool;
  /** At a stop: whether the agent is only at work because it was kept from stopping; nothing where the host does not say it reliably. */
  readonly heldBefore?: boolean;
  /** At a stop: how often in a row the host can be kept from it, where it has a limit of its own. */
  readonly mostHolds?: number;
  /** What went wrong, of an event that is about that and not about a tool. */
  readonly error?: Trouble;
  /** Tells a tool call from others, and is the same before and after it. Before it, what a rule says must not depend on it. */
  readonly call?: string;
  /** The host tells of the same call by another event too: judged like any other, but counted there. */
  readonly again?: true;
  /** The host is about to take over settings that have changed. */
  readonly settings?: true;
  readonly actions: readonly Action[];
  /** The host's own message, for rules about `Other` events and for the ledger. */
  readonly payload: Readonly<Record<string, unknown>>;
}
