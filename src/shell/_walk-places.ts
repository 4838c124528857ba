import { isOneOf } from "../core/one-of.ts";
import { resolve } from "node:path";
import type { Word } from "./model.ts";
import { type Context } from "./_walk.ts";

export const isAddress = (text: string): boolean => /^(?:git\+|https?:\/\/|github:|gitlab:)/.test(text);

/** One that runs already is another place than one that is made for the command. */
export const placeOf = (program: string, args: readonly Word[]): string =>
  isOneOf(program, "docker podman nerdctl docker-compose") && args.some((arg) => arg.text === "exec")
    ? `${program} exec`
    : program;

/** Another name for this machine. */
export const isHere = (program: string, args: readonly Word[]): boolean =>
  program === "ssh" &&
  args.some((arg) => /^(?:[\w.-]+@)?(?:localhost|127\.0\.0\.1|::1)$/.test(arg.text)) &&
  !args.some((arg) => arg.text === "-p");

/** A container that enters the first process or the mounted root is on this machine again. */
export function comesBack(program: string, args: readonly Word[], { mounts }: Context): boolean {
  if (program === "nsenter")
    return args.some(
      ({ text }, at) =>
        isOneOf(text, "-t1 --target=1") || (isOneOf(text, "-t --target") && args[at + 1]?.text === "1"),
    );
  return (
    program === "chroot" &&
    (mounts?.some(([inside, outside]) => outside === "/" && args.some((arg) => arg.text === inside)) ?? false)
  );
}

/** The folder a container is told to work in. */
export function workFolderOf(args: readonly Word[]): string | undefined {
  const at = args.findIndex((arg) => isOneOf(arg.text, "-w --workdir"));
  const given = args.find((arg) => arg.text.startsWith("--workdir="))?.text.slice(10);
  const folder = at === -1 ? given : args[at + 1]?.text;
  return folder?.startsWith("/") ? folder : undefined;
}

/** `-v outside:inside` of a container. */
export function mountsOf(args: readonly Word[], cwd: string | undefined): (readonly [string, string])[] {
  return args.flatMap((arg, index): (readonly [string, string])[] => {
    const value = isOneOf(args[index - 1]?.text ?? "", "-v --volume")
      ? arg.text
      : /^(?:-v|--volume=)(.+)$/.exec(arg.text)?.[1];
    const [outside, inside] = value?.split(":") ?? [];
    const bind = arg.text.includes("type=bind")
      ? {
          from: /(?:source|src)=([^,]+)/.exec(arg.text)?.[1],
          to: /(?:target|dst|destination)=([^,]+)/.exec(arg.text)?.[1],
        }
      : undefined;
    if (bind?.from && bind.to) return [[bind.to, bind.from]];
    if (!outside || !inside?.startsWith("/") || !/^[/.~]/.test(outside)) return [];
    return [[inside, outside.startsWith("/") ? outside : resolve(cwd ?? "/", outside)]];
  });
}
