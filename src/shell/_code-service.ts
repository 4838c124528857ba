// Calls that go to a service outside: a cloud, a cluster, a database. They are handed on by name, and rules judge them.
import { isOneOf } from "../core/one-of.ts";
import { hole, home, type Value, optionsOf } from "./_code-value.ts";
import { isOn } from "./_code-api.ts";
import type { Call } from "./_code-world.ts";

/** Libraries that talk to a service; what they give back is still theirs. */
const services =
  "boto boto3 botocore aioboto3 aws-sdk Aws googleapiclient azure kubernetes @kubernetes/client-node docker " +
  "dockerode digitalocean hcloud openstack cloudflare psycopg psycopg2 psycopg3 psycopg2cffi asyncpg " +
  "aiosqlite sqlite3 MySQLdb pymysql mysql mysql2 mariadb sqlalchemy oracledb pyodbc pymssql cassandra " +
  "clickhouse_driver redis ioredis valkey pymongo motor mongodb mongoose elasticsearch " +
  "@elastic/elasticsearch opensearchpy neo4j pg postgres better-sqlite3 bun:sqlite node:sqlite sqlite knex " +
  "sequelize typeorm @prisma/client pdo mysqli PG SQLite3 Mysql2 Redis Mongo DBI Sequel ActiveRecord duckdb " +
  "libsql peewee memcache pymemcache pylibmc etcd3 consul hvac pika confluent_kafka";
/** Those of which only the beginning is known, or that are deeper in a name. */
const families =
  /^(?:@aws-sdk\/[\w-]+|google\.cloud|@google-cloud\/[\w-]+|@azure\/[\w-]+|influxdb\w*|mysqli_\w+|pg_(?:query|exec\w*|connect)|db\.table)(?:\.|$)/;

/** Names of calls worth handing on whoever they are made to. */
const notable =
  /^(?:execute\w*|exec\w*|query\w*|raw\w*|run|do|statement|unprepared|prepare|unsafe|command|sql|(?:real|multi|simple)_?query|\$?(?:execute|query)Raw\w*|flush_?(?:all|db)|drop\w*|delete_?(?:many|all|by_query)\w*|deleteMany|destroy_?all|destroyAll|truncate\w*|sync|kill|killpg|killProcess|reboot|delete!?)$/i;

/** Names of calls of a service that take something away. */
const losing =
  /^(?:begin_?)?(?:delete|terminate|destroy|purge|remove|deregister|drop|empty|prune|revoke|reset|truncate|deallocate|put|stop)|^(?:connect|Database|DatabaseSync|open|text|prepare|batch|all|get)$|_query$|_kill$/i;

function isService(name: string): boolean {
  const dot = name.indexOf(".");
  return isOneOf(dot === -1 ? name : name.slice(0, dot), services) || families.test(name);
}

const most = 200;

/** Hands a call on, when it may go to a service; gives what comes back if that is still the service's. */
export function calledService(call: Call, isKnown: boolean): Value | undefined {
  const { name } = call;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const isOfService = isService(name) || name.includes(".objects.");
  if (
    isOfService
      ? losing.test(last) || notable.test(last) || /Command$/.test(last)
      : !isKnown && notable.test(last)
  )
    record(call, isOfService);
  // What is known to do something else may do this, too.
  else if (
    isKnown &&
    /^(?:requests|httpx|axios|got|ky)\.(?:delete|request)$|^fetch$|(?:^|\.)kill$/.test(name)
  )
    record(call, false);
  return isOfService ? { is: "name", name } : undefined;
}

/** Does the name lead to a service? Then it may be called without brackets, too. */
export const isServiceName = (name: string): boolean =>
  name.includes(".") &&
  (isService(name) || /\.(?:delete_all|destroy_all|truncate|flushall|flushdb)$/.test(name));

function record(call: Call, isService: boolean): void {
  const { world, name } = call;
  if (world.calls++ >= most) return;
  const given = [...call.args, ...call.named.values()];
  const records = given.flatMap((value) => (value.is === "record" ? [...value.fields.keys()] : []));
  const options = [...call.named.keys(), ...records].filter((option) => isOn(call, option));
  const texts = [...given, ...given.flatMap(fieldsOf)].flatMap((value) =>
    value.is === "text" || value.is === "number" ? optionsOf(value) : [],
  );
  // Of calls with common names only those that carry a statement are worth it.
  const isCommon =
    /(?:^|\.)(?:exec\w*|query\w*|raw\w*|run|do|fetch|sync|statement|unprepared|prepare|unsafe|command|sql|\w+_?query)$/i.test(
      name,
    ) && !isService;
  if (isCommon && !options.includes("force") && !texts.some((each) => statement.test(each))) return;
  world.effects.push({
    do: "call",
    name,
    texts: texts.slice(0, 16).map((each) => each.replaceAll(hole, "x").replaceAll(home, "~").slice(0, 4096)),
    options,
    isEmpty: given.every((value) => value.is === "record" && value.fields.size === 0),
  });
}

const statement = /\b(?:drop|truncate|delete|update|alter|flush\w*)\b/i;

const fieldsOf = (value: Value): Value[] =>
  value.is === "record" ? [...value.fields.values()] : value.is === "list" ? value.items.slice(0, 16) : [];
