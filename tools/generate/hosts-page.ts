import type { EventName } from "../../src/core/event.ts";
import type { Ability, Host, HostFacts, Switch } from "../../src/core/host.ts";
import { hostFacts } from "../../src/hosts/facts.generated.ts";
import { hosts } from "../../src/hosts/index.generated.ts";

const begin = "<!-- Generated from src/hosts by tools/generate/hosts-page.ts: do not edit below. -->";

/** The page of the hosts: what a person wrote, and below it what the hosts say of themselves. */
export function hostsPage(before: string | undefined): string {
  const written = before?.split(begin)[0] ?? "# Hosts\n\n";
  const sections = Object.entries(hosts).map(([id, host]) => section(id, host, hostFacts[id]));
  return `${written}${begin}\n\n${[overview(), ...sections].join("\n\n")}\n`;
}

/** The letters a table has for what a host can be told. */
const columns: readonly [title: string, abilities: readonly Ability[]][] = [
  ["block", ["block"]],
  ["ask", ["ask"]],
  ["allow", ["allow"]],
  ["change", ["input", "output"]],
  ["tell the model", ["context"]],
  ["tell the person", ["notice"]],
  ["end the turn", ["stop"]],
];

function overview(): string {
  const rows = Object.entries(hosts).map(([id, { title }]) => {
    const { failing, installed, timeLimit, version } = hostFacts[id] ?? unknown;
    const limit = timeLimit ? `${timeLimit.usual} ${timeLimit.unit}` : "none";
    return `| [${title}](#${id}) | \`${id}\` | ${version} | ${failing.crash} | ${failing.late} | ${failing.garbled} | ${installed?.crash ?? ""} | ${installed?.late ?? ""} | ${limit} |`;
  });
  return [
    "| | `--host` | checked at | a hook crashes | is late | answers garbled | Hookline crashes | is late | usual time limit |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

const unknown: HostFacts = {
  version: "?",
  blind: [],
  failing: { crash: "open", late: "open", garbled: "open" },
  trust: "",
  switches: [],
};

function section(id: string, host: Host, facts: HostFacts = unknown): string {
  const tables = Object.entries(host.can).map(([dialect, events]) =>
    [
      ...(Object.keys(host.can).length > 1 ? [`Dialect \`${dialect}\`:`, ""] : []),
      `| event | ours | ${columns.map(([title]) => title).join(" | ")} |`,
      `|---|---|${columns.map(() => "---|").join("")}`,
      ...Object.entries(events).map(([native, can]) => {
        const marks = columns.map(([, wanted]) => (wanted.some((each) => can.includes(each)) ? "yes" : ""));
        const name = nameOf(host, dialect, native);
        return `| \`${native}\` | ${name === "Other" ? "" : `\`${name}\``} | ${marks.join(" | ")} |`;
      }),
    ].join("\n"),
  );
  return [
    `## ${id}`,
    `${host.title}. Read from: ${host.reference}.`,
    ...tables,
    ...(facts.blind.length === 0
      ? []
      : [
          [
            "Hooks do not see:",
            "",
            ...facts.blind.map((each) => `- ${each.tool}. ${each.why} (${each.source})`),
          ].join("\n"),
        ]),
    `Trust: ${facts.trust}`,
    ...(facts.switches.length === 0
      ? []
      : [
          [
            "| Hooks are switched off by | an agent that tries | behind our back |",
            "|---|---|---|",
            ...facts.switches.map(({ by, behind }) => `| ${by} | refused | ${words[behind]} |`),
          ].join("\n"),
        ]),
  ].join("\n\n");
}

const words: Readonly<Record<Switch["behind"], string>> = {
  refused: "refused: it asks before it counts",
  told: "told at the next event",
  silent: "not seen: such a session asks nobody",
};

/** Our name for an event, by a payload that says nothing else. */
export function nameOf(host: Host, dialect: string, native: string): EventName {
  return host.decode(dialect === "cli" ? {} : { hook_event_name: native }, native).name;
}
