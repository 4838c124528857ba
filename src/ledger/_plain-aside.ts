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
 * A command with many files leaves hundreds of short entries in a record that could hold no secret. They are set aside while
 * secrets are looked for in the others.
 */
export function setPlainAside(whole: Entries, longest: number): Aside {
  const odd: Record<string, unknown> = { ...whole };
  const places = new Map<string, number[]>();
  for (const name of lists) {
    const all = whole[name];
    if (!Array.isArray(all) || all.length < few || all.length > most) continue;
    const at: number[] = [];
    for (let place = 0; place < all.length; place++) {
      const entry: unknown = all[place];
      const text = JSON.stringify(entry);
      if (text.length >= longest || (mayHoldSecret(text) && mayHoldSecret(suspectIn(entry)))) at.push(place);
    }
    places.set(name, at);
    odd[name] = at.map((place): unknown => all[place]);
  }
  return {
    odd,
    isLess: places.size > 0,
    putBack(looked, change) {
      const entries = { ...looked };
      for (const [name, at] of places) {
        const [all, kept] = [whole[name] as unknown[], looked[name] as unknown[]]; // lists, as they were above
        entries[name] = all.map((entry, place) =>
          at.includes(place) ? kept[at.indexOf(place)] : change(entry),
        );
      }
      return entries;
    },
    pathOf: (path) =>
      path.replace(/^(actions|world)\.(\d+)/, (_, name: string, place: string) => {
        const at = places.get(name);
        return `${name}.${at ? at[Number(place)] : place}`;
      }),
  };
}

const suspectIn = (entry: unknown): string =>
  JSON.stringify(isObject(entry) && entry["ask"] === "list" ? withoutPlainNames(entry) : entry);

/** What was seen in a folder, without the names that could be no secret. */
export const withoutPlainNames = <Seen extends { readonly ask?: unknown; readonly answer?: unknown }>(
  seen: Seen,
): Seen =>
  seen.ask === "list" && Array.isArray(seen.answer)
    ? { ...seen, answer: seen.answer.filter((name) => mayBeSecretName(String(name))) }
    : seen;

const lists = ["actions", "world"];
/** Fewer are looked at closely in the same time, and longer lists are cut anyway. */
const [few, most] = [8, 1000];
