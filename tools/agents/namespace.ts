import { readFileSync } from "node:fs";

const mark = "HOOKLINE_AGENTS_INSIDE";

export const isInside = (): boolean => process.env[mark] === "1";

/** Runs this program again in a network namespace of its own, where there is nothing but loopback. */
export async function runInside(): Promise<number> {
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const up = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const again = [process.execPath, Bun.main, ...process.argv.slice(2)];
  try {
    return await Bun.spawn(["unshare", ...rights, "--net", ...up, ...again], {
      env: { ...process.env, [mark]: "1" },
      stdio: ["ignore", "inherit", "inherit"],
    }).exited;
  } catch (error) {
    throw new Error("A network namespace is needed: install util-linux and iproute2.", { cause: error });
  }
}

/** Refuses to go on where anybody but ourselves could be reached. */
export function insistOnLoopback(): void {
  const names = readFileSync("/proc/self/net/dev", "utf8")
    .split("\n")
    .slice(2)
    .map((line) => line.split(":")[0]?.trim() ?? "")
    .filter((name) => name !== "");
  if (names.length !== 1 || names[0] !== "lo")
    throw new Error(`Agents run only where there is nothing but loopback; this has ${names.join(", ")}.`);
}
