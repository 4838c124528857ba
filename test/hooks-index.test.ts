import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "./support/hookline.ts";
import { definition, hooked, registryHook } from "./support/hooks.ts";

const hello = (word: string): string => `echo '{"messages_to_user":["${word}"]}'`;

/** What was read of hook files is only kept when they have been left alone for a moment. */
const settle = () => Bun.sleep(250);

const cached = (place: Workspace): string[] => {
  const folder = join(place.home, ".cache/hookline/hooks");
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
};
const emit = async (place: Workspace, event: string, context: object = {}) =>
  (await place.run(["emit", event], { session_id: "s", ...context })).json();

describe("S1-R23 the registry is read once and kept", () => {
  test("and what is kept answers like what was read", async () => {
    using place = await hooked({
      ...registryHook("a", "PostAbilityCall", hello("a"), 'match: { ability_scope: ["one", "two"] }\n'),
      ...registryHook("b", "PostAbilityCall", hello("b"), 'match: { ability_scope: "t*" }\n'),
      ...registryHook("c", "[PostAbilityCall, SessionStart]", hello("c")),
      ...registryHook(
        "d",
        "PostAbilityCall",
        hello("d"),
        "match: { ability_scope: three, min_duration_ms: 50 }\n",
      ),
    });
    await settle();
    const answers = async () => [
      await emit(place, "PostAbilityCall", { ability_id: "one" }),
      await emit(place, "PostAbilityCall", { ability_id: "two" }),
      await emit(place, "PostAbilityCall", { ability_id: "three", duration_ms: 49 }),
      await emit(place, "PostAbilityCall", { ability_id: "three", duration_ms: 50 }),
      await emit(place, "SessionStart"),
      await emit(place, "SessionEnd"),
    ];
    const first = await answers();
    expect(cached(place)).toContainEqual(expect.stringContaining("index.json"));
    expect(await answers()).toEqual(first);
    const said = first.map(({ messages_to_user }) => messages_to_user);
    expect(said).toEqual([["a", "c"], ["a", "b", "c"], ["b", "c"], ["b", "c", "d"], ["c"], undefined]);
  });

  test("a file that changes while all are read is not kept as it was", async () => {
    const others = Array.from({ length: 400 }, (_, at) =>
      registryHook(`z${at}`, "PostAbilityCall", hello("z"), `match: { ability_scope: "n${at}" }\n`),
    );
    using place = await hooked(Object.assign(registryHook("a", "SessionStart", hello("a")), ...others));
    const path = place.path(".system/hooks/a.yaml");
    const on = readFileSync(path, "utf8");
    for (const ms of [30, 45, 60, 75, 90]) {
      writeFileSync(path, on);
      rmSync(join(place.home, ".cache"), { recursive: true, force: true });
      await settle();
      const reading = emit(place, "SessionStart");
      await Bun.sleep(ms);
      writeFileSync(path, on.replace("enabled: true", "enabled: false"));
      await reading;
      await settle();
      expect([ms, (await emit(place, "SessionStart")).messages_to_user]).toEqual([ms, undefined]);
    }
  });

  test.each([
    [
      "a file that is changed in place, to the same length",
      (place: Workspace) => {
        const path = place.path(".system/hooks/a.yaml");
        const { atime, mtime } = statSync(path);
        writeFileSync(
          path,
          definition("a", "SessionStart").replace("enabled: true", "enabled: null").replace("null", "no  "),
        );
        utimesSync(path, atime, mtime);
      },
    ],
    ["a new file", (place: Workspace) => place.write(".system/hooks/z.yaml", "id: z\n")],
    ["a file that is gone", (place: Workspace) => rmSync(place.path(".system/hooks/a.yaml"))],
    ["another format's file", (place: Workspace) => place.write("plugins/p/hooks/hooks.json", "{")],
    [
      "a source switched off",
      (place: Workspace) => place.write("hookline.yaml", "sources: { registry: off }\n"),
    ],
  ])("%s is noticed", async (_, change) => {
    using place = await hooked({ ...registryHook("a", "SessionStart", hello("a")), "plugins/p/x": "" });
    await settle();
    expect(await emit(place, "SessionStart")).toEqual({ messages_to_user: ["a"] });
    expect(cached(place).length).toBeGreaterThan(1);
    change(place);
    expect(await emit(place, "SessionStart")).not.toEqual({ messages_to_user: ["a"] });
  });

  test("later events are answered from what is kept, not from the files", async () => {
    using place = await hooked(registryHook("a", "SessionStart", hello("a")));
    await settle();
    expect(await emit(place, "SessionStart")).toEqual({ messages_to_user: ["a"] });
    const kept = cached(place).map((name) => join(place.home, ".cache/hookline/hooks", name));
    for (const path of kept)
      if (path.endsWith(".all.json"))
        writeFileSync(path, readFileSync(path, "utf8").replaceAll('"id":"a"', '"id":"as-kept"'));
    expect((await emit(place, "SessionStart")).messages_to_user).toEqual([
      expect.stringContaining("the hook as-kept"),
    ]);
  });

  test("a cache that is damaged is read again from the files", async () => {
    using place = await hooked(registryHook("a", "SessionStart", hello("a")));
    await settle();
    await emit(place, "SessionStart");
    for (const name of cached(place)) {
      const path = join(place.home, ".cache/hookline/hooks", name);
      if (statSync(path).isFile() && !name.endsWith("index.json")) writeFileSync(path, "[{");
    }
    expect(await emit(place, "SessionStart")).toEqual({ messages_to_user: ["a"] });
  });
});
