import { isOneOf } from "../core/one-of.ts";
import type { Effect, Word } from "./model.ts";
import { textOf } from "./output.ts";
import { write, read, remove, valuesOf, words, type Row, type Program } from "./_program.ts";
import { copiesWith, into } from "./_program-files.ts";

const remotely = (word: Word): boolean => /^[\w.-]+@?[\w.-]*:|^\w+:\/\//.test(word.text);

const withoutSource = (effect: Effect): Effect => {
  if (effect.do !== "write") return effect;
  const { from: _afar, ...rest } = effect;
  return rest;
};

const transfers: Row = (args) => {
  const to = args.rest.at(-1);
  const sources = args.rest.slice(0, -1);
  const effects: Effect[] = sources.map((word) =>
    remotely(word) ? { do: "fetch", url: word.text } : read(word),
  );
  if (to && remotely(to)) effects.push({ do: "fetch", url: to.text, sends: true });
  else if (to && sources.length > 0) {
    // Behind a slash it is what is in the folder that comes.
    const local = sources.filter((word) => !remotely(word));
    const here = local.map((word) => (word.text.endsWith("/") ? { ...word, text: `${word.text}.` } : word));
    // What comes from elsewhere keeps its name, too, but there is nothing here to look at.
    const afar = sources
      .filter(remotely)
      .map((word) => ({ ...word, text: word.text.replace(/^[^/:]*:(?!\/\/)/, "") || "." }));
    effects.push(...(local.length > 0 ? into(to, here) : []));
    effects.push(...(afar.length > 0 ? into(to, afar).map(withoutSource) : []));
  }
  if (args.flags.has("--remove-source-files")) effects.push(...sources.map((word) => remove(word, true)));
  if (to && !remotely(to) && [...args.flags].some((flag) => flag.startsWith("--delete")))
    effects.push(remove(to, true));
  return effects;
};

/** Where curl puts what it learns besides. */
const kept = words(
  "-D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc",
);

const downloads: Row = (args, run) => {
  const urls = args.rest.filter((word) => /^(?:https?|ftp):|[\w-]+\.\w+/.test(word.text) || !word.known);
  const sent = valuesOf(
    args,
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "-F",
    "--form",
    "-T",
    "--upload-file",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
    "--json",
  );
  const effects: Effect[] = urls.map((word) => ({
    do: "fetch",
    ...(word.known ? { url: word.text } : {}),
    ...(sent.length > 0 ? { sends: true } : {}),
  }));
  for (const word of args.rest)
    if (/^file:\/\//.test(word.text))
      effects.push({ do: "read", path: word.text.replace(/^file:\/\/(?:localhost)?/, "") });
  for (const word of sent) {
    const file =
      /(?:^|=)[@<](.+)$/s.exec(word.text)?.[1] ??
      (valuesOf(args, "--data-urlencode").includes(word)
        ? /^[^=]*@(.+)$/s.exec(word.text)?.[1]
        : undefined) ??
      (valuesOf(args, "-T", "--upload-file", "--post-file", "--body-file").includes(word)
        ? word.text
        : undefined);
    if (file !== undefined && file !== "-") effects.push({ do: "read", path: file });
  }
  const outputs =
    run.program === "wget" ? valuesOf(args, "-O", "--output-document") : valuesOf(args, "-o", "--output");
  const besides = run.program === "curl" ? valuesOf(args, ...kept) : valuesOf(args, "-o", "-a");
  effects.push(...[...outputs, ...besides].filter((word) => word.text !== "-").map(write));
  const [folder] =
    run.program === "wget" ? valuesOf(args, "-P", "--directory-prefix") : valuesOf(args, "--output-dir");
  const named =
    run.program === "wget"
      ? outputs.length === 0
      : args.flags.has("-O") || args.flags.has("--remote-name") || args.flags.has("-J");
  const local = args.rest.filter((word) => /^file:\/\//.test(word.text) && !urls.includes(word));
  for (const word of named ? [...urls, ...local] : []) {
    const name = lastPart(word.text);
    effects.push({ do: "write", path: folder ? `${folder.text}/${name}` : name });
  }
  return effects;
};

/** `http POST address name=value file@path @body`: what follows the address is sent. */
const requests: Row = (args, run) => {
  const items = args.rest.filter((word) => /^[^/]*(?::?=@?|@)|^@/.test(word.text));
  const files = items.flatMap((word) => /^[^@/]*@(.+)$/s.exec(word.text)?.[1] ?? []);
  const rest = args.rest.filter((word) => !items.includes(word));
  return [
    ...downloads({ ...args, rest }, run).map((effect) =>
      effect.do === "fetch" && items.length > 0 ? { ...effect, sends: true } : effect,
    ),
    ...files.map((path): Effect => ({ do: "read", path })),
  ];
};

/** `socat FILE:x TCP:host:1`: one end may be a file. */
const connects: Row = (args, run) => [
  ...sends(args, run),
  ...args.rest.flatMap((word): Effect[] => {
    const path = /^(?:FILE|OPEN|GOPEN):([^,]+)/i.exec(word.text)?.[1];
    return path === undefined
      ? []
      : [/,(?:creat|append|trunc|wronly)/i.test(word.text) ? { do: "write", path } : { do: "read", path }];
  }),
];

/** Files that are handed to a service, behind some words of the program's own or behind an option. */
const hands =
  (from: number, ...flags: string[]): Row =>
  (args) => [
    ...(from < 0 ? [] : args.rest.slice(from)).map(read),
    ...valuesOf(args, ...flags).map(read),
    { do: "fetch", sends: true },
  ];

const handsWhen =
  (verb: RegExp, from: number, ...flags: string[]): Row =>
  (args, run) =>
    verb.test(args.rest.map((word) => word.text).join(" ")) ? hands(from, ...flags)(args, run) : [];

const sends: Row = ({ rest }) =>
  rest[0] ? [{ do: "fetch", sends: true, ...(rest[0].known ? { url: rest[0].text } : {}) }] : [];

/** A session with orders on standard input, or behind `-e`: `put file`, `get file`. */
const sessions: Row = (args, run) => {
  const orders = [textOf(run.stdin) ?? "", ...valuesOf(args, "-e", "-c").map((word) => word.text)].join("\n");
  const lines = orders.split(/[\n;]/).map((line) => line.trim().split(/\s+/));
  return [
    ...sends(args, run),
    ...lines.flatMap(([verb = "", ...names]): Effect[] =>
      isOneOf(verb, "mput put reput send append mirror")
        ? names.filter((name) => !name.startsWith("-")).map((path) => ({ do: "read", path }))
        : isOneOf(verb, "mget get reget recv") && names.at(-1) !== undefined
          ? [{ do: "write", path: names.at(-1) ?? "" }]
          : [],
    ),
  ];
};

const lastPart = (address: string): string =>
  address
    .replace(/[?#].*$/, "")
    .split("/")
    .at(-1) || "index.html";

const mail: Row = () => [{ do: "fetch", sends: true }];

/** Programs that bring something here or send something away. */
export const netPrograms: Readonly<Record<string, Program>> = {
  rsync: {
    takes: words(
      "-e --rsh --exclude --include --filter -f --bwlimit --log-file --port --timeout --chmod --chown --files-from",
    ),
    effects: (args, run) => (args.flags.has("-n") || args.flags.has("--dry-run") ? [] : transfers(args, run)),
  },
  scp: { takes: words("-i -P -o -F -c -l -S -J"), effects: transfers },
  rclone: {
    effects: ({ rest }, run) =>
      isOneOf(rest[0]?.text ?? "", "delete purge")
        ? rest.slice(1).map((word) => remove(word, true))
        : [
            ...transfers({ flags: new Set(), values: new Map(), rest: rest.slice(1) }, run),
            // What is moved is gone here.
            ...(isOneOf(rest[0]?.text ?? "", "move moveto") && rest[1] && !rest[1].text.includes(":")
              ? [remove(rest[1], true)]
              : []),
          ],
  },
  gh: {
    takes: words("-f -d --filename --desc -R -t --title -b --body -F --body-file -n --notes"),
    effects: (args) => {
      const [noun, verb] = args.rest.map((word) => word.text);
      if (noun === "gist" && verb === "create")
        return [...args.rest.slice(2).map(read), { do: "fetch", url: "gist", sends: true }];
      return isOneOf(noun ?? "", "issue pr release discussion") &&
        isOneOf(verb ?? "", "create comment edit review")
        ? [...valuesOf(args, "--body-file").map(read), { do: "fetch", url: "github.com", sends: true }]
        : [];
    },
  },
  aws: {
    effects: ({ rest }) =>
      rest[0]?.text === "s3" && isOneOf(rest[1]?.text ?? "", "cp mv sync")
        ? transfers(
            { flags: new Set(), values: new Map(), rest: rest.slice(2) },
            { program: "aws", called: "aws", args: [], redirects: [], via: [] },
          )
        : [],
  },
  gsutil: {
    effects: ({ rest }, run) =>
      isOneOf(rest[0]?.text ?? "", "cp mv rsync")
        ? transfers({ flags: new Set(), values: new Map(), rest: rest.slice(1) }, run)
        : [],
  },
  axel: {
    takes: ["-o", "-n", "-s"],
    effects: (args) => [
      ...args.rest.map((word): Effect => ({ do: "fetch", ...(word.known ? { url: word.text } : {}) })),
      ...(valuesOf(args, "-o").length > 0
        ? valuesOf(args, "-o")
        : args.rest.map((word) => ({ ...word, text: word.text.split("/").at(-1) ?? "" }))
      ).map(write),
    ],
  },
  curl: {
    takes: words(
      "-o --output --output-dir -d --data --data-raw --data-binary --data-urlencode --json -F --form -T --upload-file -H --header -X --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy -m --max-time --connect-timeout --retry --retry-delay -w --write-out -K --config --cert --key --cacert -r --range --resolve -E --url -D --dump-header --limit-rate --trace --trace-ascii --stderr --etag-save --hsts --alt-svc",
    ),
    effects: downloads,
  },
  wget: {
    takes: words(
      "-O --output-document -P --directory-prefix -o -a --header --post-data --post-file --body-data --body-file -U --user-agent -t --tries -T --timeout -i --user --password -e -w -Q",
    ),
    effects: downloads,
  },
  http: { effects: requests },
  https: { effects: requests },
  xh: { effects: requests },
  xhs: { effects: requests },
  aria2c: {
    takes: words("-o -d --out --dir -x -s -j"),
    effects: (args) => {
      const [folder] = valuesOf(args, "-d", "--dir");
      const names = valuesOf(args, "-o", "--out");
      const made =
        names.length > 0 ? names : args.rest.map((word) => ({ ...word, text: lastPart(word.text) }));
      return [
        ...args.rest.map((word): Effect => ({ do: "fetch", ...(word.known ? { url: word.text } : {}) })),
        ...made.map((word) => write(folder ? { ...word, text: `${folder.text}/${word.text}` } : word)),
      ];
    },
  },
  dig: { effects: sends },
  nslookup: { effects: sends },
  host: { effects: sends },
  nc: { effects: sends },
  ncat: { effects: sends },
  netcat: { effects: sends },
  socat: { effects: connects },
  websocat: { effects: sends },
  croc: { takes: words("--code --relay"), effects: handsWhen(/^send\b/, 1) },
  wormhole: { takes: ["--code"], effects: handsWhen(/^send\b/, 1) },
  "magic-wormhole": { takes: ["--code"], effects: handsWhen(/^send\b/, 1) },
  ffsend: { effects: handsWhen(/^u(?:pload)?\b/, 1) },
  transfer: { effects: hands(0) },
  pastebinit: { takes: words("-i -b -a -f"), effects: hands(0, "-i") },
  "telegram-send": { takes: words("-f --file"), effects: hands(-1, "-f", "--file") },
  slackcat: { takes: words("-c --channel"), effects: hands(0) },
  swaks: { takes: words("--attach --to --from --server"), effects: hands(-1, "--attach") },
  mutt: { takes: words("-s -a -c -b -i -e"), effects: hands(-1, "-a", "-i") },
  neomutt: { takes: words("-s -a -c -b -i -e"), effects: hands(-1, "-a", "-i") },
  ipfs: { effects: handsWhen(/^add\b/, 1) },
  tailscale: { effects: handsWhen(/^file cp\b/, 2) },
  wput: { effects: hands(0) },
  ncftpput: { takes: words("-u -p -P"), effects: hands(2) },
  b2: { effects: handsWhen(/^(?:upload-file|file upload)\b/, 2) },
  s5cmd: { effects: handsWhen(/^(?:cp|mv|sync)\b.* s3:/, 1) },
  mc: { effects: handsWhen(/^(?:cp|mv|mirror)\b/, 1) },
  s3cmd: { effects: handsWhen(/^(?:put|sync)\b/, 1) },
  az: {
    takes: words("-f --file -s --source -n --name -c --container-name --account-name"),
    effects: handsWhen(/^storage (?:blob|file|fs file) upload/, 99, "-f", "--file", "-s", "--source"),
  },
  gcloud: {
    effects: ({ rest }, run) => {
      const at = rest.findIndex((word) => isOneOf(word.text, "cp mv rsync scp"));
      return isOneOf(rest[0]?.text ?? "", "storage compute") && at !== -1
        ? transfers({ flags: new Set(), values: new Map(), rest: rest.slice(at + 1) }, run)
        : [];
    },
  },
  kubectl: {
    takes: words("-n --namespace -c --container --context --kubeconfig"),
    effects: ({ rest }) => (rest[0]?.text === "cp" ? copiesWith(rest.slice(1)) : []),
  },
  oc: {
    takes: words("-n --namespace -c --container"),
    effects: ({ rest }) => (isOneOf(rest[0]?.text ?? "", "cp rsync") ? copiesWith(rest.slice(1)) : []),
  },
  telnet: { effects: sends },
  "/dev/tcp": { effects: sends },
  ping: { takes: words("-c -i -W -w -s -t -I"), effects: sends },
  ping6: { takes: ["-c", "-i", "-W"], effects: sends },
  traceroute: { effects: sends },
  whois: { takes: ["-h", "-p"], effects: sends },
  drill: { effects: sends },
  ftp: { effects: sessions },
  sftp: { takes: ["-b", "-i", "-P", "-o", "-F"], effects: sessions },
  lftp: { takes: ["-e", "-c", "-u", "-p"], effects: sessions },
  mail: { effects: mail },
  mailx: { effects: mail },
  sendmail: { effects: mail },
};
