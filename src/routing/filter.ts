/** Names for no scope in particular. */
const everywhere = new Set(["", "*", "all", "any", "global"]);

/** Whether something of these scopes belongs to another: `billing` has `billing` and `integration/billing`, and what belongs everywhere. */
export const isInScope = (own: readonly string[], wanted: string | undefined): boolean =>
  wanted === undefined ||
  everywhere.has(wanted) ||
  own.length === 0 ||
  own.some((scope) => covers(scope.toLowerCase(), wanted.toLowerCase()));

/** What names no environments is there in all of them. */
export const isInEnvironment = (
  own: readonly string[] | undefined,
  environment: string | undefined,
): boolean =>
  environment === undefined || own === undefined || own.includes(environment) || own.includes("*");

function covers(scope: string, wanted: string): boolean {
  if (everywhere.has(scope)) return true;
  const [own, asked] = [partsOf(scope), partsOf(wanted)];
  return contains(own, asked) || contains(asked, own);
}

const partsOf = (scope: string): string[] => scope.split(/[/.]/).filter((part) => part !== "");

/** The parts of one stand in the other, one after the other. */
export const contains = (all: readonly string[], some: readonly string[]): boolean =>
  some.length > 0 &&
  all.some((_, at) => at + some.length <= all.length && some.every((part, more) => all[at + more] === part));
