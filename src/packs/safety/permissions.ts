import { isOneOf } from "../../core/one-of.ts";
import type { Run, Word } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import type { Target } from "../../core/action.ts";
import { isInside, pathBelow, toTarget } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { preciousAt } from "./_places.ts";
import { keyAt } from "./_secret-places.ts";
import { hasFlag, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Stops changes of owner or mode over whole trees that the task cannot be about.",
  why: "Old modes and owners are not recorded anywhere, so nothing can put them back.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    programs: ["chmod", "chown", "chgrp", "setfacl", "chattr", "setcap", "icacls", "takeown", "install"],
  },
  options: (v) => v.strictObject({}),
  messages: {
    tree: { what: "`{command}` changes {what}.", instead: "Change only the files the task needs." },
    open: {
      what: "`{command}` opens everything in the workspace to everybody.",
      instead: "Give only the modes that are needed, to the files that need them.",
    },
    setuid: {
      what: "`{command}` lets everybody run a program as its owner.",
      instead: "Ask the user to do it.",
    },
    keys: {
      what: "`{command}` lets other users of the machine read private keys.",
      instead: "Keep keys at 600 and their folders at 700.",
    },
    unknown: {
      what: "what `{command}` changes is only known when it runs.",
      instead: "Name the folder, or ask the user.",
    },
  },
  examples: {
    catches: [
      { shell: "chmod -R 777 /" },
      { shell: "sudo chown -R $USER ~" },
      { shell: "chmod -R a+rwx ." },
      { shell: "find / -exec chmod 777 {} \\;" },
      { shell: "chmod 644 ~/.ssh/id_ed25519" },
    ],
    allows: [
      { shell: "chmod +x scripts/build.sh" },
      { shell: "chmod -R u+w build" },
      { shell: "chown -R app:app /tmp/work" },
      { shell: "chmod 700 ~/.ssh && chmod 600 ~/.ssh/id_ed25519" },
    ],
  },
  *check({ event, world }) {
    for (const run of runsOf(event)) {
      if (isOneOf(run.program, "icacls takeown")) {
        const words = wordsOf(run);
        const isTree = words.some((word) => /^[/-][tr]$/i.test(word));
        const whole = words.some((word) => /^(?:[A-Za-z]:[\\/]?\*?|%?\$?\w*systemroot%?)$/i.test(word));
        const opened = words.some((word) => /^(?:everyone|users|\*S-1-1-0):/i.test(word));
        const ofSystem = words.some((word) =>
          /^(?:[A-Za-z]:|\/mnt\/[a-z])[\\/](?:windows|program|users)/i.test(word),
        );
        if (whole || ((opened || ofSystem) && isTree))
          yield { message: "tree", data: { command: shown(run), what: "a whole drive or tree" } };
      }
      if (
        run.program === "install" &&
        wordsOf(run).some(
          (word, at, all) =>
            /^(?:-m|--mode=)?[2467]\d{3}$/.test(word) &&
            (/^-/.test(word) || isOneOf(all[at - 1] ?? "", "-m --mode")),
        )
      )
        yield { message: "setuid", outcome: "ask", data: { command: shown(run) } };
      if (changesSystemElsewhere(run))
        yield {
          message: "tree",
          outcome: "ask",
          data: { command: shown(run), what: "the system of another machine" },
        };
      if (run.program === "setcap")
        yield { message: "setuid", outcome: "ask", data: { command: shown(run) } };
      if (!isOneOf(run.program, "chmod chown chgrp setfacl chattr") || run.elsewhere !== undefined) continue;
      const words = wordsOf(run);
      const recursive =
        hasFlag(words, "-R", "--recursive") || run.via.some((via) => /^find|^xargs$/.test(via));
      if (run.program === "chmod" && words.some((word) => /^(?:[2467]\d{3}|[ugo]*\+[rwx]*s)$/.test(word)))
        yield { message: "setuid", outcome: "ask", data: { command: shown(run) } };
      const all = operands(run);
      // With a file to take them from, no mode and no owner is given.
      const first = run.program === "setfacl" || words.some((word) => word.startsWith("--reference")) ? 0 : 1;
      const mode = first === 1 ? (all[0]?.text ?? "") : "";
      for (const { text: path, known } of all.slice(first)) {
        if (!known || run.cwd === undefined) {
          if (recursive) yield { message: "unknown", outcome: "ask", data: { command: shown(run) } };
          continue;
        }
        const target = toTarget(path, run.cwd, world);
        const what = preciousAt(target, event.root, world);
        if (run.program === "chmod" && opensKey(target, mode, recursive, world))
          yield { message: "keys", outcome: "ask", data: { command: shown(run) } };
        if (what === undefined) continue;
        const real = world.realPath(event.root);
        // To own one's own repository, or what git keeps of it, is housekeeping.
        const isOwn =
          (what === "the whole repository" && target.real === real) ||
          (what === "a repository's history" && run.program !== "chmod" && isInside(real, target.real));
        const opens =
          /[0-7][0-7][2367]$|^(?:[ugo]*[ao][ugo]*)?[+=][rwxX]*w|(?:^|,)[ugo]*[ao][ugo]*[+=][rwxX]*w/.test(
            mode,
          ) && run.program === "chmod";
        if (isOwn ? recursive && opens : recursive || what === "the whole file system") {
          yield isOwn
            ? { message: "open", outcome: "ask", data: { command: shown(run) } }
            : { message: "tree", data: { command: shown(run), what } };
        }
      }
    }
  },
});

/** `ssh host chmod -R 777 /`; a container that is started for it is thrown away anyway. */
const changesSystemElsewhere = (run: Run): boolean =>
  run.elsewhere !== undefined &&
  isOneOf(run.elsewhere, "ssh vagrant pdsh pssh parallel-ssh clush multipass") &&
  isOneOf(run.program, "chmod chown chgrp") &&
  hasFlag(wordsOf(run), "-R", "--recursive") &&
  wordsOf(run).some((word) =>
    /^\/(?:(?:etc|usr|var|bin|sbin|lib\w*|boot|root|home|opt|srv)\/?)?\*?$/.test(word),
  );

/** Keys of the user that a mode shows to others: a file, or a folder with all that is in it. */
function opensKey(target: Target, mode: string, recursive: boolean, world: World): boolean {
  const home = world.realPath(world.folders().home);
  const what = pathBelow(home, target.real) === undefined ? undefined : keyAt(target.real, home);
  if (what === undefined) return false;
  // A folder that may be listed does not show what is in its files; one that may be written takes other ones in their place.
  if (what === "keys and credentials" && !recursive)
    return /^0?\d(?:[2367]\d|\d[2367])$/.test(mode) || /(?:^|,)u?[goa]+[+=][rxX]*w/.test(mode);
  return (
    /^0?\d(?:[4-7]\d|\d[4-7])$/.test(mode) || /(?:^|,)[ug]*[goa][goa]*[+=][wxX]*r|^[+=][wxX]*r/.test(mode)
  );
}

/** The mode and the paths; `-x` and its like are modes, not options. */
const operands = (run: Run): readonly Word[] =>
  run.args.filter(
    (arg, at) => !/^-[RvcfhHLP]+$|^--/.test(arg.text) && run.args[at - 1]?.text !== "--reference",
  );
