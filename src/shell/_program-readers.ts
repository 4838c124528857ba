import {
  write,
  read,
  readsAll,
  readsBehindFirst,
  valuesOf,
  writesOption,
  optionValues,
  words,
  type Program,
} from "./_program.ts";
import { inPlace } from "./_program-files.ts";

/** Programs that leave what they make in the place an option names. */
const dumps = (...flags: string[]): Program => ({ takes: flags, effects: writesOption(...flags) });

/** On many machines one is the other. */
const awking: Program = {
  takes: ["-F", "-v", "-f", "-i"],
  effects: (args, run) =>
    args.values.get("-i")?.some((word) => word.text === "inplace")
      ? args.rest.slice(1).map(write)
      : readsBehindFirst(args, run),
};

/** Programs that show, compare or filter what is in files, and those that write some of it. */
export const readers: Readonly<Record<string, Program>> = {
  cat: { effects: readsAll },
  head: { takes: ["-n", "-c"], effects: readsAll },
  tail: { takes: ["-n", "-c"], effects: readsAll },
  less: {
    takes: ["-o", "-O", "-p"],
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o", "-O").map(write)],
  },
  more: { effects: readsAll },
  bat: { takes: ["-l", "--language", "-r"], effects: readsAll },
  nl: { effects: readsAll },
  tac: { effects: readsAll },
  xxd: {
    takes: words("-l -s -c -g -o"),
    effects: ({ rest, flags }) =>
      flags.has("-r") || [...flags].some((flag) => /^-[a-z]*r/.test(flag))
        ? [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)]
        : [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)],
  },
  hexdump: { takes: ["-n", "-s", "-e"], effects: readsAll },
  od: { takes: ["-t", "-A", "-N"], effects: readsAll },
  strings: { takes: ["-n"], effects: readsAll },
  base64: { takes: ["-w", "-i"], effects: readsAll },
  cut: { takes: ["-d", "-f", "-c"], effects: readsAll },
  diff: { effects: readsAll },
  grep: { takes: words("-e -f -m -A -B -C"), effects: readsBehindFirst },
  egrep: { takes: words("-e -f -m -A -B -C"), effects: readsBehindFirst },
  rg: { takes: words("-e -g -t -A -B -C -m"), effects: readsBehindFirst },
  awk: awking,
  gawk: awking,
  jq: { takes: ["--arg", "--argjson", "-f", "--slurpfile"], effects: readsBehindFirst },
  yq: { effects: inPlace("-i", "--inplace", "--in-place") },
  xargs: {
    takes: words("-a --arg-file -n -P -L -s -d -E -I"),
    effects: (args) => valuesOf(args, "-a", "--arg-file").map(read),
  },
  paste: { takes: ["-d"], effects: readsAll },
  column: { takes: words("-s -o -N -c"), effects: readsAll },
  rev: { effects: readsAll },
  comm: { effects: readsAll },
  join: { takes: words("-t -1 -2 -j -o -e -a -v"), effects: readsAll },
  expand: { takes: ["-t"], effects: readsAll },
  unexpand: { takes: ["-t"], effects: readsAll },
  fmt: { takes: ["-w"], effects: readsAll },
  pr: { takes: words("-h -l -w"), effects: readsAll },
  iconv: {
    takes: words("-f -t -o --output"),
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o", "--output").map(write)],
  },
  shuf: {
    takes: words("-n -o -i -e"),
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o").map(write)],
  },
  base32: { takes: ["-w"], effects: readsAll },
  basenc: { takes: ["-w"], effects: readsAll },
  uuencode: { effects: ({ rest }) => rest.slice(0, -1).map(read) },
  hd: { effects: readsAll },
  batcat: { takes: words("-l --language -r"), effects: readsAll },
  ccat: { effects: readsAll },
  glow: { effects: readsAll },
  pygmentize: { takes: words("-l -f -O"), effects: readsAll },
  most: { effects: readsAll },
  zcat: { effects: readsAll },
  bzcat: { effects: readsAll },
  xzcat: { effects: readsAll },
  gron: { effects: readsAll },
  script: { takes: words("-c -t -T --command -I -O -B"), effects: ({ rest }) => rest.slice(0, 1).map(write) },
  pg_dump: dumps("-f", "--file"),
  pg_dumpall: dumps("-f", "--file"),
  mysqldump: dumps("-r", "--result-file"),
  mongodump: dumps("-o", "--out", "--archive"),
  tcpdump: dumps("-w"),
  "yt-dlp": dumps("-o", "-P", "--output", "--paths"),
  dot: dumps("-o"),
  rustc: dumps("-o", "--out-dir"),
  ld: dumps("-o"),
  javac: dumps("-d"),
  esbuild: dumps("--outfile", "--outdir"),
  go: {
    takes: words("-o -C -ldflags -tags -run"),
    effects: (args, run) => (args.values.has("-C") ? [] : writesOption("-o")(args, run)),
  },

  fold: { takes: ["-w"], effects: readsAll },
  uniq: {
    takes: ["-f", "-s", "-w"],
    effects: ({ rest }) => [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)],
  },
  tree: { takes: ["-o", "-L", "-I", "-P"], effects: writesOption("-o") },
  sort: {
    takes: words("-o --output -k -t -T -S"),
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o", "--output").map(write)],
  },
  csplit: {
    takes: words("-f --prefix -b --suffix-format -n --digits"),
    effects: (args) => {
      const [prefix] = valuesOf(args, "-f", "--prefix");
      return [...args.rest.slice(0, 1).map(read), write(prefix ?? { text: "xx", known: true, glob: false })];
    },
  },
  split: {
    takes: ["-l", "-b", "-n", "-a", "-C"],
    effects: ({ rest }) => [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)],
  },
  openssl: {
    takes: ["-out", "-in", "-k", "-pass", "-keyout"],
    effects: (_args, run) => [
      ...optionValues(run, "-out", "-keyout").map(write),
      ...optionValues(run, "-in").map(read),
    ],
  },
  gpg: { takes: ["-o", "--output", "-r", "--recipient", "-u"], effects: writesOption("-o", "--output") },
  "ssh-keygen": {
    takes: words("-f -t -b -C -N -P -R -F"),
    effects: (args) =>
      args.flags.has("-l") || args.flags.has("-y") || args.values.has("-F")
        ? []
        : valuesOf(args, "-f").map(write),
  },
};
