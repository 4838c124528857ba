import lines from "./thesaurus.generated.ts";

const none: readonly string[] = [];

/**
 * Stems that may be meant by one: what people who build and run software say for the same thing, in English and in German. Looked for
 * in one text, because a prompt asks for a few words and a map of all would have to be made first.
 */
export function kinOf(stem: string): readonly string[] {
  const wanted = ` ${stem} `;
  let found: string[] | undefined;
  for (let at = lines.indexOf(wanted); at !== -1; at = lines.indexOf(wanted, at + 1)) {
    const start = lines.lastIndexOf("\n", at) + 1;
    const end = lines.indexOf("\n", at);
    found ??= [];
    for (const other of lines.slice(start + 1, end - 1).split(" "))
      if (other !== stem && !found.includes(other)) found.push(other);
  }
  return found ?? none;
}
