import { isOneOf } from "../core/one-of.ts";
import { wordsIn } from "./words.ts";

/** In which way something is said, each 0 to 1. It tells whether somebody wants something done at all that an ability could do. */
export interface Manner {
  /** The prompt asks what something is, or how it works. */
  readonly asks: number;
  /** It speaks of code: functions, fields, buttons. */
  readonly codes: number;
  /** It begins like a wish for a change of code: add, implement, make. */
  readonly makes: number;
  /** It points at what the speaker has before him: this, here, line 40, `cart.ts`. */
  readonly points: number;
}

const asking =
  /^\s*(?:(?:can|could) you )?(?:please )?(?:explain\b(?! plan)|define\b|describe\b|teach\b|compare \w+ and\b|what(?:'s| is) (?:an?|the (?:difference|meaning|point|best)|your)\b|what (?:does|do|are|is|if|happens)\b|how (?:do|does|would|should|could|is|are|long|hard) |why (?:do|does|is|are)\b|where (?:in|is|are|do|does)\b|which \w+ (?:do|does|is|handles|has)\b|should (?:we|i)\b|tell me about\b|was (?:ist|macht|bedeutet|sind)\b|wie (?:geht|funktioniert)\b|wo (?:ist|liegt|sind)\b|erkl\u00e4r)/i;
const making =
  "add implement make use write show put store handle support allow turn convert wrap inline hide render return replace set extend parse validate schreib mach baue bau fuge erganze";
const coding =
  "function functions class classes interface enum variable variables constant const argument arguments parameter parameters prop props component components button " +
  "buttons modal dialog tooltip header footer heading headline css div icon icons font colour color checkbox input form forms field fields menu sidebar toast spinner " +
  "badge popup dropdown placeholder layout line lines import imports loop loops regex array arrays map promise async await callback callbacks hook hooks generic " +
  "generics cast null undefined boolean string strings integer exception throw catch return returns method methods constructor getter setter selector reducer handler " +
  "helper readme comment comments typo indentation commit commits push rebase squash stash checkout stub mock mocks mocked snippet script scripts syntax compile " +
  "endpoint route routes controller middleware condition switch yaml json csv html tsconfig dockerfile makefile animation image picture text title label wording page " +
  "pages option options flag default defaults funktion klasse methode variable feld felder formular knopf kommentar schleife tabelle farbe";
const pointing =
  /\b(?:this|these|here|that|above|below|diese[rsnm]?|hier)\b|\b(?:line|zeile) \d+|\b[\w/-]+\.(?:tsx?|jsx?|py|go|rs|java|md|ya?ml|json|css|html|sh|sql)\b|`/i;

/** Longer prompts are read as far as this. */
const longest = 2000;

export function mannerOf(prompt: string): Manner {
  const start = prompt.slice(0, longest);
  const words = wordsIn(start);
  const first = words.find((word) => !isOneOf(word, polite)) ?? "";
  const coded = words.filter((word) => isOneOf(word, coding)).length;
  return {
    asks: asking.test(start) ? 1 : 0,
    codes: Math.min(coded, 3) / 3,
    makes: isOneOf(first, making) ? 1 : 0,
    points: pointing.test(start) ? 1 : 0,
  };
}

const polite =
  "please pls can could you would i we want to need should let lets bitte kannst du hi hello hey and also then now";
