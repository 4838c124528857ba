import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { runsOf, shown } from "./_runs.ts";
import { lazily } from "../../core/lazily.ts";

export default defineRule({
  summary: "Stops commands that tear down servers, clusters, cloud resources or their data.",
  why: "Running systems and their data belong to more people than this task.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    programs: [
      "terraform",
      "tofu",
      "terragrunt",
      "pulumi",
      "cdk",
      "rclone",
      "ansible-playbook",
      "cdktf",
      "sst",
      "serverless",
      "sls",
      "sam",
      "copilot",
      "eb",
      "kubectl",
      "k",
      "oc",
      "helm",
      "helmfile",
      "kustomize",
      "eksctl",
      "aws",
      "gcloud",
      "gsutil",
      "bq",
      "az",
      "doctl",
      "hcloud",
      "linode",
      "linode-cli",
      "ibmcloud",
      "oci",
      "openstack",
      "scw",
      "heroku",
      "fly",
      "flyctl",
      "vercel",
      "netlify",
      "railway",
      "wrangler",
      "firebase",
      "supabase",
      "docker",
      "podman",
      "nerdctl",
      "docker-compose",
      "vagrant",
      "multipass",
      "virsh",
      "lxc",
      "ansible",
      "consul",
      "vault",
      "etcdctl",
      "nomad",
      "rabbitmqctl",
      "kafka-topics",
      "kafka-topics.sh",
      "userdel",
      "deluser",
      "iptables",
      "ufw",
      "setenforce",
      "mc",
      "s3cmd",
    ],
  },
  options: () => v.strictObject({}),
  messages: {
    destroys: {
      what: "`{command}` {what}.",
      instead: "Show the user what it would do (a plan, a dry run, a list), and let them run it.",
    },
  },
  examples: {
    catches: [
      { shell: "terraform destroy -auto-approve" },
      { shell: "kubectl delete namespace shop" },
      { shell: "aws s3 rb s3://shop --force" },
      { shell: "docker system prune -a --volumes" },
      { shell: "terraform apply -auto-approve" },
    ],
    allows: [
      { shell: "terraform plan" },
      { shell: "kubectl get pods -n shop" },
      { shell: "docker image prune" },
      { shell: "aws s3 ls" },
      { shell: "docker compose down" },
    ],
  },
  load: (event) => (runsOf(event).length > 0 ? teardowns() : undefined),
  *check({ event, loaded }) {
    if (!loaded) return;
    for (const run of runsOf(event)) {
      const found = loaded.teardown(run);
      if (found)
        yield {
          message: "destroys",
          outcome: found.outcome,
          data: { command: shown(run), what: found.what },
        };
    }
  },
});

const teardowns = lazily(() => import("./_teardown.ts"));
