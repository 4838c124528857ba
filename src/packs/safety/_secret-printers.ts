import type { Run } from "../../core/command.ts";
import { feedersOf, hasFlag, plainWords, wordsOf } from "./_runs.ts";

/** Does it print variables, all or some? */
export const printsEnvironment = (run: Run): boolean =>
  /^(?:env|printenv)$/.test(run.program) ||
  (run.program === "docker" &&
    wordsOf(run).includes("inspect") &&
    wordsOf(run).some((word) => /\.Env\b/.test(word))) ||
  // The whole description of a container, of which the variables are picked.
  (run.program === "jq" &&
    wordsOf(run).some((word) => /\.Env\b/.test(word)) &&
    feedersOf(run).some((each) => each.program === "docker" || each.program === "podman")) ||
  (run.program === "heroku" && wordsOf(run)[0] === "config") ||
  (/^(?:get-childitem|get-item|dir)$/.test(run.program) &&
    wordsOf(run).some((word) => /^env:/i.test(word))) ||
  (run.program === "declare" && wordsOf(run).some((word) => /^-\w*p/.test(word))) ||
  (run.program === "export" && (run.args.length === 0 || wordsOf(run).includes("-p"))) ||
  (run.program === "set" && run.args.length === 0) ||
  (/^(?:cat|strings|tr)$/.test(run.program) && wordsOf(run).some((word) => /\/environ$/.test(word)));

/** Does it print a token or a password from a store that has just handed it out to whoever is logged in? */
export function printsToken(run: Run): boolean {
  const words = wordsOf(run);
  const [noun = "", verb = ""] = plainWords(words);
  switch (run.program) {
    case "gh":
      return (
        noun === "auth" && (verb === "token" || (verb === "status" && hasFlag(words, "-t", "--show-token")))
      );
    case "gcloud":
      return words.some((word) => /^print-(?:access|identity)-token$/.test(word));
    case "az":
      return (
        words.includes("get-access-token") ||
        (noun === "keyvault" &&
          words.includes("secret") &&
          /^(?:show|download)$/.test(plainWords(words)[2] ?? "")) ||
        words.some((word) => /^(?:list-keys|list-connection-strings|show-connection-string)$/.test(word))
      );
    case "git":
      return noun === "credential" && /^(?:fill|get)$/.test(verb);
    case "doppler":
      return noun === "secrets" && (verb === "get" || verb === "download" || verb === "");
    case "infisical":
      return noun === "export" || noun === "secrets";
    case "chamber":
      return /^(?:read|export|env)$/.test(noun);
    case "heroku":
      return noun === "config:get";
    case "wrangler":
    case "npm":
      return noun === "token" && verb === "create";
    case "sops":
      return hasFlag(words, "-d", "--decrypt") || noun === "decrypt";
    case "ansible-vault":
      return noun === "view" || noun === "decrypt";
    case "aws":
      if (noun === "ssm" && /^get-parameters?(?:-by-path)?$/.test(verb))
        return words.includes("--with-decryption");
      if (noun === "ecr" && verb === "get-login-password") return true;
      return (
        noun === "configure" && verb === "get" && words.some((word) => /secret|session_token/.test(word))
      );
    case "op":
      return noun === "read" || (noun === "item" && verb === "get" && hasFlag(words, "--reveal"));
    case "pass":
    case "gopass":
      return noun === "show" && !hasFlag(words, "-c", "--clip");
    case "bw":
      return noun === "get" && /^(?:password|totp|item|notes)$/.test(verb);
    case "vault":
      return noun === "read" || (noun === "kv" && verb === "get");
    default:
      return false;
  }
}

const filters =
  /^(?:cat|tee|head|tail|less|more|sort|uniq|jq|yq|grep|egrep|rg|cut|awk|gawk|sed|tr|base64|xxd|column|rev|nl)$/;

/** Does what a command prints come to the screen, by itself, through filters, or by `echo "$(…)"`? */
export function reachesScreen(run: Run, runs: readonly Run[], depth = 0): boolean {
  if (depth > 10 || run.redirects.some(({ mode }) => mode !== "read")) return false;
  const readers = runs.filter(({ stdin }) => stdin?.from === "commands" && stdin.commands.includes(run));
  if (readers.length > 0)
    return readers.some((each) => filters.test(each.program) && reachesScreen(each, runs, depth + 1));
  if (!run.via.includes("$(…)")) return true;
  return isEchoed(run, runs);
}

/** Is what a command prints put into the words of one that prints them? */
export const isEchoed = (run: Run, runs: readonly Run[]): boolean =>
  runs.some(
    (each) =>
      /^(?:echo|printf)$/.test(each.program) &&
      !each.redirects.some(({ mode }) => mode !== "read") &&
      !runs.some(({ stdin }) => stdin?.from === "commands" && stdin.commands.includes(each)) &&
      feedersOf(each).includes(run),
  );
