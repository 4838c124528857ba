import schema from "../../../schema/hookline.schema.json";
import { defineCommand } from "./_command.ts";

export default defineCommand({
  summary: "The JSON Schema of hookline.yaml, for completion in editors.",
  usage: ["schema > hookline.schema.json"],
  details:
    "Then put `# yaml-language-server: $schema=./hookline.schema.json` on the first line of hookline.yaml.",
  flags: {},
  async run() {
    console.log(JSON.stringify(schema, null, 2));
    return 0;
  },
});
