// Writes what src/routing has learned from the training and calibration splits of corpus/routing. The others are never read here.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spreadOfWords } from "./routing/spread.ts";

const write = (name: string, value: unknown): void =>
  writeFileSync(join(import.meta.dir, "../src/routing", name), `${JSON.stringify(value, null, 2)}\n`);

write("everyday.generated.json", spreadOfWords());
// Fitted with these words, so that it is loaded when they are written.
const { fitConfidence } = await import("./routing/fit.ts");
write("confidence.generated.json", await fitConfidence());
