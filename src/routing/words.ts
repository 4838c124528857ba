import { stem } from "./_stem.ts";

/** Words that say nothing about what somebody wants, in English and in German. */
const filler = new Set(
  (
    "a about after again all also am an and any anybody anyone anything are as asap at be because been before being both but by can could did do does doing " +
    "done dont each either else ever every everyone everything few for from get gets getting give gives go goes going gonna got had has have having he her here " +
    "hers him his how i id if im in into is isnt it its itself just let lets like ll lot make makes many may maybe me mine more most much must my near need needs no " +
    "not now of off ok okay on once one only or other our ours out over own per please pls put quite re really right same say says see seems set she should since so some " +
    "somebody someone something still such sure tell than thank thanks that thats the their them then there these they thing things this those through to too " +
    "try until up us use used uses using ve very via want wants was way we well were what whats when where which while who whole whom whose why will with without " +
    "would yes yet you your yours " +
    "aber alle als am an auch auf aus bei bin bis bitte da das dass dem den der des die dir doch du ein eine einem einen einer eines er es für hast hat ich ihm ihr im in ist " +
    "ja jetzt kann kannst kein keine können lass mal man mein meine mich mir mit nach nicht noch nun nur oder ob sich sie sind so und uns unser unsere vom von vor war was " +
    "wenn wer wie wir wird wo zu zum zur"
  ).split(" "),
);

/** Words that everybody uses for everything. They count, and for less than those of a trade. */
const common = new Set(
  (
    "answer ask back bad begin best better big bring call case clear come complete current day describe detail difference different end example explain " +
    "fast find first full good great help hour idea keep kind know last later learn left less little live long look lose mean meeting minute month morning move name " +
    "new next night number old part people person place point problem question quick ready reason room second show side simple small sort start step stop story " +
    "summarise summarize system take team time today together tomorrow turn view wait week word work world write wrong year yesterday"
  )
    .split(" ")
    .map(stem),
);

export const isCommon = (stemmed: string): boolean => common.has(stemmed);

/** What developers write for short. */
const short: Readonly<Record<string, string>> = {
  auth: "authentication",
  cert: "certificate",
  certs: "certificate",
  config: "configuration",
  db: "database",
  deps: "dependencies",
  doc: "documentation",
  docs: "documentation",
  env: "environment",
  infra: "infrastructure",
  k8s: "kubernetes",
  licence: "license",
  licences: "license",
  msg: "message",
  perf: "performance",
  perms: "permission",
  pr: "pull request",
  prs: "pull request",
  prod: "production",
  repo: "repository",
  repos: "repository",
  repro: "reproduce",
  ssl: "tls",
  stage: "staging",
  vuln: "vulnerability",
  vulns: "vulnerability",
};

const inFull = (word: string): string => (Object.hasOwn(short, word) ? (short[word] ?? word) : word);

/** Longer texts are read as far as this: a prompt may have a whole log pasted into it. */
const longest = 20_000;
const mostWords = 400;

/** The words of a text that count, as stems, in their order. */
export function stemsIn(text: string): string[] {
  const found: string[] = [];
  for (const word of wordsIn(text)) {
    if (filler.has(word)) continue;
    for (const each of inFull(word).split(" ")) found.push(stem(each));
    if (found.length >= mostWords) break;
  }
  return found;
}

/** All words of a text as stems, also those that say nothing by themselves. */
export const everyStemIn = (text: string): string[] =>
  wordsIn(text)
    .slice(0, mostWords)
    .flatMap((word) => inFull(word).split(" ").map(stem));

/** The words of a text in small letters, parts of `camelCase` and `snake_case` apart, without marks above letters. */
export function wordsIn(text: string): string[] {
  const plain = text
    .slice(0, longest)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/['’]/g, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
  return plain.match(/[\p{L}\d]+/gu) ?? [];
}
