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
  opens,
  reads,
  readsSelf,
  runs,
  runsCommand,
  runsLine,
  table,
  writes,
  writesSelf,
} from "./_code-api.ts";
import {
  atHome,
  changed,
  changes,
  changesSelf,
  character,
  decodesBase64,
  homeFolder,
  joinsPath,
  passes,
  passesSelf,
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
import { addText, type Api, type Call, emitExec, emitFetch, joinedList } from "./_code-world.ts";
import { fromBase64, fromHex, fromPercent, fromUtf8, reversed } from "./_decode.ts";

export const rubyFunctions = (): Map<string, Api> =>
  table({
    "Process.kill": kills("behind"),
    "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rmdir FileUtils.remove":
      deletesAll({
        forceBy: "force",
      }),
    "FileUtils.rm_f FileUtils.safe_unlink": deletesAll({ force: true }),
    "FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure": deletesAll({
      recursive: true,
      forceBy: "force",
    }),
    "FileUtils.rm_rf FileUtils.rmtree": deletesAll({ recursive: true, force: true }),
    "File.rename FileUtils.mv FileUtils.move": moves,
    "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.copy_file FileUtils.copy_entry FileUtils.install IO.copy_stream":
      copies,
    "FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs FileUtils.touch Dir.mkdir File.truncate File.mkfifo":
      makes(),
    "File.symlink FileUtils.ln_s FileUtils.ln_sf": linksTo("symbolic"),
    "File.link FileUtils.ln": linksTo("hard"),
    "File.chmod FileUtils.chmod FileUtils.chmod_R": runsCommand("chmod", flag, mode, paths(1)),
    "File.chown FileUtils.chown FileUtils.chown_R": runsCommand("chown", flag, at(0), paths(2)),
    "File.write IO.write File.binwrite IO.binwrite": (call) =>
      writes(0, 1, constant(call.named.get("mode"))?.startsWith("a"))(call),
    "File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread IO.binread YAML.load_file":
      reads(),
    "File.open File.new": (call) => opens(call, call.args[0], call.args[1] ?? call.named.get("mode")),
    "open URI.open": (call) => {
      const [target] = call.args;
      const [first = ""] = optionsOf(target);
      if (/^\s*\|/.test(first))
        emitExec(
          call.world,
          changed(call, target, (line) => line.replace(/^\s*\|\s*/, "")),
        );
      else if (/^\w+:\/\//.test(first) || call.name !== "open") emitFetch(call.world, target);
      else return opens(call, target, call.args[1] ?? call.named.get("mode"));
      return unknown;
    },
    "system exec spawn Process.spawn Process.exec PTY.spawn IO.popen": popens,
    "Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen3 Open3.popen2e Open3.pipeline":
      runs,
    "` sh": runsLine,
    "send public_send __send__ method": (call) => {
      const [name, ...args] = call.args;
      const known = constant(name);
      if (known === undefined) return unknown;
      return call.name === "method" ? nameOf(known) : invoke(call.world, nameOf(known), args, call.named);
    },
    "eval instance_eval class_eval RubyVM.InstructionSequence.compile": evaluates,
    const_get: (call) => nameOf(constant(call.args[0]) ?? ""),
    "File.join Pathname.new Pathname": joinsPath,
    "File.expand_path File.absolute_path": changes(atHome),
    "Dir.glob URI URI.parse String Array Dir.new": passes(),
    "Dir.children Dir.entries Dir.each_child Dir.foreach": (call) =>
      underPath(call.args[0] ?? unknown, text("*")),
    "Dir.home": homeFolder,
    "Dir.pwd Dir.getwd": workFolder,
    "Dir.tmpdir": scratchFolder,
    "Dir.mktmpdir": scratchName,
    "Dir.chdir FileUtils.cd FileUtils.chdir": changesFolder,
    "ENV.fetch": variable,
    "Shellwords.escape Shellwords.shellescape": (call) => word(call.args[0] ?? unknown),
    "Shellwords.join": (call) =>
      call.args[0]?.is === "list" ? joinedList(call.world, call.args[0].items.map(word), " ") : text(hole),
    "Shellwords.split": passes(),
    "format sprintf": (call) => formatted(call.world, call.args),
    "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64": decodesBase64,
    "CGI.unescape URI.decode_www_form_component": changes(fromPercent),
    "Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print HTTParty.get RestClient.get Faraday.get":
      fetches(),
    "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post RestClient.put": fetches(
      0,
      true,
    ),
    "Net.HTTP.new Net.HTTP.start": connects(at(0), at(1)),
    "TCPSocket.new TCPSocket.open Socket.tcp": connects(at(0), at(1)),
  });

export const rubyMethods = (): Map<string, Api> =>
  table({
    "unlink rmtree delete": (call) =>
      call.self.is === "text" && call.args.length === 0
        ? deletesSelf({ recursive: call.name === "rmtree" })(call)
        : undefined,
    "write puts print <<": (call) => {
      if (call.self.is === "file")
        addText(
          call.world,
          call.self,
          call.name === "puts" ? joined([call.args[0] ?? unknown, text("\n")]) : call.args[0],
        );
      else if (call.self.is === "text" && call.name === "write") return writesSelf(call);
      return undefined;
    },
    read: (call) => (call.self.is === "text" ? readsSelf(call) : undefined),
    "mkpath mkdir": (call) => (call.self.is === "text" ? makesSelf(call) : undefined),
    call: (call) => (call.self.is === "unknown" ? undefined : invoke(call.world, call.self, call.args)),
    "system spawn": (call) => (call.args.length > 0 ? runs(call) : undefined),
    join: (call) => {
      if (call.self.is === "text") return call.args.reduce(underPath, call.self);
      const separator = call.args.length === 0 ? "" : constant(call.args[0]);
      return call.self.is === "list" && separator !== undefined
        ? joinedList(call.world, call.self.items, separator)
        : text(hole);
    },
    reverse: (call) =>
      call.self.is === "list" ? listOf(call.self.items.toReversed()) : changesSelf(reversed)(call),
    "to_s to_str to_a strip chomp freeze dup expand_path realpath sort uniq": passesSelf,
    downcase: changesSelf((option) => option.toLowerCase()),
    upcase: changesSelf((option) => option.toUpperCase()),
    "gsub sub tr": (call) => replaced(call, call.self, call.args, call.name === "sub"),
    chr: (call) => character({ ...call, args: [call.self] }),
    shellescape: (call) => word(call.self),
    glob: (call) => (call.self.is === "text" ? underPath(call.self, call.args[0] ?? unknown) : undefined),
    "children each_child": (call) => (call.self.is === "text" ? underPath(call.self, text("*")) : undefined),
    "unpack unpack1": (call) => unpacked(call, call.self),
    pack: (call) => packed(call),
    split: (call) => {
      const whole = constant(call.self);
      const separator = constant(call.args[0]) ?? " ";
      if (whole === undefined || whole.length > 4096) return unknown;
      return listOf(whole.split(separator === " " ? /\s+/ : separator).map((part) => text(part)));
    },
  });

export const rubyConstants = (): Map<string, Value> =>
  new Map([
    ["ENV.HOME", text(home)],
    ["__dir__", text(".")],
    ["File.SEPARATOR", text("/")],
  ]);

// `IO.popen(["rm", "-rf", "x"])` and `system({ "A" => "b" }, "rm", "x")`.
function popens(call: Call): Value | undefined {
  const isForWriting = call.name === "IO.popen" && /[wr]\+|w/.test(constant(call.args[1]) ?? "");
  const [first = unknown] = call.args;
  if (call.name !== "IO.popen") return runs(call);
  emitExec(call.world, first, isForWriting ? { input: unknown } : {});
  return unknown;
}

function flag(call: Call): Value {
  return call.name.endsWith("_R") ? text("-R") : listOf([]);
}

function mode(call: Call): Value | undefined {
  const [first] = call.args;
  return first?.is === "number" ? text(first.number.toString(8)) : first;
}

function paths(from: number) {
  return (call: Call): Value =>
    listOf(call.args.slice(from).flatMap((arg) => (arg.is === "list" ? arg.items : [arg])));
}

function unpacked(call: Call, value: Value): Value {
  const kind = constant(call.args[0]) ?? "";
  const decode = kind.startsWith("m") ? fromBase64 : undefined;
  if (decode === undefined) return text(hole);
  const result = changed(call, value, (option) => fromUtf8(decode(option)));
  return call.name === "unpack" ? listOf([result]) : result;
}

/** `["726d"].pack("H*")`, `[114, 109].pack("c*")` */
function packed(call: Call): Value {
  if (call.self.is !== "list") return text(hole);
  const kind = constant(call.args[0]) ?? "";
  if (/^[cCU]/.test(kind)) return character({ ...call, args: call.self.items });
  return /^[hH]/.test(kind)
    ? changed(call, call.self.items[0], (digits) => fromUtf8(fromHex(digits)))
    : text(hole);
}
