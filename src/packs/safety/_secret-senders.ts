import type { Action } from "../../core/action.ts";
import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { onceFor } from "../../core/once-for.ts";
import { feedersOf, wordsOf } from "./_runs.ts";
import { printsEnvironment, printsSecretVariable, printsToken } from "./_secret-printers.ts";

/** Does a command that goes to the network take the environment or a secret along? */
export const sendsSecret = (run: Run, url: string | undefined): boolean =>
  feedersOf(run).some((each) => printsEnvironment(each) || printsSecretVariable(each)) ||
  sendsToken(run) ||
  namesSecret(run) ||
  givesAway(run, url) ||
  codeSendsEnvironment(run);

/** Does it send a file that the same command line has filled with the environment? `env > x; curl -T x …` */
export function sendsSavedEnvironment(run: Run, actions: readonly Action[]): boolean {
  const readers = [run, ...feedersOf(run)];
  const read = actions.flatMap((action) =>
    action.kind === "read" && action.target && action.by && readers.includes(action.by)
      ? [action.target.path]
      : [],
  );
  return (
    read.length > 0 &&
    actions.some(
      (action) =>
        action.kind === "write" &&
        action.by &&
        read.includes(action.target?.path ?? "") &&
        [action.by, ...feedersOf(action.by)].some(printsEnvironment),
    )
  );
}

/** A token in anything but the header it is made for. */
const sendsToken = onceFor(
  (run: Run): boolean =>
    (run.stdin?.from === "commands" && feedersOf({ ...run, args: [] }).some(printsToken)) ||
    run.args.some(
      (arg) => !/^authorization:/i.test(arg.text) && feedersOf({ ...bare, args: [arg] }).some(printsToken),
    ),
);

const bare: Run = { program: "", called: "", args: [], redirects: [], via: [] };

/** A variable that can only be a secret, put into what is sent. */
const namesSecret = onceFor((run: Run): boolean =>
  wordsOf(run).some(
    (word) =>
      /\$\{?(?:AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|\w*PRIVATE_KEY\w*|DATABASE_URL|\w*PASSWORD\w*)\b/.test(
        word,
      ) && !/^authorization:/i.test(word),
  ),
);

/** Tokens that are good for one service, by the start of their names, and a sign of that service's addresses. */
const owners: readonly [RegExp, RegExp][] = [
  [/^(?:GITHUB|GH)_/, /github|ghcr/],
  [/^AWS_/, /aws/],
  [/^(?:NPM|NODE_AUTH)_/, /npm|registry|pkg/],
  [/^OPENAI_/, /openai/],
  [/^ANTHROPIC_/, /anthropic/],
  [/^SLACK_/, /slack/],
  [/^STRIPE_/, /stripe/],
  [/^(?:HF|HUGGINGFACE)_/, /huggingface|hf\./],
  [/^(?:CLOUDFLARE|CF)_/, /cloudflare/],
  [/^(?:DIGITALOCEAN|DO)_/, /digitalocean/],
  [/^HEROKU_/, /heroku/],
  [/^VERCEL_/, /vercel/],
  [/^(?:PYPI|TWINE)_/, /pypi/],
];

/** A service's token in the address or the body of what is sent to another one. */
function givesAway(run: Run, url: string | undefined): boolean {
  const host = /^(?:\w+:\/\/)?([^/?#]*)/.exec(
    url ?? wordsOf(run).find((word) => /^https?:/.test(word)) ?? "",
  )?.[1];
  if (host === undefined || host === "" || /[$`]|^(?:localhost|127\.)/.test(host)) return false;
  return wordsOf(run).some(
    (word) =>
      !/^[\w-]+:\s/.test(word) &&
      [...word.matchAll(/\$\{?([A-Z]+_[A-Z_]*(?:TOKEN|KEY|SECRET|PAT))\b/g)].some(([, name = ""]) => {
        const owner = owners.find(([sign]) => sign.test(name));
        return owner !== undefined && !owner[1].test(host);
      }),
  );
}

/** Code that hands the whole environment on. */
const codeSendsEnvironment = onceFor(
  (run: Run): boolean =>
    run.effects !== undefined &&
    /(?:[?&=/]["']\s*\+\s*(?:os\.environ|process\.env)|\{os\.environ|\$\{process\.env)[[.]\W*\w*(?:SECRET|PASSWORD|PRIVATE|TOKEN)|(?:dict|str|json\.dumps)\(\s*(?:dict\()?os\.environ\b(?!\[|\.get)|JSON\.stringify\(\s*process\.env\s*\)|ENV\.to_h|%ENV|getenv\(\)/.test(
      [...wordsOf(run), run.stdin?.from === "text" ? run.stdin.text : ""].join(" "),
    ),
);

/** What a pipe brings, or an argument holds, goes out with it. */
export const mayCarry = (run: Run, sends: boolean | undefined): boolean => sends === true || holdsMore(run);

const holdsMore = onceFor(
  (run: Run): boolean =>
    run.effects !== undefined ||
    run.args.some((arg) => !arg.known || (arg.from?.length ?? 0) > 0) ||
    namesSecret(run) ||
    isOneOf(run.program, "nc ncat netcat socat telnet"),
);
