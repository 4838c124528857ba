// Secrets that can be told by their looks, wherever they stand in a text.
//
// A payload may be 10 MB of anything, so no pattern may look at the same text over and over. Each one
// begins with literal characters and then takes everything that could belong to the secret, without a
// way to fail; whether that is a secret is decided afterwards, by `least` and `part`.

import { isMask, mask } from "./_mask.ts";

type Rule = {
  id: string;
  /** A text without any of them has nothing for this rule to find. */
  literals: readonly string[];
  /** What it finds may lack the long run of characters that gives other secrets away. */
  short?: true;
  /** It is good for a while only, as the signature of an address is. */
  passing?: true;
  regex: RegExp;
  /** Shorter matches are look-alikes. */
  least?: number;
  /** Where in the match the secret is; nothing when it is a look-alike. */
  part?: (match: string, at: number, text: string) => readonly [number, number] | undefined;
};

const shapes: readonly Rule[] = [
  {
    id: "private-key",
    literals: ["PRIVATE KEY"],
    regex:
      /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\:,."']*(?:-(?!-)[\w+/=\s\\:,."']*){0,12}(?:-----END [A-Z\d ]{0,40}-----)?/g,
    // A header without key material is somebody writing about keys.
    part: (match) => (/[\w+/=]{16}/.test(match.slice(27)) ? [0, match.length] : undefined),
  },
  { id: "aws-key", literals: ["AKIA", "ASIA"], regex: /A[KS]IA[A-Z\d]{16}/g },
  {
    id: "github-token",
    literals: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    regex: /gh[pousr]_[A-Za-z\d]*(?:_[\w-]*)?(?:\.[\w-]{16,}){0,2}/g,
    least: 24,
  },
  { id: "github-token", literals: ["github_pat_"], regex: /github_pat_\w*/g, least: 30 },
  { id: "gitlab-token", literals: ["glpat-"], short: true, regex: /glpat-[\w-]*(?:\.\w+){0,3}/g, least: 22 },
  { id: "slack-token", literals: ["xox", "xapp-"], regex: /x(?:ox[a-z]|app)-[\w-]*/g, least: 20 },
  {
    id: "slack-webhook",
    literals: ["hooks.slack.com/"],
    regex: /hooks\.slack\.com\/[a-z]*\/?[\w/-]*/g,
    least: 40,
    part: (match) => [match.indexOf("/", 16) + 1, match.length],
  },
  {
    id: "discord-webhook",
    literals: ["/api/webhooks/"],
    regex: /\/api\/webhooks\/\d*\/?[\w-]*/g,
    least: 50,
    part: (match) => [14, match.length],
  },
  {
    id: "anthropic-key",
    literals: ["sk-ant-"],
    short: true,
    regex: /sk-ant-[\w-]*/g,
    least: 24,
  },
  {
    id: "openai-key",
    literals: ["sk-"],
    regex: /sk-[\w-]*/g,
    least: 23,
    part: (match, at, text) => (startsFresh(text, at) && looksRandom(match) ? [0, match.length] : undefined),
  },
  {
    id: "google-key",
    literals: ["AIza"],
    short: true,
    regex: /AIza[\w-]*/g,
    least: 34,
    part: (match, at, text) => (startsFresh(text, at) ? [0, match.length] : undefined),
  },
  {
    id: "stripe-key",
    literals: ["k_live_", "k_test_"],
    regex: /[psr]k_(?:live|test)_[A-Za-z\d]*/g,
    least: 24,
  },
  { id: "stripe-key", literals: ["whsec_"], short: true, regex: /whsec_[\w+/=]*/g, least: 22 },
  { id: "npm-token", literals: ["npm_"], regex: /npm_[A-Za-z\d]*/g, least: 34 },
  { id: "pypi-token", literals: ["pypi-"], regex: /pypi-[\w-]*/g, least: 48 },
  { id: "huggingface-token", literals: ["hf_"], regex: /hf_[A-Za-z\d]*/g, least: 30 },
  { id: "sendgrid-key", literals: ["SG."], short: true, regex: /SG\.[\w-]*(?:\.[\w-]*)?/g, least: 40 },
  {
    id: "twilio-key",
    literals: ["SK", "AC"],
    regex: /(?:SK|AC)[\da-f]{32}/g,
    part: (match, at, text) =>
      startsFresh(text, at) && !/[\w-]/.test(text.charAt(at + 34)) ? [0, match.length] : undefined,
  },
  {
    id: "vendor-token",
    literals: [
      ..."dop_v1_ shpat_ shpss_ shpca_ lin_api_ hvs. ya29. GOCSPX- ATATT3 AGE-SECRET-KEY-1".split(" "),
      ..."gsk_ xai- dckr_pat_ figd_ nvapi- tskey- sbp_ dapi".split(" "),
    ],
    regex:
      /(?:dop_v1_|shp(?:at|ss|ca)_|lin_api_|hvs\.|ya29\.|GOCSPX-|ATATT3|AGE-SECRET-KEY-1|gsk_|xai-|dckr_pat_|figd_|nvapi-|tskey-|sbp_|dapi)[\w-]*/g,
    least: 24,
    part: (match, at, text) => (startsFresh(text, at) && looksRandom(match) ? [0, match.length] : undefined),
  },
  {
    id: "jwt",
    literals: ["eyJ"],
    short: true,
    regex: /eyJ[\w-]*(?:\.[\w-]*){0,4}/g,
    least: 30,
    part: (match) => {
      const dot = match.indexOf(".");
      return dot >= 10 && match.length - dot >= 8 ? [0, match.length] : undefined;
    },
  },
  {
    id: "authorization",
    literals: ["Bearer", "bearer", "BEARER", "Basic", "basic", "BASIC"],
    short: true,
    regex: /\bb(?:earer|asic)\s{1,4}[\w.~+/=-]*/gi,
    least: 14,
    part: (match) => {
      const [scheme = "", token = ""] = match.split(/\s+/);
      const found = scheme.length === 5 ? isBase64Pair(token) : isBearer(token);
      return found ? [match.length - token.length, match.length] : undefined;
    },
  },
  {
    id: "password",
    literals: ["://"],
    short: true,
    // The address up to the next one.
    regex: /:\/\/(?:(?!:\/\/)[^\s"'<>`])*/g,
    part: (match, at, text) => {
      const end = userInfoEnd(match, at, text);
      if (end === -1) return undefined;
      const info = match.slice(3, end);
      // The colon of an earlier mask separates nothing.
      const colon = info.indexOf(":", info.startsWith("[masked:") ? info.indexOf("]") : 0);
      if (colon === -1) {
        const token = info.length >= 20 && /\d/.test(info) && /[a-z]/i.test(info) && !isMask(info);
        return token ? [3, end] : undefined;
      }
      return isSpoken(info.slice(colon + 1)) ? undefined : [colon + 4, end];
    },
  },
  {
    id: "signature",
    literals: ["sig=", "signature=", "Signature="],
    short: true,
    passing: true,
    regex: /(?:[?&]|&amp;|\\u0026)(?:X-(?:Amz|Goog)-Signature|Signature|sig)=[\w%+/=.~-]*/gi,
    part: (match, at, text) => {
      const start = match.indexOf("=") + 1;
      const isLong = match.length - start >= 20 && /\d/.test(match.slice(start));
      return isLong && text[at + match.length] !== "(" ? [start, match.length] : undefined;
    },
  },
  {
    id: "password",
    literals: ["curl"],
    short: true,
    regex: /(?<=\s)(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)[ =]*(?:"[^"\n]*"|'[^'\n]*'|["']?[^\s"']*)/g,
    part: (match) => {
      const colon = match.indexOf(":");
      const end = /["']$/.test(match) ? match.length - 1 : match.length;
      const pair = match.slice(0, end);
      // `-u 1000:1000` is a user and a group.
      if (colon === -1 || /\d:\d+$/.test(pair) || pair.includes("[masked:")) return undefined;
      return isSpoken(pair.slice(colon + 1)) ? undefined : [colon + 1, end];
    },
  },
  {
    id: "password",
    literals: ["mysql", "mariadb", "sshpass", "redis-cli", "login"],
    short: true,
    regex: /(?<=\s)-[pa][ =]?(?:"[^"\n]*"|'[^'\n]*'|["']?[^\s"']*)/g,
    part: (match, at, text) => {
      const command = /[^\n;|&]*$/.exec(text.slice(Math.max(0, at - 300), at))?.[0] ?? "";
      if (!takesPassword(command, match)) return undefined;
      const quoted = /["']$/.test(match) ? 1 : 0;
      const start = (/^-.[ =]/.test(match) ? 3 : 2) + quoted;
      const value = match.slice(start, match.length - quoted);
      // `-p3306:3306` publishes a port.
      const harmless = value.startsWith("-") || /^\d+:\d+$/.test(value) || isSpoken(value);
      return harmless ? undefined : [start, match.length - quoted];
    },
  },
  {
    id: "password",
    literals: ["login"],
    short: true,
    // The form of ~/.netrc.
    regex: /\blogin\s{1,8}\S+\s{1,8}password\s{1,8}\S+/g,
    part: (match) => {
      const start = match.search(/\S+$/);
      return isSpoken(match.slice(start)) ? undefined : [start, match.length];
    },
  },
];

/** The text with everything masked that looks like a secret. */
export const maskShapes = (text: string): string => maskBy(shapes, text);

/** The same without what is worth nothing a while later. */
export const maskLasting = (text: string): string =>
  maskBy(
    shapes.filter((rule) => !rule.passing),
    text,
  );

function maskBy(rules: readonly Rule[], text: string): string {
  let masked = text;
  for (const rule of rules) {
    if (rule.literals.some((literal) => text.includes(literal))) masked = apply(rule, masked);
  }
  return masked;
}

/** What to look for besides long runs, in lower case. */
export const shortLiterals: readonly string[] = [
  ...new Set(
    shapes
      .flatMap(({ short, literals }) => (short ? literals : []))
      .map((literal) => literal.toLowerCase().replaceAll(".", "\\.")),
  ),
];

const longRun = 20;

/**
 * Whether twenty letters, digits or underscores follow each other, as in nearly all machine-made keys.
 * It looks at the far end of each stretch first, so ordinary words are skipped in long steps.
 */
export function hasLongRun(text: string): boolean {
  let start = 0;
  while (start + longRun <= text.length) {
    let at = start + longRun - 1;
    while (at >= start && isRunPart(text.charCodeAt(at))) at--;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

function isRunPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

function apply({ id, regex, least = 0, part }: Rule, text: string): string {
  // No pattern has a group, so the place of the match comes next.
  return text.replace(regex, (match, at: number) => {
    if (match.length < least) return match;
    const found = part === undefined ? ([0, match.length] as const) : part(match, at, text);
    if (found === undefined) return match;
    return match.slice(0, found[0]) + mask(id) + match.slice(found[1]);
  });
}

/**
 * Where user and password of an address end: at the last `@` before a slash. A password may hold slashes and at signs of
 * its own, although it should not; then the `@` behind it decides, where no port and no path explains the text.
 */
function userInfoEnd(address: string, at: number, text: string): number {
  const slash = address.indexOf("/", 3);
  const head = slash === -1 ? address : address.slice(0, slash);
  const end = head.lastIndexOf("@");
  const next = slash === -1 ? -1 : address.indexOf("@", slash);
  if (next === -1) return end;
  const scheme = /[a-z\d+.-]*$/i.exec(text.slice(Math.max(0, at - 12), at))?.[0] ?? "";
  const isWeb = /^(?:https?|wss?|git|ssh|docker|oci|ftp|file|npm|git\+\w+)$|\+/i.test(scheme);
  if (end !== -1) {
    // `https://u:p@registry/@scope/x` has a path; to a database one with an `@` is unheard of.
    if (isWeb || head.indexOf(":", 3) === -1 || /[?#]/.test(address.slice(slash, next))) return end;
  } else {
    const [, user = "", first = ""] = /^:\/\/([^:[\]]*):(.*)$/s.exec(head) ?? [];
    if (first === "" || /^\d{1,5}$/.test(first) || isSpoken(first)) return -1;
    if (isWeb && /\.|^localhost$/.test(user)) return -1;
  }
  const after = address.indexOf("/", next);
  return address.slice(0, after === -1 ? undefined : after).lastIndexOf("@");
}

function takesPassword(command: string, flag: string): boolean {
  const apart = /^-.[ =]/.test(flag);
  if (flag.startsWith("-a")) return /\bredis-cli\b/.test(command);
  if (/\bsshpass\b|\blogin\b/.test(command)) return true;
  return !apart && /\b(?:mysql|mariadb)/.test(command);
}

/** Nothing secret is said: the value is empty, masked already, a reference or a placeholder. */
export function isSpoken(value: string): boolean {
  return (
    value === "" ||
    isMask(value) ||
    /^(?:\$\{?\w+\}?|\$\(.*\)?|\$?\{\{.*|#?\{[\w.]*\}?|<[^>]*>?|%\w+%|%[sdv]|%\(.*|\[?redacted\]?|[*x.•?]+)$/i.test(
      value,
    )
  );
}

// A token may follow an escape, as in `\nsk-…`, and still begin there.
function startsFresh(text: string, at: number): boolean {
  if (!/[A-Za-z\d+]/.test(text.charAt(at - 1))) return true;
  return /(?:\\[nrtbf]|%[\dA-F]{2}|\\u[\da-f]{4}|\[[\d;]*m)$/i.test(text.slice(Math.max(0, at - 8), at));
}

// Words joined by hyphens are readable; a key has a long part without a seam, mostly with digits in it.
function looksRandom(token: string): boolean {
  return token
    .slice(0, 300)
    .split(/[-_.]/)
    .some((piece) => piece.length > 20 || (piece.length >= 10 && /\d/.test(piece) && /[A-Za-z]/.test(piece)));
}

function isBearer(token: string): boolean {
  return /[A-Za-z]{24}/.test(token) || (token.length >= 12 && /\d|[a-z][A-Z]/.test(token));
}

function isBase64Pair(token: string): boolean {
  if (token.length < 8 || token.length % 4 !== 0) return false;
  return /^[A-Za-z\d+/]+={0,2}$/.test(token) && /[a-z][A-Z\d]/.test(token);
}
