import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const session = ".ralph-sessions/260215-173319";
const file = (type: string, target = "ALL", at = "260215-180000", folder = "inputs") => ({
  [`${session}/signals/${folder}/signal.${at}.yaml`]: `type: ${type}\ntarget: ${target}\nmessage: now\n`,
});

describe("S0-F33 S0-F35 a pause holds, an abort ends", () => {
  ruleTester("live-signals/delivery", {
    catches: [
      {
        title: "a pause somebody has taken",
        files: file("PAUSE", "ALL", "260215-180000", "processed"),
        shell: "make",
        message: "paused",
      },
      {
        title: "S0-F30 a pause for the orchestrator by its old name",
        files: file("PAUSE", "Ralph-Orchestrator"),
        shell: "make",
        message: "paused",
      },
      {
        title: "INFO does not end a pause",
        files: { ...file("PAUSE"), ...file("INFO", "ALL", "260215-180001") },
        shell: "make",
        message: "paused",
      },
      {
        title: "an earlier APPROVE does not end a pause",
        files: { ...file("APPROVE"), ...file("PAUSE", "ALL", "260215-180001") },
        shell: "make",
        message: "paused",
      },
      {
        title: "a STEER for somebody else does not end a pause",
        files: { ...file("PAUSE"), ...file("STEER", "Reviewer", "260215-180001") },
        shell: "make",
        message: "paused",
      },
      {
        title: "a permission is refused, too",
        files: file("PAUSE"),
        event: "PermissionRequest",
        shell: "make",
        message: "paused",
      },
      {
        title: "a pause by the shell is no note",
        files: file("PAUSE"),
        shell: `echo 'Paused by signal' >> ${session}/iterations/1/progress.md`,
        message: "paused",
      },
      {
        title: "a prompt that comes upon an abort",
        files: file("ABORT"),
        prompt: "go on",
        message: "aborted",
      },
      {
        title: "an abort somebody has taken",
        files: file("ABORT", "ALL", "260215-180000", "processed"),
        shell: "make",
        message: "aborted",
      },
    ],
    allows: [
      {
        title: "a later STEER ends a pause",
        files: { ...file("PAUSE"), ...file("STEER", "ALL", "260215-180001") },
        shell: "make",
      },
      {
        title: "a later SKIP ends a pause",
        files: { ...file("PAUSE"), ...file("SKIP", "ALL", "260215-180001") },
        shell: "make",
      },
      {
        title: "a later APPROVE ends an abort",
        files: { ...file("ABORT"), ...file("APPROVE", "ALL", "260215-180001") },
        shell: "make",
      },
      {
        title: "a paused agent may say so in progress.md",
        files: { ...file("PAUSE"), [`${session}/iterations/1/progress.md`]: "- [/] task-1\n" },
        write: `${session}/iterations/1/progress.md`,
        edit: { old: "task-1", new: "task-1 (Paused by signal)" },
      },
      {
        title: "a file that is no signal",
        files: { [`${session}/signals/inputs/signal.260215-180000.yaml`]: "type: HALT\nmessage: x\n" },
        shell: "make",
      },
      { title: "a pause does not stop a prompt", files: file("PAUSE"), prompt: "what is the state?" },
      { title: "no session, no signals", shell: "make" },
    ],
  });
});
