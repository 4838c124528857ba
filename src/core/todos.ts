import type { Todo } from "./action.ts";
import { asText, defined, isObject } from "./json.ts";

const over = ["completed", "done", "cancelled", "canceled", "deleted"];

/** A list of what is to do as a tool is given it; `name` is the key each item has its text under. */
export const todosIn = (list: unknown, name: string): Todo[] =>
  (Array.isArray(list) ? list : []).filter(isObject).map(({ id, status, [name]: text }) =>
    defined({
      id: typeof id === "number" ? `${id}` : asText(id),
      text: asText(text),
      done: status === undefined ? undefined : over.includes(`${asText(status)}`),
    }),
  );
