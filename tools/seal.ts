// Takes out of the Bun runtime what lets the environment run code in our process.
//
// Hookline judges an agent that may set environment variables. Bun reads some that would let it run its own
// code in here, turn the executable into plain `bun`, or stop it from answering. No build option closes
// them, so the names go: a variable whose name is all NUL bytes cannot be set. It happens before our program
// is put in, so its own text is never touched. docs/threat-model.md lists what was tried.
//
// Every place is expected exactly once. A Bun release that moves one fails the build instead of leaving it open.

export type System = { os: "linux" | "darwin" | "windows"; cpu: "x64" | "arm64" };

const variables = [
  "BUN_OPTIONS", // --preload runs any file
  "BUN_BE_BUN", // becomes plain bun: -e, run, x …
  "BUN_INSPECT", // opens a debugger that evaluates what it is sent
  "BUN_INSPECT_CONNECT_TO",
  "BUN_INSPECT_PRELOAD", // read only next to BUN_OPTIONS today
  "BUN_RUNTIME_TRANSPILER_CACHE_PATH", // other code in place of a rule file whose digest is trusted
  "BUN_BYTECODE_ORDER_OUT", // write a file of the caller's choice at exit
  "BUN_BYTECODE_DIGEST_OUT",
];

/** Seals a Bun runtime in place, or throws when it does not look as expected. */
export function seal(runtime: Buffer, system: System): void {
  for (const name of variables) blank(runtime, `${name}\0`, name.length);
  // Hands the process over to a web view host before anything of ours runs.
  if (system.os === "darwin")
    blank(runtime, "BUN_INTERNAL_WEBVIEW_HOST\0", "BUN_INTERNAL_WEBVIEW_HOST".length);
  // The cache of transpiled files below the home directory stands in for the files themselves and is easily
  // forged. Without the name of its folder no entry is found. Elsewhere nobody has seen it work yet.
  if (system.os === "linux") blank(runtime, "@t@RuntimeTranspilerCache", "@t@".length);
  const skip = { x64: skipEngineOptionsX64, arm64: skipEngineOptionsArm64 }[system.cpu];
  skip(runtime);
}

function blank(runtime: Buffer, text: string, length: number) {
  const at = runtime.indexOf(text, 0, "latin1");
  const again = at < 0 ? -1 : runtime.indexOf(text, at + 1, "latin1");
  if (at < 0 || again >= 0) throw new SealError(text, at < 0 ? "is missing" : "occurs more than once");
  runtime.fill(0, at, at + length);
}

// BUN_JSC_… sets any option of the JavaScript engine: replace functions, throw at random, print to stdout. The
// prefix is compared letter by letter in code, so the branch after the first letter is made unconditional.
const prefix = "BUN_JSC_";

// cmp byte [reg+i], letter; jne
const compareX64 = new RegExp(
  [...prefix]
    .map(
      (letter, i) =>
        String.raw`\x41?\x80${i === 0 ? "[\\x38-\\x3f]" : `[\\x78-\\x7f]\\x0${i}`}${letter}\x75[^]`,
    )
    .join(""),
  "g",
);

function skipEngineOptionsX64(runtime: Buffer) {
  const found = [...runtime.toString("latin1").matchAll(compareX64)];
  const [match] = found;
  if (!match || found.length !== 1) throw new SealError(prefix, `is compared in ${found.length} places`);
  const jump = match.index + match[0].indexOf("\x75");
  runtime[jump] = 0xeb; // jmp
}

// ldrb wT, [xN, #i]; cmp wT, #letter; b.ne
function skipEngineOptionsArm64(runtime: Buffer) {
  const words = new Uint32Array(runtime.buffer, runtime.byteOffset, runtime.length >> 2);
  const found: number[] = [];
  for (let at = 0; at + 3 * prefix.length <= words.length; at++) {
    if (comparesPrefix(words, at)) found.push(at);
  }
  const [at] = found;
  if (at === undefined || found.length !== 1)
    throw new SealError(prefix, `is compared in ${found.length} places`);
  const distance = ((words[at + 2] ?? 0) << 8) >> 13; // signed, in words: bits 5 to 23
  words[at + 2] = (0x14000000 | (distance & 0x03ffffff)) >>> 0; // b
}

function comparesPrefix(words: Uint32Array, at: number): boolean {
  for (let i = 0; i < prefix.length; i++) {
    const word = at + 3 * i;
    if (masked(words[word], 0xfffffc00) !== 0x39400000 + (i << 10)) return false;
    if (masked(words[word + 1], 0xfffffc1f) !== 0x7100001f + (prefix.charCodeAt(i) << 10)) return false;
    if (masked(words[word + 2], 0xff00001f) !== 0x54000001) return false;
  }
  return true;
}

const masked = (word = 0, mask: number) => (word & mask) >>> 0;

class SealError extends Error {
  constructor(what: string, how: string) {
    super(
      `Cannot seal this Bun runtime: ${JSON.stringify(what)} ${how}.\n` +
        "  Bun has changed. See tools/seal.ts and try the attacks of docs/threat-model.md again.",
    );
  }
}
