import { dirname } from "node:path";
import type { DoneEffect, Effect } from "../core/effect.ts";
import type { Json } from "../core/json.ts";
import { isInside } from "../core/paths.ts";
import type { World } from "../core/world.ts";
import { append, nodeFs } from "../platform/files.ts";
import { replaceFile } from "../platform/replace-file.ts";
import { redact, redactText } from "../secrets/redact.ts";

/** Carries out effects, each only inside the workspace as it really is. What fails is reported, not thrown. */
export function carryOut(effects: readonly Effect[], root: string, world: World): DoneEffect[] {
  return effects.map((effect) => {
    try {
      const inside = world.realPath(root);
      for (const path of "from" in effect ? [effect.path, effect.from] : [effect.path])
        if (!isInside(inside, world.realPath(path))) throw new Error(`${path} leads out of the workspace`);
      perform(effect, world);
      return { effect };
    } catch (error) {
      return { effect, error: error instanceof Error ? error.message : String(error) };
    }
  });
}

function perform(effect: Effect, world: World): void {
  const fs = nodeFs();
  const { path } = effect;
  fs.mkdirSync(effect.do === "make-directory" ? path : dirname(path), { recursive: true });
  switch (effect.do) {
    case "make-directory":
      return;
    case "append": {
      if (effect.heading !== undefined) startWith(path, effect.heading);
      return append(path, redactText(effect.text).text, 0o644);
    }
    case "log":
      return append(path, `${JSON.stringify(redact(entryOf(effect, world)).value)}\n`, 0o644);
    case "copy":
      return fs.copyFileSync(effect.from, path, fs.constants.COPYFILE_EXCL);
    case "move":
      // A link fails where a name is taken, and a rename would not.
      fs.linkSync(effect.from, path);
      return fs.unlinkSync(effect.from);
    case "remove":
      return fs.rmSync(path, { force: true });
    case "take":
      return take(effect);
    case "replace":
      return replaceFile(path, effect.text, effect.was);
  }
}

/** Whoever gives the new name to a file first has it; its text is complete at that moment, and the old name goes. */
function take({ path, from, text }: Extract<Effect, { do: "take" }>): void {
  const fs = nodeFs();
  if (fs.lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true)
    throw new Error(`${from} is not there any more`);
  const part = `${path}.${process.pid}.part`;
  try {
    fs.writeFileSync(part, text, { mode: 0o644 });
    fs.linkSync(part, path);
    fs.rmSync(from, { force: true });
  } finally {
    fs.rmSync(part, { force: true });
  }
}

const entryOf = ({ entry, digest }: Effect & { do: "log" }, world: World): Json =>
  digest === undefined ? entry : { ...entry, sha256: world.digest(digest) ?? null };

/** Of several who find no file, one writes its beginning. */
function startWith(path: string, heading: string): void {
  try {
    nodeFs().writeFileSync(path, heading, { flag: "wx", mode: 0o644 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
}
