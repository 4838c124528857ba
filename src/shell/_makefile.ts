import type { Word } from "./model.ts";

interface Target {
  readonly names: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
}

/**
 * The part of a makefile or justfile that a call asks for: what is said outside of any target, the targets it names, or else the
 * first, and what these need. All of it where one of them cannot be found.
 */
export function orderedOf(text: string, args: readonly Word[]): string {
  const outside: string[] = [];
  const targets: Target[] = [];
  let current: Target | undefined;
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const head = /^([^\s:=#][^:=#]*?)\s*::?(?!=)\s*([^;=]*)(;.*)?$/.exec(line);
    if (head) {
      const [, names = "", needs = ""] = head;
      current = { names: wordsIn(names), needs: wordsIn(needs.replace(/#.*/, "")), lines: [line] };
      targets.push(current);
    } else if (current && (/^\s/.test(line) || line === "")) current.lines.push(line);
    else outside.push(line);
  }
  const asked = args
    .filter(
      ({ text: word }, at) => !/^[-+]|=/.test(word) && !/^-[CfIjlo]$|^--file$/.test(args[at - 1]?.text ?? ""),
    )
    .map(({ text: word }) => word);
  const first = targets.find(({ names }) =>
    names.some((name) => !name.startsWith(".") && !name.includes("%")),
  );
  const wanted = asked.length > 0 ? [...asked] : (first?.names.slice(0, 1) ?? []);
  const found = new Set<Target>();
  for (const name of wanted) {
    const meant = targets.filter(({ names }) => names.includes(name));
    if (meant.length === 0) {
      // What is asked for is there by some pattern or another file; what is only needed may be a file.
      if (asked.includes(name)) return text;
      continue;
    }
    for (const target of meant)
      if (!found.has(target)) {
        found.add(target);
        wanted.push(...target.needs);
      }
  }
  return [...outside, ...[...found].flatMap(({ lines }) => lines)].join("\n");
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "" && word !== "|");
