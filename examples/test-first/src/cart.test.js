import assert from "node:assert";
import { test } from "node:test";
import { total } from "./cart.js";

test("a cart costs what its articles cost", () => {
  assert.equal(total([{ price: 2 }, { price: 3 }]), 5);
});
