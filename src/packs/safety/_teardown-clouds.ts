import { isOneOf } from "../../core/one-of.ts";
import { hasFlag } from "./_runs.ts";
import { stop, ask, gone, data, verbs, type Row } from "./_teardown-row.ts";

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
  if (verb === "state" && isOneOf(next ?? "", "rm push"))
    return ask("changes what is known about running resources");
  if (verb === "workspace" && next === "delete") return ask(gone);
  return verb === "force-unlock" || verb === "taint"
    ? ask("changes what is known about running resources")
    : undefined;
};

const destructiveVerb =
  /^(?:delete|terminate|remove|deregister|purge|destroy|reset|revoke|disable|drop|detach-and-delete|cancel|deactivate|empty|schedule-key-deletion|rb)(?:-|$)/;

/** `hdfs dfs -rm -r /data` */
const removesTree: Row = (words) =>
  words.includes("-rmr") || (words.includes("-rm") && words.some((word) => /^-[rR]$|^-skipTrash$/.test(word)))
    ? stop(data)
    : undefined;

/** `DeleteInstance`, `ReleaseEipAddress` */
const takingAway = /^(?:Delete|Terminate|Release|Destroy|Remove|Purge|Drop|Unsubscribe|Revoke)[A-Z]/;

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
  [/^put-public-access-block$/, /=false|": ?false/i],
  [/^modify-instance-attribute$/, /--no-disable-api-termination/],
  [/^add-permission$/, /--principal[= ]["']?\*/],
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
  if (plain.includes("services") && plain.includes("disable")) return ask(gone);
  if (
    plain.includes("firewall-rules") &&
    /(?:^| )--source-ranges[= ]\S*(?:0\.0\.0\.0\/0|::\/0)/.test(words.join(" "))
  )
    return ask("opens what is closed");
  const verb = plain.find((word) => isOneOf(word, "delete destroy reset remove-iam-policy-binding undelete"));
  if (plain.includes("rm") && plain.includes("storage"))
    return hasFlag(words, "-r", "--recursive") ? stop(data) : undefined;
  return verb === "delete" || verb === "destroy" ? stop(gone) : undefined;
};

const gsutil: Row = (words, plain) =>
  plain[0] === "rb" || (plain[0] === "rm" && hasFlag(words, "-r", "-R"))
    ? stop(data)
    : plain[0] === "rsync" && hasFlag(words, "-d")
      ? ask(data)
      : isOneOf(plain[0] ?? "", "iam acl defacl") &&
          words.some((word) => /^all(?:Authenticated)?Users:|^public-read/i.test(word))
        ? ask("opens what is closed")
        : undefined;

const az: Row = (words, plain) =>
  plain.includes("role") &&
  plain.includes("assignment") &&
  plain.includes("create") &&
  /Owner|Contributor|Administrator/.test(words.join(" "))
    ? ask("opens what is closed")
    : plain.some((word) => isOneOf(word, "delete purge delete-batch"))
      ? stop(gone)
      : azOpens.test(words.join(" "))
        ? ask("opens what is closed, or removes what a plan does not name")
        : undefined;

const azOpens =
  /^network nsg rule (?:create|update) .*--source-address-prefix(?:es)?[= ]["']?(?:\*|0\.0\.0\.0\/0|Internet)|--public-access[= ](?:blob|container)|^deployment \w+ create .*--mode[= ]Complete/;

/** Clouds, platforms and the services around a product. Adding a tool is adding a row. */
export const clouds: Readonly<Record<string, Row>> = {
  terraform,
  tofu: terraform,
  terragrunt: (words, plain) =>
    terraform(words, plain[0] === "run-all" ? plain.slice(1) : plain) ??
    (plain.includes("destroy-all") ? stop(gone) : undefined),
  pulumi: (words, plain) =>
    isOneOf(plain[0] ?? "", "destroy down dn") ||
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
    if (hasFlag(words, "-n", "--dry-run") && !words.includes("--dry-run=false")) return undefined;
    if (isOneOf(plain[0] ?? "", "purge delete deletefile rmdirs cleanup")) return stop(data);
    return isOneOf(plain[0] ?? "", "sync bisync move") && /^[\w-]+:/.test(plain.at(-1) ?? "")
      ? ask("removes what is not at its source")
      : undefined;
  },
  cdktf: verbs(/^destroy$/),
  amplify: verbs(/^(?:delete|remove)$/),
  sst: verbs(/^remove$/),
  serverless: verbs(/^remove$/),
  sls: verbs(/^remove$/),
  sam: verbs(/^delete$/),
  copilot: verbs(/^delete$/),
  eb: verbs(/^terminate$/),
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
  aws,
  gcloud,
  gsutil,
  bq: (words, plain) => (plain[0] === "rm" && hasFlag(words, "-r", "-f") ? stop(data) : undefined),
  az,
  doctl: verbs(/^(?:delete|destroy|rm)$/),
  hcloud: verbs(/^delete$/),
  linode: verbs(/^delete$/),
  "linode-cli": verbs(/^(?:delete|rm)$/),
  ibmcloud: verbs(/^(?:rm|[\w-]*delete|[\w-]*-(?:rm|cancel))$/),
  // Clouds that are asked by the names of their interface.
  aliyun: verbs(takingAway),
  tccli: verbs(takingAway),
  volc: verbs(takingAway),
  bce: verbs(takingAway),
  yc: verbs(/^delete$/),
  exo: verbs(/^(?:delete|remove|rm)$/),
  upctl: verbs(/^delete$/),
  "vultr-cli": verbs(/^delete$/),
  civo: verbs(/^(?:delete|remove|rm|destroy)$/),
  ovhai: verbs(/^(?:delete|rm)$/),
  nova: verbs(/^(?:delete|force-delete)$/),
  oci: verbs(/^(?:delete|terminate)$/),
  openstack: verbs(/^delete$/),
  scw: verbs(/^(?:delete|terminate)$/),
  heroku: (_words, plain) =>
    isOneOf(plain[0] ?? "", "apps:destroy apps:delete pg:reset addons:destroy pipelines:destroy") ||
    (isOneOf(plain[0] ?? "", "destroy apps") && plain[1] === "destroy") ||
    plain[0] === "destroy"
      ? stop(gone)
      : /^config:(?:unset|remove)$/.test(plain[0] ?? "")
        ? ask("removes settings of a running service")
        : /^ps:scale$/.test(plain[0] ?? "") && plain.some((word) => /=0$/.test(word))
          ? ask("stops a running service")
          : undefined,
  fly: verbs(/^(?:destroy|delete|rm|remove|unset)$/),
  flyctl: verbs(/^(?:destroy|delete|rm|remove|unset)$/),
  vercel: (_words, plain) =>
    isOneOf(plain[0] ?? "", "remove rm") ||
    (isOneOf(plain[0] ?? "", "project projects env domains") && isOneOf(plain[1] ?? "", "rm remove"))
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
  consul: (_words, plain) => (plain[0] === "kv" && plain[1] === "delete" ? ask(data) : undefined),
  vault: (_words, plain) =>
    isOneOf(plain[1] ?? "", "delete destroy") ||
    plain[0] === "delete" ||
    plain.slice(0, 3).some((word) => isOneOf(word, "delete revoke destroy")) ||
    (plain[0] === "secrets" && plain[1] === "disable") ||
    (plain[0] === "operator" && isOneOf(plain[1] ?? "", "seal step-down rekey generate-root rotate"))
      ? ask(data)
      : undefined,
  etcdctl: verbs(/^(?:del|rm|rmdir)$/, "ask"),
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
  mc: (words, plain) =>
    (plain[0] === "admin" && plain.slice(1, 4).some((word) => isOneOf(word, "remove rm"))) ||
    (isOneOf(plain[0] ?? "", "rb rm") && hasFlag(words, "--force", "-r", "--recursive"))
      ? stop(data)
      : undefined,
  hdfs: removesTree,
  hadoop: removesTree,
  databricks: (words, plain) =>
    (isOneOf(plain[0] ?? "", "fs dbfs") && plain[1] === "rm" && hasFlag(words, "-r", "--recursive")) ||
    plain.slice(0, 3).some((word) => /^(?:permanent-)?delete(?:-\S+)?$/.test(word))
      ? ask(data)
      : undefined,
  certbot: verbs(/^(?:delete|revoke)$/, "ask"),
  "acme.sh": (words) => (hasFlag(words, "--revoke", "--remove") ? ask(gone) : undefined),
  ldapdelete: () => ask("removes entries of a directory"),
  ipa: (_words, plain) => (/-(?:del|disable)$/.test(plain[0] ?? "") ? ask("removes an account") : undefined),
  b2: verbs(/^(?:delete(?:-\S+)?|rm|hide-file)$/),
  op: verbs(/^(?:delete|remove)$/, "ask"),
  s5cmd: (_words, plain) =>
    isOneOf(plain[0] ?? "", "rm rb") && plain.some((word) => /[*]/.test(word)) ? stop(data) : undefined,
  s3cmd: (words, plain) =>
    isOneOf(plain[0] ?? "", "rb del rm") && hasFlag(words, "-r", "--recursive", "--force", "-f")
      ? stop(data)
      : undefined,
};
