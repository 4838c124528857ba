import { isStage, stages } from "../../core/hook.ts";
import { nearest } from "../../core/nearest.ts";
import type { Intent } from "../../routing/knowledge.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import { mostDocuments, selectDocuments } from "../../routing/select-documents.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";
import { giveDocuments, notGiven } from "../routing/give-documents.ts";
import { placeHere } from "./_routing.ts";

/** Documents for an intent, with why, and with `--text` what stands in them. */
export function run(given: Given): number {
  const intent = intentOf(given);
  const { root, files, from } = placeHere();
  const selection = selectDocuments(intent, root, files, from, count(given, "most", mostDocuments));
  const { documents, why, problems } = selection;
  const budget = count(given, "budget", 256) * 1024;
  const text = given.flags["text"] === true ? giveDocuments(documents, budget, root, files) : undefined;
  if (given.flags["json"] === true)
    console.log(JSON.stringify({ intent: selection.intent, documents, why, ...text, problems }, null, 2));
  else {
    for (const { path, reason } of documents) console.log(`${path}\n  ${reason}`);
    if (why !== undefined) console.log(`No document: ${why}.`);
    if (text && text.text !== "") console.log(`\n${text.text}`);
    for (const each of text ? notGiven(text) : []) console.error(`hookline: ${each}`);
    for (const problem of problems) console.error(`hookline: ${showRoutingProblem(problem)}`);
  }
  return documents.length === 0 ? 1 : 0;
}

function intentOf(given: Given): Intent {
  const [scope, topic, stage, cli] = ["scope", "topic", "stage", "command"].map((name) =>
    textFlag(given, name),
  );
  const intent = textFlag(given, "intent") ?? given.words.slice(1).join(" ");
  if (stage !== undefined && !isStage(stage)) {
    const near = nearest(stage, stages);
    throw new UsageError(
      `--stage takes ${stages.join(", ")}, not ${JSON.stringify(stage)}${near === undefined ? "" : `; did you mean "${near}"?`}`,
    );
  }
  if (intent === "" && scope === undefined && topic === undefined)
    throw new UsageError("say what is wanted with --intent, or name a --scope or a --topic");
  return {
    intent,
    ...(scope === undefined ? {} : { scope }),
    ...(topic === undefined ? {} : { topic }),
    ...(stage === undefined ? {} : { stage }),
    ...(cli === undefined ? {} : { signals: { cli_command: cli } }),
  };
}

const usual: Readonly<Record<string, number>> = { most: mostDocuments, budget: 16 };

function count(given: Given, name: string, most: number): number {
  const text = textFlag(given, name);
  if (text === undefined) return usual[name] ?? most;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} takes a whole number from 1 to ${most}, not ${JSON.stringify(text)}`);
}
