#!/usr/bin/env bun
// Ability: db.write.user_row
// Gets {"name", "email"} and adds a line to data/users.jsonl.
import { appendFileSync, mkdirSync } from "node:fs";

const user = (await Bun.stdin.json()) as { name: string; email?: string };
mkdirSync("data", { recursive: true });
appendFileSync("data/users.jsonl", `${JSON.stringify(user)}\n`);
console.log(`Wrote ${user.name}`);
