/** Code that may be there already, or still has to be loaded. */
export interface Lazy<T> {
  (): T | Promise<T>;
  /** It has come with something else, and need not be loaded any more. */
  keep(it: T): void;
}

/**
 * Code that is loaded when it is first wanted, and is there at once ever after.
 *
 * @example
 * const git = lazily(() => import("./_git.ts"));
 */
export function lazily<T extends object>(load: () => Promise<T>): Lazy<T> {
  let loaded: T | undefined;
  const get = (): T | Promise<T> => loaded ?? load().then((it) => (loaded = it));
  get.keep = (it: T): void => {
    loaded = it;
  };
  return get;
}
