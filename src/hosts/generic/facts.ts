import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "1",
  blind: [],
  failing: { crash: "closed", late: "closed", garbled: "closed" },
  trust: "Whoever calls decides what it asks about; what it does not ask about is not judged.",
  switches: [],
};

export default facts;
