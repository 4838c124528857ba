import { isOneOf } from "../core/one-of.ts";
import type { Word } from "./model.ts";
import type { Unwrapped } from "./wrappers.ts";

/** Images that run one program, by the last part of their names. Adding one is adding a word. */
const images: Readonly<Record<string, string>> = {
  "aws-cli": "aws",
  awscli: "aws",
  opentofu: "tofu",
  "k8s-kubectl": "kubectl",
  "k8s-helm": "helm",
  "google-cloud-cli": "",
};

/** Programs whose image goes by their own name. */
const namesakes = new Set(
  "terraform tofu terragrunt kubectl helm helmfile git pulumi rclone mc curl doctl flyctl eksctl vault consul etcdctl s3cmd hcloud docker gh packer serverless wrangler gsutil skopeo crane oras".split(
    " ",
  ),
);

function programOf(image: string): string | undefined {
  const name =
    image
      .replace(/@.*$/, "")
      .replace(/:[^/:]*$/, "")
      .split("/")
      .at(-1)
      ?.toLowerCase() ?? "";
  if (Object.hasOwn(images, name)) return images[name] || undefined;
  return namesakes.has(name) ? name : undefined;
}

const globalTakes = new Set([
  "-H",
  "--host",
  "--context",
  "-c",
  "--config",
  "-l",
  "--log-level",
  "--connection",
]);

// Options of `run` and `exec` that stand alone; all others with two dashes take a value.
const alone =
  /^-[dDitPTq]+$|^--(?:rm|init|privileged|detach|interactive|tty|read-only|publish-all|no-healthcheck|quiet|oom-kill-disable|disable-content-trust|replace|tls\w*|no-deps|service-ports|use-aliases|no-TTY|build|remove-orphans|all|stdin|attach|restart-policy)$/;

const word = (text: string): Word => ({ text, known: true, glob: false });

/** What a container runs: its entry point or the program of its image, with what stands behind the image. */
export function startedInContainer(program: string, given: readonly Word[]): Unwrapped | undefined {
  if (program === "kubectl" || program === "oc") return startedInPod(given);
  const isCompose = program === "docker-compose";
  if (!isCompose && !isOneOf(program, "docker podman nerdctl")) return undefined;
  let args = given;
  while (args[0]?.text.startsWith("-"))
    args = args.slice(
      globalTakes.has(args[0].text) ||
        (isCompose && /^(?:-f|-p|--file|--profile|--env-file|--project-\w+)$/.test(args[0].text))
        ? 2
        : 1,
    );
  if (args[0]?.text === "container") args = args.slice(1);
  const verb = args[0]?.text;
  if (verb !== "run" && verb !== "exec") return undefined;
  let entry: Word | undefined;
  for (let at = 1; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (text === "--entrypoint") entry = args[at + 1];
    else if (text.startsWith("--entrypoint=")) entry = word(text.slice("--entrypoint=".length));
    if (text.startsWith("-")) {
      if (!alone.test(text) && !text.includes("=") && /^--|^-[a-zA-Z]$/.test(text)) at++;
      continue;
    }
    return behind(
      verb === "exec" ? undefined : (entry?.text ?? startedBy(text, isCompose)),
      args.slice(at + 1),
    );
  }
  return undefined;
}

/** A service of a project is often called after the one program it is there for. */
const startedBy = (name: string, isService: boolean): string | undefined =>
  programOf(isService ? name.replace(/^(?:tf)$/, "terraform").replace(/^aws$/, "aws-cli") : name);

function behind(entry: string | undefined, rest: readonly Word[]): Unwrapped | undefined {
  // An image of one program starts a shell just as well.
  const isOwn = rest[0]?.text === entry || isOneOf(rest[0]?.text ?? "", "bash ash dash zsh sh");
  const words = entry === undefined || entry === "" || isOwn ? rest : [word(entry), ...rest];
  return rest.length === 0 ? undefined : { words, elsewhere: true, assigned: [] };
}

/** `kubectl run x --image=y -- words`, `kubectl exec x -- words`. */
function startedInPod(args: readonly Word[]): Unwrapped | undefined {
  const dashes = args.findIndex((arg) => arg.text === "--");
  const before = args.slice(0, Math.max(0, dashes));
  if (!before.some((arg) => isOneOf(arg.text, "run debug exec rsh"))) return undefined;
  const at = before.findIndex((arg) => /^--image(?:=|$)/.test(arg.text));
  const given = before[at]?.text ?? "";
  const image = given.includes("=") ? given.slice("--image=".length) : before[at + 1]?.text;
  const isCommand = before.some((arg) => isOneOf(arg.text, "--command=true --command"));
  return behind(at === -1 || isCommand ? undefined : programOf(image ?? ""), args.slice(dashes + 1));
}
