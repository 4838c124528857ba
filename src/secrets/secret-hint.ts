/**
 * Could a text hold a secret? A no is certain, a yes asks `redact` to look closely. It stands apart from
 * `redact` because most events hold none, and should not pay for loading and running its patterns.
 */
export function mayHoldSecret(text: string): boolean {
  if (/\w{20}/.test(text)) return true;
  const lower = withoutFolder(text.toLowerCase()).replaceAll("pwsh", "");
  // No function of its own for the loop: called this often, it would start the JIT compiler.
  for (const hint of hints) if (lower.includes(hint)) return true;
  // Most addresses hold no password, and most calls of curl name no user.
  if (lower.includes("://") && lower.includes("@")) return true;
  return lower.includes("curl") && /-[a-z]{0,8}u/.test(lower);
}

/** As the name of a value it could be a password's. */
const withoutFolder = (text: string): string =>
  text.includes("$(pwd)") ? text.replace(/\$\(pwd\)(?![^"]*"\s*:)/g, "") : text;

/**
 * The same of the name of a file. `passwd` promises nothing where no value can stand behind it: without a separator only the
 * shape of a secret is left.
 */
export function mayBeSecretName(name: string): boolean {
  if (!/^[\w.-]*$/.test(name)) return mayHoldSecret(name);
  if (name.length < shortest) return false;
  if (/\w{20}/.test(name)) return true;
  const lower = name.toLowerCase();
  for (const literal of shortLiterals) if (lower.includes(literal)) return true;
  return false;
}

/** Literals of secrets that may be short. */
const shortLiterals: readonly string[] = "glpat- whsec_ sg. eyj sk-ant- aiza".split(" ");
/** No shape of a secret is shorter. */
const shortest = 8;

/** Pieces of names that promise a secret, and literals of secrets that may be short. */
const hints: readonly string[] = (
  "pass pw secret token key auth cookie cred signature sig= identified " +
  "glpat- whsec_ sg. eyj bearer basic mysql mariadb sshpass redis-cli login sk-ant- aiza"
).split(" ");
