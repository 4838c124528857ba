import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { codePrintsEnvironment } from "./_environment-printers.ts";
import { asksForHelp, feedersOf, hasFlag, plainWords, wordsOf } from "./_runs.ts";

/** Does it print variables, all or some? */
export const printsEnvironment = (run: Run): boolean =>
  isOneOf(run.program, "env printenv") ||
  codePrintsEnvironment(run) ||
  (run.program === "docker" &&
    wordsOf(run).includes("inspect") &&
    wordsOf(run).some((word) => /\.Env\b/.test(word))) ||
  // The whole description of a container, of which the variables are picked.
  (run.program === "jq" &&
    wordsOf(run).some((word) => /\.Env\b/.test(word)) &&
    feedersOf(run).some((each) => each.program === "docker" || each.program === "podman")) ||
  (run.program === "heroku" && wordsOf(run)[0] === "config") ||
  (run.program === "history" && run.args.length === 0) ||
  (isOneOf(run.program, "get-childitem get-item dir") && wordsOf(run).some((word) => /^env:/i.test(word))) ||
  (isOneOf(run.program, "declare typeset") &&
    (wordsOf(run).some((word) => /^-\w*p/.test(word)) ||
      wordsOf(run).every((word) => /^-\w*x/.test(word)))) ||
  (run.program === "systemctl" && wordsOf(run).includes("show-environment")) ||
  (run.program === "export" && (run.args.length === 0 || wordsOf(run).includes("-p"))) ||
  (run.program === "set" && run.args.length === 0) ||
  (isOneOf(run.program, "cat strings tr") && wordsOf(run).some((word) => /\/environ$/.test(word)));

const secretName =
  "(?:DATABASE|MONGO|MONGODB|REDIS|AMQP|CLOUDAMQP|POSTGRES|MYSQL)_UR[IL]|[A-Z][A-Z\\d_]*_(?:TOKEN|SECRET|PASSWORD|PASSWD|API_KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)";
const secretVariable = new RegExp(`\\$(?:\\{${secretName}\\}|${secretName}(?!\\w))`);
const wholeName = new RegExp(`^${secretName}$`);

/** A variable of the environment that by its name holds a secret, printed as it is: `echo "$DB_PASSWORD"`. */
export function printsSecretVariable(run: Run): boolean {
  if (run.program === "printenv") return wordsOf(run).some((word) => wholeName.test(word));
  return (
    isOneOf(run.program, "echo printf") && run.args.some((arg) => !arg.known && secretVariable.test(arg.text))
  );
}

/** Does it print a token or a password from a store that has just handed it out to whoever is logged in? */
export function printsToken(run: Run): boolean {
  const words = wordsOf(run);
  if (asksForHelp(words)) return false;
  const [noun = "", verb = ""] = plainWords(words);
  switch (run.program) {
    case "gh":
      return (
        noun === "auth" && (verb === "token" || (verb === "status" && hasFlag(words, "-t", "--show-token")))
      );
    case "gcloud":
      return words.some((word) => isOneOf(word, "print-access-token print-identity-token"));
    case "az":
      return (
        words.includes("get-access-token") ||
        (noun === "keyvault" &&
          words.includes("secret") &&
          isOneOf(plainWords(words)[2] ?? "", "show download")) ||
        words.some((word) => isOneOf(word, "list-keys list-connection-strings show-connection-string"))
      );
    case "git":
      return noun === "credential" && isOneOf(verb, "fill get");
    case "doppler":
      return noun === "secrets" && (verb === "get" || verb === "download" || verb === "");
    case "infisical":
      return noun === "export" || noun === "secrets";
    case "chamber":
      return isOneOf(noun, "read export env");
    case "heroku":
      return noun === "config:get" || noun === "config";
    case "terraform":
    case "tofu":
      return (
        noun === "output" &&
        hasFlag(words, "-raw", "-json") &&
        /pass(?:word)?|secret|token|(?:api|access|private)_?key|credential/i.test(
          plainWords(words)[1] ?? "",
        ) &&
        !/_(?:arn|name|id|url|path)$/i.test(plainWords(words)[1] ?? "")
      );
    case "kubectl":
    case "oc":
      return (noun === "create" && verb === "token") || (noun === "whoami" && words.includes("-t"));
    case "ps":
      // Behind the command stands its environment: `ps auxe`, `ps eww`.
      return /^(?=.*e)(?=.*[uwx])[a-z]+$/.test(words[0] ?? "");
    case "grep":
    case "egrep":
    case "rg":
      return (
        words.some((word) => /pass(?:word|wd)?\b|token|secret/i.test(word)) &&
        feedersOf(run).some((each) => each.program === "history")
      );
    case "keyctl":
      return isOneOf(noun, "print pipe read");
    case "kwallet-query":
      return words.some((word) => /^-\w*r$|^--read/.test(word));
    case "kwalletcli":
      return true;
    case "wrangler":
    case "npm":
      return (
        (noun === "token" && verb === "create") ||
        (noun === "config" && verb === "get" && words.some((word) => /_auth|_password/i.test(word)))
      );
    case "sops":
      return hasFlag(words, "-d", "--decrypt") || noun === "decrypt";
    case "ansible-vault":
      return noun === "view" || noun === "decrypt";
    case "aws":
      if (
        noun === "ssm" &&
        isOneOf(verb, "get-parameters-by-path get-parameters get-parameter-by-path get-parameter")
      )
        return words.includes("--with-decryption");
      if (noun === "ecr" && verb === "get-login-password") return true;
      if (noun === "sts") return isOneOf(verb, "get-session-token assume-role get-federation-token");
      return (
        noun === "configure" && verb === "get" && words.some((word) => /secret|session_token/.test(word))
      );
    case "op":
      return noun === "read" || (noun === "item" && verb === "get" && hasFlag(words, "--reveal"));
    case "pass":
    case "gopass":
      return noun === "show" && !hasFlag(words, "-c", "--clip");
    case "bw":
      return noun === "get" && isOneOf(verb, "password totp item notes");
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
      isOneOf(each.program, "echo printf") &&
      !each.redirects.some(({ mode }) => mode !== "read") &&
      !runs.some(({ stdin }) => stdin?.from === "commands" && stdin.commands.includes(each)) &&
      feedersOf(each).includes(run),
  );
