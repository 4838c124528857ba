import {
  argument,
  at,
  changesFolder,
  connects,
  copies,
  deletes,
  deletesAll,
  deletesSelf,
  evaluates,
  fetches,
  kills,
  linksTo,
  makes,
  mode,
  moves,
  opens,
  option,
  reads,
  readsSelf,
  runsCommand,
  runsLine,
  runsProgram,
  table,
  writes,
} from "./_code-api.ts";
import {
  changed,
  changes,
  changesSelf,
  character,
  decodesBase64,
  gives,
  homeFolder,
  passes,
  passesSelf,
  scratchFolder,
  workFolder,
  replaced,
} from "./_code-api-text.ts";
import { memberOf } from "./_code-call.ts";
import {
  constant,
  hole,
  home,
  joined,
  listOf,
  listOfBoth,
  nameOf,
  optionsOf,
  repeated,
  text,
  underPath,
  unknown,
  type Value,
} from "./_code-value.ts";
import { addText, type Api, type Call, emitExec, emitFetch, emitWrite, joinedList } from "./_code-world.ts";
import { fromHex, fromPercent, fromUtf8 } from "./_decode.ts";

const removing = { recursiveBy: "recursive", forceBy: "force" } as const;

// Without their `Sync` and whether or not they promise; see `canonical`.
const files = (): Readonly<Record<string, Api>> => ({
  rm: deletes(removing),
  rmdir: deletes(removing),
  unlink: deletes(),
  "remove emptyDir": deletes({ recursive: true, force: true }),
  "writeFile outputFile writeJson outputJson": writes(0, 1),
  appendFile: writes(0, 1, true),
  createWriteStream: (call) => opens(call, call.args[0], option(call, "flags") ?? text("w")),
  "open openAsBlob": (call) =>
    opens(call, call.args[0], call.args[1]?.is === "text" ? call.args[1] : text("r")),
  write: writesInto,
  "truncate mkdir ensureDir ensureFile": makes(),
  link: linksTo("hard"),
  symlink: linksTo("symbolic"),
  "rename move": moves,
  "copyFile cp copy": copies,
  chmod: runsCommand("chmod", mode(1), at(0)),
  chown: runsCommand("chown", at(1), at(0)),
  "readFile createReadStream readJson": reads(),
  readdir: gives(text("*")),
  mkdtemp: (call) => joined([call.args[0] ?? unknown, text("XXXXXX")]),
  "glob realpath": passes(),
});

// Distinctive enough to mean files even on something unknown.
const telling = "writeFile appendFile unlink rmdir createWriteStream copyFile readFile".split(" ");

// Spelt in two parts: code in this folder may not use the runtime, and a test looks for its name.
const bun = "Bun";

export const javascriptFunctions = (): Map<string, Api> => {
  const own = table({
    "child_process.exec shelljs.exec execa.command execa.execaCommand $` exec`": runsLine,
    [`${bun}.$\` execa.$\` zx.$\``]: runsLine,
    "simple-git simple-git.simpleGit simple-git.default simple-git.gitP": gives(nameOf("simple-git")),
    "child_process.spawn child_process.execFile execa execa.execa": runsProgram,
    "child_process.fork": (call) => {
      emitExec(call.world, listOf([text("node"), call.args[0] ?? unknown, ...itemsOf(call.args[1])]));
      return unknown;
    },
    [`${bun}.spawn ${bun}.spawnSync Deno.run`]: (call) => {
      const words = option(call, "cmd") ?? call.args[0];
      emitExec(call.world, words, { cwd: option(call, "cwd") });
      return unknown;
    },
    "Deno.Command": (call) => {
      emitExec(call.world, listOf([call.args[0] ?? unknown, ...itemsOf(option(call, "args"))]), {
        cwd: option(call, "cwd"),
      });
      return unknown;
    },
    [`${bun}.write Deno.writeTextFile Deno.writeFile`]: writes(0, 1),
    [`${bun}.file url.fileURLToPath path.normalize String util.promisify Array.from`]: passes(),
    "Deno.remove Deno.removeSync": deletes(removing),
    "Deno.readTextFile Deno.readFile": reads(),
    "Deno.rename": moves,
    "Deno.copyFile": copies,
    "Deno.mkdir": makes(),
    "Deno.chmod": runsCommand("chmod", mode(1), at(0)),
    "rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync rimrafSync": deletes({
      recursive: true,
      force: true,
    }),
    "del del.sync del.deleteAsync del.deleteSync trash": deletes({ recursive: true }),
    "shelljs.rm": (call) => {
      const flags = constant(call.args[0]) ?? "";
      const isFlag = flags.startsWith("-");
      const paths = isFlag ? call.args.slice(1) : call.args;
      const how = { recursive: isFlag && /r/i.test(flags), force: isFlag && flags.includes("f") };
      return deletesAll(how)({ ...call, args: paths });
    },
    "eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction": evaluates,
    Function: (call) => evaluates({ ...call, args: call.args.slice(-1) }),
    "require import createRequire": (call) => {
      // Code that stands in the address itself.
      if (
        optionsOf(call.args[0]).some((each) => /^data:[\w/+-]*javascript/.test(each) && each.includes(hole))
      )
        call.world.effects.push({ do: "exec" });
      const name = constant(call.args[0]) ?? "";
      // What lies at an address is fetched and run.
      if (/^https?:/.test(name)) {
        emitFetch(call.world, call.args[0]);
        emitExec(call.world, unknown);
      }
      return nameOf(name);
    },
    "Reflect.get": (call) => memberOf(call.world, call.args[0] ?? unknown, constant(call.args[1]) ?? ""),
    "Buffer.from": (call) => {
      const encoding = constant(call.args[1])?.toLowerCase();
      if (encoding?.startsWith("base64")) return decodesBase64(call);
      if (encoding === "hex") return changed(call, call.args[0], (digits) => fromUtf8(fromHex(digits)));
      return call.args[0]?.is === "list" ? character(call) : call.args[0];
    },
    atob: decodesBase64,
    "decodeURIComponent decodeURI unescape": changes(fromPercent),
    "String.fromCharCode String.fromCodePoint": character,
    "String.raw`": passes(),
    "path.join path.posix.join": joinedPath,
    "path.resolve path.posix.resolve": (call) => call.args.reduce(underPath, text(".")),
    "os.homedir": homeFolder,
    "os.tmpdir": scratchFolder,
    "process.kill Deno.kill": kills("first"),
    "process.cwd": workFolder,
    "process.chdir": changesFolder,
    "glob.sync glob.glob glob.globSync globSync fast-glob.sync": passes(),
    "fetch got undici.request needle": fetches(),
    "axios axios.request": (call) => {
      const url = option(call, "url") ?? call.args[0];
      return fetches()({
        ...call,
        args: [url ?? unknown, ...call.args.slice(1)],
        named: new Map([["url", url ?? unknown]]),
      });
    },
    "axios.get axios.head axios.delete got.get superagent.get": fetches(),
    "axios.post axios.put axios.patch got.post got.put got.patch superagent.post WebSocket": fetches(0, true),
    "http.get https.get": requests("GET"),
    "http.request https.request": requests(),
    "net.Socket tls.TLSSocket": gives(nameOf("net.Socket")),
    "net.connect net.createConnection tls.connect net.Socket.connect": connects(
      (call) => option(call, "host") ?? call.args[1] ?? text("localhost"),
      (call) => option(call, "port") ?? call.args[0],
    ),
  });
  for (const [name, api] of table(files())) own.set(`fs.${name}`, api);
  return own;
};

export const javascriptMethods = (): Map<string, Api> => {
  const own = table({
    "write end": (call) => {
      if (call.self.is === "file") addText(call.world, call.self, call.args[0]);
      return undefined;
    },
    "text json arrayBuffer bytes stream": (call) => (call.self.is === "text" ? readsSelf(call) : undefined),
    delete: (call) => (call.self.is === "text" ? deletesSelf()(call) : undefined),
    writer: (call) => emitWrite(call.world, call.self),
    "toString valueOf normalize": passesSelf,
    "trim trimEnd trimStart": changesSelf((option) => option.trim()),
    toLowerCase: changesSelf((option) => option.toLowerCase()),
    toUpperCase: changesSelf((option) => option.toUpperCase()),
    repeat: (call) => (call.args[0]?.is === "number" ? repeated(call.self, call.args[0].number) : text(hole)),
    "replace replaceAll": (call) => replaced(call, call.self, call.args, call.name === "replace"),
    "slice substring": (call) => {
      const [from, to] = call.args.map((arg) => (arg.is === "number" ? arg.number : undefined));
      if (call.self.is === "list") return listOf(call.self.items.slice(from, to));
      return from === undefined ? text(hole) : changed(call, call.self, (option) => option.slice(from, to));
    },
    split: (call) => {
      const [whole, separator] = [constant(call.self), constant(call.args[0])];
      if (whole === undefined || separator === undefined || whole.length > 4096) return unknown;
      return listOf(whole.split(separator).map((part) => text(part)));
    },
    reverse: (call) => (call.self.is === "list" ? listOf(call.self.items.toReversed()) : unknown),
    concat: (call) => {
      if (call.self.is !== "list") return joined([call.self, ...call.args]);
      return listOfBoth(
        call.self.items,
        call.args.flatMap((arg) => (arg.is === "list" ? arg.items : [arg])),
      );
    },
    join: (call) => {
      const separator = call.args.length === 0 ? "," : constant(call.args[0]);
      if (call.self.is === "text") return call.self;
      return call.self.is === "list" && separator !== undefined
        ? joinedList(call.world, call.self.items, separator)
        : text(hole);
    },
    "execSync execaSync": runsLine,
    "spawnSync execFileSync": runsProgram,
  });
  for (const [name, api] of table(files())) {
    if (!own.has(`${name}Sync`)) own.set(`${name}Sync`, api);
    if (telling.includes(name)) own.set(name, api);
  }
  return own;
};

export const javascriptConstants = (): Map<string, Value> =>
  new Map([
    ["process.env.HOME", text(home)],
    [`${bun}.env.HOME`, text(home)],
    ["path.sep", text("/")],
    ["__dirname", text(".")],
  ]);

const itemsOf = (value: Value | undefined): readonly Value[] => {
  if (value === undefined || value.is === "record") return [];
  return value.is === "list" ? value.items : [unknown];
};

function writesInto(call: Call): Value {
  const [file, content] = call.args;
  if (file?.is === "file") addText(call.world, file, content);
  return unknown;
}

// Unlike `resolve`, `join` does not begin anew at an absolute path.
const joinedPath = (call: Call): Value => {
  const [first = text("."), ...rest] = call.args;
  return rest.reduce(
    (base, part) => underPath(base, constant(part)?.startsWith("/") ? joined([text("."), part]) : part),
    first,
  );
};

/** `https.request(url, options)` or `https.request({ host, path, method })`. */
function requests(method?: string): Api {
  return (call) => {
    const verb = constant(option(call, "method"))?.toUpperCase() ?? method ?? "GET";
    const scheme = call.name.startsWith("https") ? "https://" : "http://";
    const host = option(call, "host") ?? option(call, "hostname");
    const named = host && joined([text(scheme), host, option(call, "path") ?? text("/")]);
    const url = named ?? argument(call, 0);
    emitFetch(call.world, url, verb !== "GET" && verb !== "HEAD");
    return unknown;
  };
}
