import { hosts } from "../../hosts/index.generated.ts";
import { extract, isTag } from "../../workflow/signals.ts";
import { hostFor } from "../choose-host.ts";
import { saidIn } from "../transcript.ts";
import { defineCommand, textFlag, UsageError } from "./_command.ts";
import { hostFlag, readInput, settingOf } from "./_input.ts";

export default defineCommand({
  summary: "Tagged values of a text or of what an agent said last: `<score>85</score>`.",
  usage: [
    "extract TAG [FILE] [--all] [--json]",
    "extract TAG --transcript FILE [--host HOST] [--all] [--json]",
    "extract TAG [FILE] --equals VALUE",
  ],
  details:
    "Prints the first value, over lines, white space trimmed and collapsed; exit 1 when there is none. FILE or standard input holds the text; a transcript is read from its end, and only the last thing the agent said counts.",
  flags: {
    all: { type: "boolean", summary: "All values, one a line." },
    equals: {
      type: "string",
      value: "VALUE",
      summary: "Print nothing; exit 0 if the first value is this one.",
    },
    transcript: { type: "string", value: "FILE", summary: "The transcript of a session." },
    host: hostFlag,
    json: { type: "boolean", summary: "Print a JSON list of the values." },
  },
  async run(given) {
    const [tag, file] = given.words;
    if (tag === undefined || !isTag(tag))
      throw new UsageError(
        `${tag === undefined ? "name a tag" : `"${tag}" is no name for a tag`}, for example score`,
      );
    const transcript = textFlag(given, "transcript");
    const text =
      transcript === undefined
        ? new TextDecoder().decode(await readInput(file))
        : await lastIn(transcript, settingOf(given).host);
    const values = extract(text, tag);
    const wanted = textFlag(given, "equals");
    if (wanted !== undefined) return values[0] === wanted ? 0 : 1;
    const shown = given.flags["all"] === true || given.flags["json"] === true ? values : values.slice(0, 1);
    if (given.flags["json"] === true) console.log(JSON.stringify(shown));
    else for (const value of shown) console.log(value);
    return values.length > 0 ? 0 : 1;
  },
});

/** Without a host, each is asked whether the transcript is one of its own. */
async function lastIn(path: string, host: string | undefined): Promise<string> {
  const asked = host === undefined ? Object.values(hosts) : [await hostFor(host)];
  for (const each of asked) {
    const said = saidIn(path, each);
    if (said !== undefined) return said;
  }
  throw new UsageError(`nothing an agent said can be found in ${path}; expected the transcript of a session`);
}
