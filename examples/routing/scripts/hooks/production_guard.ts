#!/usr/bin/env bun
// Hook: production_guard
// Event: PreAbilityCall
// Description: Blocks abilities that write where the environment is production.
import { readFileSync } from "node:fs";

const { environment, ability_id } = JSON.parse(readFileSync(0, "utf8")) as {
  environment?: unknown;
  ability_id?: unknown;
};

console.log(
  JSON.stringify(
    environment === "production"
      ? {
          messages_to_user: ["This ability would write to production. In this environment, it is blocked."],
          error: "blocked_by_policy",
        }
      : { messages_to_user: [`${String(ability_id)} writes to ${String(environment)}.`] },
  ),
);
