// Writes src/routing/confidence.generated.json from the training split of corpus/routing. The evaluation split is never read here.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitConfidence } from "./routing/fit.ts";

writeFileSync(
  join(import.meta.dir, "../src/routing/confidence.generated.json"),
  `${JSON.stringify(await fitConfidence(), null, 2)}\n`,
);
