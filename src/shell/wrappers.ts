import { isOneOf } from "../core/one-of.ts";
import { startedInContainer } from "./_containers.ts";
import type { Word } from "./model.ts";

/** A program that only starts another one, and how to find that one behind its own arguments. */
interface Wrapper {
  /** Its options that take a value of their own. */
  readonly takes?: readonly string[];
  /** `NAME=value` may stand before the command. */
  readonly assigns?: true;
  /** Arguments of its own before the command: a duration, a file, a host. */
  readonly own?: number;
  /** A first argument it must have to be a wrapper: `uv run`. Its aliases are separated by `|`. */
  readonly verb?: string;
  /** One of these must be there. */
  readonly needs?: readonly string[];
  /** The command comes only behind `--`. */
  readonly behindDashes?: true;
  /** The command comes behind this word. */
  readonly behind?: string;
  /** The rest is one text for a shell. */
  readonly text?: true;
  /** An option that holds a text for a shell. */
  readonly textFlag?: readonly string[];
  /** The command runs on another machine or in a container. */
  readonly elsewhere?: true;
  /** Without a command it starts a shell: always, or when it is told so. */
  readonly orShell?: true | readonly string[];
  /** Options that name the folder it starts the command in. */
  readonly moves?: readonly string[];
}

/** Adding a wrapper is adding a row. */
const wrappers: Readonly<Record<string, readonly Wrapper[]>> = {
  sudo: [
    {
      takes: [
        "-u",
        "-g",
        "-h",
        "-p",
        "-C",
        "-r",
        "-t",
        "-T",
        "-U",
        "-D",
        "-R",
        "--user",
        "--group",
        "--chdir",
      ],
      assigns: true,
      moves: ["-D", "--chdir"],
      orShell: ["-s", "-i", "--shell", "--login"],
    },
  ],
  doas: [{ takes: ["-u", "-C"], orShell: ["-s"] }],
  pkexec: [{ takes: ["--user"] }],
  env: [
    {
      takes: ["-u", "--unset", "-C", "--chdir"],
      assigns: true,
      textFlag: ["-S", "--split-string"],
      moves: ["-C", "--chdir"],
    },
  ],
  nice: [{ takes: ["-n", "--adjustment"] }],
  ionice: [{ takes: ["-c", "-n", "-p", "--class", "--classdata"] }],
  chrt: [{ takes: ["-p", "-T", "-P", "-D"], own: 1 }],
  taskset: [{ own: 1 }],
  nohup: [{}],
  setsid: [{}],
  time: [{ takes: ["-f", "-o", "--format", "--output"] }],
  timeout: [{ takes: ["-s", "-k", "--signal", "--kill-after"], own: 1 }],
  gtimeout: [{ takes: ["-s", "-k"], own: 1 }],
  stdbuf: [{ takes: ["-i", "-o", "-e"] }],
  unbuffer: [{}],
  command: [{}],
  builtin: [{}],
  exec: [{ takes: ["-a"] }],
  busybox: [{}],
  toybox: [{}],
  chroot: [{ own: 1, orShell: true }],
  unshare: [
    { takes: ["-S", "-G", "--setuid", "--setgid", "-R", "-w"], moves: ["-w", "--wd"], orShell: true },
  ],
  nsenter: [{ takes: ["-t", "--target", "-S", "-G", "-w"], moves: ["-w", "--wd"], orShell: true }],
  fakeroot: [{ orShell: true }],
  strace: [{ takes: ["-e", "-o", "-p", "-s", "-u", "-E", "-P"] }],
  ltrace: [{ takes: ["-e", "-o", "-p", "-s", "-u"] }],
  flock: [{ takes: ["-w", "-E", "--timeout", "--wait"], own: 1, textFlag: ["-c", "--command"] }],
  watch: [{ takes: ["-n", "--interval"], text: true }],
  script: [{ takes: ["-t", "-T"], own: 1, textFlag: ["-c", "--command"] }],
  su: [{ takes: ["-s", "-g", "-G", "-w"], own: 1, textFlag: ["-c", "--command"], orShell: true }],
  runuser: [
    { needs: ["-u", "--user"], takes: ["-u", "-g", "-s", "--user"] },
    { takes: ["-g", "-s"], own: 1, textFlag: ["-c", "--command"] },
  ],
  "systemd-run": [
    {
      takes: ["-p", "-u", "-E", "--unit", "--property", "--uid", "--gid", "--slice", "--working-directory"],
      moves: ["--working-directory"],
    },
  ],
  caffeinate: [{ takes: ["-t", "-w"] }],
  "xvfb-run": [{ takes: ["-n", "-s", "-e", "-f", "-w"] }],
  "dbus-run-session": [{}],
  proxychains: [{ takes: ["-f"] }],
  proxychains4: [{ takes: ["-f"] }],
  torsocks: [{}],
  rlwrap: [{}],
  entr: [{}],
  coproc: [{}],
  npx: [{ takes: ["-p", "--package"], textFlag: ["-c", "--call"] }],
  bunx: [{ takes: ["-p", "--package"] }],
  uvx: [{ takes: ["--with", "-p", "--python"] }],
  pipx: [{ verb: "run", takes: ["--spec", "--python"] }],
  pnpm: [{ verb: "dlx|exec" }],
  yarn: [{ verb: "dlx|exec" }, { verb: "workspaces", behind: "exec" }],
  bun: [{ verb: "x" }],
  npm: [
    { verb: "exec|x", takes: ["-p", "--package"], textFlag: ["-c", "--call"] },
    { verb: "explore", behindDashes: true },
  ],
  uv: [
    {
      verb: "run",
      takes: ["--with", "-p", "--python", "--extra", "--group", "--project", "--directory"],
      moves: ["--directory"],
    },
  ],
  poetry: [{ verb: "run" }],
  pipenv: [{ verb: "run" }],
  pdm: [{ verb: "run" }],
  rye: [{ verb: "run" }],
  hatch: [{ verb: "run" }],
  conda: [{ verb: "run", takes: ["-n", "--name", "-p", "--prefix", "--cwd"], moves: ["--cwd"] }],
  mamba: [{ verb: "run", takes: ["-n", "--name", "-p"] }],
  bundle: [{ verb: "exec" }],
  rbenv: [{ verb: "exec" }],
  pyenv: [{ verb: "exec" }],
  asdf: [{ verb: "exec" }],
  mise: [{ verb: "exec|x", behindDashes: true }],
  direnv: [{ verb: "exec", own: 1 }],
  dotenv: [{ takes: ["-e", "-f", "-p"] }],
  "cross-env": [{ assigns: true }],
  doppler: [{ verb: "run", behindDashes: true }],
  op: [{ verb: "run", behindDashes: true }],
  "aws-vault": [{ verb: "exec", behindDashes: true }],
  "nix-shell": [{ takes: ["-p", "--packages"], textFlag: ["--run", "--command"] }],
  sg: [{ own: 1, textFlag: ["-c"] }],
  screen: [{ takes: ["-S", "-t", "-c"] }],
  "flatpak-spawn": [{}],
  chronic: [{}],
  rtk: [{}],
  gosu: [{ own: 1 }],
  "su-exec": [{ own: 1 }],
  tini: [{ takes: ["-e"] }],
  "dumb-init": [{ takes: ["-r", "--rewrite"] }],
  setpriv: [{}],
  run0: [{ takes: ["-u", "--user"] }],
  setarch: [{ own: 1 }],
  linux32: [{}],
  linux64: [{}],
  faketime: [{ own: 1 }],
  prlimit: [{}],
  valgrind: [{}],
  "dbus-launch": [{}],
  tsocks: [{}],
  watchexec: [
    {
      takes: [
        "-e",
        "-w",
        "-i",
        "-f",
        "-s",
        "-d",
        "-o",
        "--exts",
        "--watch",
        "--ignore",
        "--filter",
        "--signal",
        "--debounce",
      ],
    },
  ],
  micromamba: [{ verb: "run", takes: ["-n", "--name", "-p", "--prefix", "--cwd"], moves: ["--cwd"] }],
  pixi: [{ verb: "run", takes: ["-e", "--environment", "--manifest-path"] }],
  devbox: [{ verb: "run", takes: ["-c", "--config", "-e", "--env"] }],
  volta: [{ verb: "run", takes: ["--node", "--npm", "--yarn", "--pnpm"] }],
  foreman: [{ verb: "run", takes: ["-e", "-f", "-d"] }],
  honcho: [{ verb: "run", takes: ["-e", "-f", "-d"] }],
  jenv: [{ verb: "exec" }],
  nvm: [{ verb: "exec|run", own: 1 }],
  fnm: [{ verb: "exec", takes: ["--using"] }],
  opam: [{ verb: "exec", behindDashes: true }],
  stack: [{ verb: "exec", behindDashes: true }],
  cabal: [{ verb: "exec", behindDashes: true }],
  lerna: [{ verb: "exec", behindDashes: true }],
  nx: [{ verb: "exec", behindDashes: true }],
  dotenvx: [{ verb: "run", behindDashes: true }],
  infisical: [{ verb: "run", behindDashes: true }],
  chamber: [{ verb: "exec", behindDashes: true }],
  pdsh: [{ takes: ["-w", "-x", "-g", "-u", "-f", "-l", "-t"], text: true, elsewhere: true }],
  pssh: [{ takes: ["-h", "-H", "-l", "-p", "-o", "-e", "-t", "-x"], text: true, elsewhere: true }],
  "parallel-ssh": [{ takes: ["-h", "-H", "-l", "-p", "-o", "-e", "-t", "-x"], text: true, elsewhere: true }],
  clush: [{ takes: ["-w", "-g", "-x", "-l", "-f", "-t"], text: true, elsewhere: true }],
  heroku: [{ verb: "run", takes: ["-a", "--app", "-r", "--remote"], elsewhere: true }],
  railway: [{ verb: "run" }],
  multipass: [{ verb: "exec", own: 1, elsewhere: true }],
  ssh: [
    {
      takes: [
        "-b",
        "-c",
        "-D",
        "-E",
        "-e",
        "-F",
        "-I",
        "-i",
        "-J",
        "-L",
        "-l",
        "-m",
        "-O",
        "-o",
        "-p",
        "-Q",
        "-R",
        "-S",
        "-W",
        "-w",
      ],
      own: 1,
      text: true,
      elsewhere: true,
    },
  ],
  lxc: [{ verb: "exec", behindDashes: true, elsewhere: true }],
  vagrant: [{ verb: "ssh", textFlag: ["-c", "--command"], elsewhere: true }],
};

/** What a wrapper starts: another command's words, or a text for a shell. */
export interface Unwrapped {
  readonly words?: readonly Word[];
  readonly text?: Word;
  readonly elsewhere: boolean;
  /** Assignments in front of the command. */
  readonly assigned: readonly Word[];
  /** The folder it is started in, where an option says so. */
  readonly folder?: Word;
}

/** Takes one wrapper off, or nothing when the program is none, or starts nothing. */
export function unwrap(program: string, args: readonly Word[]): Unwrapped | undefined {
  // These start a program of the project when the word is none of their own.
  if (
    isOneOf(program, "pnpm yarn") &&
    args[0] &&
    !/^-|^(?:add|audit|bin|build|cache|config|create|deploy|dev|dlx|exec|global|i|import|info|init|install|link|list|ls|npm|outdated|pack|patch|plugin|publish|rebuild|remove|rm|run|serve|set|start|store|test|unlink|up|update|upgrade|version|view|why|workspace|workspaces)$/.test(
      args[0].text,
    )
  ) {
    return { words: args, elsewhere: false, assigned: [] };
  }
  const contained = startedInContainer(program, args);
  if (contained) return contained;
  const rows = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  for (const row of rows ?? []) {
    const found = takeOff(row, args);
    if (found) return { ...found, elsewhere: row.elsewhere ?? false, ...folderIn(row, args) };
  }
  return undefined;
}

/** Does a wrapper without a command start a shell, which takes its orders from what it is fed? */
export function startsShell(program: string, args: readonly Word[]): boolean {
  const rows = Object.hasOwn(wrappers, program) ? (wrappers[program] ?? []) : [];
  return rows.some(
    ({ orShell }) =>
      orShell === true ||
      (orShell?.some((flag) =>
        args.some(
          ({ text }) =>
            text === flag ||
            (flag.length === 2 && /^-[a-zA-Z]+$/.test(text) && text.includes(flag.charAt(1))),
        ),
      ) ??
        false),
  );
}

function folderIn({ moves, takes }: Wrapper, args: readonly Word[]): { folder?: Word } {
  if (!moves) return {};
  for (let at = 0; at < args.length && args[at]?.text.startsWith("-"); at++) {
    const word = args[at];
    const text = word?.text ?? "";
    const glued = moves.find((each) => each.startsWith("--") && text.startsWith(`${each}=`));
    if (word && glued !== undefined) return { folder: { ...word, text: text.slice(glued.length + 1) } };
    const next = args[at + 1];
    if (moves.includes(text)) return next ? { folder: next } : {};
    if (takes?.includes(text)) at++;
  }
  return {};
}

function takeOff(row: Wrapper, given: readonly Word[]): Omit<Unwrapped, "elsewhere"> | undefined {
  let args = given;
  if (row.needs && !args.some((arg) => row.needs?.includes(arg.text))) return undefined;
  if (row.verb !== undefined) {
    const at = args.findIndex((arg) => !arg.text.startsWith("-"));
    if (at === -1 || !row.verb.split("|").includes(args[at]?.text ?? "")) return undefined;
    args = [...args.slice(0, at), ...args.slice(at + 1)];
  }
  if (row.behind !== undefined) {
    const at = args.findIndex((arg) => arg.text === row.behind);
    return at === -1 ? undefined : rest(row, args.slice(at + 1), []);
  }
  const assigned: Word[] = [];
  let own = row.own ?? 0;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    const text = arg?.text ?? "";
    const flag = row.textFlag?.find(
      (each) =>
        text === each || text.startsWith(each.startsWith("--") ? `${each}=` : each) || isLast(each, text),
    );
    if (flag !== undefined) {
      const glued = isLast(flag, text) ? "" : text.slice(flag.length).replace(/^=/, "");
      const words =
        glued === ""
          ? args.slice(at + 1)
          : [{ text: glued, known: arg?.known ?? false, glob: false }, ...args.slice(at + 1)];
      const found = flag === "-S" || flag === "--split-string" ? asText(words) : words[0];
      return found ? { text: found, assigned } : undefined;
    }
    if (text === "--") {
      const words = args.slice(at + 1);
      if (own > 0 && !row.behindDashes) return rest(row, words.slice(own), assigned);
      return rest(row, words, assigned);
    }
    if (row.behindDashes) continue;
    if (text.startsWith("-") && text !== "-") {
      if (row.takes?.includes(text)) at++;
      continue;
    }
    // `env $(cat .env) command`: what is put in are assignments.
    const isPutIn = row.assigns && arg && !arg.known && arg.from && at + 1 < args.length;
    if ((row.assigns && /^\w+=/.test(text)) || isPutIn) {
      if (arg) assigned.push(arg);
      continue;
    }
    if (own-- > 0) continue;
    return rest(row, args.slice(at), assigned);
  }
  return undefined;
}

/** `-c` as the last of several letters. */
const isLast = (flag: string, text: string): boolean =>
  flag.length === 2 && text.length > 2 && /^-[a-zA-Z]+$/.test(text) && text.endsWith(flag.charAt(1));

function rest(
  row: Wrapper,
  words: readonly Word[],
  assigned: readonly Word[],
): Omit<Unwrapped, "elsewhere"> | undefined {
  if (words.length === 0) return undefined;
  return row.text ? { text: asText(words), assigned } : { words, assigned };
}

const asText = (words: readonly Word[]): Word => {
  const from = words.flatMap((word) => word.from ?? []);
  const text = words.map((word) => word.text).join(" ");
  return {
    text,
    known: words.every((word) => word.known),
    glob: false,
    ...(from.length > 0 ? { from } : {}),
  };
};
