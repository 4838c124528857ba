const sameAs: Readonly<Record<string, string>> = {
  erase: "del",
  rmdir: "rd",
  md: "mkdir",
  ren: "rename",
  chdir: "cd",
};
const builtin =
  /^(del|erase|rd|rmdir|copy|xcopy|move|ren|rename|md|mkdir|type|cd|chdir|echo|start|call|set|dir|format|mklink|pushd)(?=[/\\.:,;=])(.*)$/is;

/** A command's name in small letters, without folder and extension; switches may stick to it: `rd/s/q`. */
export function canonicalCmd(written: string): { readonly name: string; readonly glued: string } {
  const [, head, glued = ""] = builtin.exec(written) ?? [];
  const base = (head ?? written)
    .toLowerCase()
    .replace(/^.*[\\/]/s, "")
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
  return { name: sameAs[base] ?? base, glued: glued.replace(/^[,;=]+/, "") };
}

/** Switches such as `/s`, `/a:h`, `/s/q`; what looks more like a path is one. */
export const isFlag = (word: string): boolean => {
  if (!word.startsWith("/")) return false;
  const parts = word.slice(1).split("/");
  return parts.every(
    (part) => /^[a-z?][\w-]*(?::.*)?$/is.test(part) && (parts.length === 1 || /^..?$|:/.test(part)),
  );
};

export function splitFlags(word: string): Record<string, string | true> {
  const flags: Record<string, string | true> = {};
  for (const part of word.slice(1).split("/")) {
    const colon = part.indexOf(":");
    if (colon < 0) flags[part.toLowerCase()] = true;
    else flags[part.slice(0, colon).toLowerCase()] = part.slice(colon + 1);
  }
  return flags;
}
