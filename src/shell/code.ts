import { awk } from "./_code-awk.ts";
import { readerOf } from "./_code-expression.ts";
import { javascript } from "./_code-javascript.ts";
import { lua } from "./_code-lua.ts";
import { perl } from "./_code-perl.ts";
import { php } from "./_code-php.ts";
import { python } from "./_code-python.ts";
import { ruby } from "./_code-ruby.ts";
import type { Dialect, World } from "./_code-world.ts";
import type { Effect, Language } from "./model.ts";
import { maxLength } from "./_nesting.ts";

/** Code that makes code that makes code is followed this far. */
const maxNesting = 4;
/** Steps for work that does not advance in the code: decoding, rounds of a loop. */
const spareSteps = 512 * 1024;

/**
 * What a short program does to the outside, told by the calls it makes. What a call is given is worked out where
 * that needs no running: `effectsOfCode("python", "import os; os.remove('/' + 'x')")` is
 * `[{ do: "delete", path: "/x" }]`.
 */
export function effectsOfCode(language: Language, code: string): Effect[] {
  if (code.length > maxLength) return [{ do: "exec" }];
  const effects: Effect[] = [];
  let nesting = 0;
  const world: World = {
    dialect: dialectOf(language),
    effects,
    variables: new Map(),
    starred: [],
    straight: true,
    cwd: undefined,
    element: undefined,
    lost: false,
    calls: 0,
    spare: spareSteps,
    run(text) {
      if (nesting >= maxNesting || world.spare < text.length) {
        effects.push({ do: "exec" });
        return;
      }
      world.spare -= text.length;
      nesting++;
      const reader = readerOf(world.dialect.tokens(text), world);
      reader.statements();
      nesting--;
    },
  };
  world.run(code);
  // Perl edits whatever files it is given by this variable.
  if (language === "perl" && code.includes("$^I")) effects.push({ do: "write" });
  return effects;
}

const makers: Readonly<Record<Language, () => Dialect>> = { python, javascript, perl, ruby, php, awk, lua };
const made = new Map<Language, Dialect>();

// The tables are made for the first program in a language; most runs of Hookline see none.
function dialectOf(language: Language): Dialect {
  const known = made.get(language);
  if (known) return known;
  const dialect = makers[language]();
  made.set(language, dialect);
  return dialect;
}
