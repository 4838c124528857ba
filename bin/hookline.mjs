#!/usr/bin/env node
// The `hookline` command of the npm package: starts the executable made for this system and stands aside.
// Hooks should name that executable itself, as `hookline init` does; Node takes longer to start than it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const os = process.platform === "win32" ? "windows" : process.platform;
const name = `@hookline/${os}-${process.arch}`;
const file = os === "windows" ? "hookline.exe" : "hookline";

start(findExecutable());

function findExecutable() {
  // In a checkout of the repository the platform packages are empty folders.
  if (existsSync(new URL("../tools/build.ts", import.meta.url))) {
    const built = fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
    return existsSync(built) ? built : fail(`${built} has not been built.`, "Run: npm run build");
  }
  const require = createRequire(import.meta.url);
  const { optionalDependencies } = require("../package.json");
  if (!(name in optionalDependencies)) {
    const supported = Object.keys(optionalDependencies).map((key) => key.replace("@hookline/", ""));
    fail(`there is no executable for ${os}-${process.arch}.`, `Supported are ${supported.join(", ")}.`);
  }
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    if (isMusl()) fail("there is no executable for Linux without glibc.", "Use a system with glibc.");
    fail(
      `the package ${name}, which holds the executable, is not installed next to ${fileURLToPath(import.meta.url)}.`,
      "Install again without --omit=optional (--no-optional), and on this kind of system.",
    );
  }
}

function start(executable) {
  // A terminal sends Ctrl-C to both of us; whoever signals only this process means the executable. Listening
  // starts before there is a child, so that no signal ends us and leaves it behind.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", (error) => {
    fail(`${executable} cannot be started (${error.code}).`, "Install hookline again.");
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
    // Signals that do not end a process, or that Windows does not know, still end as a shell would say it.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}

function isMusl() {
  return os === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

// Exit code 2 is "configuration", and agents that know hooks take it as a block: no executable is no approval.
function fail(what, next) {
  console.error(`hookline: ${what}\n  ${next}`);
  process.exit(2);
}
