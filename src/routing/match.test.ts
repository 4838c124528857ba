import { describe, expect, test } from "bun:test";
import { growsTooFast, repeated } from "../testing/growth.ts";
import type { Ability } from "./ability.ts";
import { indexAbilities } from "./ability-index.ts";
import { isInScope } from "./filter.ts";
import { match } from "./match.ts";
import { stem } from "./_stem.ts";
import { stemsIn } from "./words.ts";

const ability = (id: string, use: string): Ability => ({
  level: "high",
  id,
  kind: "workflow",
  scopes: [],
  use,
  file: "ABILITY.md",
  line: 1,
  listed: true,
});

describe("words", () => {
  test("forms of a word are one", () => {
    for (const forms of [
      "migrate migrates migrated migrating migration migrations",
      "deploy deploys deployed deploying deployment deployments",
      "query queries",
      "dependency dependencies",
      "log logs logging logged",
      "certificate certificates",
      "cover covers covered coverage",
      "address addresses",
    ])
      expect(new Set(forms.split(" ").map(stem)).size).toBe(1);
  });

  test("different words stay apart", () => {
    for (const pair of [
      "restore rest",
      "backup back",
      "test text",
      "user use",
      "status state",
      "billing building",
    ]) {
      const [a = "", b = ""] = pair.split(" ").map(stem);
      expect(`${a} ${a === b}`).toBe(`${a} false`);
    }
  });

  test("names are taken apart, and what says nothing is left out", () => {
    expect(stemsIn("please run the billingRegression of db.read.user_row")).toEqual(
      ["run", "billing", "regression", "database", "read", "user", "row"].map(stem),
    );
    expect(stemsIn("Über Café’s ÜBER")).toEqual(["uber", "cafe", "uber"].map(stem));
  });
});

test("a scope has what is below it and what is everywhere", () => {
  expect(isInScope(["integration/billing"], "billing")).toBe(true);
  expect(isInScope(["billing"], "integration/billing")).toBe(true);
  expect(isInScope(["bill"], "billing")).toBe(false);
  expect(isInScope(["all"], "billing")).toBe(true);
  expect(isInScope([], "billing")).toBe(true);
  expect(isInScope(["auth"], undefined)).toBe(true);
});

describe("growth", () => {
  const index = indexAbilities(
    Array.from({ length: 300 }, (_, at) =>
      ability(`task_${at}`, `Handle matter ${at} of the ${at % 7} department`),
    ),
  );

  test("a prompt that is longer takes no more than longer", () => {
    for (const seed of ["handle matter 12 ", "unknownword ", "aab_bba.", "AaAaAa", "'’'’", "ﬃ́́́ "])
      expect([seed, growsTooFast((text) => void match(text, index), repeated(seed), 64)]).toEqual([
        seed,
        false,
      ]);
  });
});
