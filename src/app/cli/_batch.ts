import { TimeoutError, type Limits } from "../../core/engine.ts";
import { beforeTool } from "../../core/event.ts";
import { rememberWorld } from "../../core/remember-world.ts";
import { done } from "../../core/work.ts";
import { watchedLimits } from "../../platform/limits.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { isInputWaiting, stdinPieces } from "../../platform/stdin.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import { parsePayload, passing, type Passed, type Setting } from "../pass.ts";
import { registry } from "../registry.ts";
import { failureJson, fromPass } from "../verdict-json.ts";

/** Judges payloads line by line, one line out for one line in. */
export async function evalLines(given: Setting): Promise<void> {
  const watch = oneWatch();
  const setting = { ...given, policyOf: remembered(given), limits: watch.limits };
  // A mark of the byte order may stand before each line, and not only before the first that comes.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let answer = oneWorld(setting);
  let rest = new Uint8Array(0);
  for await (const piece of stdinPieces()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(10);
    rest = bytes.slice(end + 1);
    const out =
      end === -1 ? [] : await answerAll(decoder.decode(bytes.subarray(0, end)).split("\n"), answer, watch);
    // Whoever waits for our answer before going on may have changed the world when the next line comes. What is there
    // already has waited for nothing, and is judged in the world of the lines before it.
    const goesOn = isInputWaiting();
    if (out.length > 0) console.log(out.join("\n"));
    if (!goesOn) answer = oneWorld(setting);
  }
  if (rest.length > 0) console.log(await answer(decoder.decode(rest)));
}

type Answer = (line: string) => string | Promise<string>;

async function answerAll(lines: readonly string[], answer: Answer, watch: Watch): Promise<string[]> {
  const out: string[] = [];
  while (out.length < lines.length) {
    let coming: Promise<string> | undefined;
    const isDone = watch.over((isLate) => {
      while (out.length < lines.length && !isLate()) {
        const said = answer(lines[out.length] ?? "");
        if (typeof said !== "string") {
          coming = said;
          return;
        }
        out.push(said);
      }
    });
    if (coming) out.push(await coming);
    // One of them went on for too long: it is asked by itself, where each step of it has its own limit.
    else if (!isDone && out.length < lines.length) out.push(await answer(lines[out.length] ?? ""));
  }
  return out;
}

/** So long may lines that are judged together take; one of them by itself has more. */
const longest = watchedLimits.ruleMs / 4;

interface Watch {
  readonly limits: Limits;
  /** Is the work done? It is ended after a while, and had better end by itself when it is told that it is late. */
  over(work: (isLate: () => boolean) => void): boolean;
}

/** To watch over each step of each event costs more than most steps, so there is one watch over many of them. */
function oneWatch(): Watch {
  let isOver = false;
  const limits: Limits = {
    ...watchedLimits,
    within: (ms, work) => (isOver ? work() : watchedLimits.within(ms, work)),
  };
  const over: Watch["over"] = (work) => {
    const started = performance.now();
    isOver = true;
    try {
      watchedLimits.within(longest, () => work(() => performance.now() - started > longest / 5));
      return true;
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      return false;
    } finally {
      isOver = false;
    }
  };
  return { limits, over };
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
function oneWorld(given: Setting): Answer {
  const fresh = (): Setting => ({
    ...given,
    world: rememberWorld(liveWorld(given.env)),
    understood: new Map(),
  });
  const answers = new Map<string, string>();
  let setting = fresh();
  const judge = (line: string, key: Key): string | Promise<string> => {
    if (answers.size >= most) {
      answers.clear();
      setting = fresh();
    }
    const keep = (passed: Passed): string => {
      const said = JSON.stringify(fromPass(passed));
      // What failed may have failed by chance.
      if (!said.includes('"failure":')) answers.set(isAnyCall(key, passed, said) ? key.text : line, said);
      return said;
    };
    // A batch goes on: what cannot be judged is said in its own line.
    const failed = async (error: unknown): Promise<string> =>
      JSON.stringify(await failureJson(error, line, setting));
    try {
      const passed = done(passing(parsePayload(line), setting));
      return passed instanceof Promise ? passed.then(keep).catch(failed) : keep(passed);
    } catch (error) {
      return failed(error);
    }
  };
  return (given) => {
    const line = given.startsWith(byteOrderMark) ? given.slice(1) : given;
    const key = keyOf(line);
    return answers.get(key.text) ?? answers.get(line) ?? judge(line, key);
  };
}

const byteOrderMark = "\uFEFF";

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
