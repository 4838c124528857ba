import { beforeTool } from "../../core/event.ts";
import { recordWorld } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { isInputWaiting, stdinPieces } from "../../platform/stdin.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import { chooseHost } from "../choose-host.ts";
import { parsePayload, type Setting } from "../pass.ts";
import { registry } from "../registry.ts";
import { verdictJson } from "../verdict-json.ts";

/** Judges payloads line by line, one line out for one line in. */
export async function evalLines(given: Setting): Promise<void> {
  const setting = { ...given, policyOf: remembered(given) };
  const decoder = new TextDecoder();
  let answer = oneWorld(setting);
  let rest = new Uint8Array(0);
  for await (const piece of stdinPieces()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    const out: string[] = [];
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      const said = answer(decoder.decode(bytes.subarray(from, end)));
      out.push(typeof said === "string" ? said : await said);
      from = end + 1;
    }
    rest = bytes.slice(from);
    // Whoever waits for our answer before going on may have changed the world when the next line comes. What is there
    // already has waited for nothing, and is judged in the world of the lines before it.
    const goesOn = isInputWaiting();
    if (out.length > 0) console.log(out.join("\n"));
    if (!goesOn) answer = oneWorld(setting);
  }
  if (rest.length > 0) console.log(await answer(decoder.decode(rest)));
}

/** A policy is read once a workspace, not once a line: a batch is judged by one policy. */
function remembered({ env }: Setting): (root: string) => LoadedPolicy | Promise<LoadedPolicy> {
  const known = new Map<string, LoadedPolicy>();
  const load = async (root: string): Promise<LoadedPolicy> => {
    const found = await loadPolicy(root, env, registry);
    known.set(root, found);
    return found;
  };
  return (root) => known.get(root) ?? load(root);
}

/** So many different payloads are remembered before all is looked at anew. */
const most = 50_000;

/**
 * Answers lines in one and the same world, looked at once. There a rule says the same to the same payload, and a command
 * line does the same: neither is asked twice.
 */
function oneWorld(given: Setting): (line: string) => string | Promise<string> {
  const fresh = (): Setting => ({
    ...given,
    world: recordWorld(liveWorld(given.env)),
    understood: new Map(),
  });
  const answers = new Map<string, string>();
  let setting = fresh();
  const judge = async (line: string, key: Key | undefined): Promise<string> => {
    if (answers.size >= most) {
      answers.clear();
      setting = fresh();
    }
    const said = JSON.stringify(await verdictJson(line, setting));
    // What failed may have failed by chance.
    const isSure = key && !said.includes('"failure":') && !(key.id && said.includes(key.id));
    if (isSure) answers.set(key.text, said);
    return said;
  };
  return (line) => {
    const key = keyOf(line, given);
    return (key && answers.get(key.text)) ?? judge(line, key);
  };
}

interface Key {
  readonly text: string;
  readonly id?: string;
}

/** What a verdict depends on: the payload, but before a tool call not the id that tells it from others. */
function keyOf(line: string, { host: named, event }: Setting): Key | undefined {
  try {
    const payload = parsePayload(line);
    const { name, tool } = chooseHost(payload, named).host.decode(payload, event);
    const id = tool?.id;
    if (id === undefined || !(beforeTool as readonly string[]).includes(name))
      return { text: JSON.stringify(payload) };
    const rest = Object.entries(payload).filter(([, value]) => value !== id);
    return { text: JSON.stringify(rest), id };
  } catch {
    // What is wrong with it is said by whoever judges it.
    return undefined;
  }
}
