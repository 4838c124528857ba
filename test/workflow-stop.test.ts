import { describe, expect, test } from "bun:test";
import { agentIn, agentNames } from "./support/agents.ts";
import { workspace } from "./support/hookline.ts";
import { at } from "./support/pipeline.ts";

/** A workflow that wants a file before the agent stops. */
const gate = (name: string, file: string, most: number): string => `  ${name}:
    state: { recorded: session }
    states: { work: { final: true } }
    stop: [{ needs: [{ file: ${file} }], most: ${most} }]
`;

/** How often an agent is kept from stopping, working a little each time, until it may go. */
async function heldUntil(agent: ReturnType<typeof agentIn>, most = 30): Promise<string[]> {
  const reasons: string[] = [];
  while (reasons.length < most) {
    const { answer } = await agent.stop();
    if (answer === "yes") return reasons;
    reasons.push(answer);
    await agent.ran("ls");
  }
  return reasons;
}

describe.each(agentNames)("%s is never held for ever", (host) => {
  test("it may go after as many times as the workflow says, whatever its host tells in between; a prompt starts the count again", async () => {
    using w = workspace({ "hookline.yaml": `workflows:\n${gate("one", "A.md", 2)}` });
    const agent = agentIn(w, host);
    await agent.prompt("do it");
    expect((await heldUntil(agent)).length).toBe(2);
    await agent.prompt("go on");
    expect((await heldUntil(agent)).length).toBe(2);
  }, 60_000);

  test("several conditions and workflows with caps of their own end, too", async () => {
    const both = gate("one", "A.md", 1).replace(
      "most: 1 }]",
      "most: 1 }, { needs: [{ file: B.md }], most: 3 }]",
    );
    using w = workspace({ "hookline.yaml": `workflows:\n${both}${gate("two", "C.md", 2)}` });
    const agent = agentIn(w, host);
    await agent.prompt("do it");
    const reasons = await heldUntil(agent);
    expect(reasons.length).toBe(3);
    expect(reasons.map((each) => ["A.md", "B.md", "C.md"].filter((file) => each.includes(file)))).toEqual([
      ["A.md", "B.md", "C.md"],
      ["B.md", "C.md"],
      ["B.md"],
    ]);
  }, 60_000);

  test("S3-C3 a pipeline holds it once, and warns the second time", async () => {
    using w = at("phase-3");
    w.write("hookline.yaml", "extends: [pipeline]\n");
    const agent = agentIn(w, host);
    await agent.prompt("do it");
    expect((await heldUntil(agent)).length).toBe(1);
    await agent.prompt("go on");
    expect((await heldUntil(agent)).length).toBe(1);
  }, 60_000);

  test("a signal that is wanted is asked for once", async () => {
    using w = workspace({
      "hookline.yaml": "rules:\n  signals/require-signal: { options: { tag: score } }\n",
    });
    const agent = agentIn(w, host);
    await agent.prompt("do it");
    expect((await heldUntil(agent)).length).toBe(1);
  }, 60_000);
});

test("only our own words are none of the user's: a prompt that quotes or mentions them still counts", async () => {
  using w = workspace({ "hookline.yaml": `workflows:\n${gate("one", "A.md", 1)}` });
  const agent = agentIn(w, "gemini-cli");
  await agent.prompt("do it");
  expect((await heldUntil(agent)).length).toBe(1);
  await agent.prompt("It said that it was Blocked by something, go on");
  expect((await heldUntil(agent)).length).toBe(1);
  expect(
    w
      .records()
      .filter(({ event }) => event.native === "BeforeAgent")
      .map(({ event }) => event.name),
  ).toEqual(["UserPromptSubmit", "Other", "UserPromptSubmit", "Other"]);
});
