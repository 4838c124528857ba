// Bundles one program into an executable; `compile` of build.ts starts it in a process and a folder of its own.
//
//   bun tools/bundle.ts ENTRY OUTFILE PLATFORM RUNTIME VERSION
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "./runtime.ts";

/**
 * What is loaded together: all that every call of an agent needs, all that a write needs, all that a command line needs
 * which has to be unfolded, what is asked about requests to servers, and all that runs a hook.
 */
const groups = [
  ["src/app/run.ts"],
  ["src/packs/together.generated.ts", "src/platform/limits.ts"],
  ["src/app/command-line.ts", "src/packs/safety/_command-touches.ts"],
  ["src/packs/requests.generated.ts"],
  ["src/app/run-chain.ts"],
].map((files) => files.map((file) => join(root, file)));

const [entry = "", outfile = "", platform = "", executablePath = "", version = ""] = process.argv.slice(2);
const isOurs = entry === join(root, "src/app/main.ts");
const built = await Bun.build({
  entrypoints: [entry],
  minify: true,
  // Bytecode starts five times faster than source, and only with splitting does a lazy import cost nothing until it
  // is taken.
  bytecode: true,
  format: "esm",
  splitting: true,
  sourcemap: "none",
  define: { HOOKLINE_VERSION: JSON.stringify(version) },
  compile: {
    target: `bun-${platform}` as Bun.Build.CompileTarget,
    executablePath,
    outfile,
    // Neither may a .env or bunfig.toml in the directory we are started in, which the agent can write, change what we do.
    autoloadDotenv: false,
    autoloadBunfig: false,
    // An answer is given before code that was compiled could pay for it. What takes longer turns this back (platform/jit.ts).
    jitPolicy: isOurs ? 100 : 1,
  },
  plugins: isOurs ? [inOneChunk()] : [],
  throw: false,
});
if (!built.success) {
  for (const message of built.logs) console.error(message);
  process.exit(1);
}

/**
 * Splitting makes a chunk for every combination of lazily loaded parts that share a module, and so two dozen of what is
 * needed together. Where each of those parts imports all of a group, there is one combination and one chunk.
 */
function inOneChunk(): Bun.BunPlugin {
  const lazy = lazilyLoaded();
  const known = new Set<string>();
  const owned = groups.map((group) => {
    const own = new Set(group.flatMap((file) => [...reachedFrom(file)]).filter((file) => !known.has(file)));
    for (const file of own) known.add(file);
    return own;
  });
  const groupsOf = (path: string): string[] => {
    const reached = [...reachedFrom(path)];
    return groups.filter((_, at) => at === 0 || reached.some((file) => owned[at]?.has(file))).flat();
  };
  return {
    name: "in one chunk",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const more = lazy.has(path) ? groupsOf(path).map((file) => `import ${JSON.stringify(file)};\n`) : [];
        return { contents: more.join("") + withOwnPaths(withoutExamples(text, path)), loader: "ts" };
      });
    },
  };
}

/** The built-in module for paths is slow to load, and most calls need little of it. */
function withOwnPaths(text: string): string {
  if (platform.startsWith("windows")) return text;
  const own = JSON.stringify(join(root, "src/platform/posix-path.ts"));
  return text.replaceAll('from "node:path";', `from ${own};`);
}

/** No call of an agent needs a rule's examples: they are made when somebody asks for them. */
function withoutExamples(text: string, path: string): string {
  if (!/[\\/]packs[\\/][\w-]+[\\/][a-z][\w-]*\.ts$/.test(path)) return text;
  return text.replace(
    /^  examples: (\{\n[^]*?^  \}),$/m,
    (_, examples: string) => `  get examples() { return ${examples}; },`,
  );
}

/** A file and all it imports statically. */
function reachedFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, path = ""] of text.matchAll(/^(?:import|export)\b(?! type\b)[^"';]*"(\.[^"\n]+\.ts)";$/gm))
    reachedFrom(resolve(dirname(file), path), found);
  return found;
}

function lazilyLoaded(): Set<string> {
  const found = new Set<string>();
  for (const file of new Bun.Glob("src/**/*.ts").scanSync({ cwd: root, absolute: true })) {
    const text = readFileSync(file, "utf8");
    for (const [, path = ""] of text.matchAll(/(?<!typeof )\bimport\("(\.[^"]+\.ts)"\)/g))
      found.add(resolve(dirname(file), path));
  }
  return found;
}
