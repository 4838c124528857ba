import { defineHost } from "../../core/host.ts";
import { asText } from "../../core/json.ts";
import type { ChosenHost } from "../choose-host.ts";

const dialect = "transition";

/** Who asks: the orchestrator's state machine, before it sets its state. */
export const stateMachine: ChosenHost = {
  id: "ralph",
  how: "asked by hookline ralph transition",
  host: defineHost({
    title: "Ralph's state machine",
    reference: "docs/ralph.md",
    can: { [dialect]: { StateTransition: ["warn", "block", "context", "notice"] } },
    recognises: () => 0,
    decode: (payload) => ({
      name: "StateTransition",
      native: "StateTransition",
      dialect,
      operations: [{ do: "write", path: asText(payload["path"]) ?? "", text: asText(payload["text"]) ?? "" }],
    }),
    encode: () => ({ exitCode: 0 }),
  }),
};
