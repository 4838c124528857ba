import { join } from "node:path";
import { headAnchor, verifyLedger } from "../../ledger/verify.ts";
import type { DoctorCheck } from "../doctor-check.ts";

export default {
  title: "The ledger is whole",
  run: async ({ ledgers }) =>
    ledgers.flatMap(({ folder, head }) =>
      verifyLedger(folder, headAnchor(head)).flaws.map(({ text, segment, line }) => ({
        text,
        place: segment === undefined ? folder : `${join(folder, segment)}:${line ?? 0}`,
        instead: "Find out who changed it; `hookline verify` has the whole list.",
      })),
    ),
} satisfies DoctorCheck;
