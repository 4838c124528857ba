/** A word of a command after everything that can be known about it has been put in. */
export interface Word {
  /** Its value; with `known: false` the best guess, for telling people. */
  readonly text: string;
  /** False when part of it is only known when it runs: a variable from outside, a substitution. */
  readonly known: boolean;
  /** Has characters the shell will match against file names. */
  readonly glob: boolean;
  /** The commands whose output it is made of. */
  readonly from?: readonly Run[];
  /** With `known: false`: what it is if all that is not known is empty, as a variable nobody has set. */
  readonly emptied?: string;
}

/** Where a command's standard input comes from, when that can be told. */
export type Feed =
  | { readonly from: "text"; readonly text: string }
  | { readonly from: "commands"; readonly commands: readonly Run[] };

/** One command that will really run, whatever it was wrapped in. */
export interface Run {
  /** The program without its folder, in small letters where the system does not care. */
  readonly program: string;
  /** The program as it was called. */
  readonly called: string;
  /** The arguments behind the program. */
  readonly args: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly stdin?: Feed;
  /** The directory it runs in; nothing when that cannot be told. */
  readonly cwd?: string;
  /** What it came out of, outermost first: `sudo`, `bash -c`, `$(…)`. */
  readonly via: readonly string[];
  /** It runs somewhere else: by ssh, in a container. Its paths are not this machine's. */
  readonly elsewhere?: string;
  /** A file whose content runs: `bash script.sh`. */
  readonly script?: string;
  /** Folders of this machine that a container sees: its own path first. */
  readonly mounts?: readonly (readonly [inside: string, outside: string])[];
  /** It runs text or files that cannot be told. */
  readonly opaque?: true;
  /** What a program nobody has described seems to be asked for, or one elsewhere is about to show. */
  readonly about?: "teardown" | "publish" | "secret";
  /** Where it is told to be by its environment: the value of `RAILS_ENV` and its like. */
  readonly stage?: string;
  /** What the code of an interpreter's one-liner does. */
  readonly effects?: readonly Effect[];
}

export interface Redirect {
  readonly mode: "read" | "write" | "append";
  readonly target: Word;
  /** The descriptor, where it is neither input nor output: 2 for errors. */
  readonly fd?: number;
}

/** What a command does to the outside; paths as given, relative to the command's `cwd`. */
export type Effect =
  | {
      readonly do: "write";
      readonly path?: string;
      readonly text?: string;
      readonly append?: boolean;
      /** A script of sed changes it in place. */
      readonly sed?: { readonly script: string; readonly extended: boolean };
      /** What comes into the place if it is a folder. */
      readonly entries?: readonly string[];
      /** Where each of these, or what comes into the place itself, is copied, moved or linked from. */
      readonly from?: readonly string[];
    }
  /** Puts a patch in: its text, or the file it stands in, or one that cannot be told. */
  | {
      readonly do: "patch";
      readonly path?: string;
      readonly text?: string;
      readonly strip?: number;
      readonly folder?: string;
    }
  | { readonly do: "delete"; readonly path?: string; readonly recursive?: boolean; readonly force?: boolean }
  | { readonly do: "read"; readonly path?: string }
  | { readonly do: "fetch"; readonly url?: string; readonly sends?: boolean }
  | { readonly do: "exec"; readonly command?: string }
  /** A call of a library that may go to a cloud, a cluster or a database, for rules to judge by its name. */
  | {
      readonly do: "call";
      readonly name: string;
      /** The texts and numbers it is given. */
      readonly texts: readonly string[];
      /** The options that are switched on. */
      readonly options: readonly string[];
      /** It is given nothing, or nothing but an empty record. */
      readonly isEmpty: boolean;
    };

/** Languages whose one-liners are read. */
export type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "lua";
