import type { Run, Word } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { toTarget } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import { preciousAt } from "./_places.ts";
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
    programs: ["chmod", "chown", "chgrp", "setfacl", "chattr", "setcap", "icacls", "takeown"],
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
    ],
    allows: [
      { shell: "chmod +x scripts/build.sh" },
      { shell: "chmod -R u+w build" },
      { shell: "chown -R app:app /tmp/work" },
    ],
  },
  *check({ event, world }) {
    for (const run of runsOf(event)) {
      if (/^(?:icacls|takeown)$/.test(run.program)) {
        const words = wordsOf(run);
        const whole = words.some((word) => /^(?:[A-Za-z]:[\\/]?\*?|%?\$?\w*systemroot%?)$/i.test(word));
        const opened = words.some((word) => /^(?:everyone|users|\*S-1-1-0):/i.test(word));
        if (whole || (opened && words.some((word) => /^[/-]t$/i.test(word))))
          yield { message: "tree", data: { command: shown(run), what: "a whole drive or tree" } };
      }
      if (run.program === "setcap")
        yield { message: "setuid", outcome: "ask", data: { command: shown(run) } };
      if (!/^(?:chmod|chown|chgrp|setfacl|chattr)$/.test(run.program) || run.elsewhere !== undefined)
        continue;
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
        if (what === undefined) continue;
        const isOwn = what === "the whole repository" && target.real === world.realPath(event.root);
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

/** The mode and the paths; `-x` and its like are modes, not options. */
const operands = (run: Run): readonly Word[] =>
  run.args.filter(
    (arg, at) => !/^-[RvcfhHLP]+$|^--/.test(arg.text) && run.args[at - 1]?.text !== "--reference",
  );
