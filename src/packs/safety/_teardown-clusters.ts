import { hasFlag } from "./_runs.ts";
import { stop, ask, gone, data, isEverything, verbs, type Row } from "./_teardown-row.ts";

const kubectl: Row = (words, plain) => {
  const at = plain.indexOf("delete");
  if (at === 0 || (at > 0 && /^-/.test(words[0] ?? ""))) {
    if (words.some((word) => /^--dry-run/.test(word))) return undefined;
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
    if (/^projects?$/.test(kind)) return stop(gone);
    return kind === "" ||
      /^(?:deploy|deployments?|svc|services?|ingress|secrets?|\(input\)|\$\(.*|daemonsets?|clusterrole\w*)(?:\/|,|$)/i.test(
        kind,
      ) ||
      hasFlag(words, "-f", "-k", "--force", "-l", "--selector")
      ? ask(gone)
      : undefined;
  }
  if (plain[0] === "drain") return ask("empties a node of the cluster");
  if (plain[0] === "taint" && words.some((word) => /:NoExecute$/.test(word)))
    return ask("drives everything off a node");
  if (plain[0] === "patch" && /finalizers"?\s*:\s*(?:null|\[\s*\])/.test(words.join(" "))) return ask(gone);
  if (plain[0] === "scale" && /--replicas[= ]0\b/.test(words.join(" ")))
    return ask("stops a running service");
  return plain[0] === "replace" && hasFlag(words, "--force") ? ask(gone) : undefined;
};

const helm: Row = (words, plain) =>
  /^(?:uninstall|delete|del|un)$/.test(plain[0] ?? "") && !words.some((word) => /^--dry-run/.test(word))
    ? ask(gone)
    : undefined;

const container: Row = (words, plain) => {
  const [noun, verb] = plain;
  if (noun === "system" && verb === "prune")
    return hasFlag(words, "--volumes") || hasFlag(words, "-a", "--all")
      ? stop("removes containers, images or volumes others may need")
      : undefined;
  if (noun === "volume" && /^(?:rm|remove|prune)$/.test(verb ?? "")) return stop(data);
  if (noun === "image" && /^(?:rm|remove)$/.test(verb ?? "") && words.some(isEverything))
    return ask("removes or stops everything at once");
  if (noun === "node" && /^(?:rm|remove|demote)$/.test(verb ?? "")) return ask(gone);
  if (noun === "pod" && /^(?:rm|kill|prune)$/.test(verb ?? "") && hasFlag(words, "-a", "--all", "-f"))
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
    /^(?:rm|remove|down)$/.test(verb ?? "")
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
    /^(?:rm|rmp|rmi)$/.test(plain[0] ?? "") && hasFlag(words, "-a", "--all", "-fa", "--prune")
      ? ask(gone)
      : undefined,
  ctr: (words, plain) =>
    plain.some((word) => /^(?:rm|delete|del|remove)$/.test(word)) && words.some(isEverything)
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
  qm: verbs(/^destroy$/),
  pct: verbs(/^destroy$/),
  pvesh: verbs(/^delete$/),
  govc: verbs(/^(?:vm\.destroy|datastore\.rm|object\.destroy)$/),
  nomad: (_words, plain) =>
    (plain[0] === "job" && /^(?:stop|purge)$/.test(plain[1] ?? "")) || plain[0] === "stop"
      ? ask(gone)
      : undefined,
};
