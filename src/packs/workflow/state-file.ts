import type { WriteAction } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import { lazily } from "../../core/lazily.ts";
import { pathBelow } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { fitsGlob } from "../../workflow/declared/glob.ts";
import { realRoot } from "../../workflow/declared/moment.ts";
import type { FileSchema } from "../../workflow/declared/model.ts";
import { release } from "./_examples.ts";
import { isFollowed, withScripts, workflowsIn } from "./_scene.ts";

const declared = [
  {
    ...release,
    schemas: [
      {
        file: "state.json",
        schema: { type: "object", required: ["phase"], properties: { phase: { enum: ["draft", "review"] } } },
        headings: [],
        line: [],
        without: [],
      },
      { file: "docs/*.md", headings: ["# Plan", "## Risks"], line: [], without: ["TODO*"] },
    ],
  },
];

export default defineRule({
  summary: "Refuses a write that would leave a file of a workflow other than its schema says.",
  why: "A state that cannot be read is worse than none: whoever relies on it goes wrong.",
  since: "0.1.0",
  outcome: "block",
  presets: { workflow: {} },
  on: { events: beforeTool, actions: ["write"] },
  options: (v) => v.strictObject({}),
  messages: {
    misfit: {
      what: "{path} would not be as {workflow} wants it: {problems}.",
      instead: "Write it so that it fits; the whole file counts, also what the edit leaves as it is.",
    },
    unclear: {
      what: "what {path} would say cannot be told.",
      why: "{workflow} has a schema for it.",
      instead: "Change it by a plain edit or write.",
    },
  },
  examples: {
    catches: [
      { declared, write: "state.json", text: '{"phase":"done"}' },
      { declared, files: { "state.json": '{"phase":"draft"}' }, shell: "sed -i s/draft/done/ state.json" },
      { declared, write: "state.json", text: '{"phase":' },
      { declared, write: "docs/plan.md", text: "# Plan\n\nTODO: write it\n" },
      { declared, shell: "python3 gen.py > state.json" },
    ],
    allows: [
      { declared, write: "state.json", text: '{"phase":"review"}' },
      { declared, write: "other.json", text: "{" },
      { declared, write: "docs/plan.md", text: "# Plan\n\n## Risks\n\nNone.\n" },
    ],
  },
  load: (event, world, given) => {
    if (!isFollowed(event) && concerned(event, world, given).length === 0) return undefined;
    return (async () => ({ ...(await judging()), event: await withScripts(event, world) }))();
  },
  *check({ world, declared: given, loaded }) {
    if (!loaded) return;
    const { event } = loaded;
    const images = imagesOf(event.actions, world);
    for (const { workflow, schema, action, path } of concerned(event, world, given)) {
      const image = images.after(action);
      // What is missing may still come in the same call.
      if (image?.last === false) continue;
      if (image?.whole !== true) {
        yield { message: "unclear", data: { workflow, path } };
        continue;
      }
      const problems = loaded.fileProblems(schema, path, image.text, loaded.readYaml);
      if (problems.length > 0)
        yield { message: "misfit", data: { workflow, path, problems: problems.slice(0, 5).join("; ") } };
    }
  },
});

const judging = lazily(async () => ({
  ...(await import("../../workflow/declared/file-schema.ts")),
  ...(await import("../../workflow/yaml.ts")),
}));

interface Concerned {
  readonly workflow: string;
  readonly schema: FileSchema;
  readonly action: WriteAction;
  readonly path: string;
}

/** Every write of a file that has a schema. */
function concerned(event: Event, world: World, given: unknown): Concerned[] {
  const place = realRoot(event.root, world);
  return event.actions.flatMap((action) => {
    const path = action.kind === "write" && action.target ? pathBelow(place, action.target.real) : undefined;
    if (action.kind !== "write" || path === undefined) return [];
    return workflowsIn(given).flatMap(({ name, schemas }) =>
      schemas.flatMap((schema) =>
        fitsGlob(schema.file, path) ? [{ workflow: name, schema, action, path }] : [],
      ),
    );
  });
}
