import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dangerousMongo, dangerousRedis, dangerousSql } from "./sql.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";

type Case = readonly [text: string, ...kinds: string[]];

const sql: readonly Case[] = [
  ["DROP TABLE users", "drop"],
  ["drop   table\nusers;", "drop"],
  ["DrOp TaBlE IF EXISTS users CASCADE;", "drop"],
  ["DROP TABLE tmp_a, users", "drop"],
  ['DROP TABLE "users"', "drop"],
  ["DROP TABLE `users`", "drop"],
  ["DROP TABLE [dbo].[users]", "drop"],
  ["DROP TABLE $table", "drop"],
  ["DROP FOREIGN TABLE users", "drop"],
  ["DROP OWNED BY app", "drop"],
  ["DROP DATABASE shop", "drop-database"],
  ["drop schema public cascade; create schema public;", "drop-database"],
  ["DROP KEYSPACE shop;", "drop-database"],
  ["select 1; drop database if exists shop", "drop-database"],
  ["TRUNCATE users", "truncate"],
  ["TRUNCATE TABLE users RESTART IDENTITY CASCADE", "truncate"],
  ["begin; truncate only users; commit", "truncate"],
  ["DELETE FROM users", "delete-all"],
  ["delete from users;", "delete-all"],
  ["DELETE FROM users WHERE 1=1", "delete-all"],
  ["DELETE FROM users WHERE true", "delete-all"],
  ["DELETE FROM users WHERE (1 = 1) RETURNING *", "delete-all"],
  ["DELETE FROM users WHERE 'a' = 'a'", "delete-all"],
  ["DELETE FROM users WHERE id = 3 OR 1 = 1", "delete-all"],
  ["DELETE FROM users WHERE id = id", "delete-all"],
  ["DELETE users", "delete-all"],
  ["WITH old AS (SELECT 1) DELETE FROM users", "delete-all"],
  ["WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone WHERE id = 1", "delete-all"],
  ["DELETE FROM users -- WHERE id = 1", "delete-all"],
  ["DELETE FROM users /* WHERE id = 1 */", "delete-all"],
  ["DELETE FROM users RETURNING 'WHERE'", "delete-all"],
  ["EXPLAIN ANALYZE DELETE FROM users", "delete-all"],
  ["UPDATE users SET admin = true", "update-all"],
  ["UPDATE users SET name = (SELECT name FROM names WHERE id = 1)", "update-all"],
  ["UPDATE users SET a = 1 WHERE true", "update-all"],
  ["WITH x AS (UPDATE users SET a = 1 RETURNING *) SELECT * FROM x", "update-all"],
  ["ALTER TABLE users DROP COLUMN email", "drop"],
  ["ALTER TABLE users\n  ADD a int,\n  DROP COLUMN email", "drop"],
  ["ALTER TABLE users DROP email", "drop"],
  ["ALTER TABLE users DROP PARTITION p1", "drop"],
  ["/*!50000 DROP TABLE users */", "drop"],
  ["SELECT 'it''s'; DROP TABLE users", "drop"],
  ["SELECT 'C:\\'; DROP TABLE users", "drop"],
  ["\\c shop\nDROP TABLE users;", "drop"],
  [".mode csv\nDROP TABLE users;", "drop"],
  ["USE shop\nGO\nDROP TABLE users\nGO", "drop"],
  ["IF OBJECT_ID('users') IS NOT NULL DROP TABLE users", "drop"],
  ["DO $$ BEGIN DROP TABLE users; END $$;", "drop"],
  ["DO $x$ BEGIN EXECUTE 'DROP TABLE users'; END $x$", "drop"],
  ["EXEC('DROP TABLE users')", "drop"],
  ["EXECUTE IMMEDIATE 'TRUNCATE TABLE users'", "truncate"],
  ["EXEC sp_MSforeachtable 'DROP TABLE ?'", "drop"],
  ["DROP TABLE a; DELETE FROM b; UPDATE c SET d = 1", "drop", "delete-all", "update-all"],
  ["CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; UPDATE c SET d = 1; END; DROP TABLE a", "drop"],
  ["select $$;$$; drop table users", "drop"],

  ["SELECT * FROM users"],
  ["SELECT 'DROP TABLE users'"],
  ["-- DROP TABLE users\nSELECT 1"],
  ["/* DROP TABLE users; */ SELECT 1"],
  ["/* a /* DROP TABLE users; */ DROP TABLE users; */ SELECT 1"],
  ["# DROP TABLE users\nSELECT 1"],
  ["INSERT INTO notes VALUES ('; DROP TABLE users; --')"],
  ["INSERT INTO notes VALUES ($$; DROP TABLE users;$$)"],
  ["INSERT INTO notes VALUES ($q$; DELETE FROM users;$q$)"],
  ['SELECT "drop table" FROM users'],
  ["DROP VIEW recent"],
  ["DROP MATERIALIZED VIEW recent"],
  ["DROP INDEX users_email"],
  ["DROP TABLE IF EXISTS tmp_users"],
  ["DROP TABLE pg_temp.users"],
  ["DROP TABLE #users"],
  ["CREATE TEMP TABLE t (a int); INSERT INTO t VALUES (1); DROP TABLE t; TRUNCATE t; DELETE FROM t"],
  ["CREATE TEMPORARY TABLE IF NOT EXISTS t AS SELECT 1; drop table if exists T;"],
  ["DROP TEMPORARY TABLE users"],
  ["DELETE FROM users WHERE id = 1"],
  ["DELETE FROM users WHERE id = 1 OR id = 2"],
  ["DELETE FROM users WHERE id IN (SELECT id FROM old)"],
  ["DELETE FROM users USING old WHERE users.id = old.id"],
  ["DELETE u FROM users u JOIN old o ON u.id = o.id"],
  ["DELETE FROM users LIMIT 10"],
  ["DELETE TOP (10) FROM users"],
  ["UPDATE users SET a = 1 WHERE id = 2"],
  ["UPDATE users u JOIN old o ON u.id = o.id SET u.a = 1"],
  ["UPDATE users SET note = 'x; UPDATE' WHERE id = 1"],
  ["INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 1"],
  ["INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE b = 1"],
  ["SELECT * FROM users FOR UPDATE"],
  ["CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE SET NULL)"],
  ["ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c ON DELETE CASCADE"],
  ["ALTER TABLE a DROP CONSTRAINT b"],
  ["ALTER TABLE a ALTER COLUMN b DROP NOT NULL, ALTER c DROP DEFAULT"],
  ["ALTER USER a SET x = 1"],
  ["GRANT DELETE, UPDATE, TRUNCATE ON users TO app"],
  ["EXPLAIN DELETE FROM users"],
  ["EXPLAIN (FORMAT JSON) DELETE FROM users"],
  ["CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM users; $$ LANGUAGE sql"],
  ["CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; DELETE FROM c; END"],
  ["MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN DELETE"],
  ["SELECT TRUNCATE(1.234, 2), truncated, dropped FROM users"],
  ["COMMENT ON TABLE a IS 'drop table b'"],
  ["SELECT 'it\\'s'"],
  [""],
  [";;;"],
];

describe("SQL that throws away tables or all rows", () => {
  test.each(sql.map(([text, ...kinds]) => [text, kinds] as const))("%s", (text, kinds) => {
    expect(dangerousSql(text).map(({ kind }) => kind)).toEqual([...kinds] as never);
  });

  test("the statement is told without its neighbours and comments", () => {
    expect(dangerousSql("select 1;\n DROP /* it */ TABLE\n  users -- now\n ; select 2")).toEqual([
      { kind: "drop", statement: "DROP TABLE users" },
    ]);
    expect(dangerousSql(`DELETE FROM ${"x".repeat(500)}`)[0]?.statement).toHaveLength(200);
  });

  test("a text that databases read differently is read both ways", () => {
    expect(dangerousSql("SELECT 'a\\'; DROP TABLE users; --'")).toHaveLength(1);
    expect(dangerousSql("SELECT 'a\\'', 1; DROP TABLE users")).toHaveLength(1);
  });
});

describe("scripts for the Mongo shell", () => {
  const cases: readonly Case[] = [
    ["db.dropDatabase()", "drop-database"],
    ["db.getSiblingDB('x').dropDatabase()", "drop-database"],
    ["db['dropDatabase']()", "drop-database"],
    ["use shop\ndb.users.drop()", "drop"],
    ["db.getCollection('users').drop({ writeConcern: 1 })", "drop"],
    ["db.users['drop']()", "drop"],
    ["db.runCommand({ drop: 'users' })", "drop"],
    ["db.runCommand({ 'dropDatabase': 1 })", "drop-database"],
    ["db.users.deleteMany({})", "delete-all"],
    ["db.users.deleteMany( { } )", "delete-all"],
    ["db.users.deleteMany()", "delete-all"],
    ["db.users.remove({})", "delete-all"],
    ["db.users.updateMany({}, { $set: { a: 1 } })", "update-all"],
    ["db.getCollectionNames().forEach(c => db[c].drop())", "drop"],
    ["db.users.deleteOne({})"],
    ["db.users.deleteMany({ old: true })"],
    ["db.users.remove({ _id: 1 })"],
    ["db.users.remove({}, true)"],
    ["db.users.find({}).limit(1)"],
    ["print('db.dropDatabase()')"],
    ["// db.dropDatabase()"],
    ["/* db.users.drop() */ db.users.countDocuments({})"],
    ["_.drop(list, 2)"],
    ["db.users.insertOne({ drop: 'x' })"],
    ["element.remove()"],
  ];
  test.each(cases.map(([text, ...kinds]) => [text, kinds] as const))("%s", (text, kinds) => {
    expect(dangerousMongo(text).map(({ kind }) => kind)).toEqual([...kinds] as never);
  });

  test("the statement is told from its beginning", () => {
    expect(dangerousMongo("x = 1; db.users\n  .drop(); y")).toEqual([
      { kind: "drop", statement: "db.users .drop()" },
    ]);
  });
});

describe("commands of Redis", () => {
  test.each([
    [["FLUSHALL"], 1],
    [["flushdb", "async"], 1],
    [["SET a 1\nFLUSHALL\nPING"], 1],
    [["FLUSHALL ASYNC"], 1],
    [["3", "FLUSHDB"], 1],
    [["EVAL", "return redis.call('FLUSHALL')", "0"], 1],
    [["SET", "key", "FLUSHALL"], 0],
    [["GET", "flushall"], 0],
    [["SET a FLUSHALL"], 0],
    [["EVAL", "return redis.call('GET', KEYS[1])", "1", "flushall"], 0],
    [["SCRIPT", "FLUSH"], 0],
    [[], 0],
  ])("%p", (words, count) => {
    const found = dangerousRedis(words);
    expect(found).toHaveLength(count);
    for (const { kind } of found) expect(kind).toBe("flush");
  });
});

describe("properties", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 10 }),
    fc.constantFrom(
      ..."' \" ` $$ $a$ -- /* */ /*! ; ( ) [ ] \\ . , = # \n DROP TABLE DELETE FROM UPDATE SET WHERE OR 1".split(
        " ",
      ),
      " ",
      "\n",
    ),
  );
  const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" "));

  test("never throws on any text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(
          Array.isArray([dangerousSql(text), dangerousMongo(text), dangerousRedis(text.split(" "))]),
        ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  const words = fc.stringMatching(/^[a-z ]{0,12}$/);

  test("a statement in a string or a comment does nothing", () => {
    fc.assert(
      fc.property(
        words,
        words,
        fc.constantFrom("DROP TABLE a", "; DELETE FROM a;", ";TRUNCATE a"),
        (before, after, bad) => {
          const inner = `${before}${bad}${after}`;
          expect(dangerousSql(`SELECT '${inner}'`)).toEqual([]);
          expect(dangerousSql(`SELECT $$${inner}$$`)).toEqual([]);
          expect(dangerousSql(`SELECT 1 -- ${inner}`)).toEqual([]);
          expect(dangerousSql(`SELECT 1 /* ${inner} */`)).toEqual([]);
          expect(dangerousMongo(`x = "${before} db.dropDatabase() ${after}"`)).toEqual([]);
        },
      ),
    );
  });

  test("a statement outside of them is always seen", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = `SELECT '${before}'; /* ${after} */ DROP TABLE a; -- ${before}\nSELECT "${after}"`;
        expect(dangerousSql(text).map(({ kind }) => kind)).toEqual(["drop"]);
      }),
    );
  });

  test("time grows with the length and not faster", () => {
    const work = (text: string): void => {
      dangerousSql(text);
      dangerousMongo(text);
      dangerousRedis([text]);
    };
    const seeds =
      "' $$ $a$ /* */ ( [ ; \\' DROP\u00a0TABLE\u00a0a, DELETE\u00a0FROM\u00a0 (DELETE\u00a0FROM\u00a0 DELETE\u00a0FROM\u00a0a\u00a0WHERE\u00a0 UPDATE\u00a0a\u00a0SET\u00a0 a. tmp_a, OR\u00a01=1\u00a0 DO\u00a0$$ .drop( .drop({ db[ -- # /*! EXEC\u00a0'".split(
        " ",
      );
    for (const raw of seeds) {
      const seed = raw.replaceAll("\u00a0", " ");
      expect({ seed, slow: growsTooFast(work, repeated(seed), 16) }).toEqual({ seed, slow: false });
    }
  }, 60_000);
});
