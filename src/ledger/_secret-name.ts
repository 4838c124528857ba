// Does a name promise a secret? The last word of a name says what it holds: `API_TOKEN` is a token,
// `token_count` a count, `session_id` an id. So only the end of the name decides.

/** What a name holds, and whether the name alone is too common a word to go by in running text. */
export type NamedSecret = { kind: string; weak: boolean };

/** `secretName("githubToken")` is `{ kind: "token", weak: false }`, `secretName("max_tokens")` nothing. */
export function secretName(name: string): NamedSecret | undefined {
  if (name.length > longest || !stem.test(name)) return undefined;
  const words = toWords(name);
  while (words.length > 1 && neutral.has(words.at(-1) ?? "")) words.pop();
  if (negating.has(words[0] ?? "") && words.length > 1) return undefined;
  const last = (words.at(-1) ?? "").replace(/(?<!auth)\d+$/, "");
  const before = words.at(-2) ?? "";
  const kind = kindOf(before, last);
  if (kind === undefined) return undefined;
  return { kind, weak: words.length === 1 && weak.has(last) };
}

// Every secret name contains one of these.
export const stems = ["pass", "pwd", "secret", "token", "key", "auth", "cookie", "cred"];

const stem = new RegExp(stems.join("|"), "i");
const longest = 100;

function kindOf(before: string, last: string): string | undefined {
  const compound = compounds.get(before + last) ?? compounds.get(last);
  if (compound !== undefined) return compound;
  if (/token$/.test(last)) return harmlessTokens.has(before) ? undefined : "token";
  if (last === "tokens") return issued.has(before) ? "token" : undefined;
  if (/(?<!no)(?:password|passwd|passphrase)s?$/.test(last)) return "password";
  if (/secrets?$/.test(last)) return "secret";
  if (/apikeys?$/.test(before + last)) return "api-key";
  return undefined;
}

const compounds = new Map(
  Object.entries({
    password: ["pwd", "pass", "passcode", "sshpass", "dbpw", "userpw", "rootpw", "adminpw"],
    authorization: ["auth", "authorization"],
    cookie: ["cookie", "cookies"],
    credentials: ["credential", "credentials", "cred", "creds"],
    "private-key": ["privatekey", "privkey", "sshkey", "deploykey", "rsakey", "pemkey"],
    "access-key": ["accesskey", "accountkey", "storagekey", "subscriptionkey", "sharedkey"],
    "secret-key": [
      ..."secret encryption encrypt signing master auth hmac jwt crypt cipher aes consumer app".split(" "),
      ..."admin service webhook session openai anthropic stripe sendgrid twilio gemini azure".split(" "),
    ].map((word) => `${word}key`),
    signature: ["amzsignature"],
  }).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

const weak = new Set(["pwd", "pass", "auth", "cookie", "cookies", "credential", "credentials", "cred"]);

// Words that say which of several secrets is meant, or in what form, but not that it is something else.
const neutral = new Set(
  (
    "value val old new prev previous current confirm confirmation repeat again raw plain plaintext text " +
    "string str base prod production dev development staging live hash b64 base64 encoded encrypted " +
    "header headers json data body content contents pem ro rw 0 1 2 3 4 5 6 7 8 9 v1 v2 v3"
  ).split(" "),
);

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

const issued = new Set("access refresh auth api bearer secret".split(" "));

/** `toWords("dbPassword")` is `["db", "password"]`, and so are `db_password` and `DB-PASSWORD`. */
export function toWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}
