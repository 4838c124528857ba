import {
  argument,
  deletesSelf,
  makesSelf,
  mode,
  opens,
  reads,
  readsSelf,
  runsCommand,
  runsLine,
  table,
  writesSelf,
} from "./_code-api.ts";
import { atHome, changesSelf, passesSelf, replaced } from "./_code-api-text.ts";
import { constant, hole, joined, listOf, text, underPath, unknown, type Value } from "./_code-value.ts";
import { addText, type Api, type Call, emitDelete, emitWrite, joinedList, spend } from "./_code-world.ts";

export const pythonMethods = (): Map<string, Api> =>
  table({
    "unlink rmdir": deletesSelf(),
    "rmtree rmtree_p": deletesSelf({ recursive: true }),
    "write_text write_bytes": writesSelf,
    "read_text read_bytes": readsSelf,
    open: (call) => (call.self.is === "text" ? opens(call, call.self, argument(call, 0, "mode")) : undefined),
    "touch mkdir symlink_to hardlink_to": makesSelf,
    chmod: runsCommand("chmod", mode(0), (call) => call.self),
    rename: movesSelf,
    replace: (call) => (call.args.length === 1 ? movesSelf(call) : replaced(call, call.self, call.args)),
    "write writelines": (call) => {
      const [content] = call.args;
      if (call.self.is === "file")
        addText(
          call.world,
          call.self,
          content?.is === "list" ? joinedList(call.world, content.items) : content,
        );
      return undefined;
    },
    join: (call) => {
      const [parts] = call.args;
      const separator = constant(call.self);
      if (parts?.is === "text") return parts;
      return parts?.is === "list" && separator !== undefined
        ? joinedList(call.world, parts.items, separator)
        : text(hole);
    },
    joinpath: (call) => call.args.reduce(underPath, call.self),
    format: (call) => formatted(call),
    "strip lstrip rstrip": changesSelf((option) => option.trim()),
    lower: changesSelf((option) => option.toLowerCase()),
    upper: changesSelf((option) => option.toUpperCase()),
    swapcase: changesSelf((option) =>
      option.replace(/\p{L}/gu, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
    ),
    "decode encode resolve absolute as_posix tobytes copy": passesSelf,
    expanduser: changesSelf(atHome),
    "split splitlines": (call) => {
      const whole = constant(call.self);
      if (whole === undefined || whole.length > 4096) return unknown;
      const separator = constant(call.args[0]);
      const parts =
        separator === undefined || separator === "" ? whole.trim().split(/\s+/) : whole.split(separator);
      return listOf(parts.map((part) => text(part)));
    },
    "glob rglob": (call) => underPath(call.self, call.args[0] ?? unknown),
    iterdir: (call) => underPath(call.self, text("*")),
    "system popen": (call) => (call.args.length > 0 ? runsLine(call) : undefined),
    extractall: (call) => {
      emitWrite(call.world, argument(call, 0, "path") ?? text("."));
      return unknown;
    },
    "to_csv to_json to_excel to_parquet to_pickle to_html savefig": (call) => {
      if (call.args[0]?.is === "text") emitWrite(call.world, call.args[0]);
      return unknown;
    },
    "read_csv read_json read_excel read_parquet": (call) =>
      call.args[0]?.is === "text" ? reads()(call) : undefined,
  });

function movesSelf(call: Call): Value {
  emitDelete(call.world, call.self);
  emitWrite(call.world, call.args[0]);
  return unknown;
}

/** `"rm {}".format(x)`; what is not simple becomes a hole. */
function formatted(call: Call): Value {
  const pattern = constant(call.self);
  if (pattern === undefined || !spend(call.world, pattern.length * 4)) return text(hole);
  let next = 0;
  const parts = pattern.split(/(\{[^{}]*\})/).map((part) => {
    if (!/^\{[^{}]*\}$/.test(part)) return text(part);
    const key = part.slice(1, -1).replace(/[!:].*$/s, "");
    const value =
      key === "" ? call.args[next++] : /^\d+$/.test(key) ? call.args[Number(key)] : call.named.get(key);
    return value ?? text(hole);
  });
  return joined(parts);
}
