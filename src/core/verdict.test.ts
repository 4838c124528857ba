import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Contribution, Finding } from "./finding.ts";
import { fit, type Ability } from "./host.ts";
import { outcomes, strictest, type Outcome } from "./outcome.ts";
import { merge } from "./verdict.ts";

const finding = (outcome: Outcome, rule = "t/r"): Finding => ({
  rule,
  outcome,
  message: `${outcome} by ${rule}`,
  id: "m",
  data: {},
});
const verdict = (outcome: Outcome, ...contributions: Contribution[]) =>
  merge([finding(outcome)], contributions, "enforce");

describe("what must be heard", () => {
  const urgent: Contribution = { context: "turn left", insist: true };

  test("is context where the host takes context", () => {
    const { reply, told } = fit(verdict("pass", urgent), ["context", "block"]);
    expect(reply).toMatchObject({ outcome: "pass", reason: "", context: ["turn left"] });
    expect(told).toEqual([urgent]);
  });

  test("is the reason of a refusal where the host can only refuse, or refuses anyway", () => {
    expect(fit(verdict("pass", urgent), ["block"]).reply).toMatchObject({
      outcome: "block",
      reason: "pass by t/r\n\nturn left",
      context: [],
    });
    const { reply, told } = fit(verdict("block", urgent), ["context", "block"]);
    expect(reply).toMatchObject({ outcome: "block", reason: "block by t/r\n\nturn left", context: [] });
    expect(told).toEqual([urgent]);
  });

  test("is not told where the host can be told nothing, and refuses nothing in observe mode", () => {
    expect(fit(verdict("pass", urgent), [])).toMatchObject({
      reply: { outcome: "pass" },
      told: [],
      unexpressed: ["context"],
    });
    expect(fit(merge([], [urgent], "observe"), ["block"])).toMatchObject({
      reply: { outcome: "pass" },
      told: [],
    });
  });
});

describe("the merge", () => {
  test("takes the strictest, whatever the order, and keeps every finding", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...outcomes)), (all) => {
        const findings = all.map((outcome) => finding(outcome));
        const forward = merge(findings, [], "enforce");
        const backward = merge(findings.toReversed(), [], "enforce");
        expect(forward.outcome).toBe(backward.outcome);
        expect(forward.findings).toHaveLength(all.length);
        for (const outcome of all)
          expect(outcomes.indexOf(forward.outcome)).toBeGreaterThanOrEqual(outcomes.indexOf(outcome));
        if (all.length > 0) expect(all).toContain(forward.outcome);
      }),
    );
    expect(strictest([])).toBe("pass");
    expect(outcomes).toEqual(["pass", "allow", "warn", "ask", "block"]);
  });

  test("in observe mode comes to nothing, and says what it would have been", () => {
    expect(merge([finding("block"), finding("warn")], [], "observe")).toMatchObject({
      outcome: "pass",
      would: "block",
    });
    expect(merge([], [], "observe").would).toBeUndefined();
  });

  test("in observe mode findings that are enforced all the same still count", () => {
    const mixed = merge(
      [finding("block"), finding("ask", "t/locked")],
      [],
      "observe",
      (each) => each.rule === "t/locked",
    );
    expect(mixed).toMatchObject({ outcome: "ask", would: "block" });
  });
});

describe("fitting to a host", () => {
  const cases: [Outcome, Ability[], Outcome][] = [
    ["ask", ["block"], "block"],
    ["ask", ["ask", "block"], "ask"],
    ["allow", ["block"], "pass"],
    ["block", ["ask"], "ask"],
    ["block", ["warn", "context"], "warn"],
    ["block", [], "pass"],
    ["warn", ["block"], "pass"],
    ["pass", ["block"], "pass"],
  ];
  for (const [outcome, can, told] of cases) {
    test(`${outcome} where only [${can.join(", ")}] can be said is told as ${told}`, () => {
      const { reply, unexpressed } = fit(verdict(outcome), can);
      expect(reply.outcome).toBe(told);
      expect(unexpressed).toEqual(outcome === told ? [] : [`${outcome} → ${told}`]);
    });
  }

  test("a reason that cannot travel with the outcome goes to whoever can be reached", () => {
    expect(fit(verdict("block"), ["warn", "context", "notice"]).reply).toMatchObject({
      reason: "",
      context: ["block by t/r"],
      notices: ["block by t/r"],
    });
    expect(fit(verdict("block"), ["block", "context"]).reply).toMatchObject({
      reason: "block by t/r",
      context: [],
    });
  });

  test("a rewritten input does not survive a block, and what cannot be said is on record", () => {
    const blocked = fit(verdict("block", { input: { a: 1 } }), ["block", "input"]);
    expect(blocked.reply.input).toBeUndefined();
    expect(fit(verdict("pass", { context: "x", stop: "y" }), []).unexpressed).toEqual(["context", "stop"]);
  });

  test("a call that has to be changed and cannot be is refused where it can be: made as it was, it would go around the hook", () => {
    const changed: Contribution = { input: { a: 1 }, by: "hooks/course" };
    expect(fit(verdict("pass", changed), ["block", "context"])).toMatchObject({
      reply: { outcome: "block", reason: expect.stringContaining("Blocked by hooks/course: ") },
      unexpressed: ["pass → block", "input"],
      told: [],
    });
    expect(fit(verdict("block", changed), ["block"]).reply.reason).toBe("block by t/r");
    expect(fit(verdict("pass", changed), ["context"]).reply.outcome).toBe("pass");
    expect(fit(verdict("pass", changed), ["block", "input"]).reply).toMatchObject({
      outcome: "pass",
      input: { a: 1 },
    });
  });

  test("only the findings that decide are told, each once", () => {
    const both = merge(
      [finding("warn", "t/w"), finding("block", "t/a"), finding("block", "t/a")],
      [],
      "enforce",
    );
    expect(fit(both, ["block"]).reply.reason).toBe("block by t/a");
  });
});
