import { asText, isObject, type Json } from "./json.ts";
import { isOneOf } from "./one-of.ts";
import type { Operation } from "./operation.ts";

// Keys of arguments, in small letters and without anything between the words.
const pathKeys =
  "path file filepath filename paths files filepaths filenames relativepath absolutepath fullpath localpath pathinproject notebookpath targetnotebook targetfile targetpath dirpath directorypath folderpath uri fileuri documenturi";
const sourceKeys = "source src from oldpath oldname olduri sourcepath sourcefile frompath";
const destinationKeys = "destination dest dst to target newpath newname newuri topath";
/** Where something is put, whatever the tool is called. */
const outputKeys = "destinationpath destpath output outputpath outputfile outfile outpath saveto savepath";
const contentKeys =
  "content contents filetext newstring newstr newcontent newcontents newtext newsource replacement";
const maybeContentKeys = "text data code body";
const commandKeys = "command cmd script commandline commands argv";
const typedKeys = "input keys line text";
const folderKeys = "cwd workdir workingdir workingdirectory directory";

// What the names of tools begin with, or parts of them; looked at only where nobody has described the tool.
const reading =
  /(?:^|[_.-])(?:read|view|get|list|ls|stat|search|find|grep|glob|open|show|cat|head|tail|diagnos|lsp)/i;
const deleting = /(?:^|[_.-])(?:delete|remove|rm|unlink|rmdir|trash)/i;
const writing =
  /(?:^|[_.-])(?:write|create|(?:multi_?)?edit|update|append|insert|replace|patch|save|set|put|touch|mkdir|make|truncate|overwrite|rewrite|modify|change|apply|chmod|chown|download|export|generate|extract|unzip|restore|revert|clear|empty|(?:re)?format|refactor|sym_?link|add)/i;
const changing = /(?:^|[_.-])(?:replace|write|(?:multi_?)?edit)/i;
const moving = /(?:^|[_.-])(?:move|mv|rename)/i;
const copying = /(?:^|[_.-])(?:copy|cp)/i;
const running = /(?:^|[_.-])(?:bash|shell|sh$|exec|terminal|run|process|command|spawn|eval)/i;
const typing = /(?:^|[_.-])(?:terminal|shell|bash|tmux|send[_-]?keys|stdin|interact)/i;

const most = 1000;
const deepest = 3;
const longest = 4096;

/**
 * Operations of a tool nobody described (an MCP server's, a newer host's). A tool that carries a path
 * and a content counts as a write, so that path rules hold for tools we have never seen.
 */
export function guessOperations(name: string, input: Json, depth = 0): Operation[] {
  const tool = (name.split("__").at(-1) ?? name).replace(/([a-z])([A-Z])/g, "$1_$2");
  const found: Operation[] = [];
  const cwd = firstText(input, folderKeys);
  for (const command of running.test(tool) ? commandsOf(name, input) : typedInto(tool, input))
    found.push({ do: "exec", command, ...(cwd === undefined ? {} : { cwd }) });
  for (const text of textsIn(input, "patch patchtext diff input"))
    if (text.includes("*** Begin Patch")) found.push({ do: "patch", text });
  const url = firstText(input, "url");
  if (url !== undefined) found.push({ do: "fetch", url });
  const isMove = moving.test(tool) || copying.test(tool);
  const isReading = reading.test(tool) && !changing.test(tool);
  const content =
    firstText(input, contentKeys) ?? (isReading ? undefined : firstText(input, maybeContentKeys));
  const ends = isMove || deleting.test(tool);
  for (const path of textsIn(input, ends ? `${pathKeys} ${sourceKeys}` : pathKeys)) {
    if (!isPath(path)) continue;
    if (content !== undefined) found.push({ do: "write", path, text: content });
    else if (deleting.test(tool) || moving.test(tool)) found.push({ do: "delete", path, recursive: true });
    else if (writing.test(tool) && !isReading) found.push({ do: "write", path });
    else found.push({ do: "read", path });
  }
  for (const path of textsIn(input, isMove ? `${destinationKeys} ${outputKeys}` : outputKeys))
    if (isMove || looksLikePath(path)) found.push({ do: "write", path });
  if (deleting.test(tool))
    for (const path of textsIn(input, destinationKeys))
      if (looksLikePath(path)) found.push({ do: "delete", path, recursive: true });
  if (depth < deepest) found.push(...guessWithin(name, input, depth, isReading));
  return found;
}

/** `files: [{ path, content }]` and `files: { "a.ts": "…" }`: several calls in one. */
function guessWithin(name: string, input: Json, depth: number, isReading: boolean): Operation[] {
  const found: Operation[] = [];
  for (const key in input) {
    const value = input[key];
    if (isObject(value)) {
      const isMap = isOneOf(plainKey(key), "files paths changes documents");
      for (const path of isReading ? [] : Object.keys(value).slice(0, most)) {
        if (isMap ? !looksLikePath(path) : !/^(?:\.{0,2}\/|~\/|file:)/.test(path)) continue;
        const text = asText(value[path]);
        found.push({ do: "write", path, ...(text === undefined ? {} : { text }) });
      }
      found.push(...guessOperations(name, value, depth + 1));
    } else if (Array.isArray(value))
      for (const each of value.slice(0, most))
        if (isObject(each)) found.push(...guessOperations(name, each, depth + 1));
  }
  return found;
}

/** A command line, or a program and its arguments, in one text or in several; or a program's text. */
function commandsOf(name: string, input: Json): string[] {
  for (const key in input) {
    const plain = plainKey(key);
    if (!isOneOf(plain, commandKeys)) continue;
    const value = input[key];
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    if (plain === "commands" && texts.length > 0) return texts;
    const args = Array.isArray(input["args"]) ? input["args"].filter((each) => typeof each === "string") : [];
    if (texts.length > 0) return [[...texts, ...args].map(quoted).join(" ")];
    if (typeof value === "string" && value !== "") return [[value, ...args.map(quoted)].join(" ")];
  }
  const code = firstText(input, "code sourcecode");
  const start = startOf(asText(input["language"]) ?? name);
  if (code !== undefined && start !== undefined) return [start === "" ? code : `${start} ${quoted(code)}`];
  return typedInto(name, input);
}

/** What goes into a shell that is open. */
const typedInto = (tool: string, input: Json): string[] =>
  typing.test(tool) ? textsIn(input, typedKeys).slice(0, 1) : [];

/** How a program in a language would be started from a command line. */
function startOf(language: string): string | undefined {
  if (/python|jupyter|notebook|__ide__/i.test(language)) return "python3 -c";
  if (/node|javascript|typescript|\bjs\b|deno|bun/i.test(language)) return "node -e";
  if (/ruby/i.test(language)) return "ruby -e";
  if (/perl/i.test(language)) return "perl -e";
  return /bash|shell|\bsh\b/i.test(language) ? "" : undefined;
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const plainKey = (key: string): string => key.replace(/[_-]/g, "").toLowerCase();

const looksLikePath = (text: string): boolean =>
  /[/\\]|^\.|\.\w+$/.test(text) && !/^(?!file:)\w+:\/\//.test(text) && isPath(text);

/** A whole text is none. */
const isPath = (text: string): boolean => text.length <= longest && !text.includes("\n");

/** The texts under some keys, one or a list of them. */
function textsIn(input: Json, keys: string): string[] {
  const found: string[] = [];
  for (const key in input) {
    if (!isOneOf(plainKey(key), keys)) continue;
    const value = input[key];
    for (const each of Array.isArray(value) ? value.slice(0, most) : [value])
      if (typeof each === "string" && each !== "") found.push(each);
  }
  return found;
}

const firstText = (input: Json, keys: string): string | undefined => textsIn(input, keys)[0];
