import { expect, test } from "bun:test";
import { guessOperations } from "./guess-operations.ts";
import type { Json } from "./json.ts";

/** What a tool nobody has described does to files and shells: `write a.ts`, `exec ls`. */
const guessed = (tool: string, input: Json): string[] =>
  guessOperations(tool, input).map((each) =>
    [each.do, "path" in each ? each.path : "command" in each ? each.command : ""].join(" ").trim(),
  );

test.each<[tool: string, input: Json, does: string[]]>([
  ["mcp__fs__write_file", { path: "a.ts", content: "x" }, ["write a.ts"]],
  ["mcp__fs__write_files", { files: [{ path: "a.ts", content: "x" }] }, ["write a.ts"]],
  ["mcp__fs__write_files", { files: { "a.ts": "x", "b/c": "y" } }, ["write a.ts", "write b/c"]],
  ["mcp__fs__delete_file", { paths: ["a.ts", "b.ts"] }, ["delete a.ts", "delete b.ts"]],
  ["mcp__fs__remove", { target: "/srv/a.ts" }, ["delete /srv/a.ts"]],
  ["mcp__fs__move_file", { source: "a.ts", destination: "b.ts" }, ["delete a.ts", "write b.ts"]],
  ["mcp__fs__rename", { from: "a.ts", to: "b.ts" }, ["delete a.ts", "write b.ts"]],
  ["mcp__fs__rename", { oldPath: "a.ts", newPath: "b.ts" }, ["delete a.ts", "write b.ts"]],
  ["mcp__fs__copy", { src: "a.ts", dst: "b.ts" }, ["read a.ts", "write b.ts"]],
  ["mcp__fs__truncate", { filename: "a.ts", size: 0 }, ["write a.ts"]],
  ["mcp__fs__chmod", { path: "a.ts", mode: "000" }, ["write a.ts"]],
  ["mcp__code__replace_regex", { relative_path: "a.ts", regex: "a", repl: "b" }, ["write a.ts"]],
  ["mcp__code__search_and_replace", { file: "a.ts", query: "a" }, ["write a.ts"]],
  ["mcp__ide__create_new_file", { pathInProject: "a.ts", text: "x" }, ["write a.ts"]],
  ["mcp__x__save", { destination_path: "a.ts", body: "x" }, ["write a.ts"]],
  ["mcp__x__fetch", { url: "https://example.test/", output: "out/a.ts" }, ["fetch", "write out/a.ts"]],
  ["mcp__lsp__apply_edit", { edit: { changes: { "file:///srv/a.ts": [] } } }, ["write file:///srv/a.ts"]],
  ["mcp__shell__exec", { argv: ["rm", "-rf", "a b"] }, ["exec rm -rf 'a b'"]],
  ["mcp__shell__execute", { command: "rm", args: ["-rf", "a"] }, ["exec rm -rf a"]],
  ["mcp__desk__start_process", { command: "rm a", timeout_ms: 1 }, ["exec rm a"]],
  ["mcp__desk__interact_with_process", { pid: 1, input: "rm a" }, ["exec rm a"]],
  ["mcp__tmux__send-keys", { keys: "rm a" }, ["exec rm a"]],
  ["mcp__py__run_python", { code: "print(1)" }, ["exec python3 -c 'print(1)'"]],
  ["mcp__ide__executeCode", { code: "1" }, ["exec python3 -c 1"]],
  ["multiedit", { filePath: "a.ts", edits: [{ oldString: "a", newString: "b" }] }, ["write a.ts"]],
  ["EditNotebook", { target_notebook: "a.ipynb", new_string: "b" }, ["write a.ipynb"]],
  ["patch", { patchText: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch" }, ["patch"]],
  ["mcp__box__run_code", { language: "javascript", code: "f()" }, ["exec node -e 'f()'"]],
])("%s %j", (tool, input, does) => {
  expect(guessed(tool, input)).toEqual(does);
});

test.each<[tool: string, input: Json, does: string[]]>([
  ["mcp__fs__read_file", { path: "a.ts" }, ["read a.ts"]],
  ["mcp__fs__get_file_info", { path: "a.ts" }, ["read a.ts"]],
  ["mcp__pdf__summarise", { path: "a.pdf" }, ["read a.pdf"]],
  ["mcp__mail__send", { to: "ada@acme.test", from: "bob@acme.test", body: "x" }, []],
  ["mcp__db__query", { output: "json", text: "select 1" }, []],
  ["mcp__k8s__apply", { metadata: { labels: { "app.acme.test/name": "x" } } }, []],
  ["mcp__doc__process_text", { text: "rm -rf /" }, []],
  ["mcp__web__browser_run_code", { code: "page.goto('x')" }, []],
  ["mcp__upload__send", { file: "first line\nsecond line" }, []],
])("%s %j is no more than it says", (tool, input, does) => {
  expect(guessed(tool, input)).toEqual(does);
});

test("a command runs where it is told to", () => {
  expect(guessOperations("mcp__shell__run", { command: "rm a", cwd: "sub" })).toEqual([
    { do: "exec", command: "rm a", cwd: "sub" },
  ]);
});

test("what is nested without end is looked at so far and no further", () => {
  const deep = Array.from({ length: 50 }).reduce<Json>((within) => ({ within }), {
    path: "a.ts",
    content: "x",
  });
  expect(guessed("mcp__fs__write_file", deep)).toEqual([]);
});
