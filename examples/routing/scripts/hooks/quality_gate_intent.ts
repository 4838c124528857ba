#!/usr/bin/env bun
// Hook: quality_gate_intent
// Event: UserPromptSubmit
// Description: Builds a structured intent for knowledge routing; selects no document itself.
import { readFileSync } from "node:fs";

const context = JSON.parse(readFileSync(0, "utf8")) as {
  user_message?: unknown;
  last_cli_command?: unknown;
  stage?: unknown;
};
const message = typeof context.user_message === "string" ? context.user_message : "";
const command = typeof context.last_cli_command === "string" ? context.last_cli_command : undefined;

const isQuestion = /\b(?:which|what|how)\b|\?/i.test(message);
const isAboutChecks = /\bcommit/i.test(message) && /\b(?:check|lint|test|gate)/i.test(message);

console.log(
  JSON.stringify(
    isAboutChecks
      ? {
          new_intent: {
            scope: "execution.quality_gates",
            topic: "pre_commit_checks",
            stage: isQuestion ? "understand" : "act",
            intent: isQuestion ? "learn_which_checks_to_run_before_commit" : "run_checks_before_commit",
            signals: { user_raw_input: message, ...(command === undefined ? {} : { cli_command: command }) },
          },
        }
      : {},
  ),
);
