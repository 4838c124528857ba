import { isOneOf, unversioned } from "../../core/one-of.ts";
import { resolve } from "node:path";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { textOf } from "../../shell/output.ts";
import { dangerousMongo, dangerousRedis } from "../../shell/sql.ts";
import { droppedBy, droppedByMadeText, droppedElsewhere, fedText } from "./_database-calls.ts";
import { isScratch } from "./_places.ts";
import { feedersOf, hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Asks before tables, databases or all rows of a table are thrown away.",
  why: "A database is not under version control, and its last backup is older than its last row.",
  since: "0.1.0",
  outcome: "ask",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    get programs() {
      return [
        ...Object.keys(verbs),
        ..."psql pgcli mysql mariadb mycli sqlite3 mongosh mongo redis-cli valkey-cli sqlcmd clickhouse-client clickhouse duckdb bq cqlsh usql snowsql sqlplus turso litecli mssql-cli invoke-sqlcmd cypher-shell neo4j-admin memcflush trino beeline hive curl wget http https xh nc ncat netcat socat telnet /dev/tcp ruby perl bun deno wrangler python* php node dropdb heroku dropuser pg_restore mongorestore bin/rails hbase pscale fly flyctl iex elixir".split(
          " ",
        ),
      ];
    },
  },
  options: (v) => v.strictObject({}),
  messages: {
    statement: {
      what: "`{command}` would run `{statement}`.",
      instead: "Show the user the statement and what it hits, and let them run it.",
    },
    resets: { what: "`{command}` throws a database away.", instead: "Ask the user to do it." },
  },
  examples: {
    catches: [
      { shell: "psql -c 'DROP TABLE users'" },
      { shell: "echo 'DELETE FROM orders;' | mysql shop" },
      { shell: "sqlite3 app.db <<'EOF'\nTRUNCATE users;\nEOF" },
      { shell: "redis-cli -n 1 FLUSHALL" },
      { shell: "mongosh shop --eval 'db.dropDatabase()'" },
      { shell: "npx prisma migrate reset --force" },
      { shell: "docker exec -i db psql -U app -c 'drop schema public cascade'" },
    ],
    allows: [
      { shell: "psql -c 'SELECT * FROM users LIMIT 5'" },
      { shell: 'psql -c "DELETE FROM carts WHERE id = 5"' },
      { shell: "grep -rn 'DROP TABLE' migrations" },
      { shell: "git commit -m 'DROP TABLE users in migration'" },
      { shell: "psql -c \"SELECT 'DROP TABLE users'\"" },
      { shell: "rails db:migrate" },
    ],
  },
  *check({ event, world }) {
    for (const run of runsOf(event)) {
      if (isScratchFile(run, event.root, world)) continue;
      const [statement] = statementsOf(run);
      if (statement !== undefined) yield { message: "statement", data: { command: shown(run), statement } };
      else if (resets(run)) yield { message: "resets", data: { command: shown(run) } };
    }
  },
});

const sqlClients =
  "psql pgcli mysql mariadb mycli sqlite3 litecli mssql-cli invoke-sqlcmd sqlcmd cockroach clickhouse-client clickhouse clickhouse-local duckdb bq cqlsh usql snowsql sqlplus turso wrangler influx trino presto beeline hive spark-sql isql ysqlsh iredis";

const isSqlClient = (run: Run): boolean => isOneOf(run.program, sqlClients);

/** Is it a database that lies in a temp folder? */
function isScratchFile(run: Run, root: string, world: World): boolean {
  if (!isOneOf(run.program, "sqlite3 duckdb") || run.cwd === undefined) return false;
  // Behind an option the word may be that option's value.
  const [file] = run.args;
  return (
    file?.known === true &&
    !file.text.startsWith("-") &&
    isScratch(world.realPath(resolve(run.cwd, file.text)), world.realPath(root), world)
  );
}

function statementsOf(run: Run): string[] {
  const words = wordsOf(run);
  const fed = isSqlClient(run) ? fedText(run) : (textOf(run.stdin) ?? "");
  if (isOneOf(run.program, "mongosh mongo"))
    return dangerousMongo([...words, fed].join("\n")).map((found) => found.statement);
  if (isOneOf(run.program, "redis-cli valkey-cli"))
    return [
      ...(/^(?:del|unlink)$/i.test(redisVerb(words)) && feedersOf(run).some(listsAllKeys)
        ? [{ statement: "DEL of every key" }]
        : []),
      ...dangerousRedis(words.slice(words.indexOf(redisVerb(words)))),
      ...fed.split("\n").flatMap((line) => dangerousRedis(line.trim().split(/\s+/))),
      ...words.flatMap((word) => dangerousRedis([/redis\.call\(\s*['"](\w+)/.exec(word)?.[1] ?? ""])),
    ].map((found) => found.statement);
  // A console of a framework, or of a platform.
  if (
    (isOneOf(run.program, "prisma rails") && words.some((word) => isOneOf(word, "execute dbconsole db"))) ||
    (run.program === "heroku" && /^pg:/.test(words[0] ?? "")) ||
    (run.program === "typeorm" && words[0] === "query") ||
    (isOneOf(run.program, "manage.py django-admin") && words[0] === "dbshell") ||
    (unversioned(run.program) === "python" && words.includes("dbshell")) ||
    (run.program === "pscale" && words[0] === "shell") ||
    (isOneOf(run.program, "fly flyctl") && isOneOf(words[0] ?? "", "postgres pg mpg"))
  )
    return [...[...words, fed].flatMap(droppedBy), ...droppedByMadeText(run, isSqlClient)];
  if (run.program === "sqlite3" && words.includes(":memory:")) return [];
  if (run.program === "hbase")
    return fed
      .split(/[;\n]/)
      .filter((line) => /^\s*(?:drop|disable|truncate|drop_all|drop_namespace|deleteall)\b/.test(line));
  // Elixir is not read; what its library for databases is asked for stands in the text.
  if (isOneOf(run.program, "iex mix elixir"))
    return [...words, fed].flatMap((text) => /\bRepo\.delete_all\(\s*[A-Z][\w.]*\s*\)/.exec(text)?.[0] ?? []);
  if (run.program === "cypher-shell")
    return [...words, fed].filter((text) => /\bdelete\b/i.test(text) && !/\bwhere\b|\{/i.test(text));
  if (isSqlClient(run))
    return [
      ...[...words.map((word) => word.replace(/^-[-\w]*=|^-[ceqQ](?=\S)/, "")), fed].flatMap(droppedBy),
      ...droppedByMadeText(run, isSqlClient),
    ];
  return droppedElsewhere(run);
}
/** `redis-cli keys '*'`, `redis-cli --scan` */
const listsAllKeys = (run: Run): boolean => {
  const words = wordsOf(run);
  if (!isOneOf(run.program, "redis-cli valkey-cli")) return false;
  const wanted = words[words.findIndex((word) => /^(?:keys|--pattern)$/i.test(word)) + 1];
  const isListing = words.some((word) => /^(?:keys|--scan)$/i.test(word));
  return (
    isListing &&
    (words.some((word) => /^(?:keys|--pattern)$/i.test(word)) ? /^\*+$/.test(wanted ?? "") : true)
  );
};

/** The command behind the options of redis-cli. */
const redisVerb = (words: readonly string[]): string =>
  (words[0] === "--cluster" && words[1] === "call" ? words.slice(3) : words).find(
    (word, at, all) =>
      !word.startsWith("-") &&
      !isOneOf(
        all[at - 1] ?? "",
        "-h -p -a -n -i -s -u --user --pass --askpass --tls --cert --key --cacert --sni",
      ),
  ) ?? "";

/** Tools that drop a whole database, by program and verb. */
const verbs: Readonly<Record<string, RegExp>> = {
  rails: /^db:(?:drop|reset|truncate_all|schema:load|migrate:reset|purge)/,
  rake: /^db:(?:drop|reset|truncate_all|schema:load|migrate:reset|purge)/,
  prisma: /^(?:migrate reset|db push --force-reset)/,
  sequelize: /^db:(?:drop|migrate:undo:all)/,
  "sequelize-cli": /^db:(?:drop|migrate:undo:all)/,
  knex: /^migrate:rollback --all/,
  artisan: /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)/,
  "manage.py": /^(?:flush|reset_db|migrate \S+ zero\b)/,
  "django-admin": /^(?:flush|reset_db)/,
  alembic: /^downgrade base/,
  typeorm: /^schema:drop/,
  mix: /^ecto\.(?:drop|reset)/,
  "drizzle-kit": /^drop/,
  flask: /^db downgrade base/,
  liquibase: /^(?:drop-?all)/i,
  flyway: /^clean/,
  supabase: /^db reset/,
  dbmate: /^drop/,
  goose: /^(?:.*\s)?reset$/,
  migrate: /(?:^|\s)drop\b/,
  diesel: /^(?:database (?:drop|reset))/,
  sqlx: /^database (?:drop|reset)/,
  mysqladmin: /(?:^|\s)drop\b/,
  influx: /^(?:delete|bucket delete)/,
  cockroach: /^(?:node decommission)/,
  console: /^(?:doctrine:(?:database:drop|schema:drop|fixtures:load(?!.*--append))|d:d:d|d:s:d)/,
  dotnet: /^ef database drop/,
  atlas: /^schema clean/,
  pg_resetwal: /^/,
  pg_resetxlog: /^/,
  pg_dropcluster: /^/,
  nodetool: /^(?:clearsnapshot|removenode|assassinate|decommission)/,
  "mikro-orm": /^(?:schema:drop|database:drop|migration:fresh)/,
  strapi: /^(?:transfer|import)\b.*--force/,
  payload: /^migrate:(?:fresh|reset)/,
  "db-migrate": /^(?:db:drop|reset)/,
  drush: /^(?:sql[:-](?:drop|create)|site[:-]install|si)\b/,
  wp: /^(?:db (?:drop|reset|clean)|site empty)\b/,
  magento: /^setup:uninstall\b/,
  phinx: /^rollback .*-t ?0\b/,
  "node-pg-migrate": /^down (?:\d{2,}|Infinity)\b/,
};

/** A database that tests fill and empty all day. */
const isForTests = (run: Run, words: readonly string[]): boolean =>
  isOneOf(run.stage ?? "", "test testing ci") ||
  words.some(
    (word, at) =>
      isOneOf(
        word,
        "RAILS_ENV=test RAILS_ENV=testing RAILS_ENV=ci RACK_ENV=test RACK_ENV=testing RACK_ENV=ci NODE_ENV=test NODE_ENV=testing NODE_ENV=ci APP_ENV=test APP_ENV=testing APP_ENV=ci MIX_ENV=test MIX_ENV=testing MIX_ENV=ci --environment=test --environment=testing --environment=ci --env=test --env=testing --env=ci",
      ) ||
      (isOneOf(word, "-e --env --environment") && isOneOf(words[at + 1] ?? "", "test testing ci")),
  );

function resets(run: Run): boolean {
  const words = wordsOf(run);
  if (isForTests(run, words) || hasFlag(words, "--help") || words.at(-1) === "-h") return false;
  if (run.program === "dropdb" || run.program === "dropuser") return true;
  if (run.program === "memcflush") return true;
  if (run.program === "neo4j-admin")
    return /^(?:database )?(?:delete|drop)\b/.test(plainWords(words).join(" "));
  if (run.program === "pg_restore") return hasFlag(words, "-c", "--clean");
  if (run.program === "mongorestore") return hasFlag(words, "--drop");
  const script = isOneOf(unversioned(run.program), "php python")
    ? words.findIndex((word) => /(?:^|\/)(?:artisan|manage\.py|console)$/.test(word))
    : -1;
  const program = script === -1 ? run.program : (words[script]?.split("/").at(-1) ?? "");
  const rest = script === -1 ? words : words.slice(script + 1);
  const pattern = Object.hasOwn(verbs, program) ? verbs[program] : undefined;
  if (!pattern) return false;
  const plain = plainWords(rest);
  return (
    pattern.test(plain.join(" ")) || pattern.test(rest.join(" ")) || plain.some((word) => pattern.test(word))
  );
}
