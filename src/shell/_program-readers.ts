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
  xxd: { takes: ["-l", "-s", "-c"], effects: readsAll },
  hexdump: { takes: ["-n", "-s", "-e"], effects: readsAll },
  od: { takes: ["-t", "-A", "-N"], effects: readsAll },
  strings: { takes: ["-n"], effects: readsAll },
  base64: { takes: ["-w", "-i"], effects: readsAll },
  cut: { takes: ["-d", "-f", "-c"], effects: readsAll },
  diff: { effects: readsAll },
  grep: { takes: words("-e -f -m -A -B -C"), effects: readsBehindFirst },
  egrep: { takes: words("-e -f -m -A -B -C"), effects: readsBehindFirst },
  rg: { takes: words("-e -g -t -A -B -C -m"), effects: readsBehindFirst },
  awk: { takes: ["-F", "-v", "-f"], effects: readsBehindFirst },
  gawk: {
    takes: ["-F", "-v", "-f", "-i"],
    effects: (args, run) =>
      args.values.get("-i")?.some((word) => word.text === "inplace")
        ? args.rest.slice(1).map(write)
        : readsBehindFirst(args, run),
  },
  jq: { takes: ["--arg", "--argjson", "-f", "--slurpfile"], effects: readsBehindFirst },
  yq: { effects: inPlace("-i", "--inplace", "--in-place") },
  paste: { takes: ["-d"], effects: readsAll },
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
