import { defineCheckup } from "../../core/checkup.ts";

export default defineCheckup({
  canary: {
    event: "pre_run_command",
    payload: (command, cwd) => ({
      agent_action_name: "pre_run_command",
      trajectory_id: "hookline-canary",
      execution_id: "1",
      timestamp: "1970-01-01T00:00:00.000Z",
      tool_info: { command_line: command, cwd },
    }),
    refuses: ({ exitCode }) => exitCode === 2,
  },
  // It has no setting of its own for that.
  switchedOff: () => [],
});
