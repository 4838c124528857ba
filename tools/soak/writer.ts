// Writes records to a ledger as fast as it can and says on standard output which are there. Made to be killed.
//
//   bun tools/soak/writer.ts ROOT HOME NAME FROM COUNT [jumpy]
import { appendRecord } from "../../src/ledger/append.ts";
import { bareRecord } from "../../src/ledger/record.ts";

const [root = "", home = "", name = "", from = "0", count = "0", clock] = process.argv.slice(2);
const now = Date.now.bind(Date);
// A clock that jumps back and forth by hours.
if (clock === "jumpy") Date.now = () => now() - Math.floor(Math.random() * 1e7);

const limits = { bytes: 1024 * 1024, days: 30 };
for (let at = Number(from); at < Number(from) + Number(count); at++) {
  // Lines of all lengths, a few of them larger than what the system writes in one go.
  const filler = "x".repeat(Math.random() < 0.02 ? 200_000 : Math.floor(Math.random() * 3000));
  const { trouble } = await appendRecord(
    root,
    bareRecord({ writer: `${name}-${at}`, filler }),
    { HOME: home },
    { limits },
  );
  // Said only when it is there: whoever reads this may rely on it.
  if (trouble === undefined) process.stdout.write(`${name}-${at}\n`);
  else process.stdout.write(`elsewhere ${name}-${at} ${trouble}\n`);
}
