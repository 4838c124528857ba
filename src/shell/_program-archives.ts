import type { Word } from "./model.ts";
import { write, read, remove, valuesOf, words, type Sorted, type Row, type Program } from "./_program.ts";

const archives: Row = (args, run) => {
  const letters = run.args
    .map((arg) => arg.text)
    .filter((text, at) => /^-[a-zA-Z]+$/.test(text) || (at === 0 && /^[a-zA-Z]+$/.test(text)))
    .join("");
  // The letters may stand without a dash in front, and the archive behind them: `tar czf - src`.
  const bundle = run.args[0]?.text.startsWith("-") ? undefined : run.args[0];
  const file =
    valuesOf(args, "-f", "--file")[0] ?? (bundle && /f/.test(bundle.text) ? args.rest[1] : undefined);
  const [folder] = valuesOf(args, "-C", "--directory");
  if (/x/.test(letters) || args.flags.has("--extract"))
    return members(args, file, folder).length > 0
      ? members(args, file, folder).map(write)
      : [
          write(
            folder ?? {
              text: /P/.test(letters) || args.flags.has("--absolute-names") ? "/" : ".",
              known: true,
              glob: false,
            },
          ),
        ];
  if (args.flags.has("--remove-files"))
    return args.rest
      .filter((word) => word !== file && word !== bundle)
      .map((word) =>
        remove(
          folder && !word.text.startsWith("/") ? { ...word, text: `${folder.text}/${word.text}` } : word,
          true,
        ),
      );
  if (/c/.test(letters) || args.flags.has("--create"))
    return [
      ...args.rest.filter((word) => word !== file && word !== bundle).map(read),
      ...(file && file.text !== "-" ? [write(file)] : []),
    ];
  return [];
};

/** The files an archive is asked for by name. */
function members(args: Sorted, file: Word | undefined, folder: Word | undefined): Word[] {
  const named = args.rest.filter(
    (word) =>
      word !== file && !/^[a-zA-Z]+$/.test(word.text) && !/\.(?:tar|tgz|gz|xz|bz2|zst|zip)$/.test(word.text),
  );
  return named.map((word) => (folder ? { ...word, text: `${folder.text}/${word.text}` } : word));
}

const compressors: Row = ({ flags, rest }) =>
  flags.has("-c") || flags.has("--stdout") || flags.has("-t") || flags.has("-l")
    ? rest.map(read)
    : rest.flatMap((word) => [write(word)]);

/** Programs that pack and unpack. */
export const archivePrograms: Readonly<Record<string, Program>> = {
  tar: {
    takes: words("-f --file -C --directory --exclude -T -I --transform --strip-components"),
    effects: archives,
  },
  gtar: { takes: words("-f --file -C --directory --exclude -T -I"), effects: archives },
  bsdtar: { takes: ["-f", "--file", "-C", "--directory"], effects: archives },
  unzip: {
    takes: ["-d", "-x", "-P"],
    effects: (args) => {
      if (args.flags.has("-l") || args.flags.has("-p") || args.flags.has("-t")) return [];
      const folder = valuesOf(args, "-d")[0] ?? { text: ".", known: true, glob: false };
      // Behind the archive stand the members that are wanted; all of them, if none does.
      const members = args.rest.slice(1).map((word) => ({ ...word, text: `${folder.text}/${word.text}` }));
      return members.length > 0 ? members.map(write) : [write(folder)];
    },
  },
  zip: {
    takes: ["-P", "-x", "-i", "-b"],
    effects: ({ rest, flags }) => [
      ...rest.slice(0, 1).map(write),
      ...rest
        .slice(1)
        .map((word) => (flags.has("-m") || flags.has("--move") ? remove(word, true) : read(word))),
    ],
  },
  cpio: {
    takes: ["-D", "--directory", "-F", "-O", "-I"],
    effects: (args) =>
      args.flags.has("-i") || args.flags.has("--extract")
        ? [write(valuesOf(args, "-D", "--directory")[0] ?? { text: ".", known: true, glob: false })]
        : [],
  },
  "7z": {
    effects: ({ rest, flags }) =>
      rest[0]?.text === "a"
        ? [
            ...rest.slice(1, 2).map(write),
            ...(flags.has("-sdel")
              ? rest.slice(2).map((word) => remove(word, true))
              : rest.slice(2).map(read)),
          ]
        : [],
  },
  gzip: { effects: compressors },
  gunzip: { effects: compressors },
  xz: { effects: compressors },
  unxz: { effects: compressors },
  bzip2: { effects: compressors },
  zstd: { effects: compressors },
};
