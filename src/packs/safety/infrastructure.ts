import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { runsOf, shown } from "./_runs.ts";
import { table, teardown } from "./_teardown.ts";

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
      ...Object.keys(table),
      ..."teardown curl wget http https xh python* node bun deno ruby".split(" "),
    ],
  },
  options: (v) => v.strictObject({}),
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
  *check({ event }) {
    for (const run of runsOf(event)) {
      const found = teardown(run);
      if (found)
        yield {
          message: "destroys",
          outcome: found.outcome,
          data: { command: shown(run), what: found.what },
        };
    }
  },
});
