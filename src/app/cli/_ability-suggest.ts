import { asText } from "../../core/json.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { suggestHere, type SuggestedHere } from "../routing/suggest-here.ts";
import { registry } from "../registry.ts";
import { environmentOf } from "../hooks.ts";
import { parsePayload } from "../pass.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";
import { readInput } from "./_input.ts";
import { placeHere } from "./_routing.ts";
import { table } from "./_table.ts";

/** Abilities for a message. With `--hook`, for a HookContext on standard input, as a HookResult. */
export async function run(given: Given): Promise<number> {
  const isHook = given.flags["hook"] === true;
  const message = isHook ? await messageOfHook() : await messageOf(given);
  const place = placeHere();
  const wantsModel = given.flags["rerank"] === true;
  const evaluator = wantsModel ? await evaluatorHere(place.root) : undefined;
  const scope = textFlag(given, "scope");
  const most = numberFlag(given, "most", 1, 50, "whole number");
  const least = numberFlag(given, "least", 0, 1);
  const suggested = await suggestHere(message, place, process.env, {
    environment: environmentOf(textFlag(given, "env"), process.env),
    evaluator,
    patient: !isHook,
    ...(scope === undefined ? {} : { scope }),
    ...(most === undefined ? {} : { most }),
    ...(least === undefined ? {} : { least }),
  });
  if (isHook) console.log(JSON.stringify(toHookResult(suggested)));
  else show(suggested, given);
  return 0;
}

async function messageOf({ words }: Given): Promise<string> {
  const said = words.slice(1).join(" ");
  const message = said === "" || said === "-" ? new TextDecoder().decode(await readInput(undefined)) : said;
  if (message.trim() !== "") return message;
  throw new UsageError('say what is wanted, for example: hookline ability suggest "run the billing tests"');
}

async function messageOfHook(): Promise<string> {
  const context = parsePayload(new TextDecoder().decode(await readInput(undefined)));
  return asText(context["user_message"]) ?? asText(context["prompt"]) ?? "";
}

async function evaluatorHere(root: string) {
  const { policy } = await loadPolicy(root, process.env, registry);
  if (policy.handlers.evaluator) return policy.handlers.evaluator;
  throw new UsageError("--rerank needs an evaluator: handlers.prompt in your own or the managed policy");
}

function numberFlag(
  given: Given,
  name: string,
  least: number,
  most: number,
  kind: "number" | "whole number" = "number",
): number | undefined {
  const text = textFlag(given, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  const isKind = kind === "number" || Number.isInteger(number);
  if (text.trim() !== "" && isKind && number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes a ${kind} from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

/** What a hook at UserPromptSubmit prints. */
const toHookResult = ({ suggestions, problems }: SuggestedHere): object => ({
  suggested_abilities: suggestions.map(({ id, reason, confidence }) => ({ id, reason, confidence })),
  messages_to_user: suggestions
    .slice(0, 1)
    .map(({ id, kind, use }) => `You can use the ${id} ${kind} ability: ${use.replace(/\.$/, "")}.`),
  ...(problems.length === 0
    ? {}
    : { logs: problems.slice(0, 5).map((message) => ({ level: "warn", message })) }),
});

function show({ suggestions, model, matched, problems }: SuggestedHere, given: Given): void {
  if (given.flags["json"] === true)
    console.log(JSON.stringify({ suggestions, ...(model ? { matched, model } : {}), problems }, null, 2));
  else {
    if (suggestions.length === 0) console.log("No ability fits.");
    else
      console.log(
        table(suggestions.map(({ id, confidence, reason }) => [confidence.toFixed(2), id, reason])),
      );
    if (model?.detail !== undefined) console.error(`hookline: the evaluator was of no help: ${model.detail}`);
    for (const problem of problems) console.error(`hookline: ${problem}`);
  }
}
