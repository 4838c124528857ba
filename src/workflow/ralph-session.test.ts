import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Event } from "../core/event.ts";
import { liveWorld } from "../platform/live-world.ts";
import { bindingEffects, currentSession, ralphSession, validSession } from "./ralph-session.ts";

let root = "";
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-session-")))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const [first, second, third] = ["260215-173319", "260216-090000", "260217-120000"] as const;

const write = (name: string, text = ""): string => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const event = (more: Partial<Event> = {}): Event => ({
  name: "PreToolUse",
  native: "PreToolUse",
  host: "x",
  dialect: "x",
  cwd: root,
  root,
  actions: [],
  payload: {},
  ...more,
});

const found = (more: Partial<Event> = {}): string | undefined => ralphSession(event(more), liveWorld());

const sessions = (...ids: string[]): void => {
  for (const id of ids) write(`.ralph-sessions/${id}/metadata.yaml`);
};

const binding = (host: string, id: string): string =>
  write(`.ralph-sessions/.hook-bindings/${host}.json`, JSON.stringify({ ralph_session_id: id }));

describe("which Ralph session an event belongs to (S0-F42, S0-F43)", () => {
  test("a workspace without sessions has none, and one look tells so", () => {
    const looks: string[] = [];
    const world = liveWorld();
    const counting = { ...world, isDirectory: (path: string) => (looks.push(path), world.isDirectory(path)) };
    expect(ralphSession(event({ prompt: first, transcript: "/x", session: "h" }), counting)).toBeUndefined();
    expect(looks).toEqual([join(root, ".ralph-sessions")]);
  });

  test("the only session there is, if nothing else is known", () => {
    sessions(first);
    expect(found()).toBe(first);
    sessions(second);
    expect(found()).toBeUndefined();
  });

  test("S0-R119 S0-F44 a session that is complete restricts no other work, however it is known", () => {
    const current = (more: Partial<Event> = {}): string | undefined =>
      currentSession(event(more), liveWorld());
    const metadata = `.ralph-sessions/${first}/metadata.yaml`;
    write(metadata, "iteration: 1\norchestrator:\n  state: COMPLETE # done\n");
    expect([found(), current()]).toEqual([first, undefined]);
    write(".ralph-sessions/.active-session", first);
    expect([found(), current()]).toEqual([first, undefined]);
    rmSync(join(root, ".ralph-sessions/.active-session"));
    write(metadata, 'orchestrator:\n  state: "REPLANNING"\nnote: "state: COMPLETE"\n');
    expect(current()).toBe(first);
  });

  test("prompt before binding, binding before transcript, transcript before marker", () => {
    sessions(first, second, third);
    write(".ralph-sessions/.active-session", `${first}\n`);
    expect(found()).toBe(first);
    const transcript = write("t.jsonl", `{"text":"${third} then ${second} then 999999-999999"}\n`);
    expect(found({ transcript })).toBe(second);
    binding("host-1", third);
    expect(found({ transcript, session: "host-1" })).toBe(third);
    expect(found({ transcript, session: "host-2" })).toBe(second);
    expect(found({ transcript, session: "host-1", prompt: `not ${second}, ${first}!` })).toBe(first);
  });

  test("only the last 200 000 characters of a transcript count", () => {
    sessions(first, second);
    const transcript = write("t.jsonl", `${first}${" ".repeat(200_001)}`);
    expect(found({ transcript })).toBeUndefined();
    write("t.jsonl", `${first} ${" ".repeat(100_000)}`);
    expect(found({ transcript })).toBe(first);
  });

  test("a transcript that is missing or no file names nothing", () => {
    sessions(first, second);
    write(".ralph-sessions/.active-session", second);
    expect(found({ transcript: join(root, "nowhere") })).toBe(second);
    expect(found({ transcript: root })).toBe(second);
  });

  test("S0-R50 what a marker says may be anything; only an id of the right shape is valid", () => {
    write(".ralph-sessions/.active-session", "../../etc");
    expect(found()).toBe("../../etc");
    expect(validSession(event(), liveWorld())).toBeUndefined();
  });

  test("a host's id never leads out of the folder of bindings", () => {
    sessions(first, second);
    write(".ralph-sessions/evil.json", JSON.stringify({ ralph_session_id: first }));
    for (const session of ["../evil", "..", "a/b", ""]) expect(found({ session })).toBeUndefined();
  });

  test("S0-R119 who makes the first file of a session works on that one, unless a marker says otherwise", () => {
    sessions(first);
    binding("host-1", first);
    const begin = (name: string): Partial<Event> => {
      const path = join(root, ".ralph-sessions", name);
      const target = { given: path, path, real: path };
      return { session: "host-1", actions: [{ kind: "write", target, change: { by: "text", text: "" } }] };
    };
    for (const name of [`${second}/metadata.yaml`, second, `${second}.instructions.md`])
      expect([name, found(begin(name))]).toEqual([name, second]);
    for (const name of [`${first}/progress.md`, "notes/a.md", ".active-session", "../260216-090000/x"])
      expect([name, found(begin(name))]).toEqual([name, first]);
    const [effect] = bindingEffects(event(begin(`${second}/metadata.yaml`)), liveWorld());
    expect(JSON.parse((effect as { text: string }).text)).toMatchObject({
      ralph_session_id: second,
      source: "session_begun",
    });
    write(".ralph-sessions/.active-session", first);
    expect(found(begin(`${second}/metadata.yaml`))).toBe(first);
    expect(bindingEffects(event(begin(`${second}/metadata.yaml`)), liveWorld())).toEqual([]);
    // A marker that is left of one that is over stands in nobody's way.
    write(`.ralph-sessions/${first}/metadata.yaml`, "orchestrator:\n  state: COMPLETE\n");
    expect(found(begin(`${second}/metadata.yaml`))).toBe(second);
    write(".ralph-sessions/.active-session", third);
    expect(found(begin(`${second}/metadata.yaml`))).toBe(second);
  });

  test("a prompt that names a session binds the host's session to it", () => {
    sessions(first, second);
    const prompt = `continue ${second}`;
    const [effect, ...more] = bindingEffects(event({ prompt, session: "host-1" }), {
      ...liveWorld(),
      now: () => Date.UTC(2026, 1, 15),
    });
    expect(more).toEqual([]);
    expect(effect).toMatchObject({
      do: "replace",
      path: join(root, ".ralph-sessions/.hook-bindings/host-1.json"),
    });
    expect(JSON.parse((effect as { text: string }).text)).toEqual({
      ralph_session_id: second,
      updated_at: "2026-02-15T00:00:00.000Z",
      source: "user_prompt",
    });
  });
});
