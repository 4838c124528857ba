import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Link } from "../../ledger/chain.ts";
import { signCheckpoint, type Checkpoint } from "../../ledger/checkpoint.ts";
import { headAnchor, verifyLedger } from "../../ledger/verify.ts";
import { keysFolder } from "../../platform/places.ts";
import { defineCommand, textFlag, UsageError } from "./_command.ts";
import { ledgerFlag, ledgersOf } from "./_ledgers.ts";

export default defineCommand({
  summary: "Signs how far the ledger has come, so that nobody can rewrite it up to here.",
  usage: ["checkpoint [--out FILE] [--key NAME] [--ledger DIR]"],
  details:
    "Keep it where an agent cannot write: a CI artifact, another repository, a mail. `hookline verify --against` compares.\n" +
    "A ledger that is not whole is not signed. Exits 1 then.",
  takesNoWords: true,
  flags: {
    out: { type: "string", value: "FILE", summary: "Write it there instead of printing it." },
    key: { type: "string", value: "NAME", summary: "The key to sign with; `default` when not given." },
    ledger: ledgerFlag,
  },
  async run(given) {
    const name = textFlag(given, "key") ?? "default";
    const file = join(keysFolder(process.env), `${name}.key`);
    if (!existsSync(file))
      throw new UsageError(`there is no key named ${name}; \`hookline keys new ${name}\` makes one`);
    const [ledger] = ledgersOf(given);
    const { last, flaws } = verifyLedger(ledger?.folder ?? "", headAnchor(ledger?.head));
    if (flaws.length > 0 || !last) {
      console.error(
        last
          ? "The ledger is not whole, so it is not signed; `hookline verify` says what is wrong."
          : `There is nothing to sign: no ledger in ${ledger?.folder ?? ""}.`,
      );
      return 1;
    }
    const text = JSON.stringify(signed(last, file), null, 2);
    const out = textFlag(given, "out");
    if (out === undefined) console.log(text);
    else writeFileSync(out, `${text}\n`);
    return 0;
  },
});

function signed(last: Link, file: string): Checkpoint {
  const key = readFileSync(file, "utf8");
  try {
    return signCheckpoint(last, key, new Date().toISOString());
  } catch {
    throw new UsageError(
      `${file} is no private key of the kind Ed25519; \`hookline keys new NAME\` makes one`,
    );
  }
}
