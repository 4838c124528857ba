import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { asksForHelp, feedersOf, plainWords, shown, wordsOf } from "./_runs.ts";
import { callsForTeardown, requestsTeardown } from "./_teardown-calls.ts";
import { stop, ask, gone, isTrial, type Teardown, type Row } from "./_teardown-row.ts";
import { clouds } from "./_teardown-clouds.ts";
import { clusters } from "./_teardown-clusters.ts";
import { machine } from "./_teardown-machine.ts";

/** Everything that tears something down, by program. */
export const table: Readonly<Record<string, Row>> = { ...clouds, ...clusters, ...machine };

/** What a command tears down, if anything. */
export function teardown(run: Run): Teardown | undefined {
  const row = Object.hasOwn(table, run.program) ? table[run.program] : undefined;
  if (!row) {
    if (run.about === "teardown") return ask(gone);
    if (callsForTeardown(run)) return stop(gone);
    return requestsTeardown(run) ? ask(gone) : undefined;
  }
  const words = run.args.some((arg) => arg.text === "(input)" && arg.from)
    ? wordsOf(run).map((word) => (word === "(input)" ? `$(${feedersOf(run).map(shown).join(" | ")})` : word))
    : wordsOf(run);
  if (asksForHelp(words) || words.some((word) => /^-{1,2}help$/.test(word)) || triesOnly(words))
    return undefined;
  return row(words, plainWords(withoutValues(words)));
}

/** Is it told to change nothing? Behind another option the word may be that option's value. */
const triesOnly = (words: readonly string[]): boolean =>
  words.some((word, at) => isTrial(word) && !(words[at - 1] ?? "").startsWith("-"));

/** Options that stand before the verb, with their values. */
function withoutValues(words: readonly string[]): string[] {
  const takes =
    "-n --namespace --context --profile --region --project -c --config --kubeconfig -chdir --subscription -g --resource-group --output -o --filter --name --zone --cluster -H --host --app -a -s --stack -e --env -i --inventory --file -f -p";
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    kept.push(words[at] ?? "");
    // The value of an option is no verb; it stays out of the way as an option of its own.
    if (isOneOf(words[at] ?? "", takes) && at + 1 < words.length) kept.push(`-${words[++at]}`);
  }
  return kept;
}
