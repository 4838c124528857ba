import { beforeTool } from "../../core/event.ts";
import { rememberWorld } from "../../core/remember-world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { isInputWaiting, stdinPieces } from "../../platform/stdin.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import { parsePayload, pass, type Passed, type Setting } from "../pass.ts";
import { registry } from "../registry.ts";
import { failureJson, fromPass } from "../verdict-json.ts";

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
    world: rememberWorld(liveWorld(given.env)),
    understood: new Map(),
  });
  const answers = new Map<string, string>();
  let setting = fresh();
  const judge = async (line: string, key: Key): Promise<string> => {
    if (answers.size >= most) {
      answers.clear();
      setting = fresh();
    }
    try {
      const passed = await pass(parsePayload(line), setting);
      const said = JSON.stringify(fromPass(passed));
      // What failed may have failed by chance.
      if (!said.includes('"failure":')) answers.set(isAnyCall(key, passed, said) ? key.text : line, said);
      return said;
    } catch (error) {
      // A batch goes on: what cannot be judged is said in its own line.
      return JSON.stringify(await failureJson(error, line, setting));
    }
  };
  return (line) => {
    const key = keyOf(line);
    return answers.get(key.text) ?? answers.get(line) ?? judge(line, key);
  };
}

interface Key {
  readonly text: string;
  readonly id?: string;
}

/**
 * A line with a line break, which no line has, for the id that tells its call from others. Nothing is parsed: most lines
 * have been answered already.
 */
function keyOf(line: string): Key {
  const from = line.indexOf(idField) + idField.length;
  const to = from < idField.length ? -1 : line.indexOf('"', from);
  return to === -1
    ? { text: line }
    : { text: `${line.slice(0, from)}\n${line.slice(to)}`, id: line.slice(from, to) };
}

/** So every agent that numbers its calls writes it in one line; inside a text there would be back-slashes. */
const idField = '"tool_use_id":"';

/** Is it the id of the call that was cut out, and nothing the verdict depends on? */
function isAnyCall({ text, id }: Key, { event }: Passed, said: string): boolean {
  if (id === undefined || id === "" || id !== event.tool?.id) return false;
  return (beforeTool as readonly string[]).includes(event.name) && !text.includes(id) && !said.includes(id);
}
