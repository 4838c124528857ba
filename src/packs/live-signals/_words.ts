import type { PlacedSignal } from "../../workflow/ralph-signals.ts";

/** What a signal asks of whoever gets it. */
const meanings: Readonly<Record<string, string>> = {
  STEER:
    "Follow it from here on. If it makes work of this step invalid, restart the step; if it only adds to it, adjust in place; " +
    'if it changes the objective, stop and return `blocked` with "STEER scope change: <summary>".',
  INFO: "It is for your information only: do not restart, pause or escalate because of it.",
  APPROVE:
    "Go on. If staged knowledge waits for approval, promote it (Librarian, MODE: PROMOTE) and complete the session.",
  SKIP:
    "Go on without what was to be approved. If staged knowledge waits for approval, mark `plan-knowledge-approval` [C] and " +
    "complete the session without promoting it; the staged files stay.",
};

const steerLoop =
  "It is the third STEER or more in this review. Do not evaluate again: stop, and return `blocked` with the marker [STEER-LOOP].";

/** A signal as the agent reads it. The message is a person's, and stays one line in quotes. */
export function told(signal: PlacedSignal, isLoop = false): string {
  const meaning = isLoop ? steerLoop : meanings[signal.type];
  return `${headOf(signal)}\n${meaning ?? ""}`.trimEnd();
}

export const headOf = ({ type, name, target, message }: PlacedSignal): string =>
  `Live signal ${type} for ${target} (${name.replace(/\.ya?ml$/i, "")}): ${quoted(message, name)}`;

const longest = 4000;

/** A long message is cut; the whole of it is in its file. */
const quoted = (message: string, name: string): string =>
  message.length <= longest
    ? JSON.stringify(message)
    : `${JSON.stringify(message.slice(0, longest))} … (the whole of it is in signals/processed/${name})`;

/** What is put into the call of the agent a signal is for. */
export const signalContext = ({ type, message, name }: PlacedSignal): string =>
  `\n\nSIGNAL_CONTEXT: [${type}] ${quoted(message, name)}`;
