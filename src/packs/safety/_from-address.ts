import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { wordsOf } from "./_runs.ts";

/** Does a package manager install or run code straight from an address? */
export function fromAddress(run: Run): boolean {
  const words = wordsOf(run);
  // A repository on a well-known forge, or one that asks for a key, is taken like a package.
  const address = (): boolean =>
    words.some(
      (word) =>
        /^(?:[\w-]+ ?@ ?)?(?:git\+)?https?:\/\/|^(?:github|gitlab|bitbucket):/.test(word) &&
        !isRepository(word),
    );
  const registry = (): boolean =>
    words.some((word) => /^--(?:index-url|extra-index-url|registry|find-links)/.test(word)) ||
    words.includes("-i");
  const viaModule = unversioned(run.program) === "python" && words[0] === "-m" && words[1] === "pip";
  switch (viaModule ? "pip" : run.program) {
    case "pip":
    case "pip3":
    case "pipx":
    case "uv":
      return (
        words.includes("install") &&
        (registry()
          ? words.some((word) => /^http:\/\/|^--index-url=http:|^--trusted-host/.test(word))
          : address())
      );
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      if (run.program === "bun" && words[0] === "run") return address();
      return (
        isOneOf(words[0] ?? "", "i install add") &&
        words
          .slice(1)
          .some(
            (word) => /^(?:[\w@/-]+@)?(?:git\+)?https?:\/\/(?!registry\.)/.test(word) && !isRepository(word),
          ) &&
        !registry()
      );
    case "cargo":
      return (
        words[0] === "install" &&
        words.some(
          (word, at) => words[at - 1] === "--git" && /^https?:/.test(word) && !isRepository(`git+${word}`),
        )
      );
    case "deno":
      return address() && isOneOf(words[0] ?? "", "run eval install");
    // Programs of Windows that load what lies at an address: `regsvr32 /i:https://…`.
    case "regsvr32":
    case "rundll32":
    case "msiexec":
    case "wmic":
    case "cmstp":
    case "installutil":
      return words.some((word) => /(?:^|[:"',])https?:\/\/|^(?:java|vb)script:/i.test(word));
    case "gem":
      return words[0] === "install" && words.some((word) => /^http:\/\//.test(word));
    case "nix":
    case "nix-shell":
    case "nix-env":
      return address() && !isOneOf(words[0] ?? "", "flake search eval");
    case "brew":
    case "rpm":
    case "dnf":
    case "yum":
    case "zypper":
    case "apk":
      return (
        address() && words.some((word) => /^(?:install|localinstall|in|add)$|^-[a-zA-Z]*[iU]/.test(word))
      );
    default:
      // A wrapper such as npx leaves the address as the program.
      return (
        run.via.some((via) => isOneOf(via, "npx bunx npm pnpm yarn uvx pipx uv bun nix nix-shell")) &&
        /^(?:https?:\/\/|github:|gitlab:|git\+)/.test(run.called)
      );
  }
}

const isRepository = (word: string): boolean =>
  /^(?:[\w.-]+(?:\[[\w,-]*\])? ?@ ?)?git\+https:\/\/(?:[\w-]+@)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\//.test(
    word,
  );
