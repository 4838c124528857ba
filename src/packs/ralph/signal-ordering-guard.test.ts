import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const folder = ".ralph-sessions/260215-173319/signals";
const text = (type: string, target = "ALL") => `type: ${type}\ntarget: ${target}\nmessage: go\n`;

describe("S0-R38 S0-C11 signals are handled in the order of their times", () => {
  ruleTester("ralph/signal-ordering-guard", {
    catches: [
      {
        title: "S0-C11 of the same second, the full name decides",
        files: {
          [`${folder}/inputs/signal.260215-180000-a.yaml`]: text("INFO"),
          [`${folder}/inputs/signal.260215-180000-b.yaml`]: text("INFO"),
        },
        shell: `mv ${folder}/inputs/signal.260215-180000-b.yaml ${folder}/processed/`,
        message: "skips",
        data: { older: "signal.260215-180000-a.yaml" },
      },
      {
        title: "S0-C12 names with a century or an offset sort by their digits",
        files: {
          [`${folder}/inputs/signal.20260215-175959.yaml`]: text("INFO"),
          [`${folder}/inputs/signal.260215-180000+0700.yaml`]: text("INFO"),
        },
        shell: `mv ${folder}/inputs/signal.260215-180000+0700.yaml ${folder}/processed/x.yaml`,
        message: "skips",
      },
      {
        title: "a signal written out as processed by hand",
        files: {
          [`${folder}/inputs/signal.260215-180000.yaml`]: text("STEER"),
          [`${folder}/inputs/signal.260215-180001.yaml`]: text("INFO"),
        },
        write: `${folder}/processed/signal.260215-180001.yaml`,
        text: text("INFO"),
        message: "skips",
      },
    ],
    allows: [
      {
        title: "S0-C11 APPROVE waits for its state and stalls nobody",
        files: {
          [`${folder}/inputs/signal.260215-180000.yaml`]: text("APPROVE"),
          [`${folder}/inputs/signal.260215-180001.yaml`]: text("INFO"),
        },
        shell: `mv ${folder}/inputs/signal.260215-180001.yaml ${folder}/processed/`,
      },
      {
        title: "S0-C11 nor does one for somebody else",
        files: {
          [`${folder}/inputs/signal.260215-180000.yaml`]: text("STEER", "Reviewer"),
          [`${folder}/inputs/signal.260215-180001.yaml`]: text("INFO"),
        },
        shell: `mv ${folder}/inputs/signal.260215-180001.yaml ${folder}/processed/`,
      },
      { write: `${folder}/inputs/signal.260215-180000.yaml`, text: text("INFO") },
    ],
  });
});
