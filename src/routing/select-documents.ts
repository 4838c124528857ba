import type { Stage } from "../core/hook.ts";
import { nearest } from "../core/nearest.ts";
import type { Files } from "./_files.ts";
import { questionOf, stageOf } from "./intent.ts";
import type { Intent, KnowledgeHead, RelatedDocument, Route, RouteIndex } from "./knowledge.ts";
import { loadDocument, loadIndexes, loadRoutes } from "./load-knowledge.ts";
import type { RoutingProblem } from "./problem.ts";
import { similarity } from "./_similarity.ts";

/** A document that was selected, and why. */
export interface Selected {
  /** Below the workspace. */
  readonly path: string;
  readonly reason: string;
  readonly stage?: Stage;
  readonly summary?: string;
}

export interface Selection {
  /** The intent with what was found out. */
  readonly intent: Intent;
  readonly documents: readonly Selected[];
  /** Why there are none. */
  readonly why?: string;
  readonly problems: readonly RoutingProblem[];
}

/** Nobody reads more than this. */
export const mostDocuments = 5;
/** How near the best another must come to be taken as well. */
const nearEnough = 0.5;
const mostTopics = 3;

/** From an intent to one to five documents: topics by scope and topic, routes by when they are of use, documents by stage. */
export function selectDocuments(
  intent: Intent,
  root: string,
  files: Files,
  from: string = root,
  most: number = mostDocuments,
): Selection {
  const { indexes, problems: wrong, document } = loadIndexes(root, files, from);
  const problems: RoutingProblem[] = [...wrong];
  const none = (why: string): Selection => ({ intent, documents: [], why, problems });
  if (document === undefined) return none("there is no ROUTING.md");
  const topics = topicsFor(intent, indexes);
  if (typeof topics === "string") return none(topics);
  const routes = topics.flatMap((topic) => {
    const loaded = loadRoutes(topic.index, root, files);
    problems.push(...loaded.problems);
    return loaded.routes.map((route) => ({ route, topic }));
  });
  if (routes.length === 0) return none("the topic has no routes that could be read");
  const chosen = routesFor(intent, routes);
  const guessed = intent.stage === undefined ? stageOf(intent) : undefined;
  const stage = intent.stage ?? guessed?.stage;
  // Many routes may name one document.
  const heads = new Map<string, KnowledgeHead | undefined>();
  const headOf = (path: string): KnowledgeHead | undefined => {
    if (heads.has(path)) return heads.get(path);
    const loaded = loadDocument(path, root, files);
    problems.push(...loaded.problems.filter(({ code }) => code === "HL_ROUTING_UNREADABLE"));
    const head = "head" in loaded ? loaded.head : undefined;
    heads.set(path, head);
    return head;
  };
  const weighed = chosen.flatMap(({ route, share, reason }) =>
    route.documents.map((each, at) => weigh(each, at, share, reason, stage, intent, headOf(each.path))),
  );
  // What is for another stage only is a last resort, unless the stage was but a guess.
  const fitting = weighed.filter(({ fits }) => fits || guessed !== undefined);
  const best = (fitting.length > 0 ? fitting : weighed).toSorted((a, b) => b.weight - a.weight);
  const documents = once(best).slice(0, Math.max(1, Math.min(most, mostDocuments)));
  const first = chosen[0]?.route;
  return {
    intent: {
      ...intent,
      ...(first ? { scope: intent.scope ?? first.scope, topic: intent.topic ?? first.topic } : {}),
      ...(stage === undefined ? {} : { stage }),
    },
    documents,
    ...(documents.length === 0 ? { why: "the routes that fit name no documents that could be read" } : {}),
    problems,
  };
}

interface Topic {
  readonly index: RouteIndex;
  readonly reason: string;
}

/** What is named filters; what is not is found by the words. */
function topicsFor(intent: Intent, indexes: readonly RouteIndex[]): readonly Topic[] | string {
  const { scope, topic } = intent;
  const named = indexes.filter(
    (index) =>
      (scope === undefined || isOf(index.scope, scope)) && (topic === undefined || same(index.topic, topic)),
  );
  if (named.length === 0) return notNamed(intent, indexes);
  const reason = [
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(topic === undefined ? [] : [`topic ${topic}`]),
  ].join(" and ");
  if (topic !== undefined || named.length === 1)
    return named.map((index) => ({ index, reason: reason || `the only topic, ${index.topic}` }));
  const scores = similarity(
    questionOf(intent),
    named.map(({ scope: own, topic: name, summary }) => `${own} ${name} ${summary}`),
  );
  const best = Math.max(...scores.map(({ score }) => score));
  if (best === 0) return "no topic shares a word with the intent";
  return named
    .map((index, at) => ({ index, ...(scores[at] ?? { score: 0, words: [] }) }))
    .filter(({ score }) => score >= best * nearEnough)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostTopics)
    .map(({ index, words }) => ({
      index,
      reason: `${reason === "" ? "" : `${reason}, `}topic ${index.topic} by '${words.slice(0, 6).join(" ")}'`,
    }));
}

function notNamed({ scope, topic }: Intent, indexes: readonly RouteIndex[]): string {
  const scopes = [...new Set(indexes.map((index) => index.scope))];
  if (scope !== undefined && !scopes.some((each) => isOf(each, scope)))
    return `there is no scope ${JSON.stringify(scope)}${hint(nearest(scope, scopes))}`;
  const topics = indexes
    .filter((index) => scope === undefined || isOf(index.scope, scope))
    .map((each) => each.topic);
  return topic === undefined
    ? "there are no topics"
    : `there is no topic ${JSON.stringify(topic)}${scope === undefined ? "" : ` in ${scope}`}${hint(nearest(topic, topics))}`;
}

const hint = (near: string | undefined): string => (near === undefined ? "" : `; did you mean "${near}"?`);

const same = (a: string, b: string): boolean =>
  a.toLowerCase().replaceAll("-", "_") === b.toLowerCase().replaceAll("-", "_");

/** `execution` has `execution.quality_gates`. */
const isOf = (own: string, wanted: string): boolean =>
  same(own, wanted) || own.toLowerCase().startsWith(`${wanted.toLowerCase()}.`);

interface Chosen {
  readonly route: Route;
  /** From 0 to 1, the best has 1. */
  readonly share: number;
  readonly reason: string;
}

function routesFor(intent: Intent, routes: readonly { route: Route; topic: Topic }[]): Chosen[] {
  const scores = similarity(
    questionOf(intent),
    routes.map(({ route }) => route.whenToUse),
  );
  const best = Math.max(...scores.map(({ score }) => score));
  return routes
    .map(({ route, topic }, at) => {
      const { score, words } = scores[at] ?? { score: 0, words: [] };
      const shared = words.length === 0 ? "" : `; its route is for '${words.slice(0, 6).join(" ")}'`;
      return { route, share: best === 0 ? 1 : score / best, reason: `${topic.reason}${shared}` };
    })
    .filter(({ share }) => share >= nearEnough)
    .toSorted((a, b) => b.share - a.share);
}

/** Which kinds of documents help at a stage. A leaning, no filter. */
const leanings: Readonly<Record<Stage, readonly string[]>> = {
  understand: ["alignment"],
  plan: ["workflow", "alignment"],
  act: ["skill", "example"],
  review: ["alignment", "skill"],
};

interface Weighed {
  readonly selected: Selected;
  readonly weight: number;
  readonly fits: boolean;
}

function weigh(
  { path, stages: routed, usage }: RelatedDocument,
  at: number,
  share: number,
  reason: string,
  stage: Stage | undefined,
  intent: Intent,
  head: KnowledgeHead | undefined,
): Weighed {
  const stages = routed.length > 0 ? routed : (head?.stages ?? []);
  const isNamed = stage !== undefined && stages.includes(stage);
  const fits = stage === undefined || stages.length === 0 || isNamed;
  const [about] = similarity(questionOf(intent), [`${usage} ${head?.summary ?? ""}`]);
  const weight =
    share +
    (isNamed ? 0.6 : fits ? 0.3 : 0) +
    (/\b(?:primary|read (?:this )?first)\b/i.test(usage) ? 0.2 : 0) -
    (/\b(?:optional|supplementary)\b/i.test(usage) ? 0.2 : 0) +
    (stage !== undefined && head?.type !== undefined && leanings[stage].includes(head.type) ? 0.1 : 0) +
    Math.min(0.3, (about?.score ?? 0) * 0.1) -
    // Who wrote the route put the more important first.
    at * 0.01;
  const staged =
    stage === undefined
      ? ""
      : isNamed
        ? `; for the stage ${stage}`
        : stages.length === 0
          ? "; for any stage"
          : `; for the stage ${stages.join(", ")}, and there is none for ${stage}`;
  return {
    fits,
    weight,
    selected: {
      path,
      reason: `${reason}${staged}${usage === "" ? "" : `: ${usage}`}`.replace(/\s+/g, " ").slice(0, 300),
      ...(isNamed && stage !== undefined ? { stage } : {}),
      ...(head && head.summary !== "" ? { summary: head.summary } : {}),
    },
  };
}

/** A document that several routes name counts once, at its best place. */
function once(best: readonly Weighed[]): Selected[] {
  const first = new Map<string, Selected>();
  for (const { selected } of best) if (!first.has(selected.path)) first.set(selected.path, selected);
  return [...first.values()];
}
