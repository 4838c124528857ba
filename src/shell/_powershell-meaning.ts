import { type PsCommand, type Script } from "./_powershell-script.ts";
import { constantOf, joinedBy, nothing, type PsValue, unknownOf } from "./_powershell-value.ts";
import { fromBase64, fromUtf16 } from "./_decode.ts";

const takesPaths = new Set(
  "remove-item move-item copy-item rename-item clear-content get-content set-itemproperty remove-itemproperty clear-item invoke-item get-item".split(
    " ",
  ),
);
const takesText = new Set(["set-content", "add-content", "out-file", "tee-object"]);

/** A command with what comes to it through a bar, where that takes the place of an argument. */
export function piped(command: PsCommand, upstream: PsValue): PsCommand {
  if (upstream.type === "environment") return { ...command, environment: true };
  const { flags, args } = command;
  const hasPath = "path" in flags || "literalpath" in flags;
  if (takesPaths.has(command.name) && !hasPath && !(args.length > 0 && command.name === "remove-item")) {
    const path = upstream.items.length === 0 ? "$_" : upstream.items.join(",");
    return {
      ...command,
      flags: {
        ...flags,
        path,
        ...(upstream.type === "file.deep" && command.name === "remove-item" && { recurse: true as const }),
      },
      known: command.known && upstream.known && upstream.items.length > 0,
    };
  }
  if (command.name === "stop-process" && args.length === 0 && !("id" in flags) && !("name" in flags))
    return {
      ...command,
      flags: { ...flags, inputobject: upstream.items.join(",") },
      known: command.known && upstream.known,
    };
  if (
    takesText.has(command.name) &&
    !("value" in flags) &&
    upstream.known &&
    upstream.items.length > 0 &&
    upstream.type === undefined
  ) {
    return { ...command, flags: { ...flags, value: upstream.items.join("\n") } };
  }
  return command;
}

const passesOn = new Set(
  "where-object sort-object select-object foreach-object tee-object get-unique".split(" "),
);

/** What a command gives to the next one, as far as paths and texts are concerned. */
export function outputOf(command: PsCommand, upstream: PsValue | undefined): PsValue {
  const { name, args, flags, known } = command;
  const paths = pathsOf(command);
  if (passesOn.has(name))
    return upstream?.type === "process" && picks.test(command.text)
      ? { ...unknownOf(command.text), type: "process" }
      : (upstream ?? unknownOf(command.text));
  if (
    /^(?:convertto-|out-string$|format-)/.test(name) &&
    (upstream?.type === "environment" || command.environment)
  )
    return { ...unknownOf(command.text), type: "environment" };
  switch (name) {
    case "get-childitem": {
      if (paths.some((path) => /^env:/i.test(path)) && !paths.some((path) => /^env:[\\/]?\w/i.test(path)))
        return { ...unknownOf(command.text), type: "environment" };
      const type = flags["recurse"] === undefined ? "file" : "file.deep";
      const filter = [flags["filter"], flags["include"], args[1]].find((each) => typeof each === "string");
      const found = (paths.length > 0 ? paths.slice(0, "path" in flags ? undefined : 1) : ["."]).map((path) =>
        within(path, filter),
      );
      return { items: found, known, type };
    }
    case "get-item":
    case "resolve-path":
      return { items: paths, known, type: "file" };
    case "get-process":
      return processes([flags["name"], flags["id"], ...args], known);
    case "get-ciminstance":
    case "get-wmiobject":
      return [flags["classname"], flags["class"], ...args].some((each) =>
        /^win32_process$/i.test(String(each)),
      )
        ? processes([flags["filter"]], known)
        : unknownOf(command.text);
    case "get-location":
      return constantOf(".");
    case "write-output":
      return { items: args, known };
    case "join-path":
      return joinedBy(
        { items: [...paths, ...[flags["childpath"]].filter((each) => typeof each === "string")], known },
        "\\",
      );
    case "new-object":
      return {
        ...unknownOf(command.text),
        type: (flags["typename"] ?? args[0] ?? "").toString().toLowerCase(),
      };
    default:
      return unknownOf(command.text);
  }
}

/** Leaves some of what comes by what it is or where it stands, not by what it is not. */
const picks = /\s-[ic]?(?:eq|like|match|in|contains|gt|ge|lt|le|first|last|index)\b/i;

/** The processes of these names or numbers, or all there are. */
function processes(chosen: readonly (string | true | undefined)[], known: boolean): PsValue {
  const items = chosen.filter((each) => typeof each === "string");
  return { items: items.length === 0 ? ["*"] : items, known, type: "process" };
}

// What a folder gives are the things in it.
const within = (path: string, filter: string | undefined): string => {
  if (/[*?]/.test(path.replace(/^.*[\\/]/s, ""))) return path;
  const mark = path.includes("/") && !path.includes("\\") ? "/" : "\\";
  return path.replace(/[\\/]$/, "") + mark + (filter ?? "*");
};

/** The paths a command is given, by name or by place. */
export function pathsOf({ flags, args }: PsCommand): string[] {
  const named = [flags["path"], flags["literalpath"]].flatMap((each) =>
    typeof each === "string" ? each.split(",") : [],
  );
  return [...named, ...args];
}

/** Follows what a command runs in its turn, and what it changes for the commands after it. */
export function carriedOut(script: Script, command: PsCommand, upstream: PsValue | undefined): void {
  const { world } = script;
  const { name, args, flags } = command;
  const [first = ""] = args;
  switch (name) {
    case "powershell":
    case "pwsh":
      return startsPowerShell(script, command);
    case "cmd": {
      const at = args.findIndex((arg) => /^\/[ckr]/i.test(arg));
      if (at < 0) return;
      // `/c` may be glued to what it runs.
      const text = [args[at]?.slice(2) ?? "", ...args.slice(at + 1)].join(" ").trim();
      world.nested("cmd", command.known ? text : text.replace(/\$(?:\([^)]*\)?|[\w:{}.…]+)/g, "%unknown%"));
      return;
    }
    case "invoke-expression": {
      const text =
        typeof flags["command"] === "string"
          ? flags["command"]
          : args.length > 0
            ? args.join(" ")
            : undefined;
      const code: PsValue =
        text === undefined ? (upstream ?? nothing) : { items: [text], known: command.known };
      // With gaps it is still worth reading; what made the gaps has been read already.
      const whole = code.items.join("\n");
      if (code.known || !whole.includes("$(")) world.nested("powershell", whole);
      if (!code.known) command.known = false;
      return;
    }
    case "start-process": {
      const file = typeof flags["filepath"] === "string" ? flags["filepath"] : first;
      const rest =
        typeof flags["argumentlist"] === "string"
          ? flags["argumentlist"].split(",")
          : args.slice(flags["filepath"] === undefined ? 1 : 0);
      if (/(?:^|[\\/])(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(file))
        world.nested("powershell", [file, ...rest].join(" "));
      return;
    }
    case "set-alias":
    case "new-alias": {
      const [alias, meaning] = [flags["name"] ?? args[0], flags["value"] ?? args["name" in flags ? 0 : 1]];
      if (typeof alias === "string" && typeof meaning === "string")
        world.aliases.set(alias.toLowerCase(), meaning.toLowerCase());
      return;
    }
    case "set-variable": {
      const [variable, value] = [flags["name"] ?? args[0], flags["value"] ?? args[1]];
      if (typeof variable === "string" && typeof value === "string")
        world.variables.set(variable.toLowerCase(), { items: [value], known: command.known });
      return;
    }
    case "foreach-object":
      // `% Delete` calls the method of everything that comes.
      if (/^delete$/i.test(String(flags["membername"] ?? first)) && upstream)
        world.commands.push({
          name: "remove-item",
          args: [...upstream.items],
          flags: {},
          known: upstream.known,
          text: command.text,
        });
  }
}

function startsPowerShell(script: Script, { args, flags, known }: PsCommand): void {
  const encoded = flags["encodedcommand"];
  if (typeof encoded === "string") {
    if (known) script.world.nested("powershell", fromUtf16(fromBase64(encoded)));
    return;
  }
  const text = typeof flags["command"] === "string" ? flags["command"] : args.join(" ");
  if (text !== "" && text !== "-" && flags["file"] === undefined) script.world.nested("powershell", text);
}
