import { isBuiltin } from "node:module";
import { dirname, join, posix } from "node:path";

/** What each folder of `src` may import besides itself. Imports point up this list; `app` is at its end. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  secrets: [],
  shell: ["core"],
  workflow: ["core", "shell"],
  packs: ["core", "secrets", "shell", "workflow"],
  hosts: ["core"],
  platform: ["core"],
  sources: ["core", "platform"],
  handlers: ["core", "platform"],
  results: ["core"],
  routing: ["core"],
  lint: ["core", "shell", "sources"],
  policy: ["core", "platform", "sources", "workflow"],
  ledger: ["core", "secrets", "platform"],
  testing: ["core", "secrets", "shell", "workflow", "packs", "hosts", "platform", "policy", "ledger"],
  app: [
    "core",
    "secrets",
    "shell",
    "workflow",
    "packs",
    "hosts",
    "platform",
    "sources",
    "handlers",
    "results",
    "routing",
    "lint",
    "policy",
    "ledger",
    "testing",
  ],
};

/** These compute and touch nothing: no runtime of their own, no disk, no process. */
const pure = new Set(["core", "secrets", "shell", "workflow", "packs", "hosts", "results", "routing"]);

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Every static, type-only and dynamic import of a source, and every `export … from`. */
export function importsOf(source: string): Import[] {
  const patterns = [
    /^[ \t]*(?:import|export)\b[^;"'`]*?\bfrom\s*(["'])(?<specifier>[^"'\n]+)\1/gm,
    /^[ \t]*import\s*(["'])(?<specifier>[^"'\n]+)\1/gm,
    /\b(?:import|require|getBuiltinModule)\s*\(\s*(["'`])(?<specifier>[^"'`\n]+)\1/g,
  ];
  const found = patterns.flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => ({
      specifier: match.groups?.["specifier"] ?? "",
      line: source.slice(0, match.index + match[0].length).split("\n").length,
    })),
  );
  return found.toSorted((a, b) => a.line - b.line);
}

/** What a file of `src` imports or uses against the direction, each as `file:line  what is wrong`. */
export function importProblems(file: string, source: string): string[] {
  const layer = layerOf(file);
  const known = Object.hasOwn(mayImport, layer);
  if (!known)
    return [
      `${file}  ${layer} is not in the list of folders; say in test/house/_imports.ts what it may import`,
    ];
  const isTest = file.endsWith(".test.ts");
  const problems = importsOf(source).flatMap(({ specifier, line }) => {
    const wrong = specifier.startsWith(".")
      ? wrongPath(file, specifier, isTest)
      : wrongModule(layer, specifier, isTest);
    return wrong === undefined ? [] : [`${file}:${line}  ${wrong}`];
  });
  if (!pure.has(layer) || isTest) return problems;
  const uses = source.split("\n").flatMap((text, at) => {
    if (/\bBun(?:\??\.\w|\s*\[)|=\s*Bun\b/.test(text))
      return [`${file}:${at + 1}  ${layer} may not use the Bun global`];
    // A computed import could be anything.
    return /\bimport\s*\(\s*[^\s"'`)]/.test(text) ? [`${file}:${at + 1}  an import must name its file`] : [];
  });
  return [...problems, ...uses];
}

/** In the commands' folder every plain name is a command, so the way in has to look private. */
const entrance = "src/app/cli/_cli.ts";

const layerOf = (file: string): string => file.split("/")[1] ?? "";

function wrongPath(file: string, specifier: string, isTest: boolean): string | undefined {
  const target = posix.join(dirname(file), specifier);
  const [from, to] = [layerOf(file), layerOf(target)];
  if (!target.startsWith("src/")) return isTest || from === "app" ? undefined : `${target} is outside src`;
  const isPrivate = posix.basename(target).startsWith("_") && target !== entrance;
  if (isPrivate && dirname(target) !== dirname(file)) return `${target} is private to its folder`;
  // A test may set a scene with whatever the testers may use.
  const allowed = [
    from,
    ...(mayImport[from] ?? []),
    ...(isTest ? ["testing", ...(mayImport["testing"] ?? [])] : []),
  ];
  return allowed.includes(to) ? undefined : `${from} may not import ${to} (${target})`;
}

function wrongModule(layer: string, specifier: string, isTest: boolean): string | undefined {
  if (!pure.has(layer) || isTest) return undefined;
  if (specifier === "bun" || specifier.startsWith("bun:")) return `${layer} may not import ${specifier}`;
  return isBuiltin(specifier) && specifier !== "node:path"
    ? `${layer} may not import ${specifier}`
    : undefined;
}

/** Every source file below a folder of the repository, as paths from its root. */
export const sourcesBelow = (root: string, folder: string): string[] =>
  [...new Bun.Glob("**/*.ts").scanSync({ cwd: join(root, folder) })]
    .map((file) => `${folder}/${file}`)
    .toSorted();
