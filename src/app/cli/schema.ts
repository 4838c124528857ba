import generic from "../../../schema/generic-host.schema.json";
import policy from "../../../schema/hookline.schema.json";
import { defineCommand, UsageError } from "./_command.ts";

const schemas: Readonly<Record<string, object>> = { policy, generic };

export default defineCommand({
  summary: "The JSON Schema of hookline.yaml, for completion in editors, or of the generic host's messages.",
  usage: ["schema > hookline.schema.json", "schema generic"],
  details: "Put `# yaml-language-server: $schema=./hookline.schema.json` on the first line of hookline.yaml.",
  actions: {
    policy: "hookline.yaml; what is printed when nothing is named.",
    generic: "What `hookline run --host generic` reads and prints.",
  },
  flags: {},
  async run({ words: [name = "policy"] }) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema)
      throw new UsageError(`unknown schema "${name}"; expected one of ${Object.keys(schemas).join(", ")}`);
    console.log(JSON.stringify(schema, null, 2));
    return 0;
  },
});
