import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { outputOf, textOf } from "../../shell/output.ts";
import { dangerousRedis, dangerousSql } from "../../shell/sql.ts";
import { parametersOf, type Request, requestsOf } from "./_requests.ts";
import { feedersOf, hasFlag, wordsOf } from "./_runs.ts";

/** The statements of a text that throw data away, shortened for telling. */
export const droppedBy = (text: string): string[] =>
  dangerousSql(text).map((found) => found.statement.replace(/\s+/g, " ").slice(0, 60));

/** What a command throws away by the interface of a database: a request, a raw text, a call of a library. */
export function droppedElsewhere(run: Run): string[] {
  if (isOneOf(run.program, "nc ncat netcat socat telnet /dev/tcp")) return flushedBy(fedText(run));
  const calls = (run.effects ?? []).flatMap((effect) => (effect.do === "call" ? [effect] : []));
  if (calls.length === 0 && !isOneOf(run.program, "curl wget https http xhs xh")) return [];
  if (wordsOf(run).some((word) => /^(?:telnet|gopher):\/\//.test(word)))
    return flushedBy(
      [...wordsOf(run), textOf(run.stdin) ?? ""].join("\n").replace(/\/_|%0[dD]%0[aA]/g, "\n"),
    );
  return [
    ...requestsOf(run).flatMap(droppedByRequest),
    ...calls.flatMap((call) => droppedByCall(call, calls, wordsOf(run).includes("tinker"))),
  ];
}

const flushedBy = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .flatMap((line) => [
      ...dangerousRedis(line.split(/\s+/)).map((found) => found.statement),
      ...(/^flush_all\b/.test(line) ? ["flush_all"] : []),
    ]);

/** The text fed to a command, with what is only known when it runs left as it is written. */
export function fedText(run: Run): string {
  const text = textOf(run.stdin);
  if (text !== undefined) return text;
  return feedersOf(run)
    .filter((each) => isOneOf(each.program, "echo printf"))
    .map((each) => outputOf([each]) ?? wordsOf(each).join(" "))
    .join("\n");
}

const quotedText = /'((?:[^']|'')*)'/g;
const losing = /^\s*(?:drop|truncate|delete\s+from|alter\s+table\s.*\bdrop)\b/i;

/** Statements that one client makes and another runs: `psql -c "select 'drop …'" | psql`, `\gexec`. */
export function droppedByMadeText(run: Run, isClient: (run: Run) => boolean): string[] {
  const own = [...wordsOf(run), fedText(run)].filter((text) => /\\gexec\b/.test(text));
  const feeders = feedersOf(run);
  // Django prints the statements that empty all tables.
  if (feeders.some((each) => wordsOf(each).includes("sqlflush"))) return ["what sqlflush prints"];
  const made = feeders.flatMap((each) => {
    if (isClient(each)) return [...wordsOf(each), textOf(each.stdin) ?? ""];
    // What a filter lets through or puts in front.
    return isOneOf(each.program, "grep egrep rg")
      ? hasFlag(wordsOf(each), "-v")
        ? []
        : wordsOf(each).map((word) => `'${word.replace(/^\^/, "")} x'`)
      : isOneOf(each.program, "gawk mawk awk gsed sed")
        ? wordsOf(each).flatMap((word) =>
            [
              ...(word.match(/"[^"]*"/g) ?? []),
              ...(/^s(.)/.test(word) ? word.split(word.charAt(1)).slice(2, 3) : []),
            ].map((piece) => `'${piece.replace(/^"|"$/g, "")} x'`),
          )
        : [];
  });
  return [...own, ...made]
    .flatMap((text) => [...text.matchAll(quotedText)].map((match) => match[1] ?? ""))
    .filter((literal) => losing.test(literal))
    .map((literal) => literal.trim().slice(0, 60));
}

type ServiceCall = Extract<NonNullable<Run["effects"]>[number], { do: "call" }>;

const stores =
  /sequelize|mongo|mongoose|knex|prisma|typeorm|collection|schema|database|\bdb\b|\btable\b|model|repository|connection|datasource/i;

function droppedByCall(
  { name, texts, options, isEmpty }: ServiceCall,
  all: readonly ServiceCall[],
  isConsole: boolean,
): string[] {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const shown = `${last}()`;
  if (/^flush_?(?:all|db)$/i.test(last)) return [shown];
  if (
    /^drop_?(?:all|database|table|tables|collection|schema|index|keyspace|alltables|tableifexists)$/i.test(
      last,
    )
  )
    return [shown];
  if (/^delete_?many$/i.test(last)) return isEmpty ? [shown] : [];
  if (/^(?:delete_?all|destroy_?all)$/i.test(last))
    return name.includes(".") && !/\.where\b/.test(name) ? [shown] : [];
  if (/^delete$/.test(last) && /\.objects\.all\.delete$|^db\.table\.delete$/.test(name)) return [shown];
  if (/^(?:drop|truncate)$/i.test(last))
    return (isConsole || stores.test(name)) && !/^(?:os|fs|File)\b/.test(name) ? [shown] : [];
  if (/^sync$/.test(last)) return options.includes("force") ? ["sync({ force: true })"] : [];
  if (/^indices\.delete|\.indices\.delete$|delete_by_query$/i.test(name)) return [shown];
  // A database that is only in memory is nobody's.
  const isScratch = all.some(
    (each) =>
      /(?:connect|Database|DatabaseSync|open|sqlite3)$/.test(each.name) && each.texts.includes(":memory:"),
  );
  return isScratch ? [] : texts.flatMap(droppedBy);
}

/** What a request to the interface of a database throws away. */
function droppedByRequest(request: Request): string[] {
  const { verb, host, port, path, texts } = request;
  const [place = ""] = path.split("?");
  const names = place.split("/").filter(Boolean);
  const shown = `${verb} ${place}`.slice(0, 60);
  const body = texts.join("\n");
  const isSearch = /^92\d\d$/.test(port) || /elastic|opensearch|(?:^|[.-])es[.-]/.test(host);
  if (isSearch && /_delete_by_query$/.test(place)) return /match_all/.test(body) ? [shown] : [];
  const isForTests =
    isOneOf(host, "localhost 127.0.0.1") &&
    /(?:^|[-_])(?:test|tests|tmp|temp)(?:[-_]|$)/.test(names[0] ?? "");
  if (isSearch && isForTests) return [];
  if (isSearch && verb === "DELETE")
    return names.length === 1 ||
      isOneOf(names[0] ?? "", "_all _index_template _template _data_stream _snapshot")
      ? [shown]
      : [];
  if (verb === "DELETE" && port === "5984") return names.length === 1 ? [shown] : [];
  if (verb === "DELETE" && wholes.some((pattern) => pattern.test(place))) return [shown];
  if (/\/admin\/tsdb\/delete_series/.test(place)) return [shown];
  if (/\/solr\//.test(place))
    return /<delete>\s*<query>\s*\*:\*|"delete"\s*:\s*\{\s*"query"\s*:\s*"\*:\*"/.test(body + path) ||
      /deleteIndex=true|deleteDataDir=true|action=DELETE/.test(path)
      ? [shown]
      : [];
  if (/\/kv\/deleterange$/.test(place) || (verb === "DELETE" && /\/v1\/kv\/.*[?&]recurse/.test(path)))
    return [shown];
  if (/tx\/commit$|\/query\/v2$/.test(place) && /detach\s+delete/i.test(body)) return [shown];
  // Databases that take their statements by the web.
  const isSql =
    isOneOf(port, "8123 8086 8428 4000 9047") ||
    /clickhouse|influx/.test(host) ||
    /\/(?:query|sql|statement)\b/.test(place);
  return isSql
    ? [...parametersOf(request), ...texts.map((text) => text.replace(/^q(?:uery)?=/, ""))].flatMap(droppedBy)
    : [];
}

/** Places of whole collections, indexes and databases in the interfaces of well-known stores. */
const wholes = [
  /^\/collections\/[^/]+$/,
  /^\/indexes\/[^/]+(?:\/documents)?$/,
  /^\/_api\/(?:database|collection)\/[^/]+$/,
  /^\/v1\/schema(?:\/[^/]+)?$/,
  /^\/api\/v2\/buckets\/[^/]+$/,
  /^\/api\/(?:queues|vhosts|exchanges)\/.+/,
];
