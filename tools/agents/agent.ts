import type { Wire } from "./wires/wire.ts";

/** A tool call in an agent's own words; a text is a free-form input. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Where the agent's tools are in groups, the group. */
  readonly namespace?: string;
}

/** Where one run takes place: a folder of its own with everything in it. */
export interface Stage {
  /** The git repository the agent works in. */
  readonly root: string;
  /** A folder beside it, which no agent may touch. */
  readonly treasure: string;
  readonly home: string;
  /** First on the PATH; `hookline` is in it. */
  readonly bin: string;
  /** The agent's package as installed. */
  readonly modules: string;
  /** Kept from run to run, for agents that unpack themselves. */
  readonly cache: string;
  /** Where the scripted model listens. */
  readonly url: string;
}

/** How a real agent is installed and driven. Data, and functions that only compute. */
export interface Agent {
  /** The id of its host. */
  readonly id: string;
  /** Whose `can` counts, where the host has several dialects. */
  readonly dialect?: string;
  /** Packages of the npm registry; the version of the first is the agent's. */
  readonly packages: Readonly<Record<string, string>>;
  readonly wire: Wire;
  readonly calls: {
    shell(command: string): ToolCall;
    write(path: string, text: string): ToolCall;
    delegate(task: string): ToolCall;
    /** Where a subagent works on its own, the call that waits for it. */
    wait?(): ToolCall;
  };
  /** Files to write before it starts, by absolute path: its own settings, never its hooks. */
  files?(stage: Stage): Readonly<Record<string, string>>;
  /** What a person does once to make the agent run the repository's hooks, where no option of the command line will do. */
  trust?(stage: Stage, env: Readonly<Record<string, string>>): Promise<void>;
  /** Files by which its hooks can be switched off besides their own, with what would do it. */
  switches(stage: Stage): Readonly<Record<string, string>>;
  command(stage: Stage, prompt: string): readonly string[];
  env(stage: Stage): Readonly<Record<string, string>>;
}

export const defineAgent = (agent: Agent): Agent => agent;

export const versionOf = ({ packages }: Pick<Agent, "packages">): string => Object.values(packages)[0] ?? "?";
