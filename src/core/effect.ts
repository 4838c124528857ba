import type { Json } from "./json.ts";

/**
 * What shall happen after the verdict. Rules return effects as data; only the app carries them out, each only inside
 * the workspace, and with secrets masked in whatever is added to a log.
 */
export type Effect =
  | { readonly do: "make-directory"; readonly path: string }
  /** Lines of text at the end of a file; a new file begins with `heading`. */
  | { readonly do: "append"; readonly path: string; readonly text: string; readonly heading?: string }
  /** One line of JSON at the end of a file; with the `sha256` of another file as it is then, if `digest` names one. */
  | {
      readonly do: "log";
      readonly path: string;
      readonly entry: Json;
      readonly digest?: string;
      /** Not when the event is refused: then what the line says does not happen. */
      readonly unlessDenied?: true;
    }
  /** A second copy of a file as it is when the effect is carried out; what is there already stays. */
  | { readonly do: "copy"; readonly path: string; readonly from: string }
  /** Another name for a file: of several who ask for it, one gets it. What is there already stays. */
  | { readonly do: "move"; readonly path: string; readonly from: string }
  | { readonly do: "remove"; readonly path: string }
  /**
   * A file taken away from everybody else: of several who ask for it, one gets it. It then reads `text` in its new place. What
   * is there already stays.
   */
  | { readonly do: "take"; readonly path: string; readonly from: string; readonly text: string }
  /**
   * A whole new text, there at once or not at all. With `was`, only if the file still reads so; `null` is for a file
   * that must not be there yet.
   */
  | { readonly do: "replace"; readonly path: string; readonly text: string; readonly was?: string | null };

export interface DoneEffect {
  readonly effect: Effect;
  readonly error?: string;
}
