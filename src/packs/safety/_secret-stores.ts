import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { asksForHelp, hasFlag, wordsOf } from "./_runs.ts";

/** Does a command bring a whole store of secrets, or a named one, into the open? */
export function exportsSecrets(run: Run): boolean {
  const words = wordsOf(run);
  if (asksForHelp(words)) return false;
  switch (run.program) {
    case "gpg":
    case "gpg2":
      return words.some((word) =>
        isOneOf(
          word,
          "--export-secret-subkeys --export-secret-subkey --export-secret-keys --export-secret-key",
        ),
      );
    case "security":
      return (
        (isOneOf(words[0] ?? "", "find-generic-password find-internet-password") &&
          hasFlag(words, "-w", "-g")) ||
        isOneOf(words[0] ?? "", "dump-keychain export")
      );
    case "reg":
      return (
        isOneOf((words[0] ?? "").toLowerCase(), "save export") &&
        words.some((word) => /\\(?:SAM|SECURITY|SYSTEM)$/i.test(word))
      );
    case "secret-tool":
      return words[0] === "lookup";
    case "getent":
      return words[0] === "shadow";
    case "aws":
      return (
        words.includes("get-secret-value") ||
        (words.includes("configure") && words.includes("export-credentials"))
      );
    case "kubectl":
      if (words.includes("view") && words.includes("--raw")) return true;
      return (
        words.includes("get") &&
        words.some((word) => /^secrets?(?:\/|$)/.test(word)) &&
        !words.some((word) => certificate.test(word)) &&
        !words.some((word) =>
          /^(?:-o|--output=)?(?:jsonpath|go-template|custom-columns)[\w-]*=(?!.*\b(?:data|stringData)\b)(?=.*\bmetadata\b)/.test(
            word,
          ),
        ) &&
        words.some((word, at) =>
          isOneOf(word, "-o --output")
            ? /ya?ml|json|go-template/.test(words[at + 1] ?? "")
            : /^(?:-o|--output=)(?:ya?ml|json|jsonpath|go-template)/.test(word),
        )
      );
    case "gcloud":
      return words.includes("secrets") && words.includes("access");
    default:
      return false;
  }
}

/** Of a key and its certificate, the half that everybody is shown. */
const certificate =
  /^(?:-o|--output=)?jsonpath=\{\.data(?:\.|\[['"])(?:tls|ca|client|server)\\?\.crt(?:['"]\])?\}$/;
