import { sourcesOf } from "./check.ts";
import { sayCondition } from "./conditions.ts";
import type { State, Transition, Workflow } from "./model.ts";

/** The workflow as a Mermaid state diagram. `here` are the states it is at. */
export function mermaidOf(workflow: Workflow, here: readonly string[] = []): string {
  const ids = new Map(Object.keys(workflow.states).map((name, at) => [name, `s${at}`]));
  const id = (name: string): string => ids.get(name) ?? "any";
  const lines = ["stateDiagram-v2"];
  if (workflow.summary !== undefined)
    lines.unshift("---", `title: ${JSON.stringify(workflow.summary.replace(/[<>]/g, ""))}`, "---");
  for (const [name, state] of Object.entries(workflow.states))
    lines.push(`  ${id(name)}: ${escaped(labelOf(name, state))}`);
  if (workflow.transitions.some(({ from }) => from.includes("*"))) lines.push("  any: any state");
  lines.push(`  [*] --> ${id(workflow.initial)}`);
  for (const step of workflow.transitions) {
    const said = edgeLabel(workflow, step);
    // One place for "any state", or there would be an arrow from everywhere.
    for (const from of step.from.includes("*") ? ["*"] : sourcesOf(workflow, step))
      lines.push(`  ${id(from)} --> ${id(step.to)}${said === "" ? "" : `: ${escaped(said)}`}`);
  }
  for (const [name, { final }] of Object.entries(workflow.states))
    if (final) lines.push(`  ${id(name)} --> [*]`);
  for (const [name, state] of Object.entries(workflow.states)) {
    const notes = [...notesOf(state), ...stopNotes(workflow, name)];
    if (notes.length > 0)
      lines.push(`  note right of ${id(name)}`, ...notes.map((note) => `    ${escaped(note)}`), "  end note");
  }
  if (here.length > 0)
    lines.push(
      "  classDef here font-weight:bold,stroke-width:3px",
      ...here.map((name) => `  class ${id(name)} here`),
    );
  return `${lines.join("\n")}\n`;
}

export const labelOf = (name: string, { label }: State): string =>
  label === undefined ? name : `${name} (${label})`;

/** What a step waits for, in a few words. */
export function edgeLabel({ states }: Workflow, { when, on, by, label, from, anyway }: Transition): string {
  const who = by ?? (from.length === 1 ? states[from[0] ?? ""]?.by : undefined);
  return [
    ...(label === undefined ? [] : [label]),
    ...(on === undefined ? [] : [`on ${[on.watch, on.result].filter(Boolean).join(" ")}`]),
    ...when.map(sayCondition),
    ...(anyway ? ["anyway"] : []),
    ...(who === undefined ? [] : [`by ${who.join(" or ")}`]),
  ].join("; ");
}

/** What a state forbids and requires, a line each. */
export function notesOf({ forbid, requires }: State): string[] {
  return [
    ...forbid.map(({ actions, run, except }) => {
      const said = Object.entries(actions).map(([word, globs]) => `${word} ${globs.join(", ")}`);
      const all = [...said, ...(run.length === 0 ? [] : [`run ${run.join(", ")}`])].join("; ");
      return `forbids ${all}${except.length === 0 ? "" : ` except ${except.join(", ")}`}`;
    }),
    ...requires.map((each) => `requires ${sayCondition(each)}`),
  ];
}

/** What keeps the agent from stopping in a state, a line each. */
export const stopNotes = ({ stop }: Workflow, name: string): string[] =>
  stop
    .filter(({ in: states }) => states.length === 0 || states.includes(name))
    .flatMap(({ needs }) =>
      needs.length === 0 ? ["no stop"] : needs.map((each) => `no stop before ${sayCondition(each)}`),
    );

/** Nothing of a text may mean something to Mermaid: its entities say what its signs would not. */
const escaped = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/[^\p{L}\p{N} .,/()_*?→-]/gu, (sign) => `#${sign.codePointAt(0) ?? 32};`);
