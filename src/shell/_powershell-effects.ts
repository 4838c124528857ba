import { isOneOf } from "../core/one-of.ts";
import { pathsOf } from "./_powershell-meaning.ts";
import type { PsCommand } from "./_powershell-script.ts";
import type { Effect } from "./model.ts";

/** What a command of PowerShell or cmd.exe does to files and the network; programs are for others to judge. */
export function effectsOfPowerShell(command: PsCommand): Effect[] {
  const { name, args, flags } = command;
  if (flags["whatif"] !== undefined) return [];
  const path = (text: string | true | undefined): { path?: string } => known(command, text);
  const paths = pathsOf(command);
  const destination = flags["destination"] ?? (paths.length > 1 ? paths.at(-1) : undefined);
  const sources = flags["destination"] === undefined && paths.length > 1 ? paths.slice(0, -1) : paths;
  switch (name) {
    case "":
    case "invoke-expression":
      return command.known ? [] : [{ do: "exec" }];
    case "remove-item":
      return orUnknown(paths)
        .filter(isFile)
        .map((each) => ({
          do: "delete",
          ...path(each),
          ...(flags["recurse"] !== undefined && { recursive: true }),
          ...(flags["force"] !== undefined && { force: true }),
        }));
    case "[io.file]::delete":
    case "[io.directory]::delete":
      return [{ do: "delete", ...path(args[0]), ...(/^true$/i.test(args[1] ?? "") && { recursive: true }) }];
    case "del":
    case "rd":
      return orUnknown(args).map((each) => ({
        do: "delete",
        ...path(each),
        ...(flags["s"] !== undefined && { recursive: true }),
        ...((flags["q"] !== undefined || flags["f"] !== undefined) && { force: true }),
      }));
    case "set-content":
    case "add-content":
      return written(
        command,
        pathsFirst(command),
        flags["value"] ?? args["path" in flags || "literalpath" in flags ? 0 : 1],
      );
    case "clear-content":
      return paths.map((each) => ({ do: "write", ...path(each), text: "" }));
    case "out-file":
    case "tee-object":
      return written(
        command,
        [flags["filepath"] ?? flags["literalpath"] ?? args[0]],
        flags["value"] ?? flags["inputobject"],
      );
    case "export-csv":
    case "export-clixml":
    case "set-item":
    case "clear-item":
    case "mkdir":
    case "mklink":
    case "[io.directory]::createdirectory":
      return orUnknown(pathsFirst(command))
        .filter(isFile)
        .map((each) => ({ do: "write", ...path(each) }));
    case "[io.file]::writealltext":
    case "[io.file]::writeallbytes":
    case "[io.file]::writealllines":
    case "[io.file]::appendalltext":
      return written(command, [args[0]], name.endsWith("text") ? args[1] : undefined);
    case "new-item":
      return isFile(paths[0] ?? "") ? written(command, [made(command)], flags["value"]) : [];
    case "copy-item":
    case "copy":
    case "xcopy":
    case "robocopy":
    case "[io.file]::copy":
      return [
        ...sources.map((each): Effect => ({ do: "read", ...path(each) })),
        { do: "write", ...path(destination ?? ".") },
        ...(flags["mir"] !== undefined || flags["purge"] !== undefined
          ? [{ do: "delete", ...path(destination), recursive: true } as const]
          : []),
      ];
    case "move-item":
    case "move":
    case "[io.file]::move":
    case "[io.directory]::move":
      return [
        ...sources.map((each): Effect => ({ do: "delete", ...path(each) })),
        { do: "write", ...path(destination ?? ".") },
      ];
    case "rename-item":
    case "rename":
      return renamed(command, paths);
    case "expand-archive":
    case "compress-archive":
      return [
        { do: "read", ...path(paths[0]) },
        { do: "write", ...path(flags["destinationpath"] ?? args["path" in flags ? 0 : 1] ?? ".") },
      ];
    case "get-content":
    case "type":
    case "import-csv":
    case "import-clixml":
    case "[io.file]::readalltext":
    case "[io.file]::readallbytes":
    case "[io.file]::readalllines":
      return orUnknown(name.startsWith("[") ? args.slice(0, 1) : paths)
        .filter(isFile)
        .map((each) => ({ do: "read", ...path(each) }));
    case "invoke-webrequest":
    case "invoke-restmethod":
    case "start-bitstransfer":
      return fetched(command);
    case "certutil":
      return certutil(command);
    case "bitsadmin": {
      const at = args.findIndex((arg) => /^\w+:\/\//.test(arg));
      return at === -1
        ? []
        : [
            { do: "fetch", url: args[at] ?? "" },
            { do: "write", ...path(args[at + 1]) },
          ];
    }
    case "mshta": {
      const url = args.find((arg) => /^\w+:/.test(arg));
      return url === undefined ? [] : [{ do: "fetch", url }, { do: "exec" }];
    }
    case "start-process":
      return [started(command)];
    case "[diagnostics.process]::start":
      return [{ do: "exec", ...(command.known && { command: args.join(" ") }) }];
    default:
      return [];
  }
}

/** A path or address, unless it is a guess: those have a dollar sign in them. */
function known(command: PsCommand, text: string | true | undefined): { path?: string } {
  if (typeof text !== "string" || (!command.known && text.includes("$"))) return {};
  return { path: text.replace(/^(?:Microsoft\.PowerShell\.Core\\)?FileSystem::/i, "") };
}

const orUnknown = (paths: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  paths.length === 0 ? [undefined] : paths;

/** PowerShell has other things that look like paths: variables, the registry. */
const isFile = (path: string | undefined): boolean =>
  !/^(?:env|variable|function|alias|cert|wsman|hk[a-z]{2,3}|registry):/i.test(path ?? "");

const pathsFirst = ({ flags, args }: PsCommand): (string | undefined)[] => {
  const named = flags["path"] ?? flags["literalpath"];
  return typeof named === "string" ? named.split(",") : args.slice(0, 1);
};

function written(
  command: PsCommand,
  paths: readonly (string | true | undefined)[],
  content: string | true | undefined,
): Effect[] {
  const text = typeof content === "string" && command.known ? content : undefined;
  const append =
    command.flags["append"] !== undefined ||
    command.name === "add-content" ||
    command.name.includes("append");
  return paths
    .filter((path) => path === undefined || path === true || isFile(path))
    .map((path) => ({
      do: "write",
      ...known(command, path),
      ...(text !== undefined && { text }),
      ...(append && { append }),
    }));
}

function made({ flags, args }: PsCommand): string | undefined {
  const folder = flags["path"] ?? args[0];
  const name = flags["name"];
  if (typeof name !== "string") return typeof folder === "string" ? folder : undefined;
  return typeof folder === "string" ? `${folder.replace(/[\\/]$/, "")}\\${name}` : name;
}

function renamed(command: PsCommand, paths: readonly string[]): Effect[] {
  const from = paths[0];
  const to = command.flags["newname"] ?? paths[1];
  const folder = /^.*[\\/]/s.exec(from ?? "")?.[0] ?? "";
  const target = typeof to === "string" && !/[\\/]/.test(to) ? folder + to : to;
  return [
    { do: "delete", ...known(command, from) },
    { do: "write", ...known(command, target) },
  ];
}

function fetched(command: PsCommand): Effect[] {
  const { flags, args } = command;
  const { path: url } = known(command, flags["uri"] ?? flags["source"] ?? args[0]);
  const method = String(flags["method"] ?? "get").toLowerCase();
  const sends =
    !isOneOf(method, "get head true") || ["body", "infile", "form"].some((name) => flags[name] !== undefined);
  const file =
    flags["outfile"] ??
    (command.name === "start-bitstransfer" ? (flags["destination"] ?? args[1]) : undefined);
  return [
    ...(flags["infile"] === undefined ? [] : [{ do: "read", ...known(command, flags["infile"]) } as const]),
    { do: "fetch", ...(url !== undefined && { url }), ...(sends && { sends }) },
    ...(file === undefined ? [] : [{ do: "write", ...known(command, file) } as const]),
  ];
}

/** `certutil -urlcache -split -f <address> <file>` is a way to download that is on every Windows. */
function certutil(command: PsCommand): Effect[] {
  const words = command.args.filter((arg) => !arg.startsWith("-"));
  const url = words.find((word) => /^\w+:\/\//.test(word));
  if (url === undefined) return [];
  const file = words[words.indexOf(url) + 1];
  return [
    { do: "fetch", url },
    ...(file === undefined ? [] : [{ do: "write", ...known(command, file) } as const]),
  ];
}

function started(command: PsCommand): Effect {
  const { flags, args } = command;
  const file = flags["filepath"] ?? args[0];
  const rest =
    typeof flags["argumentlist"] === "string"
      ? flags["argumentlist"].split(",")
      : args.slice(flags["filepath"] === undefined ? 1 : 0);
  const isKnown = command.known && typeof file === "string";
  return { do: "exec", ...(isKnown && { command: [file, ...rest].join(" ") }) };
}
