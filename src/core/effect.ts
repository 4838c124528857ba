/** What shall happen after the verdict. Rules return effects as data; only the app carries them out. */
export type Effect =
  | { readonly do: "make-directory"; readonly path: string }
  | { readonly do: "append"; readonly path: string; readonly text: string };

export interface DoneEffect {
  readonly effect: Effect;
  readonly error?: string;
}
