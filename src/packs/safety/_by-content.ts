import { basename, delimiter, dirname } from "node:path";
import type { DeleteAction, Target, WriteAction } from "../../core/action.ts";
import { asksUs } from "../../core/agent-files.ts";
import { variablesIn } from "../../core/agent-variables.ts";
import { imageAfter } from "../../core/image.ts";
import { isOneOf } from "../../core/one-of.ts";
import type { World } from "../../core/world.ts";

/**
 * Files that are anybody's by their place, and the guard's by what stands in them: what they become, or would lose. Nothing for
 * all others. `text` is the command line that does it.
 */
export function guardedByContent(
  action: WriteAction | DeleteAction,
  target: Target,
  world: World,
  text: string,
): string | undefined {
  const name = basename(target.path).toLowerCase();
  if (mayAsk.test(name) && asksUs(textAt(target, world))) return "what makes an agent ask the guard";
  if (action.kind === "delete") return undefined;
  const isEditor = editorSettings.test(target.path);
  if (!isEditor && !environment.test(name)) return undefined;
  const before = textAt(target, world);
  const image = imageAfter(action, world)?.text;
  const after = image ?? "";
  if (isEditor && (hooks.test(after) !== hooks.test(before) || (hooks.test(after) && after !== before)))
    return "where the editor's hooks are switched off";
  const had = variablesIn(before);
  const [variable] = variablesIn(image ?? text).filter((each) => !had.includes(each));
  return variable === undefined
    ? undefined
    : `where \`${variable}\` would switch an agent's hooks off, or lead it to other settings`;
}

/** Settings of frameworks and plugins, which may lie anywhere. */
const mayAsk = /^(?:settings|hooks|plugin)[\w.-]*\.json$/;

/** VS Code's settings hold much else; only what they say about hooks is protected. */
const editorSettings =
  /[\\/]\.vscode[\\/]settings\.json$|[\\/](?:Code(?: - Insiders)?|VSCodium|data)[\\/](?:User|Machine)[\\/](?:profiles[\\/][^\\/]+[\\/])?settings\.json$|\.code-workspace$/i;
const hooks = /"chat\.(?:useHooks|hookFilesLocations|useCustomAgentHooks)"/;

/** Where variables are set for whoever is started later. */
const environment =
  /^(?:\.env(?:\..+)?|\.envrc|\.(?:ba|z|k|c|tc)?sh(?:rc|env)|\.(?:bash_|z)?(?:profile|login)|config\.fish|fish_variables|environment|\.pam_environment|\.?mise(?:\.\w+)?\.toml|devcontainer\.json|profile\.ps1|microsoft\.powershell_profile\.ps1)$/;

/** A file that cannot be read is nobody's to judge by its content. */
function textAt({ real }: Target, world: World): string {
  try {
    return world.read(real) ?? "";
  } catch {
    return "";
  }
}

/** A program by our name: where agents find programs it would be asked in our place, and elsewhere it is a step towards that. */
export function standsInForUs(
  action: WriteAction | DeleteAction,
  { path, real }: Target,
  world: World,
): "ask" | "block" | undefined {
  if (!ours.test(basename(path)) || world.isDirectory(real)) return undefined;
  const folders = (world.env("PATH") ?? "").split(delimiter);
  if (folders.some((folder) => folder === dirname(path) || folder === dirname(real))) return "block";
  const isFile =
    action.kind === "write" && !isOneOf(action.by?.program ?? "", "mkdir git gh svn hg touch tar unzip");
  return isFile ? "ask" : undefined;
}

const ours = /^hookline(?:-warm)?(?:\.(?:exe|cmd|bat|ps1|com))?$/i;
