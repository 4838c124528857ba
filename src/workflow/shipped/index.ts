import type { Workflow } from "../declared/model.ts";
import pipeline from "./pipeline.generated.json";
import ralphLater from "./ralph-later.generated.json";
import ralph from "./ralph.generated.json";

/** The workflows that come with Hookline; the rules of their packs hold them. */
export const shippedWorkflows = [pipeline, ralph, ralphLater] as unknown as readonly Workflow[]; // compiled from their YAML
