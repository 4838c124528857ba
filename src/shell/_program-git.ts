import { isOneOf } from "../core/one-of.ts";
import { applyOptions, patches } from "./_patching.ts";
import type { Effect, Run, Word } from "./model.ts";
import { write, read, remove, sortArguments, type Sorted, type Row } from "./_program.ts";

const gitTakes = [
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "-m",
  "-F",
  "-b",
  "-B",
  "--message",
  "-u",
  "--author",
  "--date",
  "-o",
  "--output",
  "--depth",
  "--branch",
  "--origin",
  "-j",
  "--reference",
  "-n",
];

/** The verb of a git command and what stands behind it. */
export function gitVerb(run: Run): { verb: string; args: readonly Word[]; folder?: string } {
  let folder: string | undefined;
  for (let at = 0; at < run.args.length; at++) {
    const text = run.args[at]?.text ?? "";
    if (text === "-C") folder = run.args[++at]?.text;
    else if (text === "--work-tree") folder = run.args[++at]?.text;
    else if (text.startsWith("--work-tree=")) folder = text.slice(12);
    else if (isOneOf(text, "-c --git-dir --namespace --attr-source --config-env --super-prefix")) at++;
    else if (!text.startsWith("-"))
      return { verb: text, args: run.args.slice(at + 1), ...(folder === undefined ? {} : { folder }) };
  }
  return { verb: "", args: [] };
}

export const git: Row = (_args, run) => {
  const { verb, args, folder } = gitVerb(run);
  const { rest, values, flags } = sortArguments(args, gitTakes);
  const inside = (word: Word | undefined): Word | undefined =>
    word && folder !== undefined && !word.text.startsWith("/")
      ? { ...word, text: `${folder}/${word.text}` }
      : word;
  // What git keeps of a repository elsewhere.
  const ofFolder = folder === undefined ? [] : [write({ text: `${folder}/.git`, known: true, glob: false })];
  switch (verb) {
    case "clone": {
      const [url, to] = rest;
      const name = url?.text
        .replace(/\/$/, "")
        .replace(/\.git$/, "")
        .split(/[/:]/)
        .at(-1);
      return url
        ? [
            { do: "fetch", ...(url.known ? { url: url.text } : {}) },
            write(inside(to ?? { text: name ?? ".", known: url.known, glob: false })),
          ]
        : [];
    }
    case "init":
      return rest[0] ? [write(inside(rest[0]))] : [];
    case "worktree":
      // Beside the repository is where worktrees are put, and git itself takes none away that has changes.
      if (rest[0]?.text === "add" && rest[1])
        return /^\.\.\/[\w.-]+\/?$/.test(rest[1].text) ? [] : [write(inside(rest[1]))];
      return rest[0]?.text === "remove" && rest[1] && (flags.has("-f") || flags.has("--force"))
        ? [remove(inside(rest[1]), true)]
        : [];
    case "rm":
      // The files stay, but git no longer keeps them.
      if (flags.has("--cached")) return rest.map((word) => write(inside(word)));
      return rest.map((word) => remove(inside(word), flags.has("-r"), flags.has("-f")));
    case "mv":
      return rest.length > 1
        ? [...rest.slice(0, -1).map((word) => remove(inside(word), true)), write(inside(rest.at(-1)))]
        : [];
    case "restore":
      return flags.has("--staged") && !flags.has("--worktree") ? [] : rest.map((word) => write(inside(word)));
    case "checkout": {
      const dashes = args.findIndex((arg) => arg.text === "--");
      const paths =
        dashes === -1
          ? rest.filter((word) => word.text === "." || /[./]/.test(word.text))
          : args.slice(dashes + 1);
      return values.has("-b") || values.has("-B") || paths.length === 0
        ? ofFolder
        : paths.map((word) => write(inside(word)));
    }
    case "show":
    case "cat-file":
      if (values.has("--output")) return (values.get("--output") ?? []).map(write);
      return rest.flatMap((word) =>
        /^[^:]*:(.+)$/.test(word.text) ? [read({ ...word, text: word.text.replace(/^[^:]*:/, "") })] : [],
      );
    case "log":
    case "format-patch":
    case "whatchanged":
      return [
        ...(values.get("--output") ?? values.get("-o") ?? []).map(write),
        ...(verb === "format-patch" ||
        !["-p", "--patch", "-u"].some((flag) => flags.has(flag) || values.has(flag))
          ? []
          : behindDashes(args)),
      ];
    case "grep":
    case "blame":
    case "annotate":
      return verb === "grep" ? behindDashes(args) : rest.slice(-1).map(read);
    case "diff":
      if (values.has("--output")) return (values.get("--output") ?? []).map(write);
      if (flags.has("--no-index")) return rest.map(read);
      // What has changed in a file is shown as it is.
      return flags.has("--stat") || flags.has("--name-only") || !args.some((arg) => arg.text === "--")
        ? []
        : args
            .slice(args.findIndex((arg) => arg.text === "--") + 1)
            .map((word) => read(inside(word) ?? word));
    case "config": {
      const given = sortArguments(args, ["-f", "--file"]).values;
      const [file] = given.get("-f") ?? given.get("--file") ?? [];
      const isReading = args.some((arg) => /^(?:--get\S*|-l|--list|get|list)$/.test(arg.text));
      return file && !isReading ? [write(inside(file))] : [];
    }
    case "bundle":
      return rest[0]?.text === "create" && rest[1] ? [write(inside(rest[1]))] : [];
    case "stash": {
      const dashes = args.findIndex((arg) => arg.text === "--");
      if (dashes !== -1) return args.slice(dashes + 1).map((word) => write(inside(word)));
      if (rest[0]?.text === "push" && rest.length > 1)
        return rest.slice(1).map((word) => write(inside(word)));
      // Which files it puts aside or back, only git knows.
      return isOneOf(rest[0]?.text ?? "", "list show drop clear create store branch")
        ? []
        : [{ do: "write" }, ...ofFolder];
    }
    case "clean": {
      if (flags.has("-n") || flags.has("--dry-run") || !(flags.has("-f") || flags.has("--force"))) return [];
      const recursive = flags.has("-d");
      return rest.length === 0
        ? [{ do: "delete", recursive, force: true }]
        : rest.map((word) => remove(inside(word), recursive, true));
    }
    case "apply":
    case "am":
      return gitApply(run, verb, sortArguments(args, applyOptions), folder);
    case "reset":
      if (flags.has("--hard") || flags.has("--merge") || flags.has("--keep")) return [{ do: "write" }];
      return ofFolder;
    case "add":
    case "commit":
    case "merge":
    case "pull":
    case "rebase":
    case "switch":
    case "tag":
      return ofFolder;
    case "archive":
      return (values.get("-o") ?? values.get("--output") ?? []).map(write);
    default:
      return [];
  }
};

/** The files a command is told to look at, of whatever time. */
function behindDashes(args: readonly Word[]): Effect[] {
  const dashes = args.findIndex((arg) => arg.text === "--");
  return dashes === -1 ? [] : args.slice(dashes + 1).map(read);
}

/** Looks only, unless it is told to. */
const looksAt = ["--check", "--stat", "--numstat", "--summary"];

function gitApply(
  run: Run,
  verb: string,
  { rest, flags, values }: Sorted,
  folder: string | undefined,
): Effect[] {
  if (looksAt.some((flag) => flags.has(flag)) && !flags.has("--apply")) return [];
  // It goes into the index and leaves the files alone.
  if (verb === "apply" && flags.has("--cached")) return [];
  if (verb === "am" && rest.length === 0 && !run.stdin && run.redirects.length === 0) return [];
  const below = values.get("--directory")?.[0]?.text;
  const inside = (word: Word): Word =>
    folder === undefined || word.text.startsWith("/") ? word : { ...word, text: `${folder}/${word.text}` };
  return patches(run, {
    files: rest.map(inside),
    strip: Number(values.get("-p")?.[0]?.text ?? 1),
    folder: folder === undefined ? below : below === undefined ? folder : `${folder}/${below}`,
  });
}
