import { describe, expect, test } from "bun:test";
import { claude, workspace } from "./support/hookline.ts";

const release = `workflows:
  release:
    summary: A release goes from draft to review to published.
    state: { file: release.yaml, key: phase }
    states:
      draft:
        forbid:
          - run: [npm publish, git push]
            instead: Have it reviewed first.
        requires:
          - file: CHANGELOG.md
      review:
        forbid:
          - edit: "src/**"
            except: "src/**/*.test.ts"
      published: { final: true }
    transitions:
      - { from: draft, to: review }
      - { from: review, to: draft }
      - from: review
        to: published
        by: main
        when: [{ file: REVIEW.md, line: "Verdict: approved" }]
`;

const decision = (stdout: string): string =>
  stdout === "" ? "silent" : JSON.parse(stdout).hookSpecificOutput.permissionDecision;

describe("a workflow kept in a YAML file", () => {
  test("forbids by kind, glob and program, and is left by its transitions only", async () => {
    using place = workspace({ "hookline.yaml": release, "release.yaml": "phase: draft\n", "src/a.ts": "" });
    const said = async (tool: string, input: object): Promise<string> => {
      const { stdout } = await place.run(["run", "--host", "claude-code"], claude(place.root, tool, input));
      return decision(stdout);
    };
    expect(await said("Bash", { command: "npm publish" })).toBe("deny");
    expect(await said("Bash", { command: "echo hi > src/a.ts" })).toBe("silent");
    const toReview = { file_path: place.path("release.yaml"), old_string: "draft", new_string: "review" };
    expect(await said("Edit", toReview)).toBe("deny");
    place.write("CHANGELOG.md", "# 1.0\n");
    expect(await said("Edit", toReview)).toBe("silent");
    place.write("release.yaml", "phase: review\n");
    expect(await said("Bash", { command: "echo hi > src/a.ts" })).toBe("deny");
    expect(await said("Bash", { command: "sed -i s/a/b/ src/a.ts" })).toBe("deny");
    expect(await said("Write", { file_path: place.path("src/a.test.ts"), content: "" })).toBe("silent");
    expect(await said("Bash", { command: "sed -i s/review/published/ release.yaml" })).toBe("deny");
    place.write("REVIEW.md", "Verdict: approved\n");
    expect(await said("Bash", { command: "sed -i s/review/published/ release.yaml" })).toBe("silent");
  });

  test("a file of its own is read like the policy, and is not for the agent to write", async () => {
    const own = release
      .split("\n")
      .slice(2)
      .map((line) => line.slice(4))
      .join("\n");
    using place = workspace({
      "hookline.yaml": "workflows:\n  release: ./flows/release.yaml\n",
      "flows/release.yaml": own,
      "release.yaml": "phase: review\n",
    });
    const edit = { file_path: place.path("src/a.ts"), content: "" };
    const write = { file_path: place.path("flows/release.yaml"), content: "states: {}\n" };
    for (const input of [edit, write]) {
      const { stdout } = await place.run(["run"], claude(place.root, "Write", input));
      expect(decision(stdout)).toBe("deny");
    }
    // What is in the file counts at the next event.
    place.write("flows/release.yaml", own.replace('edit: "src/**"', 'edit: "lib/**"'));
    expect(decision((await place.run(["run"], claude(place.root, "Write", edit))).stdout)).toBe("silent");
  });
});

describe("hookline workflow", () => {
  test("check finds nothing in a sound workflow, and graph draws it", async () => {
    using place = workspace({ "hookline.yaml": release, "release.yaml": "phase: review\n" });
    const checked = await place.run(["workflow", "check", "--json"]);
    expect(checked.json()).toMatchObject({ ok: true, findings: [] });
    expect(checked.exitCode).toBe(0);
    const drawn = await place.run(["workflow", "graph", "release"]);
    expect(drawn.stdout).toContain("stateDiagram-v2");
    expect(drawn.stdout).toContain("s1 --> s2");
  });

  test("check says what is wrong, and where", async () => {
    using place = workspace({
      "hookline.yaml": `workflows:
  one:
    state: { file: s.json, key: at }
    states:
      a: {}
      b: {}
      lost: {}
    transitions:
      - from: a
        to: b
        when:
          - { file: x.json, key: k, is: 1 }
          - { file: x.json, key: k, is: 2 }
`,
    });
    const { exitCode, stdout } = await place.run(["workflow", "check"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("hookline.yaml:9:9");
    expect(stdout).toContain("k of x.json must be 1 and 2 (never-holds)");
    expect(stdout).toContain("lost is never reached from a (unreachable)");
    expect(stdout).toContain("nothing leads out of a (dead-end)");
  });

  test("mistakes are named with their place and what was probably meant", async () => {
    using place = workspace({
      "hookline.yaml": `workflows:
  one:
    state: { file: s.json, key: at }
    states:
      a: { forbids: [] }
    transitions:
      - { from: a, to: bb }
`,
    });
    const { exitCode, stdout } = await place.run(["workflow", "check"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /hookline\.yaml:5:\d+ {2}workflows\.one\.states\.a\.forbids: unknown key "forbids"/,
    );
    expect(stdout).toContain('Did you mean "forbid"?');
  });
});
