import { parsePatch, type FilePatch } from "../core/patch.ts";
import type { Effect } from "./model.ts";
import { textOf } from "./output.ts";
import type { Row } from "./_program.ts";

/** `apply_patch`, which Codex carries out itself wherever it stands in a command line: the patch as an argument or fed to it. */
export const applyPatch: Row = ({ rest: [given] }, run) => {
  const text = given ? (given.known ? given.text : undefined) : textOf(run.stdin);
  const files = text === undefined ? [] : parsePatch(text);
  // Which files it is about nobody can tell.
  return files.length === 0 ? [{ do: "write" }] : files.flatMap(effectsOn);
};

function effectsOn(file: FilePatch): Effect[] {
  const { path } = file;
  if (file.kind === "delete") return [{ do: "delete", path }];
  if (file.kind === "add") return [{ do: "write", path, text: file.text }];
  if (file.moveTo === undefined) return [{ do: "write", path }];
  return [
    { do: "write", path: file.moveTo },
    { do: "delete", path },
  ];
}
