import { hosts } from "../../src/hosts/index.generated.ts";
import { drivers } from "../agents/drivers.ts";
import { remembered } from "../agents/results.ts";
import { scenarios } from "../agents/scenarios.ts";

/** The page of the real agents: what `npm run test:agents` has seen them do. */
export function agentsPage(): string {
  const all = Object.keys(drivers).map((id) => ({ id, ...remembered(id) }));
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return `# Seen with real agents

\`npm run test:agents\` installs each of these agents, sets a repository up with \`hookline init --yes\`, and lets the agent work in it,
offline and with a scripted model. This is what was seen, by agent and version. It is written by that run: do not edit it.

${[
  row(["", ...all.map(({ id, version = "not run" }) => `[${hosts[id]?.title}](hosts.md#${id}) ${version}`)]),
  row(["---", ...all.map(() => "---")]),
  ...Object.entries(scenarios).map(([id, { title }]) =>
    row([title, ...all.map(({ seen = {} }) => seen[id] ?? "not run")]),
  ),
].join("\n")}

\`cannot\`: the agent has no way to be told, so Hookline's record says what was lost; what it could not say is made up for on the stricter side
where there is one ([hosts](hosts.md)). When Hookline itself fails, \`blocked\` means that the agent does not make the call, \`goes ahead\` that it does.
`;
}
