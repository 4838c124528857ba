import {
  at,
  changesFolder,
  connects,
  copies,
  deletes,
  evaluates,
  fetches,
  kills,
  linksTo,
  makes,
  mode,
  moves,
  opens,
  reads,
  runs,
  runsCommand,
  runsLine,
  table,
  writes,
} from "./_code-api.ts";
import {
  changed,
  changes,
  character,
  decodesBase64,
  decodesHex,
  decodesRot13,
  gives,
  passes,
  passesSelf,
  reverses,
  scratchFolder,
  scratchName,
  variable,
  word,
  workFolder,
  replaced,
  formatted,
} from "./_code-api-text.ts";
import { invoke } from "./_code-call.ts";
import {
  constant,
  elementOf,
  hole,
  home,
  joined,
  listOf,
  nameOf,
  optionsOf,
  text,
  underPath,
  unknown,
  type Value,
} from "./_code-value.ts";
import { addText, type Api, emitExec, emitFetch, emitRead, joinedList } from "./_code-world.ts";
import { fromPercent } from "./_decode.ts";

export const isAddress = (path: string): boolean => /^(?:https?|ftps?):\/\//i.test(path);

export const phpFunctions = (): Map<string, Api> =>
  table({
    "unlink rmdir": deletes(),
    rename: moves,
    "copy move_uploaded_file": (call) => {
      if (!optionsOf(call.args[0]).some(isAddress)) return copies(call);
      emitFetch(call.world, call.args[0]);
      return writes(1)(call);
    },
    "mkdir touch": makes(),
    posix_kill: kills("first"),
    symlink: linksTo("symbolic"),
    link: linksTo("hard"),
    chmod: runsCommand("chmod", mode(1), at(0)),
    "chown chgrp lchown": runsCommand("chown", at(1), at(0)),
    file_put_contents: (call) =>
      writes(0, 1, call.args[2]?.is === "name" && /append/i.test(call.args[2].name))(call),
    "file_get_contents file readfile fopen parse_ini_file": (call) => {
      const [path] = call.args;
      if (optionsOf(path).some(isAddress)) emitFetch(call.world, path);
      else if (call.name === "fopen") return opens(call, path, call.args[1]);
      else emitRead(call.world, path);
      return unknown;
    },
    "highlight_file show_source": reads(),
    "fwrite fputs": (call) => {
      const [file, content] = call.args;
      if (file?.is === "file") addText(call.world, file, content);
      return unknown;
    },
    "system exec shell_exec passthru": runsLine,
    proc_open: (call) => {
      emitExec(call.world, call.args[0], { cwd: call.args[3], input: unknown });
      return unknown;
    },
    popen: (call) => {
      emitExec(call.world, call.args[0], constant(call.args[1])?.startsWith("w") ? { input: unknown } : {});
      return unknown;
    },
    pcntl_exec: (call) => runs({ ...call, args: call.args.slice(0, 2) }),
    "eval assert": evaluates,
    create_function: (call) => evaluates({ ...call, args: call.args.slice(1) }),
    "call_user_func call_user_func_array": (call) => {
      const [apply = unknown, ...args] = call.args;
      const [list] = args;
      return invoke(
        call.world,
        apply,
        call.name.endsWith("array") && list?.is === "list" ? list.items : args,
      );
    },
    array_map: (call) => {
      const [apply = unknown, over = unknown] = call.args;
      const rounds = over.is === "list" ? over.items.slice(0, 256) : [elementOf(over)];
      return listOf(rounds.map((each) => invoke(call.world, apply, [each])));
    },
    array_walk: (call) => invoke(call.world, call.args[1] ?? unknown, [elementOf(call.args[0] ?? unknown)]),
    array: (call) => listOf(call.args),
    "glob realpath strval trim": passes(),
    scandir: gives(text("*")),
    "recursivedirectoryiterator directoryiterator filesystemiterator globiterator": (call) =>
      underPath(call.args[0] ?? unknown, text("*")),
    "recursiveiteratoriterator iteratoriterator callbackfilteriterator regexiterator": passes(),
    dirname: changes((path) => path.replace(/\/[^/]*$/, "")),
    sys_get_temp_dir: scratchFolder,
    tempnam: scratchName,
    getcwd: workFolder,
    chdir: changesFolder,
    getenv: variable,
    escapeshellarg: (call) => word(call.args[0] ?? unknown),
    "implode join": (call) => {
      const separator = constant(call.args[0]);
      const [, list] = call.args;
      return list?.is === "list" && separator !== undefined
        ? joinedList(call.world, list.items, separator)
        : text(hole);
    },
    "sprintf vsprintf": (call) => formatted(call.world, call.args),
    chr: character,
    strtolower: changes((option) => option.toLowerCase()),
    strtoupper: changes((option) => option.toUpperCase()),
    strrev: reverses,
    str_rot13: decodesRot13,
    base64_decode: decodesBase64,
    hex2bin: decodesHex,
    pack: (call) =>
      constant(call.args[0])?.startsWith("H")
        ? decodesHex({ ...call, args: call.args.slice(1) })
        : text(hole),
    "urldecode rawurldecode": changes(fromPercent),
    str_replace: (call) => replaced(call, call.args[2] ?? unknown, call.args),
    curl_init: (call) => nameOf("curl", call.args[0]),
    curl_setopt: (call) => {
      const [, name, value] = call.args;
      if (name?.is === "name" && name.name === "CURLOPT_URL") emitFetch(call.world, value);
      else if (name?.is === "name" && /POST|UPLOAD|INFILE/.test(name.name))
        emitFetch(call.world, addressOf(call.args[0]), true);
      return unknown;
    },
    curl_exec: (call) => {
      emitFetch(call.world, addressOf(call.args[0]));
      return unknown;
    },
    get_headers: fetches(),
    "fsockopen pfsockopen": connects(at(0), at(1)),
    stream_socket_client: connects((call) =>
      changed(call, call.args[0], (place) => place.replace(/^\w+:\/\//, "")),
    ),
    mail: (call) => {
      emitFetch(call.world, joined([text("mailto:"), call.args[0] ?? unknown]), true);
      return unknown;
    },
  });

// Methods of objects are the business of their classes; nothing of PHP's own writes files by them without a name
// that is looked at above. What an iterator over a folder gives is a path.
export const phpMethods = (): Map<string, Api> => table({ "getpathname getrealpath __tostring": passesSelf });

export const phpConstants = (): Map<string, Value> =>
  new Map([
    ["$_ENV.HOME", text(home)],
    ["$_SERVER.HOME", text(home)],
    ["__DIR__", text(".")],
    ["PHP_EOL", text("\n")],
    ["DIRECTORY_SEPARATOR", text("/")],
  ]);

const addressOf = (handle: Value | undefined): Value | undefined =>
  handle?.is === "name" ? handle.self : undefined;
