import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { roleOf, roles } from "../../workflow/ralph-roles.ts";
import { normalTarget } from "../../workflow/ralph-signals.ts";
import { chooseSession, NoSession } from "../ralph/choose-session.ts";
import { sendSignal } from "../signals.ts";
import { defineTool, objectOf, oneOf, text, textIn, ToolTrouble } from "./tool.ts";

export default defineTool({
  title: "Send a signal",
  description: "Tells a running Ralph session something; its agent gets it at its next tool call or prompt.",
  input: objectOf(
    {
      type: oneOf(
        ralphProfiles["v2.2.0"].signalTypes,
        "STEER and INFO are context, PAUSE and ABORT stop, APPROVE and SKIP decide.",
      ),
      message: { type: "string", minLength: 1, maxLength: 10_000, description: "What it says." },
      target: text(`Who it is for: ALL, ${roles.join(", ")}. ALL when not given.`, 100),
      session: text("The Ralph session; by default the active one, or the only one there is.", 200),
    },
    ["type", "message"],
  ),
  run(input, { root, world }) {
    const target = normalTarget(textIn(input, "target") ?? "ALL");
    if (target !== "ALL" && roleOf(target) === undefined)
      throw new ToolTrouble(`unknown target "${target}"; expected ALL, ${roles.join(", ")}`);
    const message = (textIn(input, "message") ?? "").trim();
    if (message === "") throw new ToolTrouble("message: it must not be empty");
    const type = textIn(input, "type") ?? "";
    try {
      const session = chooseSession(root, textIn(input, "session"), world);
      return {
        session: session.id,
        type,
        target,
        message,
        ...sendSignal(session, { type, target, message }),
      };
    } catch (error) {
      if (error instanceof NoSession) throw new ToolTrouble(error.message);
      throw error;
    }
  },
});
