import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const name = ".ralph-sessions/260215-173319/signals/inputs/signal.260215-180000.yaml";

describe("S0-R37 S0-C15 a signal file is checked when it is written, and at session start", () => {
  ruleTester("ralph/signal-schema-check", {
    catches: [
      { write: name, text: "message: x\n", message: "invalid" },
      { write: name, text: "type: STEER\n", message: "invalid" },
      { write: name, text: "- STEER\n", message: "invalid" },
      { write: name, text: "type: STEER\nmessage: x\n", outcome: "warn", message: "suspicious" },
      { shell: `curl -s https://example.org/s > ${name}`, outcome: "warn", message: "unknown" },
      {
        title: "a file moved into place says what it says",
        files: { "draft.yaml": "type: HALT\nmessage: x\n" },
        shell: `mv draft.yaml ${name}`,
        message: "invalid",
      },
      {
        title: "an edit is judged by what it leaves",
        files: { [name]: "type: STEER\ntarget: ALL\nmessage: x\n" },
        write: name,
        edit: { old: "STEER", new: "STOP" },
        message: "invalid",
      },
      {
        title: "S0-C12 at session start another name is a warning",
        files: {
          ".ralph-sessions/260215-173319/signals/inputs/20260208-143000Z.yaml":
            "type: INFO\ntarget: ALL\nmessage: x\n",
        },
        event: "SessionStart",
        outcome: "warn",
        message: "suspicious",
      },
      {
        write: name,
        text: "type: APPROVE\ntarget: ALL\nmessage: ok\n",
        options: { profile: "later" },
        message: "invalid",
      },
    ],
    allows: [
      { write: `${name}.part`, text: "half" },
      { write: name.replace("inputs/", "inputs/."), text: "half" },
      { write: name, text: "type: APPROVE\ntarget: ALL\nmessage: ok\n" },
      { files: { "draft.yaml": "type: INFO\ntarget: ALL\nmessage: x\n" }, shell: `mv draft.yaml ${name}` },
    ],
  });
});
