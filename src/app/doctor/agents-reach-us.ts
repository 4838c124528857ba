import { executableOf } from "../../core/command-lines.ts";
import { version } from "../../platform/version.ts";
import { survey } from "../agents/survey.ts";
import type { Ailment, DoctorCheck, Patient } from "../doctor-check.ts";
import { isBareName, isProgram, onPath } from "../install/executable.ts";

export default {
  title: "What the agents call is there, and is this version",
  run: async (patient) => {
    const places = new Map<string, string>();
    for (const { installed } of survey(patient))
      for (const { file, lines } of installed)
        for (const line of lines) {
          const word = executableOf(line);
          if (word !== undefined) places.set(word, places.get(word) ?? file.path);
        }
    const found = await Promise.all([...places].map(([word, place]) => look(word, place, patient)));
    return found.flat();
  },
} satisfies DoctorCheck;

async function look(word: string, place: string, { env }: Patient): Promise<Ailment[]> {
  const path = isBareName(word) ? onPath(word, env) : isProgram(word) ? word : undefined;
  if (path === undefined)
    return [
      {
        text: isBareName(word)
          ? `\`${word}\` is not on your PATH, so agents cannot start it`
          : `${word} is not there, or cannot be executed`,
        place,
        instead: isBareName(word) ? "Put the executable on the PATH your agents have." : "hookline update",
      },
    ];
  const other = await versionOf(path);
  return other === version
    ? []
    : [
        {
          text: `${path} is ${other ?? "no version of Hookline"}, and this is ${version}`,
          place,
          instead: "Install the same one, or run `hookline update`.",
        },
      ];
}

async function versionOf(path: string): Promise<string | undefined> {
  if (path === process.execPath) return version;
  try {
    const child = Bun.spawn([path, "--version"], {
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2000,
      killSignal: "SIGKILL",
    });
    const said = (await child.stdout.text()).trim();
    return (await child.exited) === 0 && said.length < 100 ? said : undefined;
  } catch {
    return undefined;
  }
}
