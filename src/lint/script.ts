import { extname } from "node:path";
import { syntaxOf, type Syntax } from "../shell/syntax.ts";

export type Language = "shell" | "python" | "javascript" | "other";

/** A script a hook runs. */
export interface Script {
  /** As people name it. */
  readonly file: string;
  readonly text: string;
  readonly language: Language;
  /** The text with comments blanked out, place for place. */
  readonly code: string;
  /** Only of a shell script. */
  readonly syntax?: Syntax;
}

const extensions: Readonly<Record<string, Language>> = {
  ".sh": "shell",
  ".bash": "shell",
  ".py": "python",
  ".ts": "javascript",
  ".mts": "javascript",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
};

export const isScriptName = (file: string): boolean => Object.hasOwn(extensions, extname(file));

export function scriptOf(file: string, text: string): Script {
  const language = languageOf(file, text);
  const code = language === "other" ? text : blankComments(text, language);
  return { file, text, language, code, ...(language === "shell" ? { syntax: syntaxOf(text) } : {}) };
}

function languageOf(file: string, text: string): Language {
  const known = extensions[extname(file).toLowerCase()];
  if (known) return known;
  const shebang = /^#!.*?\b(bash|sh|dash|zsh|ksh|python[\d.]*|node|bun|deno)\b/.exec(text)?.[1];
  if (shebang === undefined) return "other";
  if (shebang.startsWith("python")) return "python";
  return ["node", "bun", "deno"].includes(shebang) ? "javascript" : "shell";
}

/** The line of a place in a text, counted from 1. */
export const lineAt = (text: string, pos: number): number => text.slice(0, pos).split("\n").length;

/** The first place a pattern fits in the script's code, as a line. */
export function lineOf({ code }: Script, pattern: RegExp): number | undefined {
  const found = pattern.exec(code);
  return found ? lineAt(code, found.index) : undefined;
}

/** Comments as spaces: what somebody writes about is not what he does. */
function blankComments(text: string, language: "shell" | "python" | "javascript"): string {
  const tokens =
    language === "javascript"
      ? /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g
      : language === "python"
        ? /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
        : /(?<=^|[\s;(])#[^\n]*|"(?:\\.|[^"\\])*"|'[^']*'|\\./gm;
  const isComment = language === "javascript" ? /^\/[/*]/ : /^#/;
  return text.replace(tokens, (token) => (isComment.test(token) ? token.replace(/[^\n]/g, " ") : token));
}
