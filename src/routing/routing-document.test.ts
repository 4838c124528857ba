import { expect, test } from "bun:test";
import { liveWorld } from "../platform/live-world.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";
import { readRoutingDocument } from "./routing-document.ts";

test("a document of fences takes no more than longer", () => {
  const files = liveWorld({});
  for (const seed of ["```\n", "~~~x\n", "```\nroute_index\n"])
    expect([
      seed,
      growsTooFast(
        (text) => void readRoutingDocument({ file: "ROUTING.md", text }, "/nowhere", files),
        repeated(seed),
        64,
      ),
    ]).toEqual([seed, false]);
});
