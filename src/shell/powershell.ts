import { unfoldCmdIn } from "./_cmd.ts";
import { maxLength } from "./_nesting.ts";
import { type PsCommand, type PsWorld, type Script, unread } from "./_powershell-script.ts";
import { pipeline, statements } from "./_powershell-statement.ts";
import type { PsValue } from "./_powershell-value.ts";

export { effectsOfPowerShell } from "./_powershell-effects.ts";
export type { PsCommand };

/** Scripts in scripts in scripts are followed this far. */
const maxNesting = 5;
const spareSteps = 512 * 1024;

/**
 * The commands of a PowerShell script, with those in its blocks and in the scripts it starts:
 * `unfoldPowerShell("ls | rm -rec")` has `get-childitem` and `remove-item` with `recurse`.
 */
export const unfoldPowerShell = (text: string): PsCommand[] => unfold("powershell", text);

/** The same for cmd.exe: `unfoldCmd("if exist x rd/s/q x")` has `rd` with `s` and `q`. */
export const unfoldCmd = (text: string): PsCommand[] => unfold("cmd", text);

function unfold(language: "powershell" | "cmd", text: string): PsCommand[] {
  if (text.length > maxLength) return [{ ...unread }];
  const commands: PsCommand[] = [];
  let nesting = 0;
  const world: PsWorld = {
    commands,
    variables: new Map(),
    aliases: new Map(),
    spare: spareSteps,
    nested(inner, code) {
      if (nesting >= maxNesting || world.spare < code.length) {
        commands.push({ ...unread });
        return;
      }
      world.spare -= code.length;
      nesting++;
      if (inner === "cmd") unfoldCmdIn(world, code);
      else readScript(world, code);
      nesting--;
    },
  };
  world.nested(language, text);
  return commands;
}

function readScript(world: PsWorld, text: string): void {
  statements(scriptOf(world, text, 0, undefined), "");
}

function scriptOf(world: PsWorld, text: string, depth: number, element: PsValue | undefined): Script {
  const script: Script = {
    text,
    at: 0,
    depth,
    element,
    world,
    statements: (closer) => statements(script, closer),
    pipeline: () => pipeline(script),
    inside: (inner) => scriptOf(world, inner, script.depth + 1, script.element),
  };
  return script;
}
