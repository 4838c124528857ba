// Does a name promise a secret? The last word of a name says what it holds: `API_TOKEN` is a token,
// `token_count` a count, `session_id` an id. So only the end of the name decides.

/** What a name holds, and whether the name alone is too common a word to go by in running text. */
export type NamedSecret = { kind: string; weak: boolean };

/** `secretName("githubToken")` is `{ kind: "token", weak: false }`, `secretName("max_tokens")` nothing. */
export function secretName(name: string): NamedSecret | undefined {
  if (name.length > longest || !stem.test(name)) return undefined;
  const words = toWords(name);
  if (words.length > 1 && negating.has(words[0] ?? "")) return undefined;
  while (words.length > 1 && isNeutral(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  const kind = kindOf(words.at(-2) ?? "", last);
  if (kind === undefined) return undefined;
  // Parsers are full of tokens; one that somebody issued says so.
  const before = words.at(-2) ?? "";
  return { kind, weak: last === "token" ? !issued.has(before) : before === "" && weak.has(last) };
}

/** PWD is a password here and the working folder there. */
export function isWorkingFolder(name: string, value: string): boolean {
  return name.toLowerCase() === "pwd" && /^(?:[/~.]|[A-Za-z]:[\\/])/.test(value);
}

// Every secret name contains one of these.
export const stems = ["pass", "pw", "secret", "token", "key", "auth", "cookie", "cred", "signature"];

const stem = new RegExp(stems.join("|"), "i");
const longest = 100;

function kindOf(before: string, last: string): string | undefined {
  const listed = compounds.get(before + last) ?? compounds.get(last);
  if (listed !== undefined) return listed;
  if (last.endsWith("token")) return harmlessTokens.has(before) ? undefined : "token";
  if (last === "tokens") return issued.has(before) ? "token" : undefined;
  const one = last.endsWith("s") ? last.slice(0, -1) : last;
  if (one.startsWith("nopass")) return undefined; // of sudoers
  if (passwords.some((word) => one.endsWith(word))) return "password";
  if (one.endsWith("secret")) return "secret";
  return (before + one).endsWith("apikey") ? "api-key" : undefined;
}

const passwords = ["password", "passwd", "passphrase"];

const compounds = new Map(
  Object.entries({
    password: ["pwd", "pw", "pass", "passcode", "sshpass", "dbpw", "userpw", "rootpw", "adminpw"],
    authorization: ["auth", "authorization"],
    cookie: ["cookie", "cookies"],
    credentials: ["credential", "credentials", "cred", "creds"],
    "private-key": ["privatekey", "privkey", "sshkey", "deploykey", "rsakey", "pemkey"],
    "access-key": ["accesskey", "accountkey", "storagekey", "subscriptionkey", "sharedkey"],
    "secret-key": [
      ..."secret encryption encrypt signing master auth hmac jwt crypt cipher aes consumer app".split(" "),
      ..."admin service client webhook session openai anthropic stripe sendgrid twilio gemini azure".split(
        " ",
      ),
    ].map((word) => `${word}key`),
    signature: ["amzsignature", "googsignature"],
  }).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

const weak = new Set(["pwd", "pw", "pass", "auth", "cookie", "cookies", "credential", "credentials", "cred"]);

// Words that say which of several secrets is meant, or in what form, but not that it is something else.
const neutral = new Set(
  (
    "value val old new prev previous current confirm confirmation repeat again raw plain plaintext text " +
    "string str base prod production dev development staging live hash encoded encrypted " +
    "header headers json data body content contents pem ro rw v b"
  ).split(" "),
);

const isNeutral = (word: string): boolean => neutral.has(word) || /^\d+$/.test(word);

// `has_password` and `resetPassword` speak about a secret and do not hold it.
const negating = new Set(
  (
    "no not has is use uses with without show hide require requires required need needs enable enabled " +
    "disable disabled allow skip forgot reset change check validate verify get fetch create generate " +
    "parse invalid missing wrong expired"
  ).split(" "),
);

// Markers of text models, cursors of paged lists, and the cancellation object of some languages.
const harmlessTokens = new Set(
  "eos bos pad unk sep cls mask next page continuation cancellation cancel".split(" "),
);

const issued = new Set("access refresh auth api bearer secret bot github gitlab npm slack".split(" "));

/** `toWords("dbPassword")` is `["db", "password"]`, and so are `db_password` and `DB-PASSWORD`. */
export function toWords(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}
