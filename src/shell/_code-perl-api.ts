import {
  at,
  changesFolder,
  connects,
  copies,
  deletesAll,
  deletesSelf,
  evaluates,
  fetches,
  kills,
  linksTo,
  makes,
  makesSelf,
  moves,
  option,
  readsSelf,
  runs,
  runsCommand,
  table,
  writes,
  writesSelf,
} from "./_code-api.ts";
import {
  changed,
  changes,
  character,
  decodesBase64,
  gives,
  joinsPath,
  passes,
  passesSelf,
  scratchName,
  workFolder,
  formatted,
} from "./_code-api-text.ts";
import {
  constant,
  hole,
  home,
  joined,
  listOf,
  nameOf,
  optionsOf,
  text,
  unknown,
  type Value,
} from "./_code-value.ts";
import { type Api, type Call, emitExec, emitFetch, emitRead, emitWrite } from "./_code-world.ts";
import { fromBase64, fromHex, fromUtf8, reversed } from "./_decode.ts";

export const perlFunctions = (): Map<string, Api> =>
  table({
    "unlink rmdir": deletesAll(),
    "rmtree remove_tree": deletesAll({ recursive: true }),
    "rename move mv": moves,
    "copy cp": copies,
    "mkdir mkpath make_path truncate": makes(),
    symlink: linksTo("symbolic"),
    link: linksTo("hard"),
    chmod: runsCommand("chmod", octal, paths(1)),
    chown: runsCommand("chown", at(0), paths(2)),
    "open sysopen": opensPerl,
    "IO::File.new": (call) => byMode(call, call.args[1] ?? text("<"), call.args.slice(0, 1)),
    "system exec": runs,
    kill: kills("behind"),
    connect: (call) => {
      emitFetch(call.world, joined([text("tcp://"), unknown]), true);
      return unknown;
    },
    readpipe: runs,
    "open3 open2": (call) => runs({ ...call, args: call.args.slice(call.name === "open3" ? 3 : 2) }),
    syscall: (call) => {
      call.world.effects.push({ do: "exec" });
      return unknown;
    },
    eval: evaluates,
    "find finddepth File::Find::find File::Find::finddepth": (call) => {
      // What its function does to a file nobody has named, it does to all in the folder.
      const { effects } = call.world;
      for (const folder of call.args.slice(1).flatMap(optionsOf))
        for (const [at, effect] of effects.entries())
          if (effect.do === "delete" && effect.path === undefined && !folder.includes(hole))
            effects[at] = { ...effect, path: `${folder.replace(home, "~")}/*`, recursive: true };
      return unknown;
    },
    chdir: changesFolder,
    "glob path Path::Tiny::path": passes(),
    "cwd getcwd Cwd::cwd Cwd::getcwd": workFolder,
    "tempdir tmpnam": scratchName,
    "File::Spec.catfile File::Spec.catdir": joinsPath,
    decode_base64: decodesBase64,
    pack: packed,
    unpack: (call) => (constant(call.args[0])?.startsWith("u") ? text(hole) : (call.args[1] ?? unknown)),
    reverse: (call) =>
      call.args.length === 1 ? changed(call, call.args[0], reversed) : listOf(call.args.toReversed()),
    join: (call) => {
      const separator = constant(call.args[0]);
      return separator === undefined ? text(hole) : joined(call.args.slice(1), separator);
    },
    sprintf: (call) => formatted(call.world, call.args),
    lc: changes((option) => option.toLowerCase()),
    uc: changes((option) => option.toUpperCase()),
    chr: character,
    "get getprint head": (call) => (isAddress(call.args[0]) ? fetches()(call) : undefined),
    "getstore mirror": (call) => {
      emitFetch(call.world, call.args[0]);
      emitWrite(call.world, call.args[1]);
      return unknown;
    },
    "LWP::UserAgent.new HTTP::Tiny.new WWW::Mechanize.new Mojo::UserAgent.new": gives(nameOf("LWP")),
    "LWP.get LWP.head LWP.delete": fetches(),
    "LWP.post LWP.put LWP.patch LWP.post_form": fetches(0, true),
    "LWP.request": fetches(1, true),
    "LWP.mirror": (call) => {
      emitFetch(call.world, call.args[0]);
      emitWrite(call.world, call.args[1]);
      return unknown;
    },
    "IO::Socket::INET.new IO::Socket::SSL.new IO::Socket::IP.new": connects(
      (call) => option(call, "PeerAddr") ?? option(call, "PeerHost") ?? call.args[0],
      (call) => option(call, "PeerPort"),
    ),
  });

export const perlMethods = (): Map<string, Api> =>
  table({
    "remove unlink": (call) => (call.self.is === "text" ? deletesSelf()(call) : undefined),
    remove_tree: deletesSelf({ recursive: true }),
    "spew spew_utf8 spew_raw": writesSelf,
    "append append_utf8": (call) =>
      call.self.is === "text" ? writes(0, 1, true)({ ...call, args: [call.self, ...call.args] }) : undefined,
    "slurp slurp_utf8 lines": (call) => (call.self.is === "text" ? readsSelf(call) : undefined),
    "touch mkpath": (call) => (call.self.is === "text" ? makesSelf(call) : undefined),
    "stringify child": passesSelf,
  });

export const perlConstants = (): Map<string, Value> => new Map([["$ENV.HOME", text(home)]]);

const isAddress = (value: Value | undefined): boolean =>
  optionsOf(value).some((each) => /^\w+:\/\//.test(each));

function octal(call: Call): Value | undefined {
  const [mode] = call.args;
  return mode?.is === "number" ? text(mode.number.toString(8)) : mode;
}

function paths(from: number) {
  return (call: Call): Value => listOf(call.args.slice(from));
}

/** `open(F, ">x")` and `open(my $f, ">", "x")`; with a bar it is a command. */
function opensPerl(call: Call): Value {
  const [, mode, ...rest] = call.args;
  if (rest.length > 0 && call.name === "open") return byMode(call, mode, rest);
  if (call.name === "sysopen") return byMode(call, text("+<"), [mode ?? unknown]);
  let file: Value = unknown;
  for (const each of optionsOf(mode)) {
    const [, how = "", name = ""] = /^\s*(\||\+?[<>]{0,2})\s*(.*)$/s.exec(each.trimEnd()) ?? [];
    if (how === "|") emitExec(call.world, text(name), { input: unknown });
    else if (name.endsWith("|") && how === "") emitExec(call.world, text(name.slice(0, -1)));
    else file = byMode(call, text(how), [text(name)]);
  }
  return file;
}

function byMode(call: Call, mode: Value | undefined, rest: readonly Value[]): Value {
  const how = constant(mode) ?? "?";
  const [path] = rest;
  if (how.includes("|")) {
    emitExec(
      call.world,
      rest.length === 1 ? path : listOf(rest),
      how.startsWith("|") ? { input: unknown } : {},
    );
    return unknown;
  }
  if (/[>+?wa]/.test(how))
    return emitWrite(call.world, path, undefined, how.startsWith(">>") || how.startsWith("a"));
  emitRead(call.world, path);
  return unknown;
}

/** `pack("H*", "726d")` and `pack("C*", 114, 109)`. */
function packed(call: Call): Value {
  const [template, ...values] = call.args;
  const kind = constant(template)?.trim() ?? "";
  if (/^[hH]/.test(kind)) return changed(call, values[0], (digits) => fromUtf8(fromHex(digits)));
  if (/^[cCUW]/.test(kind)) return character({ ...call, args: values });
  if (/^[aA]/.test(kind)) return values[0] ?? text(hole);
  return kind.startsWith("m") ? changed(call, values[0], (each) => fromUtf8(fromBase64(each))) : text(hole);
}
