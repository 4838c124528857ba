import { wordsOf } from "../core/words-of.ts";
import { isOneOf, unversioned } from "../core/one-of.ts";
import type { Run, Word } from "./model.ts";
import { outputOf, textOf } from "./output.ts";
import { isKnownProgram } from "./programs.ts";
import { command, inOtherLanguage, isStartable, quotedIn } from "./_quoted-commands.ts";

/** Programs whose arguments are data, however much they look like commands. */
const talkers: ReadonlySet<string> = new Set(
  (
    "echo printf grep egrep fgrep rg ag ack sed awk gawk jq yq gh glab hub curl wget http cat test [ [[ : true false " +
    "npm yarn pnpm jest vitest mocha pytest go cargo say notify-send logger wall man type which apropos history git " +
    "wc tr cut uniq nl tac rev fold column md5sum sha256sum base64 xxd od strings ls rm cp mv ln mkdir touch chmod chown tar zip unzip ssh scp rsync time env " +
    "python python3 node perl ruby php bash sh zsh dash find xargs parallel rush tee head tail diff sort cowsay figlet hookline export kubectl docker aws " +
    "pwsh powershell cmd terminal-notifier ntfy slack slackcat claude codex gemini aider svn hg jj cz bd jira linear tldr cheat whatis explain shellcheck"
  ).split(" "),
);

/** Programs that run every text they are given as a command line. */
const runners = new Set(
  (
    "tmux screen zellij nodemon concurrently hyperfine watchexec onchange chokidar entr pm2 heroku fly flyctl sops sbatch lerna wezterm kitty " +
    "alacritty xterm gnome-terminal konsole vaultenv envchain assume doctl gcloud npm-run-all supervisorctl wsl launchctl ssh-agent"
  ).split(" "),
);

/** Languages nobody reads here; what they start or delete stands in quotes. */
const languages =
  "Rscript R julia elixir iex erl ghc runghc groovy scala jshell lua luajit tclsh expect swift emacs emacsclient ocaml racket guile " +
  "sbcl clojure bb nim crystal kotlin kotlinc octave gnuplot nmap osascript vim nvim vi ex go cargo rustc dotnet swiftc";

/** Texts a program is given to run that nobody has described: a schedule, a terminal, a pager, a filter. */
export function textsRunBy(run: Run): { via: string; text: string; fed: true }[] {
  const own = localCommands(run);
  if (talkers.has(run.program) && !(run.program === "man" && run.args[0]?.text === "-P"))
    return own.map((text) => ({ via: run.program, text, fed: true }));
  const found = new Set(own);
  for (const { text, known } of run.args) {
    if (!known || !/\s/.test(text)) continue;
    const value = text
      .replace(/^[-+]{1,2}[\w-]*=/, "")
      .replace(/^\+/, "")
      .replace(/(?:\\[nr]|\^M)+$/, "");
    if (runners.has(run.program)) found.add(value);
    for (const piece of [
      value,
      ...(/system\(|shell script|execute\(|exec\(|popen/.test(value) ? quotedIn(value) : []),
      ...value.split(/[;\n]/),
    ]) {
      const line = command.exec(piece.trim())?.[1];
      if (line !== undefined) found.add(line);
    }
  }
  if (isOneOf(unversioned(run.program), languages))
    for (const text of [
      ...run.args.map((arg) => (arg.from ? (outputOf(arg.from) ?? "") : arg.text)),
      textOf(run.stdin) ?? "",
    ])
      for (const line of inOtherLanguage(text)) found.add(line);
  return [...found, ...fedTo(run)].slice(0, 20).map((text) => ({ via: run.program, text, fed: true }));
}

/** A command that a program nobody has described starts: its own words behind some of that program's. */
export function wordsRunBy(run: Run): { via: string; words: readonly Word[] }[] {
  if (
    talkers.has(run.program) ||
    isKnownProgram(run.program) ||
    isStartable(run.program) ||
    describes.has(run.program)
  )
    return [];
  const found: { via: string; words: readonly Word[] }[] = [];
  for (const [at, arg] of run.args.entries()) {
    // `nixpkgs#terraform -- destroy` names the program in its own way.
    const named = /#([\w-]+)$/.exec(arg.text)?.[1];
    const name = named ?? arg.text.split("/").at(-1) ?? "";
    if (!arg.known || !isStartable(name) || at + 1 >= run.args.length) continue;
    const rest = run.args.slice(at + 1);
    const words = [{ ...arg, text: named ?? arg.text }, ...(rest[0]?.text === "--" ? rest.slice(1) : rest)];
    // Many tools have a verb `rm` of their own, which takes no such options or places.
    if (
      isOneOf(name, "rm rmdir unlink cat find tee truncate source") &&
      !words.some((word) => /^(?:[~/]|\.env|\.\.)/.test(word.text))
    )
      continue;
    found.push({ via: run.program, words });
    if (found.length >= 3) break;
  }
  return found;
}

/** Programs that take names of programs as data: they install them, look at them or have verbs of that name. */
const describes = new Set(
  (
    "apt apt-get aptitude brew dnf yum zypper pacman pip pip3 pipx gem choco scoop winget apk snap port conda asdf mise nix-env cpan " +
    "kind minikube k3d nx turbo whereis command-v dpkg rpm make gmake just task ansible ansible-galaxy code cursor open xdg-open tsc eslint " +
    "gsutil rclone mc s3cmd s5cmd hdfs vercel fly flyctl heroku netlify poetry uv pdm bun deno composer dotnet dvc svn hg jj bzr p4 cvs " +
    "complete compgen alias unalias hash bind enable help declare typeset local readonly unset trap set shopt basename dirname realpath readlink stat file"
  ).split(" "),
);

/** Command lines that well-known programs are given beside what they are for. */
function localCommands(run: Run): string[] {
  const words = wordsOf(run);
  const behind = (...flags: string[]): string[] =>
    words.flatMap((word, at) => {
      const flag = flags.find(
        (each) => word === each || (each.startsWith("--") && word.startsWith(`${each}=`)),
      );
      if (flag === undefined) return [];
      const value = word === flag ? words[at + 1] : word.slice(flag.length + 1);
      return value === undefined ? [] : [value];
    });
  switch (run.program) {
    case "ssh":
    case "scp":
    case "sftp":
      return [
        ...words.flatMap(
          (word) =>
            /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is.exec(word)?.[1] ?? [],
        ),
        ...(run.program === "scp" ? behind("-S").filter((text) => /\s/.test(text)) : []),
      ].filter((text) => text !== "none");
    case "rsync":
      return behind("-e", "--rsh").filter((text) => !/^(?:\S*\/)?(?:ssh|rsh)(?:\s|$)/.test(text));
    case "zip":
      return behind("-TT", "--unzip-command");
    case "psql":
      return words.flatMap((word) => /\b(?:to|from)\s+program\s+'([^']+)'/i.exec(word)?.[1] ?? []);
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      if (run.stdin?.from === "text" && /"scripts"/.test(run.stdin.text))
        return scriptsIn(run.stdin.text, words);
      return words[0] === "pkg" && words[1] === "set"
        ? words.slice(2).flatMap((word) => /^scripts\.[\w:.-]+=(.+)$/s.exec(word)?.[1] ?? [])
        : [];
    case "cargo":
      return words[0] === "watch" ? behind("-s", "--shell") : [];
    case "ed":
    case "ex":
    case "vi":
    case "vim":
      return (textOf(run.stdin) ?? "")
        .split("\n")
        .flatMap((line) => /^:?!(.+)$/.exec(line.trim())?.[1] ?? []);
    case "make":
    case "gmake":
      return behind("--eval", "-E").flatMap(recipesIn);
    default:
      return [];
  }
}

/** The scripts of a `package.json` that a call names. */
function scriptsIn(text: string, words: readonly string[]): string[] {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts).flatMap(([name, line]) =>
      typeof line === "string" &&
      words.some((word) => name === word || name === `pre${word}` || name === `post${word}`)
        ? [line]
        : [],
    );
  } catch {
    return [];
  }
}

const tearing =
  /^(?:[\w-]+[:.])?(?:delete|destroy|terminate|purge|wipe|nuke|erase|tear-?down|deprovision|decommission|unregister)(?:[-_][\w-]+)?$/;
/** The same as a name of an interface, or behind what is taken away: `DeleteInstance`, `instance-delete`. */
const endsTearing =
  /^(?:Delete|Terminate|Destroy|Purge)[A-Z]\w+$|^[\w-]+-(?:delete|destroy|terminate|purge)$/;
/** Words that only with an order not to ask mean that something is taken away. */
const resetting = "drop reset remove rm uninstall prune revoke";
const things =
  /^(?:cluster|namespace|database|db|project|app|stack|bucket|volume|instance|server|org|organization|account|environment|env|site|service|deployment|tenant|vm|node|zone|topic|collection|snapshot|backup|index|queue|user|flag)s?$/;
const unasked =
  "-y -f --yes --force --auto-approve --confirm --no-prompt --no-confirm --assume-yes --all --cascade --purge --non-interactive";
/** Behind these the words are names: of tests, of scripts, of what is to be made. */
const naming =
  "test run generate g new add create make search install help exec start docs doc init show view list ls get explain";
const testers =
  "playwright cypress rspec phpunit ctest karma ava tap uvu testcafe wdio ng nest ember hardhat forge xcodebuild swift bazel buck2 buck rush moon earthly dagger act storybook behave robot cucumber minitest pest codecept";

/** What a program nobody has described is asked for, by the words most such programs share. */
export function aboutOf(run: Run): Run["about"] {
  const words = wordsOf(run);
  if (mayShow(run, words)) return "secret";
  if (run.called.includes("/") || talkers.has(run.program) || describes.has(run.program)) return undefined;
  if (isKnownProgram(run.program) || isStartable(run.program) || isOneOf(run.program, testers))
    return undefined;
  if (words.some((word) => /^(?:--help|-h|--dry-?run\S*|help|--check|--what-?if)$/i.test(word)))
    return undefined;
  const plain = words.filter((word) => !word.startsWith("-"));
  const end = plain.findIndex((word) => isOneOf(word, naming));
  const verbs = plain.slice(0, end === -1 ? 3 : Math.min(end, 3));
  if (verbs.slice(0, 2).includes("publish") && plain.length < 6)
    return isOneOf(run.program, "yalc verdaccio") ? undefined : "publish";
  if (verbs.some((word, at) => tearing.test(word) || (at > 0 && endsTearing.test(word)))) return "teardown";
  return verbs.some((word) => isOneOf(word, resetting)) &&
    words.some((word) => isOneOf(word, unasked)) &&
    verbs.some((word) => things.test(word) || word === "reset")
    ? "teardown"
    : undefined;
}

/** Programs that have much else to do, in the few calls that could show a secret. */
function mayShow(run: Run, words: readonly string[]): boolean {
  if (run.elsewhere !== undefined)
    return isOneOf(run.program, shows) && words.some((word) => kept.test(word));
  switch (run.program) {
    case "git":
      return words[0] === "credential" || (words[0] === "add" && words.some((word) => word.includes(".env")));
    case "npm":
      return (
        words[0] === "token" || (words[0] === "config" && words.some((word) => /_auth|_password/i.test(word)))
      );
    case "echo":
    case "printf":
      return run.args.some(
        (arg) =>
          !arg.known && /\$\{?[A-Z][A-Z\d_]*_(?:TOKEN|SECRET|PASSW|CREDENTIALS|UR[IL]|\w*KEY)/.test(arg.text),
      );
    case "jq":
      return words.some((word) => word.includes(".Env"));
    case "php":
      return words.includes("-S");
    default:
      if (
        run.effects !== undefined &&
        (words.some(namesFile) || namesFile(run.stdin?.from === "text" ? run.stdin.text : ""))
      )
        return true;
      return (
        run.program.startsWith("python") &&
        words.some((word) => isOneOf(word, "http.server SimpleHTTPServer"))
      );
  }
}

/** Code that takes variables from a file. */
const namesFile = (text: string): boolean => text.includes("dotenv") || text.startsWith("--env-file");

const shows = "cat head tail less more grep egrep sed awk base64 xxd strings tar cp scp nl od cut";
/** Where another machine or a container keeps what must not be shown. */
const kept =
  /^\/run\/secrets\/|^\/var\/run\/secrets\/|(?:^|\/)(?:\.env(?:\.(?!example|sample|template|test)\w+)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.aws\/credentials|\.netrc|\.pgpass|\.git-credentials|\.kube\/config|g?shadow)$/;

/** Programs that run what they read, line by line. */
function fedTo(run: Run): string[] {
  const isMake = run.program === "make" || run.program === "gmake";
  const given = isMake ? run.args.flatMap((arg) => (arg.from ? [outputOf(arg.from)] : [])) : [];
  const text = textOf(run.stdin) ?? given[0];
  if (text === undefined) return [];
  if (run.program === "at" || run.program === "batch" || run.program === "newgrp") return [text];
  if (isMake) return recipesIn(text);
  if (run.program === "just" || run.program === "task" || run.program === "go-task")
    return text.split("\n").flatMap((line) => /^\s+(?:- (?:cmd: )?)?[@-]*(\S.*)$/.exec(line)?.[1] ?? []);
  if (run.program === "crontab")
    return text
      .split("\n")
      .flatMap((line) => /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+(\S.*)$/.exec(line)?.[1] ?? []);
  if (isKnownProgram(run.program)) return [];
  return text.split("\n").flatMap((line) => command.exec(line.trim())?.[1] ?? []);
}

/** The command lines of a makefile: behind tabs, behind the sign that ends a target, and in its functions. */
function recipesIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const called = [...line.matchAll(/\$\(shell\s+([^()]+)\)|!=\s*(.+)$/g)].map(
      (match) => match[1] ?? match[2] ?? "",
    );
    const recipe = line.startsWith("\t")
      ? line.replace(/^\t[@+-]*/, "")
      : /^[^\t#=][^=;]*:[^=;]*;\s*[@+-]*(.+)$/.exec(line)?.[1];
    return recipe === undefined ? called : [recipe.replaceAll("$$", "$"), ...called];
  });
}
