import { posix } from "node:path";
import {
  argument,
  at,
  changesFolder,
  connects,
  copies,
  deletes,
  evaluates,
  fetches,
  isOn,
  kills,
  linksTo,
  makes,
  mode,
  moves,
  opens,
  option,
  reads,
  runs,
  runsCommand,
  runsLine,
  table,
  writes,
} from "./_code-api.ts";
import {
  atHome,
  changed,
  changes,
  character,
  decodesBase64,
  decodesHex,
  gives,
  homeFolder,
  joinsPath,
  passes,
  reverses,
  scratchFolder,
  scratchName,
  variable,
  word,
  workFolder,
} from "./_code-api-text.ts";
import { invoke, lastName, memberOf } from "./_code-call.ts";
import {
  constant,
  elementOf,
  hole,
  home,
  itemOf,
  joined,
  listOf,
  nameOf,
  optionsOf,
  text,
  underPath,
  unknown,
  type Value,
} from "./_code-value.ts";
import { type Api, type Call, emitExec, emitFetch, emitWrite, joinedList } from "./_code-world.ts";
import { fromHex, fromPercent, fromUtf8, rot13 } from "./_decode.ts";

export const pythonFunctions = (): Map<string, Api> =>
  table({
    "os.remove os.unlink os.rmdir os.removedirs": deletes(),
    "shutil.rmtree": deletes({ recursive: true, forceBy: "ignore_errors" }),
    "os.rename os.renames os.replace shutil.move": moves,
    "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree": copies,
    "os.link": linksTo("hard"),
    "os.symlink": linksTo("symbolic"),
    "shelve.open dbm.open": makes(),
    "logging.basicConfig": (call) => {
      const file = argument(call, 9, "filename");
      if (file) emitWrite(call.world, file, undefined, true);
      return unknown;
    },
    "logging.FileHandler logging.handlers.RotatingFileHandler": makes(),
    "fileinput.input fileinput.FileInput": (call) => {
      const isInPlace = isOn(call, "inplace");
      const files = argument(call, 0, "files");
      for (const file of files?.is === "list" ? files.items : [files])
        if (isInPlace) emitWrite(call.world, file);
      return unknown;
    },
    "os.mkdir os.makedirs os.truncate os.mknod os.mkfifo": makes(),
    "os.kill": kills("first"),
    "os.chmod": runsCommand("chmod", mode(1), at(0)),
    "os.chown shutil.chown": runsCommand("chown", at(1), at(0)),
    "open io.open codecs.open gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open os.open": (call) =>
      opens(call, argument(call, 0, "file", "name"), argument(call, 1, "mode", "flags")),
    "numpy.save numpy.savetxt np.save np.savetxt": writes(),
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput": runsLine,
    "asyncio.create_subprocess_shell pty.spawn invoke.run": runsLine,
    "git.Repo git.repo.Repo": gives(nameOf("git.Repo")),
    "git.Git": gives(nameOf("git.Git")),
    "fabric.Connection": (call) => nameOf("fabric.connection", call.args[0] ?? unknown),
    "fabric.connection.run fabric.connection.sudo": (call) => {
      emitExec(call.world, listOf([text("ssh"), call.self, call.args[0] ?? unknown]));
      return unknown;
    },
    "asyncio.create_subprocess_exec": runs,
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen":
      runsProcess,
    "os.execl os.execlp os.execle os.execlpe": replaces(0, false),
    "os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp": replaces(0, true),
    "os.spawnl os.spawnlp os.spawnle os.spawnlpe": replaces(1, false),
    "os.spawnv os.spawnvp os.spawnve os.spawnvpe": replaces(1, true),
    "exec eval": evaluates,
    "compile str bytes bytearray os.fspath os.fsdecode os.fsencode memoryview": passes(),
    "list tuple set sorted iter io.StringIO io.BytesIO": passes(),
    "os.path.abspath os.path.realpath os.path.normpath shlex.split textwrap.dedent": passes(),
    filter: passes(1),
    map: (call) => {
      const [apply = unknown, over = unknown] = call.args;
      const rounds = over.is === "list" ? over.items.slice(0, 256) : [elementOf(over)];
      return listOf(rounds.map((each) => invoke(call.world, apply, [each])));
    },
    reversed: (call) => {
      const [value] = call.args;
      return value?.is === "list" ? listOf(value.items.toReversed()) : reverses(call);
    },
    enumerate: (call) => listOf([listOf([unknown, elementOf(call.args[0] ?? unknown)])]),
    "os.path.expanduser os.path.expandvars": changes((path) =>
      atHome(path.replace(/^\$(?:HOME|\{HOME\})/, "~")),
    ),
    "os.path.join pathlib.Path pathlib.PurePath pathlib.PosixPath": (call) =>
      call.args.length === 0 ? text(".") : joinsPath(call),
    "os.path.dirname": changes((path) => posix.dirname(path)),
    "os.path.basename": changes((path) => posix.basename(path)),
    "pathlib.Path.home": homeFolder,
    "pathlib.Path.cwd os.getcwd os.getcwdb": workFolder,
    "os.environ.get os.getenv": variable,
    "glob.glob glob.iglob": passes(),
    "os.listdir": gives(text("*")),
    "os.scandir": (call) => underPath(call.args[0] ?? text("."), text("*")),
    "os.walk": (call) => listOf([listOf([call.args[0] ?? unknown, text("*"), text("*")])]),
    "os.chdir": changesFolder,
    "tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory": scratchName,
    "tempfile.gettempdir": scratchFolder,
    "shlex.quote": (call) => word(call.args[0] ?? unknown),
    "shlex.join": (call) =>
      call.args[0]?.is === "list" ? joinedList(call.world, call.args[0].items.map(word), " ") : text(hole),
    chr: character,
    "base64.b64decode base64.standard_b64decode base64.urlsafe_b64decode base64.decodebytes": decodesBase64,
    "base64.decodestring binascii.a2b_base64": decodesBase64,
    "bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex base64.b16decode": decodesHex,
    "codecs.decode": (call) => {
      const codec = constant(call.args[1])?.replace(/[-_]/g, "");
      if (codec?.startsWith("rot")) return changed(call, call.args[0], rot13);
      if (codec?.startsWith("hex")) return changed(call, call.args[0], (option) => fromUtf8(fromHex(option)));
      return codec?.startsWith("base64") ? decodesBase64(call) : unknown;
    },
    "urllib.parse.unquote urllib.unquote": changes(fromPercent),
    // Of a dotted name it gives the first part.
    "__import__ importlib.__import__": (call) => nameOf((constant(call.args[0]) ?? "").replace(/\..*$/, "")),
    "importlib.import_module": (call) => nameOf(constant(call.args[0]) ?? ""),
    "getattr operator.attrgetter": (call) => {
      const [of = unknown, name] = call.args;
      const known = constant(name);
      return known === undefined ? unknown : memberOf(call.world, of, known);
    },
    "globals locals vars": gives(nameOf("builtins")),
    "urllib.request.urlopen urllib.urlopen urllib2.urlopen webbrowser.open": (call) => {
      emitFetch(call.world, argument(call, 0, "url"), argument(call, 1, "data") !== undefined);
      return unknown;
    },
    "urllib.request.Request urllib2.Request": (call) => {
      if (argument(call, 1, "data") !== undefined) emitFetch(call.world, call.args[0], true);
      return call.args[0];
    },
    "urllib.request.urlretrieve urllib.urlretrieve wget.download": (call) => {
      emitFetch(call.world, argument(call, 0, "url"));
      if (argument(call, 1, "filename") !== undefined) emitWrite(call.world, argument(call, 1, "filename"));
      return unknown;
    },
    "requests.get requests.head requests.options requests.delete requests.ws_connect": fetches(),
    "requests.post requests.put requests.patch": fetches(0, true),
    "dotenv.dotenv_values": (call) =>
      reads()(call.args.length > 0 ? call : { ...call, args: [text(".env")] }),
    "requests.request requests.stream": (call) => {
      const verb = constant(call.args[0])?.toUpperCase();
      return fetches(1, verb !== "GET" && verb !== "HEAD")(call);
    },
    "requests.Session requests.session requests.Client requests.AsyncClient requests.ClientSession": gives(
      nameOf("requests"),
    ),
    "http.client.HTTPConnection": (call) =>
      nameOf("http.client.open", joined([text("http://"), call.args[0] ?? unknown])),
    "http.client.HTTPSConnection": (call) =>
      nameOf("http.client.open", joined([text("https://"), call.args[0] ?? unknown])),
    "http.client.open.request": (call) => {
      const verb = constant(call.args[0])?.toUpperCase();
      const isPlain = (verb === "GET" || verb === "HEAD") && argument(call, 2, "body") === undefined;
      emitFetch(call.world, underHost(call.self, call.args[1]), !isPlain);
      return unknown;
    },
    "socket.socket ssl.wrap_socket": gives(nameOf("socket")),
    "socket.connect socket.connect_ex socket.create_connection": connectsPair,
    "smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP telnetlib.Telnet": connects(at(0)),
  });

function runsProcess(call: Call): Value {
  const command = argument(call, 0, "args");
  // With a shell only the first word of a list is the command line.
  const line = isOn(call, "shell") && command?.is === "list" ? itemOf(command, 0) : command;
  const stdin = option(call, "stdin");
  const piped = stdin?.is === "name" && stdin.name.endsWith("PIPE") ? unknown : undefined;
  emitExec(call.world, line, { cwd: option(call, "cwd"), input: option(call, "input") ?? piped });
  return unknown;
}

/** `os.execl("/bin/rm", "rm", "-rf", "x")` and its relatives; the second word is only what it is called. */
function replaces(first: number, inList: boolean): Api {
  return (call) => {
    const program = call.args[first] ?? unknown;
    const rest = call.args[first + 1];
    const words = inList
      ? rest?.is === "list"
        ? rest.items.slice(1)
        : [unknown]
      : call.args.slice(first + 2);
    const withoutEnvironment = lastName(call.name).includes("le") ? words.slice(0, -1) : words;
    emitExec(call.world, listOf([program, ...withoutEnvironment]));
    return unknown;
  };
}

function connectsPair(call: Call): Value {
  const [place = unknown] = call.args;
  emitFetch(call.world, joined([text("tcp://"), itemOf(place, 0), text(":"), itemOf(place, 1)]), true);
  return unknown;
}

const underHost = (host: Value, path: Value | undefined): Value => joined([host, path ?? text("/")]);

/** `.parent` and its like, of paths; what `os.scandir` gives is a path too. */
export function pythonProperty(value: Value, name: string): Value | undefined {
  if (value.is !== "text") return undefined;
  const change = { parent: posix.dirname, name: posix.basename, path: String }[name];
  if (change === undefined) return undefined;
  return text(...optionsOf(value).map((option) => (option.includes(hole) ? hole : change(option))));
}

export const pythonConstants = (): Map<string, Value> =>
  new Map([
    ["os.environ.HOME", text(home)],
    ["os.sep", text("/")],
    ["os.path.sep", text("/")],
    ["os.curdir", text(".")],
    ["os.pardir", text("..")],
    ["os.devnull", text("/dev/null")],
  ]);
