import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSignedBy, type Checkpoint } from "../../ledger/checkpoint.ts";
import { headAnchor, verifyLedger, type Anchor, type Verified } from "../../ledger/verify.ts";
import { isObject } from "../../core/json.ts";
import { keysFolder } from "../../platform/places.ts";
import { defineCommand, textFlag, UsageError, type Given } from "./_command.ts";
import { ledgerFlag, ledgersOf, type Ledger } from "./_ledgers.ts";
import { oneLine } from "./_record-line.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Says whether the ledger is whole: nothing changed, removed, moved or put in.",
  usage: ["verify [--ledger DIR] [--against CHECKPOINT [--key PUBLIC]] [--json]"],
  details:
    "Every record names the SHA-256 of the one before it, and how far the ledger had come is remembered outside the\n" +
    "workspace as well. A checkpoint (hookline checkpoint) is a signed statement of that, for those who have only a copy\n" +
    "of the ledger and the public key. Exits 0 when the ledger is whole, 1 when it is not.",
  takesNoWords: true,
  flags: {
    ledger: ledgerFlag,
    against: { type: "string", value: "CHECKPOINT", summary: "A checkpoint the ledger must agree with." },
    key: {
      type: "string",
      value: "PUBLIC",
      summary: "The public key of the checkpoint; by default any of your own keys.",
    },
    json: { type: "boolean", summary: "Print it as JSON." },
  },
  async run(given) {
    const anchor = anchorOf(given);
    const results = ledgersOf(given).map((ledger, at) => ({
      ...ledger,
      result: verifyLedger(ledger.folder, [
        ...headAnchor(ledger.head),
        ...(anchor && at === 0 ? [anchor] : []),
      ]),
    }));
    const ok = results.every(({ result }) => result.flaws.length === 0);
    console.log(
      given.flags["json"] === true
        ? JSON.stringify(
            { ok, ledgers: results.map(({ folder, result }) => ({ folder, ...result })) },
            null,
            2,
          )
        : results.map(asText).join("\n\n"),
    );
    return ok ? 0 : 1;
  },
});

function anchorOf(given: Given): Anchor | undefined {
  const file = textFlag(given, "against");
  if (file === undefined && textFlag(given, "key") !== undefined)
    throw new UsageError("--key is the key of a checkpoint; give that with --against CHECKPOINT");
  if (file === undefined) return undefined;
  const checkpoint = readCheckpoint(file);
  const named = textFlag(given, "key");
  const keys = named === undefined ? ownKeys() : [read(named)];
  if (keys.length === 0)
    throw new UsageError("there is no key to check the signature with; give one with --key PUBLIC");
  if (!keys.some((key) => isSigned(checkpoint, key, named)))
    throw new UsageError(
      `${file} is not signed by ${named ?? "any of your keys"}: it was changed, or made with the key ${checkpoint.key}`,
    );
  return { seq: checkpoint.seq, link: checkpoint.link, from: `the checkpoint of ${checkpoint.time}` };
}

function isSigned(checkpoint: Checkpoint, key: string, file: string | undefined): boolean {
  try {
    return isSignedBy(checkpoint, key);
  } catch {
    if (file === undefined) return false;
    throw new UsageError(
      `${file} is no public key of the kind Ed25519; expected the PEM text that \`hookline keys show\` prints`,
    );
  }
}

function ownKeys(): string[] {
  const folder = keysFolder(process.env);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".pub"))
    .map(({ name }) => read(join(folder, name)));
}

function readCheckpoint(file: string): Checkpoint {
  let found: unknown;
  try {
    found = JSON.parse(read(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is not JSON; expected what \`hookline checkpoint\` prints`);
  }
  if (
    isObject(found) &&
    found["kind"] === "hookline-checkpoint" &&
    found["v"] === 1 &&
    typeof found["seq"] === "number" &&
    ["link", "time", "key", "signature"].every((field) => typeof found[field] === "string")
  )
    return found as unknown as Checkpoint;
  throw new UsageError(`${file} is no checkpoint; expected what \`hookline checkpoint\` prints`);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${(error as { code?: string }).code ?? String(error)})`);
  }
}

function asText({ folder, head, result }: Ledger & { result: Verified }): string {
  const { records, segments, bytes, torn, pruned, flaws, more, last } = result;
  const lines = [folder];
  if (records === 0 && flaws.length === 0) return `${folder}\n  There is no ledger here yet.`;
  const size = bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`;
  lines.push(`  ${records} records in ${segments} ${segments === 1 ? "segment" : "segments"}, ${size}`);
  if (last) lines.push(`  last: record ${last.seq}, ${last.link}`);
  if (pruned) lines.push(`  records up to ${pruned.seq} were removed by retention, as the chain says`);
  if (torn > 0)
    lines.push(
      `  ${torn} ${torn === 1 ? "line was" : "lines were"} never finished: whoever wrote ${torn === 1 ? "it" : "them"} died`,
    );
  if (!head) lines.push("  no head is kept for it here, so a cut-off end would not show");
  for (const { text, segment, line } of flaws)
    lines.push(
      `  ${paint("✗", "red")} ${oneLine(text, 1000)}${line === undefined ? "" : ` (${segment ?? ""}:${line})`}`,
    );
  if (more > 0) lines.push(`  ${paint("✗", "red")} and ${more} more`);
  lines.push(flaws.length === 0 ? `  ${paint("whole", "green")}` : `  ${paint("not whole", "red")}`);
  return lines.join("\n");
}
