import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { at, byRun, spec, tasks } from "./support/pipeline.ts";

const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command } });

/** What lies in the repository, and what the agent has put into its own workspace. */
const files = {
  "src/main.go": "package main\n",
  "gen.sh": "echo x > src/main.go\n",
  "look.sh": "grep -rn main src\n",
  "report.py": "import sys\nopen(sys.argv[1], 'w').write('x')\n",
  "fix.py": "open('src/main.go', 'w').write('x')\n",
  "run.js": "#!/usr/bin/env node\nrequire('fs').writeFileSync('src/main.go', 'x');\n",
  "loop.sh": "bash loop.sh\n",
  "away.sh": "git checkout main\n",
  "save.sh": "git commit -am x\n",
  "lib.sh": "fix() { echo x > src/main.go; }\n",
  Makefile:
    "BIN := out\n\ntest: look\n\tgo test ./...\n\nlook:\n\t@grep main src/main.go\n\ngen: test\n\t@echo x > src/main.go\n\naway:; git switch main\n",
  justfile: "test:\n  go test ./...\n\ngen: test\n  echo x > src/main.go\n",
  "package.json": JSON.stringify({
    scripts: { test: "node --test", gen: "npm run write", write: "echo x > src/main.go", pretest: "echo hi" },
  }),
  [`${spec}/own.py`]: "import glob\nfor f in glob.glob('src/*'):\n    open(f, 'w').write('x')\n",
  [`${spec}/own.sh`]: "for f in src/*.go; do echo x > $f; done\n",
  [`${spec}/own.sed`]: "w src/main.go\n",
  [`${spec}/own.awk`]: '{ print "x" > "src/main.go" }\n',
  [`${spec}/own.mk`]: "all:\n\techo x > src/main.go\n",
  [`${spec}/notes.sh`]: `echo found > ${spec}/notes.md\n`,
  [`${spec}/own.tcl`]: "set f [open src/main.go w]\nputs $f x\n",
  [`${spec}/own.go`]: 'package main\nimport "os"\nfunc main() { os.WriteFile("src/main.go", nil, 0o644) }\n',
  "tool.go": 'package main\nimport "os"\nfunc main() { os.WriteFile("src/main.go", nil, 0o644) }\n',
  [`${spec}/bare`]: "echo x > src/main.go\n",
  ".git/HEAD": "ref: refs/heads/feature/cart\n",
  ".git/config": "[alias]\n\twipe = !echo x > src/main.go\n\tst = status\n",
};

describe("S3-R4 what a script does in a phase that only reads", () => {
  test.each([
    ["bash gen.sh", 2],
    ["sh ./gen.sh", 2],
    [". ./gen.sh", 2],
    ["source gen.sh", 2],
    ["bash < gen.sh", 2],
    ["cat gen.sh | bash", 2],
    ['bash -c "$(cat gen.sh)"', 2],
    ["bash <(cat gen.sh)", 2],
    ["env X=1 timeout 5 nohup bash gen.sh", 2],
    ["BASH_ENV=gen.sh bash -c true", 2],
    ["cd src && bash ../gen.sh", 2],
    ["./run.js", 2],
    ["node run.js", 2],
    ["python3 fix.py", 2],
    [`python3 ${spec}/own.py`, 2],
    [`bash ${spec}/own.sh`, 2],
    [`${spec}/bare`, 2],
    [`sed -n -f ${spec}/own.sed README.md`, 2],
    [`awk -f ${spec}/own.awk README.md`, 2],
    [`make -f ${spec}/own.mk`, 2],
    [`tclsh ${spec}/own.tcl`, 2],
    [`go run ${spec}/own.go`, 2],
    ["go run tool.go", 0],
    ["make gen", 2],
    ["make -C . gen", 2],
    ["just gen", 2],
    ["npm run gen", 2],
    ["yarn write", 2],
    ['bun -e \'Bun.write("src/main.go", "x")\'', 2],
    ["bun exec 'echo x > src/main.go'", 2],
    ["npm --prefix src init -y", 2],
    ["git wipe", 2],
    ["source lib.sh && fix", 2],
    ["bash look.sh", 0],
    // What a tool of the repository writes, and nobody can tell where, is left to it.
    ["python3 report.py", 0],
    ["bash loop.sh", 0],
    ["source lib.sh", 0],
    ["make test", 0],
    ["make", 0],
    ["just test", 0],
    ["npm test", 0],
    ["npm run test", 0],
    ["git st", 0],
    [`bash ${spec}/notes.sh`, 0],
    ["bash missing.sh", 0],
    ["cat gen.sh", 0],
  ] as const)("S3-R4 %s", async (command, exit) => {
    using ws = at("phase-1", "in_progress", {}, files);
    for (const name of ["run.js", `${spec}/bare`]) chmodSync(ws.path(name), 0o755);
    const { exitCode, stderr } = await byRun(ws, "pre-tool-hook", bash(command));
    expect([command, exitCode, stderr.includes("read-only")]).toEqual([command, exit, exit === 2]);
  });
});

describe("the other guards look into scripts, too", () => {
  test.each([
    ["bash away.sh", 2],
    ["make away", 2],
    ["make test", 0],
    ["bash gen.sh", 0],
  ] as const)("S3-R6 %s", async (command, exit) => {
    using ws = at("phase-5", "in_progress", {}, files);
    expect((await byRun(ws, "pre-tool-hook", bash(command))).exitCode).toBe(exit);
  });

  test.each([
    ["bash save.sh", 2],
    ["bash gen.sh", 0],
  ] as const)("S3-R5 %s", async (command, exit) => {
    using ws = at("phase-5", "in_progress", tasks("parallel"), files);
    expect((await byRun(ws, "pre-tool-hook", bash(command))).exitCode).toBe(exit);
  });
});
