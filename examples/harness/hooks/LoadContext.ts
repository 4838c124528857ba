#!/usr/bin/env bun
// Hook: LoadContext
// Event: SessionStart
// Description: Puts the files named in settings.json under contextFiles before the model.

import { existsSync, readFileSync } from "node:fs";

readFileSync(0, "utf8");
const settings = JSON.parse(readFileSync("settings.json", "utf8")) as { contextFiles?: unknown };
const named = Array.isArray(settings.contextFiles)
  ? settings.contextFiles.filter((file): file is string => typeof file === "string")
  : [];
const texts = named
  .filter((file) => existsSync(file))
  .map((file) => `## ${file}\n${readFileSync(file, "utf8").trim()}`);
if (existsSync(".git/HEAD")) {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(".git/HEAD", "utf8"))?.[1];
  if (branch !== undefined) texts.push(`Active branch: ${branch}`);
}

// Status is for people, and standard output for the model alone.
console.error(`LoadContext: ${texts.length} of ${named.length + 1} parts loaded`);
if (texts.length === 0) process.exit(1);
console.log(`<system-reminder>\n${texts.join("\n\n")}\n</system-reminder>`);
process.exit(0);
