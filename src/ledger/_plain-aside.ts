import { isObject } from "../core/json.ts";
import { mayBeSecretName, mayHoldSecret } from "../secrets/secret-hint.ts";

type Entries = Readonly<Record<string, unknown>>;

interface Aside {
  /** What has to be looked at closely. */
  readonly odd: Entries;
  /** The same, looked at, with all the rest in its place again. */
  putBack(looked: Entries, change: (entry: unknown) => unknown): Entries;
  /** Was there anything to set aside? */
  readonly isLess: boolean;
  /** Where something in `odd` is in the whole. */
  pathOf(path: string): string;
}

/**
 * Most of a record could hold no secret: a command with many files leaves hundreds of short entries. What is plain is set
 * aside while secrets are looked for in the rest; of a long text, only entries of long lists are.
 */
export function setPlainAside(whole: Entries, longest: number, isLong: boolean): Aside {
  const odd: Record<string, unknown> = {};
  const places = new Map<string, number[]>();
  const isPlain = (entry: unknown, name: string): boolean => {
    const text = JSON.stringify(entry) ?? "";
    return text.length < longest && !(mayHoldSecret(text) && mayHoldSecret(suspectIn(entry, name)));
  };
  for (const name in whole) {
    const value = whole[name];
    if (lists.includes(name) && Array.isArray(value)) {
      if (value.length > most || (isLong && value.length < few)) odd[name] = value;
      else {
        const at: number[] = [];
        for (let place = 0; place < value.length; place++) if (!isPlain(value[place], name)) at.push(place);
        places.set(name, at);
        odd[name] = at.map((place): unknown => value[place]);
      }
    } else if (isLong || !isPlain(value, name)) odd[name] = value;
  }
  return {
    odd,
    isLess: !isLong || places.size > 0,
    putBack(looked, change) {
      const entries: Record<string, unknown> = {};
      for (const name in whole) {
        const at = places.get(name);
        if (!Object.hasOwn(odd, name)) entries[name] = change(whole[name]);
        else if (!at) entries[name] = looked[name];
        else {
          const [all, kept] = [whole[name] as unknown[], looked[name] as unknown[]]; // lists, as they were above
          let next = 0;
          entries[name] = all.map((entry, place) => (place === at[next] ? kept[next++] : change(entry)));
        }
      }
      return entries;
    },
    pathOf: (path) =>
      path.replace(/^(actions|findings|world)\.(\d+)/, (_, name: string, place: string) => {
        const at = places.get(name);
        return `${name}.${at ? at[Number(place)] : place}`;
      }),
  };
}

/** An entry without what is known to be no secret, whatever it looks like. */
function suspectIn(entry: unknown, name: string): string {
  if (!isObject(entry)) return JSON.stringify(entry) ?? "";
  if (name === "world") return JSON.stringify(withoutPlainNames(entry));
  // Its digest is in every record, and only looks like a secret.
  return JSON.stringify(name === "policy" ? { ...entry, digest: "" } : entry);
}

/** What was seen in a folder, without the names that could be no secret. */
export const withoutPlainNames = <Seen extends { readonly ask?: unknown; readonly answer?: unknown }>(
  seen: Seen,
): Seen =>
  seen.ask === "list" && Array.isArray(seen.answer)
    ? { ...seen, answer: seen.answer.filter((name) => mayBeSecretName(String(name))) }
    : seen;

const lists = ["actions", "findings", "world"];
/** Fewer are looked at closely in the same time, and longer lists are cut anyway. */
const [few, most] = [8, 1000];
