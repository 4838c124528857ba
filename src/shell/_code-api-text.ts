// What library functions do with texts and paths, for those that do nothing to the outside.
import { quoted } from "./_code-command.ts";
import {
  constant,
  hole,
  home,
  joined,
  mapped,
  maxText,
  optionsOf,
  text,
  underPath,
  unknown,
  type Value,
} from "./_code-value.ts";
import { type Api, type Call, spend, type World } from "./_code-world.ts";
import { fromBase64, fromHex, fromUtf8, reversed, rot13 } from "./_decode.ts";

export const passes =
  (at = 0): Api =>
  (call) =>
    call.args[at] ?? unknown;

export const passesSelf: Api = (call) => call.self;

export const gives =
  (value: Value): Api =>
  () =>
    value;

/** A change of a text that costs as much as the text is long. */
export function changed(call: Call, value: Value | undefined, change: (option: string) => string): Value {
  const length = optionsOf(value).reduce((sum, each) => sum + each.length, 0);
  return value?.is === "text" && spend(call.world, length) ? mapped(value, change) : text(hole);
}

export const changes =
  (change: (option: string) => string, at = 0): Api =>
  (call) =>
    changed(call, call.args[at], (option) => (option.includes(hole) ? hole : change(option)));

export const changesSelf =
  (change: (option: string) => string): Api =>
  (call) =>
    changed(call, call.self, (option) => (option.includes(hole) ? hole : change(option)));

export const decodesBase64 = changes((option) => fromUtf8(fromBase64(option)));
export const decodesHex = changes((option) => fromUtf8(fromHex(option)));
export const decodesRot13 = changes(rot13);
export const reverses = changes(reversed);

export const joinsPath: Api = (call) =>
  call.args.flatMap((arg) => (arg.is === "list" ? arg.items : [arg])).reduce(underPath, text(""));

export const variable: Api = (call) =>
  constant(call.args[0]) === "HOME" ? text(home) : (call.args[1] ?? text(hole));

export const homeFolder = gives(text(home));
export const workFolder = gives(text("."));
export const scratchFolder = gives(text("/tmp"));
export const scratchName = gives(text("/tmp/tmp.XXXXXXXX"));

/** `~/x` with the home directory put in. */
export const atHome = (path: string): string => (/^~(?:\/|$)/.test(path) ? home + path.slice(1) : path);

export const character = (call: Call): Value => {
  const values = call.args.flatMap((arg) => (arg.is === "list" ? arg.items : [arg]));
  return joined(
    values.map((value) => (value.is === "number" ? text(characterOf(value.number)) : text(hole))),
  );
};

const characterOf = (code: number): string =>
  Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";

export const word = (value: Value): Value => text(...optionsOf(value).map(quoted));

/** A text with every occurrence of another replaced, or only the first. */
export function replaced(
  call: Call,
  value: Value,
  [from, to]: readonly (Value | undefined)[],
  once = false,
): Value {
  const [old, fresh] = [constant(from), constant(to)];
  if (old === undefined || fresh === undefined || old === "") return text(hole);
  return changed(call, value, (option) => {
    if (once) return option.replace(old, () => fresh);
    const parts = option.split(old);
    return parts.length * fresh.length > maxText ? hole : parts.join(fresh);
  });
}

/** `sprintf("rm %s", x)` */
export function formatted(world: World, args: readonly Value[]): Value {
  const [pattern, ...values] = args;
  const known = constant(pattern);
  if (known === undefined || !spend(world, known.length * 4)) return text(hole);
  let next = 0;
  return joined(
    known.split(/(%%|%[-+0 #]*\d*(?:\.\d+)?[a-zA-Z])/).map((part, at) => {
      if (at % 2 === 0) return text(part);
      if (part === "%%") return text("%");
      const value = values[next++];
      return part.endsWith("c") && value?.is === "number"
        ? text(String.fromCharCode(value.number))
        : (value ?? text(hole));
    }),
  );
}
