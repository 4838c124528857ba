import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hostFacts } from "../../src/hosts/facts.generated.ts";
import { versionOf } from "../../tools/agents/agent.ts";
import { drivers } from "../../tools/agents/drivers.ts";
import { remembered } from "../../tools/agents/results.ts";
import { scenarios } from "../../tools/agents/scenarios.ts";
import { tours } from "../../tools/agents/tours.ts";

// docs/agents.md is made from what runs have seen, so that it can be neither edited by hand nor behind unnoticed.
test.each(Object.entries(drivers))(
  "what was seen of %s is of the version that is pinned, and whole",
  (id, driver) => {
    const results = remembered(id);
    expect(results?.version).toBe(versionOf(driver));
    expect(Object.keys(results?.seen ?? {}).toSorted()).toEqual(Object.keys(scenarios).toSorted());
    expect(hostFacts[id]?.version).toBe(versionOf(driver));
  },
);

test("agents and what they need are pinned to one version each", () => {
  const versions = Object.values(drivers).flatMap(({ packages }) => Object.values(packages));
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("the short form is a part of what every agent is tried with", () => {
  const short = Object.values(scenarios).filter((each) => each.short);
  expect(short.length).toBeGreaterThanOrEqual(3);
  expect(short.length).toBeLessThan(Object.keys(scenarios).length);
});

test.each(Object.keys(tours))(
  "a fixture of %s is recorded at the version that is pinned, or says why it is not",
  (id) => {
    const folder = join(import.meta.dir, "../../src/hosts", id, "fixtures");
    const version = versionOf(drivers[id] ?? { packages: {} });
    const names = readdirSync(folder);
    const isRecorded = (name: string): boolean => name.endsWith(`@${version}.json`);
    expect(names.filter(isRecorded).length).toBeGreaterThan(10);
    for (const name of names) {
      const fixture = JSON.parse(readFileSync(join(folder, name), "utf8"));
      expect({ name, byHand: fixture.byHand }).toEqual({
        name,
        byHand: isRecorded(name) ? undefined : expect.stringMatching(/\.$/),
      });
      if (isRecorded(name)) expect(fixture.hostVersion).toBe(version);
    }
  },
);
