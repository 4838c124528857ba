import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { versionOf, type Agent } from "./agent.ts";

/** Outside the repository: the agents are large, and nobody's but their makers'. */
export const cache: string =
  process.env["HOOKLINE_AGENTS_CACHE"] ||
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "hookline-agents");

const folderOf = (agent: Agent): string => join(cache, `${agent.id}-${versionOf(agent)}`);

export const modulesOf = (agent: Agent): string => join(folderOf(agent), "node_modules");

/** Installs an agent unless it is there. What is there is whole: it gets its name when npm is done. */
export async function install(agent: Agent): Promise<void> {
  if (existsSync(modulesOf(agent))) return;
  console.log(`Installing ${agent.id} ${versionOf(agent)}`);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fresh-"));
  try {
    writeFileSync(join(fresh, "package.json"), JSON.stringify({ private: true }));
    const wanted = Object.entries(agent.packages).map(([name, version]) => `${name}@${version}`);
    const options = ["--save-exact", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const npm = Bun.spawn(["npm", "install", ...options, ...wanted], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, exitCode] = await Promise.all([npm.stderr.text(), npm.exited]);
    if (exitCode !== 0)
      throw new Error(
        `${agent.id}: npm could not install ${wanted.join(" ")}, and without the agent there is nothing to test.\n${said.trim()}`,
      );
    if (!existsSync(modulesOf(agent))) renameSync(fresh, folderOf(agent));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
