import { describe } from "bun:test";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { ruleTester } from "../../testing/rule-tester.ts";

const { scaffold } = ralphProfiles["v2.2.0"];
const id = "260215-173319";
const start = { event: "SessionStart" } as const;
const active = { ".ralph-sessions/.active-session": id };
const whole = Object.fromEntries(scaffold.map((folder) => [`.ralph-sessions/${id}/${folder}/.keep`, ""]));
const bound = { ".ralph-sessions/.hook-bindings/host-1.json": JSON.stringify({ ralph_session_id: id }) };
const made = (session: string) =>
  ["", ...scaffold.map((folder) => `/${folder}`)].map((folder) => ({
    do: "make-directory" as const,
    path: `<workspace>/.ralph-sessions/${session}${folder}`,
  }));

describe("S0-R9 a session's folder is made or refused when the session starts", () => {
  ruleTester("ralph/session-directory-guard", {
    catches: [
      {
        ...start,
        files: { ".ralph-sessions/.active-session": "../../etc" },
        message: "invalid",
        outcome: "block",
        effects: [],
      },
      {
        ...start,
        files: { ".ralph-sessions/.active-session": "２６０２１５-１７３３１９" },
        message: "invalid",
      },
      { ...start, files: { ".ralph-sessions/.active-session": `${id}0` }, message: "invalid" },
      { ...start, files: { ".ralph-sessions/.active-session": `${id}\n260216-000000` }, message: "invalid" },
      { ...start, files: { ".ralph-sessions/.active-session": `${id}/` }, message: "invalid" },
      {
        ...start,
        title: "a session without all of its folders",
        files: { ...active, [`.ralph-sessions/${id}/logs/x`]: "" },
        message: "incomplete",
        outcome: "warn",
        data: {
          reason: `Session directory '.ralph-sessions/${id}/' lacks scaffold directories: signals/inputs/, signals/processed/`,
        },
        effects: [],
      },
      {
        ...start,
        title: "S0-F37 a session of a later version without the folder for acknowledgements",
        files: { ...active, ...whole },
        options: { profile: "later" },
        message: "incomplete",
        data: {
          reason: `Session directory '.ralph-sessions/${id}/' lacks scaffold directories: signals/acks/`,
        },
      },
      {
        ...start,
        title: "a file in place of a folder",
        files: { ...active, [`.ralph-sessions/${id}/logs`]: "" },
        message: "incomplete",
      },
      {
        ...start,
        title: "a file in place of the session",
        files: { ...active, [`.ralph-sessions/${id}`]: "" },
        message: "invalid",
      },
      {
        ...start,
        title: "a session that is a link out of the workspace",
        files: active,
        links: { [`.ralph-sessions/${id}`]: "../../elsewhere" },
        message: "invalid",
        effects: [],
      },
      {
        ...start,
        title: "sessions that are a link out of the workspace",
        files: { "../elsewhere/.active-session": id },
        links: { ".ralph-sessions": "../elsewhere" },
        message: "invalid",
        effects: [],
      },
      {
        ...start,
        title: "a session known by its binding",
        session: "host-1",
        files: {
          ...bound,
          ".ralph-sessions/.active-session": "260216-000000",
          [`.ralph-sessions/${id}/logs/x`]: "",
        },
        message: "incomplete",
      },
      {
        ...start,
        title: "a link loop in place of the sessions",
        links: { ".ralph-sessions": ".ralph-sessions" },
        fails: "crash",
      },
      {
        ...start,
        title: "a link loop in place of the session",
        files: active,
        links: { [`.ralph-sessions/${id}`]: id },
        fails: "crash",
      },
    ],
    allows: [
      {
        ...start,
        title: "a new session",
        files: { ".ralph-sessions/.active-session": `${id}\r\n` },
        effects: made(id),
      },
      {
        ...start,
        title: "a new session known by its binding",
        session: "host-1",
        files: bound,
        effects: made(id),
      },
      { ...start, title: "a session that is there", files: { ...active, ...whole }, effects: [] },
      { ...start, title: "the only session there is", files: whole, effects: [] },
      {
        ...start,
        title: "two sessions of which none is known to be ours",
        files: { ...whole, ".ralph-sessions/260216-000000/x": "" },
        effects: [],
      },
      {
        ...start,
        title: "sessions, but none that looks like one",
        files: { ".ralph-sessions/notes/x": "" },
        effects: [],
      },
      { ...start, title: "an empty marker", files: { ".ralph-sessions/.active-session": "\n" }, effects: [] },
      { ...start, title: "a binding of another host session", session: "host-2", files: bound, effects: [] },
      {
        ...start,
        title: "half a binding",
        session: "host-1",
        files: { ".ralph-sessions/.hook-bindings/host-1.json": "{" },
        effects: [],
      },
      {
        ...start,
        title: "a host session that is no file name",
        session: "../host-1",
        files: { ".ralph-sessions/host-1.json": JSON.stringify({ ralph_session_id: id }) },
        effects: [],
      },
      {
        ...start,
        title: "a session that is a link inside the workspace",
        files: { ...active, "kept/signals/inputs/x": "", "kept/signals/processed/x": "", "kept/logs/x": "" },
        links: { [`.ralph-sessions/${id}`]: "../kept" },
        effects: [],
      },
      {
        title: "a prompt that names the session its host is bound to already",
        prompt: `go on with ${id}`,
        session: "host-1",
        files: { ...bound, ...whole },
        effects: [],
      },
      {
        title: "a prompt that names no session that exists",
        prompt: "go on with 260216-000000, not with 1260215-173319",
        session: "host-1",
        files: whole,
        effects: [],
      },
      { title: "another event", event: "Stop", files: { ".ralph-sessions/.active-session": "my-session" } },
    ],
  });
});
