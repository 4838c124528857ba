import type { YAMLParseError } from "yaml";

interface Said {
  readonly key: string;
  readonly text: string;
  readonly hint: string;
}

/** What a mistake in the YAML means to who writes a policy; the library speaks to programmers. */
export function sayYamlProblem({ code, message, pos }: YAMLParseError, source: string): Said {
  const word = /^(?:"[^"\n]{0,80}|'[^'\n]{0,80}|[^\s:,{}[\]]{1,80})/.exec(source.slice(pos[0]))?.[0] ?? "";
  const key = word.replace(/^["']/, "");
  switch (code) {
    case "DUPLICATE_KEY":
      return { key, text: `the key "${key}" stands there twice`, hint: "Keep one of them." };
    case "MULTIPLE_DOCS":
      return {
        key: "",
        text: "a second document begins here",
        hint: "A policy is one document: take the line `---` out, and say every key once.",
      };
    case "NON_STRING_KEY":
      return { key: "", text: "a key that is not a word", hint: "Write the key as plain text." };
    case "TAB_AS_INDENT":
      return { key: "", text: "a tab at the beginning of a line", hint: "Indent with spaces." };
    default:
      return {
        key: "",
        text: message.split("\n")[0] ?? message,
        hint: "Mend the YAML; `hookline schema` prints what a policy may contain.",
      };
  }
}
