import { isOneOf } from "../../core/one-of.ts";
import { hasFlag } from "./_runs.ts";
import { stop, ask, gone, data, isEverything, isTrial, verbs, type Row } from "./_teardown-row.ts";

const kubectl: Row = (words, plain) => {
  const at = plain.indexOf("delete");
  if (at === 0 || (at > 0 && /^-/.test(words[0] ?? ""))) {
    if (words.some(isTrial)) return undefined;
    // What comes through a pipe is of the kind that was listed.
    const listed = /^\$\(.*\bget (?:-\S+ )*([\w,.-]+)/.exec(plain[at + 1] ?? "")?.[1];
    const kind = listed ?? plain[at + 1] ?? "";
    if (
      /^(?:ns|namespaces?|pv|pvc|persistentvolumes?|persistentvolumeclaims?|crd|crds|customresourcedefinitions?|nodes?|all|statefulsets?|sts)(?:\/|$)/i.test(
        kind,
      ) ||
      hasFlag(words, "--all", "-A", "--all-namespaces")
    )
      return stop(gone);
    if (/^(?:po|pods?|jobs?)(?:\/|$)/i.test(kind))
      return listed !== undefined &&
        (hasFlag(words, "--force") || words.some((word) => / (?:-A|--all-namespaces)\b/.test(word)))
        ? ask(gone)
        : undefined;
    if (isOneOf(kind, "projects project")) return stop(gone);
    return kind === "" ||
      /^(?:deploy|deployments?|svc|services?|ingress|secrets?|\(input\)|\$\(.*|daemonsets?|clusterrole\w*)(?:\/|,|$)/i.test(
        kind,
      ) ||
      hasFlag(words, "-f", "-k", "--force", "-l", "--selector")
      ? ask(gone)
      : undefined;
  }
  if (
    plain[0] === "create" &&
    /^(?:cluster)?rolebinding$/.test(plain[1] ?? "") &&
    /cluster-admin/.test(words.join(" "))
  )
    return ask("gives somebody every right in the cluster");
  if (plain[0] === "drain") return ask("empties a node of the cluster");
  if (plain[0] === "taint" && words.some((word) => /:NoExecute$/.test(word)))
    return ask("drives everything off a node");
  if (plain[0] === "patch" && /finalizers"?\s*:\s*(?:null|\[\s*\])/.test(words.join(" "))) return ask(gone);
  if (plain[0] === "scale" && /--replicas[= ]0\b/.test(words.join(" ")))
    return ask("stops a running service");
  return plain[0] === "replace" && hasFlag(words, "--force") ? ask(gone) : undefined;
};

const helm: Row = (words, plain) =>
  isOneOf(plain[0] ?? "", "uninstall delete del un") && !words.some(isTrial) ? ask(gone) : undefined;

const container: Row = (words, plain) => {
  const [noun, verb] = plain;
  if (noun === "system" && verb === "prune")
    return hasFlag(words, "--volumes") || hasFlag(words, "-a", "--all")
      ? stop("removes containers, images or volumes others may need")
      : undefined;
  if (noun === "volume" && isOneOf(verb ?? "", "rm remove prune")) return stop(data);
  if (noun === "image" && isOneOf(verb ?? "", "rm remove") && words.some(isEverything))
    return ask("removes or stops everything at once");
  if (noun === "node" && isOneOf(verb ?? "", "rm remove demote")) return ask(gone);
  if (noun === "pod" && isOneOf(verb ?? "", "rm kill prune") && hasFlag(words, "-a", "--all", "-f"))
    return ask(gone);
  if (noun === "builder" || noun === "image" || noun === "network") return undefined;
  if ((noun === "rm" || (noun === "container" && verb === "rm")) && words.some(isEverything))
    return ask("removes every container");
  if (noun === "system" && verb === "reset") return stop(data);
  if (noun === "rm" && hasFlag(words, "-v", "--volumes") && hasFlag(words, "-f", "--force"))
    return ask("removes containers with their data");
  if ((noun === "rmi" || noun === "kill") && words.some(isEverything))
    return ask("removes or stops everything at once");
  if (noun === "compose" && plain.includes("down") && hasFlag(words, "-v", "--volumes")) return ask(data);
  if (noun === "swarm" && verb === "leave") return ask(gone);
  return (noun === "stack" || noun === "service" || noun === "secret") &&
    isOneOf(verb ?? "", "rm remove down")
    ? ask(gone)
    : undefined;
};

/** Clusters, containers and virtual machines. */
export const clusters: Readonly<Record<string, Row>> = {
  kubectl,
  k: kubectl,
  oc: kubectl,
  helm,
  helmfile: verbs(/^(?:destroy|delete)$/),
  kustomize: () => undefined,
  eksctl: verbs(/^delete$/),
  kops: verbs(/^delete$/),
  talosctl: verbs(/^(?:reset|shutdown|upgrade)$/),
  rancher: verbs(/^(?:delete|rm)$/),
  flux: verbs(/^(?:uninstall|delete)$/, "ask"),
  argocd: verbs(/^delete$/, "ask"),
  kubeadm: verbs(/^reset$/),
  velero: verbs(/^delete$/, "ask"),
  istioctl: verbs(/^(?:uninstall|purge)$/, "ask"),
  cilium: verbs(/^uninstall$/, "ask"),
  docker: container,
  podman: container,
  nerdctl: container,
  "docker-compose": (words, plain) =>
    plain.includes("down") && hasFlag(words, "-v", "--volumes")
      ? ask(data)
      : plain[0] === "rm" && hasFlag(words, "-v")
        ? ask(data)
        : undefined,
  crictl: (words, plain) =>
    isOneOf(plain[0] ?? "", "rm rmp rmi") && hasFlag(words, "-a", "--all", "-fa", "--prune")
      ? ask(gone)
      : undefined,
  ctr: (words, plain) =>
    plain.some((word) => isOneOf(word, "rm delete del remove")) && words.some(isEverything)
      ? ask(gone)
      : undefined,
  vagrant: verbs(/^destroy$/, "ask"),
  multipass: verbs(/^(?:delete|purge)$/, "ask"),
  virsh: verbs(/^(?:destroy|undefine|vol-delete|pool-delete)$/, "ask"),
  lxc: verbs(/^(?:delete)$/, "ask"),
  incus: verbs(/^delete$/, "ask"),
  vboxmanage: (words) =>
    hasFlag(words, "--delete", "--delete-all") || words.includes("closemedium") ? ask(data) : undefined,
  VBoxManage: (words) => (hasFlag(words, "--delete", "--delete-all") ? ask(data) : undefined),
  prlctl: verbs(/^delete$/, "ask"),
  orb: verbs(/^delete$/, "ask"),
  limactl: verbs(/^(?:delete|remove|rm|factory-reset)$/, "ask"),
  colima: verbs(/^delete$/, "ask"),
  wsl: (words) => (words.some((word) => /^--unregister$/i.test(word)) ? stop(data) : undefined),
  qm: verbs(/^destroy$/),
  pct: verbs(/^destroy$/),
  pvesh: verbs(/^delete$/),
  govc: verbs(/^(?:vm\.destroy|datastore\.rm|object\.destroy)$/),
  nomad: (_words, plain) =>
    (plain[0] === "job" && isOneOf(plain[1] ?? "", "stop purge")) ||
    plain[0] === "stop" ||
    (plain[0] === "node" && plain[1] === "drain")
      ? ask(gone)
      : undefined,
};
