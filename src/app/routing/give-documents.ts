import { frameDocuments, type Framed } from "../../routing/frame-documents.ts";
import type { Selected } from "../../routing/select-documents.ts";
import type { World } from "../../core/world.ts";
import { redactText } from "../../secrets/redact.ts";

export interface Given {
  readonly text: string;
  readonly framed: readonly Framed[];
}

/** Documents as a model is given them, with secrets masked. */
export const giveDocuments = (
  documents: readonly Selected[],
  budget: number,
  root: string,
  world: World,
): Given => frameDocuments(documents, budget, root, world, (text) => redactText(text).text);

/** What was not given, and why, in words. */
export const notGiven = ({ framed }: Given): string[] =>
  framed.flatMap(({ path, refused }) => (refused === undefined ? [] : [`${path} is not given: ${refused}`]));
