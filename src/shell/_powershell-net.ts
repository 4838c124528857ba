import { type PsCommand, type Script, spend } from "./_powershell-script.ts";
import {
  constantOf,
  formatted,
  joinedBy,
  listed,
  nothing,
  type PsValue,
  replacedIn,
  textOf,
  unknownOf,
} from "./_powershell-value.ts";
import { fromBase64, fromUtf16, fromUtf8 } from "./_decode.ts";

/** A type's name in small letters, as short as PowerShell lets it be written. */
export const typeName = (written: string): string =>
  written
    .toLowerCase()
    .replace(/\s+/g, "")
    .replace(/^system\./, "");

/** The outcome of a cast such as `[char]114`. */
export function castTo(type: string, value: PsValue): PsValue {
  if (!value.known) return value;
  if (type === "char" || (type === "char[]" && value.items.length > 1)) {
    return constantOf(...value.items.map((item) => (/^(?:\d+|0x[\da-f]+)$/i.test(item) ? unit(item) : item)));
  }
  if (type === "char[]") return constantOf(...Array.from(textOf(value).slice(0, 2048)));
  if (type === "scriptblock") return { ...value, type: "scriptblock" };
  return type === "string" ? joinedBy(value, " ") : value;
}

const unit = (digits: string): string => String.fromCharCode(Number(digits) & 0xffff);

/** `[Type]::Member(…)`: what it gives; what it does to files and programs is reported as a command of that name. */
export function staticCall(
  script: Script,
  type: string,
  member: string,
  args: readonly PsValue[],
  text: string,
): PsValue {
  const [first = nothing, second = nothing] = args;
  switch (`${type}::${member}`) {
    case "convert::frombase64string":
      return decoded(script, first, fromBase64);
    case "string::join":
      return joinedBy(args.slice(1).reduce(listed, nothing), textOf(first));
    case "string::concat":
      return joinedBy(args.reduce(listed, nothing), "");
    case "string::format":
      return formatted(first, args.slice(1).reduce(listed, nothing));
    case "io.path::combine":
      return joinedBy(args.reduce(listed, nothing), "\\");
    case "char::convertfromutf32":
    case "convert::tochar":
      return castTo("char", first);
    case "scriptblock::create":
      // A block is made to be run, by whatever way.
      if (!first.known) report(script, { name: "invoke-expression", text }, args);
      return { ...first, type: "scriptblock" };
    case "environment::getfolderpath":
      return /^(?:userprofile|personal)$/i.test(textOf(first)) ? constantOf("~") : unknownOf(text);
    case "regex::replace":
      return replacedIn(first, listed(second, args[2] ?? nothing));
    case "regex::unescape":
      return first;
  }
  if (type === "text.encoding" || type.startsWith("text.")) return { ...unknownOf(text), type: member };
  if (/^(?:io\.(?!path)|diagnostics\.|net\.|reflection\.|microsoft\.|management\.)/.test(type)) {
    report(script, { name: `[${type}]::${member}`, text }, args);
  }
  return unknownOf(text);
}

/** `.Member(…)` of a value. */
export function methodCall(
  script: Script,
  value: PsValue,
  member: string,
  args: readonly PsValue[],
  text: string,
): PsValue {
  const [first = nothing, second = nothing] = args;
  const type = value.type ?? "";
  if (type.endsWith("webclient")) return webCall(script, member, args, text);
  if (member === "getstring") return decoded(script, first, type === "unicode" ? fromUtf16 : fromUtf8);
  if (member === "invoke" || member === "invokereturnasis") {
    if (type === "scriptblock" && value.known) script.world.nested("powershell", textOf(value));
    return unknownOf(text);
  }
  if (member === "delete" && type === "file") report(script, { name: "remove-item", text }, [value]);
  if (!value.known || !spend(script, textOf(value).length)) return unknownOf(text);
  switch (member) {
    case "replace":
      return literallyReplaced(value, first, second);
    case "tostring":
    case "normalize":
      return value;
    case "trim":
    case "trimend":
    case "trimstart":
      return constantOf(textOf(value).trim());
    case "tolower":
    case "tolowerinvariant":
      return constantOf(textOf(value).toLowerCase());
    case "toupper":
    case "toupperinvariant":
      return constantOf(textOf(value).toUpperCase());
    case "tochararray":
      return castTo("char[]", constantOf(textOf(value)));
    case "split":
      return constantOf(
        ...textOf(value)
          .slice(0, 4096)
          .split(textOf(first) || " "),
      );
    case "substring": {
      const [start, length] = [
        Number(textOf(first)),
        second.items.length > 0 ? Number(textOf(second)) : undefined,
      ];
      return constantOf(textOf(value).slice(start, length === undefined ? undefined : start + length));
    }
    default:
      return unknownOf(text);
  }
}

// The method replaces texts, the operator patterns.
function literallyReplaced(value: PsValue, from: PsValue, to: PsValue): PsValue {
  const [old, fresh] = [textOf(from), textOf(to)];
  if (!from.known || !to.known || old === "") return unknownOf("$…");
  const parts = textOf(value).split(old);
  return parts.length * fresh.length > 64 * 1024 ? unknownOf("$…") : constantOf(parts.join(fresh));
}

function decoded(script: Script, value: PsValue, decode: (text: string) => string): PsValue {
  const text = textOf(value);
  return value.known && spend(script, text.length) ? constantOf(decode(text)) : unknownOf("$…");
}

function webCall(script: Script, member: string, args: readonly PsValue[], text: string): PsValue {
  const [url = nothing, second] = args;
  if (!/^(?:download|upload|open)/.test(member)) return unknownOf(text);
  const flags: Record<string, string | true> = {};
  if (member.startsWith("downloadfile") && second) flags["outfile"] = textOf(second);
  if (member.startsWith("upload")) flags["method"] = "post";
  report(script, { name: "invoke-webrequest", text, flags }, [url], second?.known ?? true);
  return unknownOf(text);
}

function report(
  script: Script,
  command: Pick<PsCommand, "name" | "text"> & Partial<PsCommand>,
  args: readonly PsValue[],
  known = true,
): void {
  script.world.commands.push({
    args: args.flatMap((arg) => arg.items),
    flags: {},
    known: known && args.every((arg) => arg.known),
    ...command,
  });
}
