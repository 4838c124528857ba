/**
 * Is a command line plainly harmless: a few well-known commands that only look, without quotes, variables,
 * redirections or names worth a closer look? Most of an agent's commands are, and need no parser.
 */
export function isPlain(text: string): boolean {
  if (text.length > 400 || !/^[\w@%+=:,./ &|-]*$/.test(text)) return false;
  const lower = text.toLowerCase();
  if (worthALook.some((sign) => lower.includes(sign))) return false;
  const parts = text.split(/&&|\|\||\|/);
  // What is left of `&` starts another command.
  return (
    !parts.some((part) => part.includes("&")) && parts.every((part) => isHarmless(part.trim().split(/ +/)))
  );
}

// Texts, not a pattern: to compile one costs more than all these looks.
const worthALook = [
  ..."env key secret pem ssh cred token shadow pass netrc hook id_ history cookie login vault keystore .p12 .pfx s3cfg boto claude copilot cursor codex gemini qwen".split(
    " ",
  ),
  ..."opencode windsurf harness aws kube gnupg /etc /proc /dev/s /dev/n /run :// .git/".split(" "),
];

const lookers = new Set(
  "ls pwd cd echo true false date whoami id which type wc head tail sort uniq cat grep rg tree du df ps uname hostname nproc tsc eslint prettier jest vitest pytest mypy ruff".split(
    " ",
  ),
);
const printers = new Set("cat head tail grep rg sort uniq wc".split(" "));

const tasks: Readonly<Record<string, RegExp>> = {
  git: /^(?:status|log|diff|show|branch|fetch|add|rev-parse|blame|remote)$/,
  npm: /^(?:test|t|run|ci|install|i|ls|outdated)$/,
  pnpm: /^(?:test|run|install|i)$/,
  yarn: /^(?:test|run|install|build)$/,
  cargo: /^(?:build|test|check|clippy|fmt|run)$/,
  go: /^(?:build|test|vet|fmt|mod)$/,
  make: /^[\w-]+$/,
};

function isHarmless([program = "", verb = "", ...rest]: readonly string[]): boolean {
  // An option that writes or removes is worth a closer look.
  const words = [verb, ...rest];
  if (words.some((word) => /^-[a-zA-Z]*[oOdDxXfF]|^--(?:output|write|fix|delete|force|exec|pre)/.test(word)))
    return false;
  // What is shown may be a secret by its place or name, and `uniq a b` writes.
  if (printers.has(program) && words.some((word) => /^(?:\/|~|\.(?![/.]?$|\/))/.test(word))) return false;
  if (program === "uniq" && words.filter((word) => !word.startsWith("-")).length > 1) return false;
  if (lookers.has(program)) return true;
  return Object.hasOwn(tasks, program) && (tasks[program]?.test(verb) ?? false);
}
