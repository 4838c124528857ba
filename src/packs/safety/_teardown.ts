import type { Run } from "../../core/command.ts";
import type { Outcome } from "../../core/outcome.ts";
import { callsForTeardown, requestsTeardown } from "./_teardown-calls.ts";
import { feedersOf, hasFlag, plainWords, shown, wordsOf } from "./_runs.ts";

interface Teardown {
  readonly what: string;
  readonly outcome: Outcome;
}

type Row = (words: readonly string[], plain: readonly string[]) => Teardown | undefined;

const stop = (what: string): Teardown => ({ what, outcome: "block" });
const ask = (what: string): Teardown => ({ what, outcome: "ask" });
const backups = "removes backups";
const gone = "removes running resources";
const data = "removes data";

const terraform: Row = (words, plain) => {
  const [verb, next] = plain;
  if (
    verb === "plan" &&
    words.some((word) => /^-{1,2}destroy$/.test(word)) &&
    words.some((word) => /^-{1,2}out/.test(word))
  )
    return ask("prepares to remove running resources");
  if (verb === "destroy" || (verb === "apply" && words.some((word) => /^-{1,2}destroy$/.test(word))))
    return stop(gone);
  if (verb === "apply" && words.some((word) => /^-{1,2}auto-approve(?:=true)?$/.test(word)))
    return ask("changes running resources without a look at the plan");
  if (verb === "state" && /^(?:rm|push)$/.test(next ?? ""))
    return ask("changes what is known about running resources");
  if (verb === "workspace" && next === "delete") return ask(gone);
  return verb === "force-unlock" || verb === "taint"
    ? ask("changes what is known about running resources")
    : undefined;
};

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

const destructiveVerb =
  /^(?:delete|terminate|remove|deregister|purge|destroy|reset|revoke|disable|drop|detach-and-delete|cancel|deactivate|empty|schedule-key-deletion|rb)(?:-|$)/;

/** Doors that are opened to everybody, and guards that are sent away. */
const opens: readonly [RegExp, RegExp][] = [
  [
    /^(?:attach|put)-(?:user|role|group)-policy$/,
    /AdministratorAccess|IAMFullAccess|PowerUserAccess|"Action":\s*"\*"/,
  ],
  [/^authorize-security-group-(?:ingress|egress)$/, /0\.0\.0\.0\/0|::\/0/],
  [/^put-(?:bucket|object)-acl$/, /public-read|authenticated-read|AllUsers/],
  [/^put-bucket-policy$/, /"Principal":\s*(?:"\*"|\{\s*"AWS":\s*"\*")/],
  [/^(?:stop-logging|close-account|leave-organization|create-access-key|delete-\S+)$/, /./],
  [/^(?:set-desired-capacity|update-service)$/, /--desired-(?:capacity|count)[= ]0\b/],
  [/^update-auto-scaling-group$/, /--max-size[= ]0\b/],
  [/^put-function-concurrency$/, /executions[= ]0\b/],
  [/^put-bucket-versioning$/, /Suspended/],
  [/^change-resource-record-sets$/, /"Action":\s*"DELETE"/],
  [/^release-(?:address|hosts)$/, /./],
  [/^modify-db-instance$/, /--publicly-accessible/],
  [/^update-trail$/, /--no-/],
];

const aws: Row = (words, plain) => {
  if (words.includes("--dry-run") || words.includes("--dryrun")) return undefined;
  const [service, verb = ""] = plain;
  if (service === "s3") {
    if (verb === "rb") return stop(data);
    if (verb === "rm") return hasFlag(words, "--recursive") ? stop(data) : undefined;
    return verb === "sync" && hasFlag(words, "--delete") ? ask(data) : undefined;
  }
  if (service === "ssm" && verb === "send-command") return ask("runs a command on other machines");
  if (opens.some(([name, sign]) => name.test(verb) && sign.test(words.join(" "))) && !/^delete-/.test(verb))
    return ask("opens what is closed, or stops what runs");
  return destructiveVerb.test(verb) &&
    !/^(?:remove-tags|delete-message|remove-permission|cancel-update)/.test(verb)
    ? stop(gone)
    : undefined;
};

const gcloud: Row = (words, plain) => {
  if (plain.includes("keys") && plain.includes("create") && plain.includes("service-accounts"))
    return ask("makes a key that opens an account");
  if (
    plain.some((word) => /^add-iam-policy-binding$/.test(word)) &&
    /roles\/(?:owner|editor)|allUsers/.test(words.join(" "))
  )
    return ask("opens what is closed");
  const verb = plain.find((word) =>
    /^(?:delete|destroy|reset|remove-iam-policy-binding|undelete)$/.test(word),
  );
  if (plain.includes("rm") && plain.includes("storage"))
    return hasFlag(words, "-r", "--recursive") ? stop(data) : undefined;
  return verb === "delete" || verb === "destroy" ? stop(gone) : undefined;
};

const gsutil: Row = (words, plain) =>
  plain[0] === "rb" || (plain[0] === "rm" && hasFlag(words, "-r", "-R"))
    ? stop(data)
    : plain[0] === "rsync" && hasFlag(words, "-d")
      ? ask(data)
      : undefined;

const az: Row = (words, plain) =>
  plain.includes("role") &&
  plain.includes("assignment") &&
  plain.includes("create") &&
  /Owner|Contributor|Administrator/.test(words.join(" "))
    ? ask("opens what is closed")
    : plain.some((word) => /^(?:delete|purge|delete-batch)$/.test(word))
      ? stop(gone)
      : undefined;

/** A list of all there is, not narrowed down by a filter. */
const isEverything = (word: string): boolean =>
  (/\$\(|^\$|ps -a?q/.test(word) && !/filter|-f\b|status=|name=/.test(word)) || word === "(input)";

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

/** Packages without which the machine does not start, or nobody gets in. */
const essential =
  /^\^?(?:libc6|glibc|base|base-system|bash|coreutils|systemd|sudo|openssh-server|linux-image\S*|kernel\S*|python3(?:\.\*|\b.*\*)?|python3?|openssl|libssl\S*|apt|dpkg|rpm|init|grub\S*|network-manager|util-linux)\$?$/;

const packages: Row = (words, plain) => {
  const [verb = "", ...names] = plain;
  if (hasFlag(words, "--dry-run", "-s", "--simulate", "--assumeno")) return undefined;
  if (
    verb === "purge" ||
    (/^(?:remove|erase|autoremove)$/.test(verb) && words.includes("--purge") && names.length > 0)
  )
    return ask("removes programs with their settings and data");
  return /^(?:remove|erase|del|rm)$/.test(verb) && names.some((name) => essential.test(name))
    ? ask("removes what the system needs")
    : undefined;
};

/** A copy over the system of another machine, or one that takes away what is not at its source. */
const remoteSystem: Row = (words, plain) => {
  const to = /^[\w.-]+(?:@[\w.-]+)?:(.*)$/.exec(plain.at(-1) ?? "")?.[1];
  if (to === undefined || plain.length < 2 || hasFlag(words, "-n", "--dry-run")) return undefined;
  if (
    words.some((word) => word.startsWith("--delete")) &&
    /^\/?(?:[\w.-]+\/?)?$/.test(to) &&
    to.startsWith("/")
  )
    return ask("removes what is not at its source from another machine");
  return /^\/(?:$|(?:etc|usr|bin|sbin|lib|lib64|boot|root)(?:\/|$))/.test(to)
    ? ask("changes the system of another machine")
    : undefined;
};

const verbs =
  (pattern: RegExp, outcome: Outcome = "block"): Row =>
  (words, plain) =>
    plain.slice(0, 4).some((word) => pattern.test(word)) && !words.some((word) => /^--dry-?run/.test(word))
      ? { what: gone, outcome }
      : undefined;

/** Adding a tool is adding a row. */
export const table: Readonly<Record<string, Row>> = {
  terraform,
  tofu: terraform,
  terragrunt: (words, plain) =>
    terraform(words, plain[0] === "run-all" ? plain.slice(1) : plain) ??
    (plain.includes("destroy-all") ? stop(gone) : undefined),
  pulumi: (words, plain) =>
    /^(?:destroy|down|dn)$/.test(plain[0] ?? "") ||
    (plain[0] === "stack" && plain[1] === "rm") ||
    (plain[0] === "state" && plain[1] === "delete")
      ? stop(gone)
      : plain[0] === "up" && hasFlag(words, "-y", "--yes")
        ? ask("changes running resources without a look")
        : undefined,
  cdk: (words, plain) =>
    plain[0] === "destroy"
      ? stop(gone)
      : words.some((word, at) => word === "--require-approval" && words[at + 1] === "never") ||
          words.includes("--require-approval=never")
        ? ask("changes running resources without a look")
        : undefined,
  rclone: (words, plain) => {
    if (hasFlag(words, "-n", "--dry-run")) return undefined;
    if (/^(?:purge|delete|deletefile|rmdirs|cleanup)$/.test(plain[0] ?? "")) return stop(data);
    return /^(?:sync|bisync|move)$/.test(plain[0] ?? "") && /^[\w-]+:/.test(plain.at(-1) ?? "")
      ? ask("removes what is not at its source")
      : undefined;
  },
  "ansible-playbook": (words, plain) =>
    words.includes("--check") || words.includes("-C") || words.includes("--syntax-check")
      ? undefined
      : plain.some((word) => /destroy|teardown|remove|delete|wipe|decommission/i.test(word)) ||
          words.some((word) => /prod/i.test(word))
        ? ask("changes other machines")
        : undefined,
  cdktf: verbs(/^destroy$/),
  amplify: verbs(/^(?:delete|remove)$/),
  sst: verbs(/^remove$/),
  serverless: verbs(/^remove$/),
  sls: verbs(/^remove$/),
  sam: verbs(/^delete$/),
  copilot: verbs(/^delete$/),
  eb: verbs(/^terminate$/),
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
  dokku: verbs(/^(?:apps:destroy|\w+:destroy)$/),
  cf: verbs(/^(?:delete|d|delete-\w[\w-]*|purge-\S+)$/),
  render: verbs(/^(?:delete|suspend)$/, "ask"),
  turso: verbs(/^(?:destroy|delete)$/),
  neonctl: verbs(/^(?:delete|reset)$/),
  neon: verbs(/^(?:delete|reset)$/),
  pscale: verbs(/^delete$/),
  planetscale: verbs(/^delete$/),
  atlas: verbs(/^(?:delete|terminate|clean)$/, "ask"),
  mongocli: verbs(/^delete$/, "ask"),
  hasura: (_words, plain) => (plain.includes("clear") ? ask(gone) : undefined),
  "sentry-cli": verbs(/^delete$/, "ask"),
  vboxmanage: (words) =>
    hasFlag(words, "--delete", "--delete-all") || words.includes("closemedium") ? ask(data) : undefined,
  VBoxManage: (words) => (hasFlag(words, "--delete", "--delete-all") ? ask(data) : undefined),
  prlctl: verbs(/^delete$/, "ask"),
  orb: verbs(/^delete$/, "ask"),
  limactl: verbs(/^(?:delete|remove|rm|factory-reset)$/, "ask"),
  colima: verbs(/^delete$/, "ask"),
  incus: verbs(/^delete$/, "ask"),
  qm: verbs(/^destroy$/),
  pct: verbs(/^destroy$/),
  pvesh: verbs(/^delete$/),
  govc: verbs(/^(?:vm\.destroy|datastore\.rm|object\.destroy)$/),
  // Backups are what everything else is got back from.
  restic: (words, plain) =>
    /^(?:forget|prune|key|rewrite)$/.test(plain[0] ?? "") || plain.slice(0, 3).includes("forget")
      ? words.some((word) => /^(?:--dry-run|-n|list)$/.test(word))
        ? undefined
        : stop(backups)
      : undefined,
  borg: (words, plain) =>
    /^(?:delete|prune|recreate)$/.test(plain[0] ?? "") && !hasFlag(words, "-n", "--dry-run")
      ? stop(backups)
      : undefined,
  borgmatic: verbs(/^(?:prune|delete|repo-delete)$/, "ask"),
  kopia: verbs(/^(?:delete|expire)$/, "ask"),
  duplicity: (words, plain) =>
    /^(?:remove-|cleanup)/.test(plain[0] ?? "") && words.includes("--force") ? stop(backups) : undefined,
  duplicacy: verbs(/^prune$/, "ask"),
  "rdiff-backup": (words) =>
    words.some((word) => /^(?:--remove-older-than|remove)$/.test(word)) ? ask(backups) : undefined,
  tmutil: verbs(/^(?:delete|deletelocalsnapshots|deleteinprogress|disable)$/),
  snapper: verbs(/^(?:delete|remove|rm|undochange|rollback)$/, "ask"),
  timeshift: (words) => (hasFlag(words, "--delete", "--delete-all", "--restore") ? ask(backups) : undefined),
  pgbackrest: (words, plain) =>
    plain.some((word) => /^(?:stanza-delete|expire)$/.test(word)) && !words.includes("--dry-run")
      ? ask(backups)
      : undefined,
  "wal-g": verbs(/^delete$/, "ask"),
  barman: verbs(/^delete$/, "ask"),
  vssadmin: verbs(/^delete$/),
  wbadmin: verbs(/^delete$/),
  bcdedit: (words) =>
    words.some((word) => /^\/(?:delete|set)/i.test(word)) ? ask("changes how the machine starts") : undefined,
  reg: (_words, plain) =>
    /^delete$/i.test(plain[0] ?? "") ? ask("removes settings of the system") : undefined,
  schtasks: (words) =>
    words.some((word) => /^\/(?:create|delete)$/i.test(word))
      ? ask("changes what runs by itself")
      : undefined,
  "remove-item": (words) =>
    words.some((word) => /^hk\w{2,3}:|^registry::/i.test(word))
      ? ask("removes settings of the system")
      : undefined,
  "remove-itemproperty": (words) =>
    words.some((word) => /^hk\w{2,3}:|^registry::/i.test(word))
      ? ask("removes settings of the system")
      : undefined,
  "set-mppreference": (words) =>
    words.some((word) => /disable/i.test(word)) ? ask("switches a protection of the system off") : undefined,
  "set-netfirewallprofile": (words) =>
    words.some((word) => /^false$/i.test(word)) ? ask("switches the firewall off") : undefined,
  "set-executionpolicy": (words) =>
    words.some((word) => /^(?:bypass|unrestricted)$/i.test(word)) &&
    !words.some((word) => /^process$/i.test(word))
      ? ask("switches a protection of the system off")
      : undefined,
  "remove-vm": () => ask(gone),
  "remove-localuser": () => ask("removes an account"),
  "remove-aduser": () => stop("removes an account"),
  "remove-azresourcegroup": () => stop(gone),
  spctl: (words) =>
    words.some((word) => /^--(?:master-disable|global-disable)$/.test(word))
      ? ask("switches a protection of the system off")
      : undefined,
  csrutil: verbs(/^(?:disable|clear)$/, "ask"),
  nft: (_words, plain) =>
    /^(?:flush|delete)$/.test(plain[0] ?? "") ? ask("removes the rules of the firewall") : undefined,
  "firewall-cmd": (words) =>
    words.some((word) => /^--(?:panic-on|complete-reload|remove-)/.test(word))
      ? ask("changes the rules of the firewall")
      : undefined,
  auditctl: (words) =>
    hasFlag(words, "-D") || words.join(" ").includes("-e 0")
      ? ask("stops the record of what happens")
      : undefined,
  journalctl: (words) =>
    words.some(
      (word) =>
        /^--vacuum-(?:time|size|files)=?0?|^--rotate$/.test(word) &&
        !/=[1-9]/.test(word) &&
        word !== "--rotate",
    )
      ? ask("removes the record of what happened")
      : undefined,
  "ssh-copy-id": () => ask("lets a key into another machine"),
  apt: packages,
  "apt-get": packages,
  aptitude: packages,
  yum: packages,
  dnf: packages,
  zypper: packages,
  apk: packages,
  pacman: (words, plain) =>
    words.some((word) => /^-R/.test(word)) && plain.some((word) => essential.test(word))
      ? ask("removes what the system needs")
      : undefined,
  brew: (words, plain) =>
    /^(?:uninstall|remove|rm)$/.test(plain[0] ?? "") && words.some(isEverything)
      ? ask("removes everything that is installed")
      : undefined,
  aws,
  gcloud,
  gsutil,
  bq: (words, plain) => (plain[0] === "rm" && hasFlag(words, "-r", "-f") ? stop(data) : undefined),
  az,
  doctl: verbs(/^(?:delete|destroy|rm)$/),
  hcloud: verbs(/^delete$/),
  linode: verbs(/^delete$/),
  "linode-cli": verbs(/^(?:delete|rm)$/),
  ibmcloud: verbs(/^(?:rm|delete|service-instance-delete)$/),
  oci: verbs(/^(?:delete|terminate)$/),
  openstack: verbs(/^delete$/),
  scw: verbs(/^(?:delete|terminate)$/),
  heroku: (_words, plain) =>
    /^(?:apps:destroy|apps:delete|pg:reset|addons:destroy|pipelines:destroy)$/.test(plain[0] ?? "") ||
    (/^(?:destroy|apps)$/.test(plain[0] ?? "") && plain[1] === "destroy") ||
    plain[0] === "destroy"
      ? stop(gone)
      : /^ps:scale$/.test(plain[0] ?? "") && plain.some((word) => /=0$/.test(word))
        ? ask("stops a running service")
        : undefined,
  fly: verbs(/^(?:destroy|delete|rm|remove)$/),
  flyctl: verbs(/^(?:destroy|delete|rm|remove)$/),
  vercel: (_words, plain) =>
    /^(?:remove|rm)$/.test(plain[0] ?? "") ||
    (/^(?:project|projects|env|domains)$/.test(plain[0] ?? "") && /^(?:rm|remove)$/.test(plain[1] ?? ""))
      ? stop(gone)
      : undefined,
  netlify: verbs(/^(?:sites:delete|sites:remove|env:unset)$/),
  railway: verbs(/^(?:delete|down|remove)$/, "ask"),
  wrangler: (_words, plain) => (plain.includes("delete") ? ask(gone) : undefined),
  firebase: (_words, plain) =>
    /:(?:delete|disable)$|^(?:database:remove|firestore:delete|projects:delete|functions:delete|hosting:disable)$/.test(
      plain[0] ?? "",
    )
      ? stop(data)
      : undefined,
  supabase: (_words, plain) =>
    plain.includes("delete") || (plain[0] === "db" && plain[1] === "reset") ? ask(gone) : undefined,
  docker: container,
  podman: container,
  nerdctl: container,
  "docker-compose": (words, plain) =>
    plain.includes("down") && hasFlag(words, "-v", "--volumes")
      ? ask(data)
      : plain[0] === "rm" && hasFlag(words, "-v")
        ? ask(data)
        : undefined,
  vagrant: verbs(/^destroy$/, "ask"),
  multipass: verbs(/^(?:delete|purge)$/, "ask"),
  virsh: verbs(/^(?:destroy|undefine|vol-delete|pool-delete)$/, "ask"),
  lxc: verbs(/^(?:delete)$/, "ask"),
  ansible: (words) =>
    words.some(
      (word, at) =>
        /^-m$|^--module-name$/.test(word) &&
        /^(?:shell|command|raw|script|file|reboot|service|user)$/.test(words[at + 1] ?? ""),
    ) || words.some((word) => /^-m(?:shell|command|raw)$/.test(word))
      ? ask("runs a command on other machines")
      : words.includes("-a") && !words.includes("-m")
        ? ask("runs a command on other machines")
        : undefined,
  consul: (_words, plain) => (plain[0] === "kv" && plain[1] === "delete" ? ask(data) : undefined),
  vault: (_words, plain) =>
    /^(?:delete|destroy)$/.test(plain[1] ?? "") ||
    plain[0] === "delete" ||
    plain.slice(0, 3).some((word) => /^(?:delete|revoke|destroy)$/.test(word)) ||
    (plain[0] === "secrets" && plain[1] === "disable")
      ? ask(data)
      : undefined,
  etcdctl: verbs(/^(?:del|rm|rmdir)$/, "ask"),
  nomad: (_words, plain) =>
    (plain[0] === "job" && /^(?:stop|purge)$/.test(plain[1] ?? "")) || plain[0] === "stop"
      ? ask(gone)
      : undefined,
  rabbitmqctl: verbs(/^(?:reset|force_reset|delete_\w+|purge_queue)$/, "ask"),
  rabbitmqadmin: verbs(/^(?:delete|purge)$/, "ask"),
  nats: verbs(/^(?:rm|purge|del|delete)$/, "ask"),
  "pulsar-admin": verbs(/^(?:delete|terminate|delete-partitioned-topic)$/, "ask"),
  "kafka-delete-records": () => ask(data),
  "kafka-delete-records.sh": () => ask(data),
  "kafka-consumer-groups": (words) => (hasFlag(words, "--delete") ? ask(data) : undefined),
  "kafka-consumer-groups.sh": (words) => (hasFlag(words, "--delete") ? ask(data) : undefined),
  rpk: verbs(/^delete$/, "ask"),
  "kafka-topics": (words) => (hasFlag(words, "--delete") ? stop(data) : undefined),
  "kafka-topics.sh": (words) => (hasFlag(words, "--delete") ? stop(data) : undefined),
  userdel: () => ask("removes an account"),
  deluser: () => ask("removes an account"),
  iptables: (words) =>
    hasFlag(words, "-F", "--flush") || words.includes("-X")
      ? ask("removes the rules of the firewall")
      : undefined,
  ufw: (_words, plain) =>
    /^(?:disable|reset)$/.test(plain[0] ?? "") ? ask("switches the firewall off") : undefined,
  setenforce: (_words, plain) =>
    plain[0] === "0" ? ask("switches a protection of the system off") : undefined,
  mc: (words, plain) =>
    /^(?:rb|rm)$/.test(plain[0] ?? "") && hasFlag(words, "--force", "-r", "--recursive")
      ? stop(data)
      : undefined,
  op: verbs(/^(?:delete|remove)$/, "ask"),
  s5cmd: (_words, plain) =>
    /^(?:rm|rb)$/.test(plain[0] ?? "") && plain.some((word) => /[*]/.test(word)) ? stop(data) : undefined,
  crictl: (words, plain) =>
    /^(?:rm|rmp|rmi)$/.test(plain[0] ?? "") && hasFlag(words, "-a", "--all", "-fa", "--prune")
      ? ask(gone)
      : undefined,
  ctr: (words, plain) =>
    plain.some((word) => /^(?:rm|delete|del|remove)$/.test(word)) && words.some(isEverything)
      ? ask(gone)
      : undefined,
  scp: remoteSystem,
  rsync: remoteSystem,
  s3cmd: (words, plain) =>
    /^(?:rb|del|rm)$/.test(plain[0] ?? "") && hasFlag(words, "-r", "--recursive", "--force", "-f")
      ? stop(data)
      : undefined,
};

/** What a command tears down, if anything. */
export function teardown(run: Run): Teardown | undefined {
  const row = Object.hasOwn(table, run.program) ? table[run.program] : undefined;
  if (!row) {
    if (run.about === "teardown") return ask(gone);
    if (callsForTeardown(run)) return stop(gone);
    return requestsTeardown(run) ? ask(gone) : undefined;
  }
  const words = run.args.some((arg) => arg.text === "(input)" && arg.from)
    ? wordsOf(run).map((word) => (word === "(input)" ? `$(${feedersOf(run).map(shown).join(" | ")})` : word))
    : wordsOf(run);
  if (words.some((word) => /^-{1,2}help$/.test(word)) || (words.includes("-h") && words.length < 3))
    return undefined;
  return row(words, plainWords(withoutValues(words)));
}

/** Options that stand before the verb, with their values. */
function withoutValues(words: readonly string[]): string[] {
  const takes =
    /^(?:-n|--namespace|--context|--profile|--region|--project|-c|--config|--kubeconfig|-chdir|--subscription|-g|--resource-group|--output|-o|--filter|--name|--zone|--cluster|-H|--host|--app|-a|-s|--stack|-e|--env|-i|--inventory|--file|-f|-p)$/;
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    kept.push(words[at] ?? "");
    // The value of an option is no verb; it stays out of the way as an option of its own.
    if (takes.test(words[at] ?? "") && at + 1 < words.length) kept.push(`-${words[++at]}`);
  }
  return kept;
}
