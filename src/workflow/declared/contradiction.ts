import { sayCondition } from "./conditions.ts";
import { fitsGlob, fitsName, isGlob } from "./glob.ts";
import type { Condition, Workflow } from "./model.ts";

/** Why some conditions can never hold at once; nothing when nobody can say that. */
export function contradictionIn(conditions: readonly Condition[], workflow: Workflow): string | undefined {
  for (const [at, one] of conditions.entries()) {
    const alone = impossible(one, workflow);
    if (alone !== undefined) return alone;
    for (const other of conditions.slice(at + 1)) {
      const reason = clash(one, other) ?? clash(other, one);
      if (reason !== undefined) return reason;
    }
  }
  return manyValues(conditions);
}

/** What cannot hold by itself. */
function impossible(condition: Condition, workflow: Workflow): string | undefined {
  switch (condition.is) {
    case "file": {
      const both = condition.line.find((line) => condition.without.some((each) => covers(each, line)));
      return both === undefined
        ? undefined
        : `${condition.file} must have and must not have a line \`${both}\``;
    }
    case "key": {
      const left = condition.values.filter((value) => !condition.isNot.some((each) => isSame(each, value)));
      return condition.values.length > 0 && left.length === 0
        ? `${condition.key.join(".")} must be and must not be ${show(condition.values)}`
        : undefined;
    }
    case "seen":
    case "last": {
      const { watch, result } = condition.sight;
      const { run = [], delegate = [], says } = workflow.watch[watch] ?? {};
      return result !== undefined && run.length + delegate.length === 0 && !says
        ? `${watch} neither passes nor fails: it watches neither a command, nor a subagent, nor what is said`
        : undefined;
    }
    case "any": {
      if (condition.of.length === 0) return "`any` of nothing";
      const reasons = condition.of.map((each) => impossible(each, workflow));
      return reasons.includes(undefined) ? undefined : reasons[0];
    }
    case "state": {
      const isOwn = condition.workflow === workflow.name;
      return isOwn ? `it asks where ${workflow.name} itself is` : undefined;
    }
    default:
      return undefined;
  }
}

/** Why one condition rules another out. */
function clash(one: Condition, other: Condition): string | undefined {
  if (one.is === "not" && isSame(one.of, other)) return `${sayCondition(other)} must hold and must not`;
  if (
    one.is === "absent" &&
    (other.is === "file" || other.is === "key") &&
    !isGlob(other.file) &&
    fitsGlob(one.file, other.file)
  )
    return `${other.file} must be there and must not`;
  if (one.is === "any") {
    const reasons = one.of.map((each) => clash(each, other) ?? clash(other, each));
    return one.of.length > 0 && !reasons.includes(undefined) ? reasons[0] : undefined;
  }
  if (one.is !== other.is) return undefined;
  switch (one.is) {
    case "key": {
      if (other.is !== "key" || one.file !== other.file || one.key.join(".") !== other.key.join("."))
        return undefined;
      const both = one.values.filter((value) => other.values.some((each) => isSame(each, value)));
      const name = `${one.key.join(".")} of ${one.file}`;
      if (one.values.length > 0 && other.values.length > 0 && both.length === 0)
        return `${name} must be ${show(one.values)} and ${show(other.values)}`;
      const ruledOut = one.values.every((value) => other.isNot.some((each) => isSame(each, value)));
      return one.values.length > 0 && ruledOut
        ? `${name} must be and must not be ${show(one.values)}`
        : undefined;
    }
    case "branch": {
      if (other.is !== "branch") return undefined;
      const meet = one.branch.some((a) =>
        other.branch.some((b) => covers(a, b) || covers(b, a) || (isGlob(a) && isGlob(b))),
      );
      return meet
        ? undefined
        : `the branch must be ${one.branch.join(" or ")} and ${other.branch.join(" or ")}`;
    }
    case "last": {
      if (other.is !== "last" || one.sight.watch !== other.sight.watch) return undefined;
      const [a, b] = [one.sight.result, other.sight.result];
      return a !== undefined && b !== undefined && a !== b
        ? `the last ${one.sight.watch} must have ${a} and ${b}`
        : undefined;
    }
    case "file": {
      if (other.is !== "file" || one.file !== other.file || isGlob(one.file)) return undefined;
      const both = one.line.find((line) => other.without.some((each) => covers(each, line)));
      return both === undefined ? undefined : `${one.file} must have and must not have a line \`${both}\``;
    }
    case "state": {
      if (other.is !== "state" || one.workflow !== other.workflow) return undefined;
      return one.states.some((name) => other.states.includes(name))
        ? undefined
        : `${one.workflow} must be at ${one.states.join(" or ")} and at ${other.states.join(" or ")}`;
    }
    default:
      return undefined;
  }
}

/** Three conditions on a key may leave nothing although two of them would. */
function manyValues(conditions: readonly Condition[]): string | undefined {
  const left = new Map<string, readonly unknown[]>();
  for (const each of conditions) {
    if (each.is !== "key" || each.values.length === 0) continue;
    const name = `${each.key.join(".")} of ${each.file}`;
    const before = left.get(name) ?? each.values;
    const now = before.filter((value) => each.values.some((one) => isSame(one, value)));
    if (now.length === 0) return `no value is left for ${name}`;
    left.set(name, now);
  }
  return undefined;
}

/** Does everything that fits one pattern fit another? Sure of it only where that can be seen. */
const covers = (wide: string, narrow: string): boolean =>
  wide === narrow || (!/[*?]/.test(narrow) && fitsName(wide, narrow));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const show = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(" or ");
