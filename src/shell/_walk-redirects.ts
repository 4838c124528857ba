import type { Redirection, WordPart } from "unbash";
import { resolve } from "node:path";
import type { Feed, Redirect, Run, Word } from "./model.ts";
import { assign } from "./_variables.ts";
import { copyOf, deeper, textAt, type Walk, type State, type Context, type Channel } from "./_walk.ts";
import { scopeOf } from "./_walk-scope.ts";
import { expandParts, expandSingle, type Value } from "./words.ts";

export function redirectsOf(
  walk: Walk,
  all: readonly Redirection[],
  state: State,
  context: Context,
): { redirects: Redirect[]; stdin?: Feed; fds: ReadonlyMap<string, Channel> } {
  const redirects: Redirect[] = [];
  let stdin: Feed | undefined;
  let { fds } = state;
  const scope = scopeOf(walk, state, context);
  const opens = (each: Redirection, feed: Feed | undefined, target?: Word): void => {
    const name = descriptorOf(each);
    if (name === "0") stdin = feed ?? stdin;
    else if (name !== undefined)
      fds = new Map([...fds, [name, { ...(feed ? { feed } : {}), ...(target ? { target } : {}) }]]);
    if (each.descriptor?.type === "FileDescriptorVariable")
      assign(state.vars, each.descriptor.name, { text: name ?? "", known: true });
  };
  for (const each of all) {
    if (writtenInto(each)) continue;
    if (each.type === "HereDoc") {
      const value = each.body.parts ? expandParts(each.body.parts, scope) : { text: each.body.text };
      opens(each, {
        from: "text",
        text: each.operator === "<<-" ? value.text.replace(/^\t+/gm, "") : value.text,
      });
    } else if (each.type === "HereString") {
      opens(each, { from: "text", text: `${each.target ? expandSingle(each.target, scope).text : ""}\n` });
    } else if (each.target) {
      const value = expandSingle(each.target, scope);
      const target: Word = {
        text: value.text,
        known: value.known,
        glob: false,
        ...(value.emptied === undefined ? {} : { emptied: value.emptied }),
      };
      const number = descriptorOf(each);
      if (each.operator.includes("&") && (/^&?(?:\d*|\{\w+\})-?$/.test(value.text) || !value.known)) {
        const channel = fds.get(value.text);
        if (each.operator === "<&" && channel) opens(each, channel.feed, channel.target);
        else if (channel?.target && number === undefined)
          redirects.push({ mode: "append", target: channel.target });
        continue;
      }
      const fed = walk.substitutions.get(value.text);
      const feed = fed ? ({ from: "commands", commands: fed } as const) : feedAt(walk, value, state);
      if (each.operator.startsWith("<")) opens(each, feed, target);
      else if (number !== undefined) opens(each, undefined, target);
      const fd =
        number === undefined || /^[01]$/.test(number) || !/^\d$/.test(number) ? {} : { fd: Number(number) };
      if (each.operator === "<" && fed) continue;
      redirects.push({
        mode: each.operator === "<" ? "read" : each.operator.includes(">>") ? "append" : "write",
        target,
        ...fd,
      });
    }
  }
  return stdin ? { redirects, stdin, fds } : { redirects, fds };
}

/** `cmd > >(…)`: what the commands print is fed to those in the brackets, as by a pipe. */
export function feedInto(
  walk: Walk,
  all: readonly Redirection[],
  printed: readonly Run[],
  state: State,
  context: Context,
): void {
  for (const each of all) {
    const script = writtenInto(each)?.script;
    if (script)
      walk.script(script, copyOf(state), {
        ...deeper(context, ">(…)"),
        stdin: { from: "commands", commands: printed },
      });
  }
}

/** The brackets that standard output is written into. */
function writtenInto(each: Redirection): (WordPart & { type: "ProcessSubstitution" }) | undefined {
  const parts = (each.type === "HereDoc" ? undefined : each.target?.parts) ?? [];
  const [part] = parts;
  return part?.type === "ProcessSubstitution" &&
    parts.length === 1 &&
    part.operator === ">" &&
    /^&?>/.test(each.operator) &&
    /^1?$/.test(descriptorOf(each) ?? "")
    ? part
    : undefined;
}

/** What is read from a file this command line has written, or from the network by a name of the shell's. */
function feedAt(walk: Walk, path: Value, state: State): Feed | undefined {
  if (/^\/dev\/(?:tcp|udp)\//.test(path.text))
    return {
      from: "commands",
      commands: [{ program: "/dev/tcp", called: path.text, args: [], redirects: [], via: [] }],
    };
  const own = channelAt(path.text, state);
  if (own?.feed) return own.feed;
  const text =
    state.cwd === undefined || !path.known ? undefined : textAt(walk, resolve(state.cwd, path.text));
  return text === undefined ? undefined : { from: "text", text };
}

/** The descriptor a redirection is about, where it says so; input has the number 0. */
function descriptorOf({ descriptor, operator }: Redirection): string | undefined {
  if (descriptor?.type === "FileDescriptorVariable") return `{${descriptor.name}}`;
  return descriptor ? String(descriptor.value) : operator.startsWith("<") ? "0" : undefined;
}

export const channelAt = (path: string, state: State): Channel | undefined => {
  if (!path.includes("/fd/")) return undefined;
  const name = /^\/(?:dev|proc\/self)\/fd\/(\d+|\{\w+\})$/.exec(path)?.[1];
  return name === undefined ? undefined : state.fds.get(name);
};
